// tandem run reduce

#include "bench/command/run/run.h"
#include "lib/ops/reduce/contract.h"

namespace tandem::command {
namespace {

void run_reduce(const ArrayOptions& options) {
  const NpyArray in = read_vector(options.in);
  Context ctx = context_for(options.use);
  for_case_of<Reduce>(options.in, in.type, parse_operator(options.op), [&]<class C>() {
    const Array<typename C::T> x(ctx, in.as<typename C::T>());
    const auto value = reduce(ctx, x, typename C::Op{}, {options.use});
    if (options.out.empty())
      fmt::print("{}\n", value);
    else
      write_npy(options.out, type_of<typename C::Acc>, {}, std::as_bytes(std::span(&value, 1)));
  });
}

void add_reduce(CLI::App& run) {
  static ArrayOptions options;
  auto* sub = run.add_subcommand("reduce", Reduce::meaning);
  add_array_options(sub, options);
  sub->add_option("--out", options.out, "Write the value here (.npy) instead of printing it");
  sub->footer("Example: tandem run reduce --in x.npy --op maximum");
  sub->callback([] { run_reduce(options); });
}

const bool added = add_run_command(add_reduce);

}  // namespace
}  // namespace tandem::command

// tandem run reverse

#include "bench/command/run/run.h"
#include "lib/ops/reverse/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, out, use;
};

void run_reverse(const Options& options) {
  const NpyArray in = read_vector(options.in);
  Context ctx = context_for(options.use);
  for_case_of<Reverse>(options.in, in.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    const Array<T> x(ctx, in.as<T>());
    Array<T> y(ctx, x.size());
    reverse(ctx, x, y, {options.use});
    write_result(options.out, std::vector{y.size()}, y);
  });
}

void add_reverse(CLI::App& run) {
  static Options options;
  auto* sub = run.add_subcommand("reverse", Reverse::meaning);
  sub->add_option("--in", options.in, "Array of rank 1 (.npy)")->required();
  sub->add_option("--out", options.out, "Where the result goes (.npy)")->required();
  add_use(sub, options.use);
  sub->footer("Example: tandem run reverse --in x.npy --out y.npy");
  sub->callback([] { run_reverse(options); });
}

const bool added = add_run_command(add_reverse);

}  // namespace
}  // namespace tandem::command

// tandem run scan

#include "bench/command/run/run.h"
#include "lib/ops/scan/contract.h"

namespace tandem::command {
namespace {

struct Options : ArrayOptions {
  std::string init;
  bool exclusive = false;
};

void run_scan(const Options& options) {
  const NpyArray in = read_vector(options.in);
  Context ctx = context_for(options.use);
  for_case_of<Scan>(options.in, in.type, parse_operator(options.op), [&]<class C>() {
    using T = typename C::T;
    if constexpr (!std::is_same_v<T, Bicyclic>) {
      const T init =
          options.init.empty() ? C::Op::template identity<T>() : parse_number<T>(options.init, "--init");
      Array<T> x(ctx, in.as<T>());
      if (options.exclusive)
        exclusive_scan(ctx, x, x, typename C::Op{}, init, {options.use});
      else
        inclusive_scan(ctx, x, x, typename C::Op{}, init, {options.use});
      write_result(options.out, in.shape, x);
    }
  });
}

void add_scan(CLI::App& run) {
  static Options options;
  auto* sub = run.add_subcommand("scan", Scan::meaning);
  add_array_options(sub, options);
  sub->add_option("--out", options.out, "Where the result goes (.npy)")->required();
  sub->add_flag("--exclusive", options.exclusive, "Leave x[i] out of out[i]");
  sub->add_option("--init", options.init, "Initial value; the operator's identity unless given")
      ->check(not_empty);
  sub->footer(
      "Example: tandem run scan --in x.npy --out y.npy --op maximum --exclusive --use custom/blelloch@simt");
  sub->callback([] { run_scan(options); });
}

const bool added = add_run_command(add_scan);

}  // namespace
}  // namespace tandem::command

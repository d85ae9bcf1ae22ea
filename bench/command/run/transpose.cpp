// tandem run transpose

#include "bench/command/run/run.h"
#include "lib/ops/transpose/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, out, use;
};

void run_transpose(const Options& options) {
  const NpyArray in = read_matrix(options.in);
  const std::int64_t rows = in.shape[0], cols = in.shape[1];
  Context ctx = context_for(options.use);
  for_case_of<Transpose>(options.in, in.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    const Array<T> x(ctx, in.as<T>());
    Array<T> y(ctx, rows * cols);
    transpose(ctx, matrix(x, rows, cols), matrix(y, cols, rows), {options.use});
    write_result(options.out, std::vector{cols, rows}, y);
  });
}

void add_transpose(CLI::App& run) {
  static Options options;
  auto* sub = run.add_subcommand("transpose", Transpose::meaning);
  sub->add_option("--in", options.in, "Matrix (.npy)")->required();
  sub->add_option("--out", options.out, "Where the result goes (.npy)")->required();
  add_use(sub, options.use);
  sub->footer("Example: tandem run transpose --in a.npy --out t.npy");
  sub->callback([] { run_transpose(options); });
}

const bool added = add_run_command(add_transpose);

}  // namespace
}  // namespace tandem::command

// tandem run transpose

#include "bench/command/run/run.h"
#include "lib/ops/transpose/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, out, use;
};

void run_transpose(const Options& options) {
  const InputArray in = read_array(options.in, 2);
  const std::vector<std::int64_t> extents = in.extents();
  const std::int64_t rows = extents[0], cols = extents[1];  // as it lies
  Context ctx = context_for(options.use);
  for_case_of<Transpose>(in.file, in.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    const Array<T> x(ctx, in.as<T>());
    Array<T> y(ctx, rows * cols);
    transpose(ctx, matrix(x, rows, cols), matrix(y, cols, rows), {options.use});
    write_result(options.out, in.format, std::vector{in.shape[1], in.shape[0]}, y);
  });
  say_done(ctx, "transpose", in.str(), options.out);
}

void add_transpose(Command run) {
  static Options options;
  const auto sub = run.subcommand("transpose", Transpose::meaning);
  add_file(sub, "--in", options.in, "Matrix (.npy; - is standard input)").required();
  add_file(sub, "--out", options.out, "Where the result goes (.npy; - is standard output)").required();
  add_use(sub, options.use);
  sub.footer("Example: tandem run transpose --in a.npy --out t.npy");
  sub.callback([] { run_transpose(options); });
}

const bool added = add_run_command(add_transpose);

}  // namespace
}  // namespace tandem::command

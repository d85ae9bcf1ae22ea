// tandem run transpose

#include "bench/command/run/run.h"
#include "lib/ops/transpose/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, out, use;
};

/// Elements are moved as T, of which they have the bytes.
template <class T>
void move(const InputArray& in, Context& ctx, const Options& options) {
  const std::vector<std::int64_t> extents = in.extents();
  const std::int64_t rows = extents[0], cols = extents[1];  // as it lies
  const Array<T> x(ctx, std::span{reinterpret_cast<const T*>(in.data.data()), in.data.size() / sizeof(T)});
  Array<T> y(ctx, rows * cols);
  transpose(ctx, matrix(x, rows, cols), matrix(y, cols, rows), {options.use});
  const std::vector<T> moved = y.to_vector();
  write_result(options.out, in.format, in.type, std::vector{in.shape[1], in.shape[0]},
               std::as_bytes(std::span(moved)));
}

void run_transpose(const Options& options) {
  const InputArray in = read_real_or_complex_array(options.in);
  require_rank(in, 2);
  const std::size_t bytes = size_of(in.type) * (in.format.complex ? 2 : 1);
  Context ctx = context_for(options.use);
  if (in.type == Type::f32 && bytes == 4)
    move<float>(in, ctx, options);
  else if (in.type == Type::f64 && bytes == 8)
    move<double>(in, ctx, options);
  else if (bytes == 1)
    move<std::uint8_t>(in, ctx, options);
  else if (bytes == 2)
    move<half>(in, ctx, options);
  else if (bytes == 4)
    move<std::int32_t>(in, ctx, options);
  else if (bytes == 8)
    move<std::int64_t>(in, ctx, options);
  else
    throw BadFile(in.file, fmt::format("holds {}; transpose takes elements of 1, 2, 4 or 8 bytes",
                                       element_name(in.type, in.format)));
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

// tandem run real_fft

#include "bench/command/run/fourier.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, out, scaling = "inverse", use;
  bool inverse = false;
  std::int64_t n = 0;
};

/// The last dimension is transformed.
void run_forward(const Options& options) {
  InputArray in = read_array(options.in);
  if (in.shape.empty()) throw BadFile(in.file, "holds a single value; it must have a dimension");
  const std::int64_t n = in.shape.back();
  NpyFormat format = in.format;
  format.complex = true;
  in.put_in_order(false);
  Context ctx = context_for(options.use);
  for_case_of<RealFft>(in.file, in.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    const Transforms rows{.n = n, .batch = rows_of(in.shape, 1), .scaling = parse_scaling(options.scaling)};
    const std::int64_t size = n == 0 ? 0 : RealFft::spectrum_size(n);
    const Array<T> x(ctx, in.as<T>());
    Array<T> parts(ctx, rows.batch * size * 2);
    real_fft(ctx, x, as_numbers(parts), rows, {options.use});
    std::vector<std::int64_t> shape = in.shape;
    shape.back() = size;
    write_complex_array(options.out, format, shape, parts);
  });
  say_done(ctx, "real_fft", in.str(), options.out);
}

void run_inverse(const Options& options) {
  const ComplexArray y = read_complex_array(options.in);
  const std::int64_t n = real_extent_of(y, options.n);
  Context ctx = context_for(options.use);
  for_case_of<RealFft>(y.in.file, y.in.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    const Transforms rows{.n = n, .batch = rows_of(y.shape, 1), .scaling = parse_scaling(options.scaling)};
    Array<T> parts(ctx, y.in.as<T>()), x(ctx, rows.batch * n);
    inverse_real_fft(ctx, as_numbers(parts), x, rows, {options.use});
    std::vector<std::int64_t> shape = y.shape;
    shape.back() = n;
    NpyFormat format = y.format;
    format.complex = false;
    write_from_c_order(options.out, format, shape, x);
  });
  say_done(ctx, "inverse real_fft", y.str(), options.out);
}

void add_real_fft(Command run) {
  static Options options;
  const auto sub = run.subcommand("real_fft", RealFft::meaning);
  add_file(
      sub, "--in", options.in,
      fmt::format("Real numbers, transformed along their last dimension; with --inverse complex ones: {} "
                  "(.npy; - is standard input)",
                  kComplexNumbers))
      .required();
  const auto inverse = sub.flag("--inverse", options.inverse, "Back");
  sub.number("--n", options.n, "Real numbers of a row, with --inverse; the even number by itself", 1,
             std::numeric_limits<std::int64_t>::max())
      .needs(inverse);
  add_scaling(sub, options.scaling);
  add_file(sub, "--out", options.out,
           "Where the result goes, complex64 or complex128 unless --inverse (.npy; - is standard output)")
      .required();
  add_use(sub, options.use);
  sub.footer("Example: tandem run real_fft --in x.npy --out y.npy");
  sub.callback([] { options.inverse ? run_inverse(options) : run_forward(options); });
}

const bool added = add_run_command(add_real_fft);

}  // namespace
}  // namespace tandem::command

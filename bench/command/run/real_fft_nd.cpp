// tandem run real_fft_nd

#include "bench/command/run/fourier.h"
#include "lib/ops/real_fft_nd/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, out, scaling = "inverse", use;
  bool inverse = false;
  std::int64_t axes = 0, n = 0;
};

/// Of real numbers of this shape, of which the last dimensions are transformed.
Grid grids_of(std::span<const std::int64_t> shape, std::size_t axes, const Options& options) {
  return {.extents = PerAxis(shape.last(axes)),
          .batch = rows_of(shape, axes),
          .scaling = parse_scaling(options.scaling)};
}

void run_forward(const Options& options) {
  InputArray in = read_array(options.in);
  if (in.shape.empty()) throw BadFile(in.file, "holds a single value; it must have a dimension");
  const std::size_t axes = axes_of(options.axes, in.shape.size(), in.file);
  std::vector<std::int64_t> shape = in.shape;
  if (shape.back() > 0) shape.back() = RealFft::spectrum_size(shape.back());
  NpyFormat format = in.format;
  format.complex = true;
  in.put_in_order(false);
  Context ctx = context_for(options.use);
  for_case_of<RealFftNd>(in.file, in.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    const Array<T> x(ctx, in.as<T>());
    Array<T> parts(ctx, 2 * rows_of(shape, 0));
    real_fft_nd(ctx, x, as_numbers(parts), grids_of(in.shape, axes, options), {options.use});
    write_complex_array(options.out, format, shape, parts);
  });
  say_done(ctx, "real_fft_nd", in.str(), options.out);
}

void run_inverse(const Options& options) {
  const ComplexArray y = read_complex_array(options.in);
  const std::size_t axes = axes_of(options.axes, y.shape.size(), y.in.file);
  std::vector<std::int64_t> shape = y.shape;
  shape.back() = real_extent_of(y, options.n);
  Context ctx = context_for(options.use);
  for_case_of<RealFftNd>(y.in.file, y.in.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    Array<T> parts(ctx, y.in.as<T>()), x(ctx, rows_of(shape, 0));
    inverse_real_fft_nd(ctx, as_numbers(parts), x, grids_of(shape, axes, options), {options.use});
    NpyFormat format = y.format;
    format.complex = false;
    write_from_c_order(options.out, format, shape, x);
  });
  say_done(ctx, "inverse real_fft_nd", y.str(), options.out);
}

void add_real_fft_nd(Command run) {
  static Options options;
  const auto sub = run.subcommand("real_fft_nd", RealFftNd::meaning);
  add_file(sub, "--in", options.in,
           fmt::format("Real numbers; with --inverse complex ones: {} (.npy; - is standard input)",
                       kComplexNumbers))
      .required();
  add_axes(sub, options.axes);
  const auto inverse = sub.flag("--inverse", options.inverse, "Back");
  sub.number("--n", options.n, "Real numbers along the last axis, with --inverse; the even number by itself",
             1, std::numeric_limits<std::int64_t>::max())
      .needs(inverse);
  add_scaling(sub, options.scaling);
  add_file(sub, "--out", options.out,
           "Where the result goes, complex64 or complex128 unless --inverse (.npy; - is standard output)")
      .required();
  add_use(sub, options.use);
  sub.footer("Example: tandem run real_fft_nd --in x.npy --out y.npy");
  sub.callback([] { options.inverse ? run_inverse(options) : run_forward(options); });
}

const bool added = add_run_command(add_real_fft_nd);

}  // namespace
}  // namespace tandem::command

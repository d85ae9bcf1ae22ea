// tandem run fft_nd

#include "bench/command/run/fourier.h"
#include "lib/ops/fft_nd/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, out, scaling = "inverse", use;
  bool inverse = false;
  std::int64_t axes = 0;
};

// The last dimensions are transformed.
void run_fft_nd(const Options& options) {
  const ComplexArray x = read_complex_array(options.in);
  const std::size_t axes = axes_of(options.axes, x.shape.size(), x.in.file);
  Context ctx = context_for(options.use);
  for_case_of<FftNd>(x.in.file, x.in.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    Array<T> parts(ctx, x.in.as<T>());
    const auto numbers = as_numbers(parts);
    const Grid grids{.extents = PerAxis(std::span(x.shape).last(axes)),
                     .batch = rows_of(x.shape, axes),
                     .scaling = parse_scaling(options.scaling)};
    if (options.inverse)
      inverse_fft_nd(ctx, numbers, numbers, grids, {options.use});
    else
      fft_nd(ctx, numbers, numbers, grids, {options.use});
    write_complex_array(options.out, x.format, x.shape, parts);
  });
  say_done(ctx, options.inverse ? "inverse fft_nd" : "fft_nd", x.str(), options.out);
}

void add_fft_nd(Command run) {
  static Options options;
  const auto sub = run.subcommand("fft_nd", FftNd::meaning);
  add_file(sub, "--in", options.in,
           fmt::format("Complex numbers: {} (.npy; - is standard input)", kComplexNumbers))
      .required();
  add_axes(sub, options.axes);
  sub.flag("--inverse", options.inverse, "Back");
  add_scaling(sub, options.scaling);
  add_file(sub, "--out", options.out, "Where the result goes (.npy; - is standard output)").required();
  add_use(sub, options.use);
  sub.footer("Example: tandem run fft_nd --in x.npy --out y.npy");
  sub.callback([] { run_fft_nd(options); });
}

const bool added = add_run_command(add_fft_nd);

}  // namespace
}  // namespace tandem::command

// tandem run fft_nd

#include <algorithm>

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
  const std::size_t there = x.shape.size();
  const std::size_t axes = options.axes > 0 ? static_cast<std::size_t>(options.axes) : there;
  if (axes > there || axes > PerAxis::kMost) {
    throw InvalidArgument(
        fmt::format("--axes is {}; the numbers of {} have {} dimensions, of which the last 1 to {} can be "
                    "transformed",
                    axes, x.in.file, there, std::min(there, PerAxis::kMost)));
  }
  Context ctx = context_for(options.use);
  for_case_of<FftNd>(x.in.file, x.in.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    Array<T> parts(ctx, x.in.as<T>());
    const auto numbers = as_numbers(parts);
    const Grid grids{.extents = PerAxis(std::span(x.shape).subspan(there - axes, axes)),
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
  sub.number("--axes", options.axes, "How many dimensions are transformed, the last ones; all by itself", 1,
             3);
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

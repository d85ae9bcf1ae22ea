// tandem run convolve

#include "bench/command/run/fourier.h"
#include "lib/ops/convolve/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, filter, out, scaling = "inverse", use;
};

// The last dimension is convolved.
void run_convolve(const Options& options) {
  const ComplexArray x = read_complex_array(options.in), filter = read_complex_array(options.filter);
  if (filter.in.type != x.in.type) {
    throw BadFile(filter.in.file, fmt::format("holds {}; it must hold {}, as {} does", name(filter.in.type),
                                              name(x.in.type), x.in.file));
  }
  const std::int64_t n = x.shape.back();
  if (filter.shape != std::vector<std::int64_t>{n}) {
    throw BadFile(filter.in.file,
                  fmt::format("holds numbers of shape ({}); it must be ({}), a spectrum for the rows of {}",
                              fmt::join(filter.shape, ", "), n, x.in.file));
  }
  Context ctx = context_for(options.use);
  for_case_of<Convolve>(x.in.file, x.in.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    Array<T> parts(ctx, x.in.as<T>()), spectrum(ctx, filter.in.as<T>());
    const auto numbers = as_numbers(parts);
    const Transforms rows{.n = n, .batch = rows_of(x.shape, 1), .scaling = parse_scaling(options.scaling)};
    convolve(ctx, numbers, as_numbers(spectrum), numbers, rows, {options.use});
    write_complex_array(options.out, x.format, x.shape, parts);
  });
  say_done(ctx, "convolve", x.str(), options.out);
}

void add_convolve(Command run) {
  static Options options;
  const auto sub = run.subcommand("convolve", Convolve::meaning);
  add_file(
      sub, "--in", options.in,
      fmt::format("Complex numbers, convolved along their last dimension: {} (.npy; - is standard input)",
                  kComplexNumbers))
      .required();
  add_file(sub, "--filter", options.filter,
           "The spectrum of the filter, as run fft writes it: as many complex numbers as a row has (.npy)")
      .required();
  add_scaling(sub, options.scaling);
  add_file(sub, "--out", options.out, "Where the result goes (.npy; - is standard output)").required();
  add_use(sub, options.use);
  sub.footer("Example: tandem run convolve --in x.npy --filter h.npy --out y.npy");
  sub.callback([] { run_convolve(options); });
}

const bool added = add_run_command(add_convolve);

}  // namespace
}  // namespace tandem::command

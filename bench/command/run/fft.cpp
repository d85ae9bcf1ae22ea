// tandem run fft

#include "bench/command/run/fourier.h"
#include "lib/ops/fft/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, out, scaling = "inverse", use;
  bool inverse = false;
};

// The last dimension is transformed.
void run_fft(const Options& options) {
  const ComplexArray x = read_complex_array(options.in);
  Context ctx = context_for(options.use);
  for_case_of<Fft>(x.in.file, x.in.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    Array<T> parts(ctx, x.in.as<T>());
    const auto numbers = as_numbers(parts);
    const Transforms rows{
        .n = x.shape.back(), .batch = rows_of(x.shape, 1), .scaling = parse_scaling(options.scaling)};
    if (options.inverse)
      inverse_fft(ctx, numbers, numbers, rows, {options.use});
    else
      fft(ctx, numbers, numbers, rows, {options.use});
    write_complex_array(options.out, x.format, x.shape, parts);
  });
  say_done(ctx, options.inverse ? "inverse fft" : "fft", x.str(), options.out);
}

void add_fft(Command run) {
  static Options options;
  const auto sub = run.subcommand("fft", Fft::meaning);
  add_file(
      sub, "--in", options.in,
      fmt::format("Complex numbers, transformed along their last dimension: {} (.npy; - is standard input)",
                  kComplexNumbers))
      .required();
  sub.flag("--inverse", options.inverse, "Back");
  add_scaling(sub, options.scaling);
  add_file(sub, "--out", options.out, "Where the result goes (.npy; - is standard output)").required();
  add_use(sub, options.use);
  sub.footer("Example: tandem run fft --in x.npy --out y.npy");
  sub.callback([] { run_fft(options); });
}

const bool added = add_run_command(add_fft);

}  // namespace
}  // namespace tandem::command

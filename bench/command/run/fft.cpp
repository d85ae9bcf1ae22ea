// tandem run fft

#include <complex>

#include "bench/command/run/run.h"
#include "lib/ops/fft/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, out, scaling = "inverse", use;
  bool inverse = false;
};

FftScaling parse_scaling(const std::string& text) {
  return text == "unitary" ? FftScaling::unitary : text == "none" ? FftScaling::none : FftScaling::inverse;
}

// The last dimension of the array are the two parts of a number, the one before it is transformed.
void run_fft(const Options& options) {
  const InputArray in = read_array(options.in);
  if (in.shape.size() < 2 || in.shape.back() != 2 || in.format.fortran_order) {
    throw BadFile(
        in.file,
        fmt::format("holds an array of shape ({}){}; its last dimension must be 2, the parts of complex "
                    "numbers, after at least one other, in C order",
                    fmt::join(in.shape, ", "), in.format.fortran_order ? " in Fortran order" : ""));
  }
  const std::int64_t n = in.shape[in.shape.size() - 2];
  std::int64_t batch = 1;
  for (std::size_t d = 0; d + 2 < in.shape.size(); ++d) batch *= in.shape[d];
  Context ctx = context_for(options.use);
  for_case_of<Fft>(in.file, in.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    using Number = std::complex<T>;
    Array<T> parts(ctx, in.as<T>());
    const View<Number> numbers{reinterpret_cast<Number*>(parts.data()), parts.size() / 2};
    const Transforms rows{.n = n, .batch = batch, .scaling = parse_scaling(options.scaling)};
    if (options.inverse)
      inverse_fft(ctx, numbers, numbers, rows, {options.use});
    else
      fft(ctx, numbers, numbers, rows, {options.use});
    write_result(options.out, in.format, in.shape, parts);
  });
  say_done(ctx, options.inverse ? "inverse fft" : "fft", in.str(), options.out);
}

void add_fft(Command run) {
  static Options options;
  const auto sub = run.subcommand("fft", Fft::meaning);
  add_file(sub, "--in", options.in,
           "Complex numbers, whose parts are the last dimension, of 2; the one before it is transformed "
           "(.npy; - is standard input)")
      .required();
  sub.flag("--inverse", options.inverse, "Back");
  sub.option("--scaling", options.scaling,
             "inverse: back by 1/n; unitary: both by the root of 1/n; none: neither")
      .one_of({"inverse", "unitary", "none"})
      .show_default();
  add_file(sub, "--out", options.out, "Where the result goes (.npy; - is standard output)").required();
  add_use(sub, options.use);
  sub.footer("Example: tandem run fft --in x.npy --out y.npy");
  sub.callback([] { run_fft(options); });
}

const bool added = add_run_command(add_fft);

}  // namespace
}  // namespace tandem::command

// tandem run fft

#include "bench/command/run/fourier.h"
#include "lib/ops/fft/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, out, scaling = "inverse", use;
  bool inverse = false;
};

// The last dimension of the array are the two parts of a number, the one before it is transformed.
void run_fft(const Options& options) {
  const InputArray in = read_array(options.in);
  require_complex(in);
  Context ctx = context_for(options.use);
  for_case_of<Fft>(in.file, in.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    Array<T> parts(ctx, in.as<T>());
    const auto numbers = as_numbers(parts);
    const Transforms rows{.n = in.shape[in.shape.size() - 2],
                          .batch = rows_of(in, 2),
                          .scaling = parse_scaling(options.scaling)};
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
  add_scaling(sub, options.scaling);
  add_file(sub, "--out", options.out, "Where the result goes (.npy; - is standard output)").required();
  add_use(sub, options.use);
  sub.footer("Example: tandem run fft --in x.npy --out y.npy");
  sub.callback([] { run_fft(options); });
}

const bool added = add_run_command(add_fft);

}  // namespace
}  // namespace tandem::command

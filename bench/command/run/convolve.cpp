// tandem run convolve

#include "bench/command/run/fourier.h"
#include "lib/ops/convolve/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, filter, out, scaling = "inverse", use;
};

// The last dimension of the array are the two parts of a number, the one before it is convolved.
void run_convolve(const Options& options) {
  const InputArray in = read_array(options.in), filter = read_array(options.filter);
  require_complex(in), require_complex(filter);
  if (filter.type != in.type) {
    throw BadFile(filter.file, fmt::format("holds {}; it must hold {}, as {} does", name(filter.type),
                                           name(in.type), in.file));
  }
  const std::int64_t n = in.shape[in.shape.size() - 2];
  if (filter.shape != std::vector<std::int64_t>{n, 2}) {
    throw BadFile(filter.file,
                  fmt::format("holds an array of shape ({}); it must be ({}, 2), a spectrum for the "
                              "rows of {}",
                              fmt::join(filter.shape, ", "), n, in.file));
  }
  Context ctx = context_for(options.use);
  for_case_of<Convolve>(in.file, in.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    Array<T> parts(ctx, in.as<T>()), spectrum(ctx, filter.as<T>());
    const auto numbers = as_numbers(parts);
    const Transforms rows{.n = n, .batch = rows_of(in, 2), .scaling = parse_scaling(options.scaling)};
    convolve(ctx, numbers, as_numbers(spectrum), numbers, rows, {options.use});
    write_result(options.out, in.format, in.shape, parts);
  });
  say_done(ctx, "convolve", in.str(), options.out);
}

void add_convolve(Command run) {
  static Options options;
  const auto sub = run.subcommand("convolve", Convolve::meaning);
  add_file(sub, "--in", options.in,
           "Complex numbers, whose parts are the last dimension, of 2; the one before it is convolved "
           "(.npy; - is standard input)")
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

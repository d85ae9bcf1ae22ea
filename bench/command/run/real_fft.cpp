// tandem run real_fft

#include <algorithm>

#include "bench/command/run/fourier.h"
#include "lib/ops/real_fft/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, out, scaling = "inverse", use;
  bool inverse = false;
  std::int64_t n = 0;
};

/// The last dimension is transformed.
void run_forward(const Options& options, const InputArray& in) {
  if (in.shape.empty() || in.format.fortran_order) {
    throw BadFile(in.file,
                  fmt::format("holds an array of shape ({}){}; it must have a dimension, in C order",
                              fmt::join(in.shape, ", "), in.format.fortran_order ? " in Fortran order" : ""));
  }
  const std::int64_t n = in.shape.back();
  Context ctx = context_for(options.use);
  for_case_of<RealFft>(in.file, in.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    const Transforms rows{.n = n, .batch = rows_of(in, 1), .scaling = parse_scaling(options.scaling)};
    const std::int64_t size = n == 0 ? 0 : RealFft::spectrum_size(n);
    const Array<T> x(ctx, in.as<T>());
    Array<T> parts(ctx, rows.batch * size * 2);
    real_fft(ctx, x, as_numbers(parts), rows, {options.use});
    std::vector<std::int64_t> shape = in.shape;
    shape.back() = size, shape.push_back(2);
    write_result(options.out, in.format, shape, parts);
  });
  say_done(ctx, "real_fft", in.str(), options.out);
}

/// The last dimension are the two parts of a number, the one before it is transformed.
void run_inverse(const Options& options, const InputArray& in) {
  require_complex(in);
  const std::int64_t size = in.shape[in.shape.size() - 2];
  const std::int64_t n = options.n > 0 ? options.n
                         : size == 0   ? 0
                                       : std::max<std::int64_t>(2 * (size - 1), 1);
  if (n > 0 && RealFft::spectrum_size(n) != size) {
    throw InvalidArgument(
        fmt::format("--n is {}; rows of {} have {} complex numbers, but those of {} have {} (shape ({}))", n,
                    n, RealFft::spectrum_size(n), in.file, size, fmt::join(in.shape, ", ")));
  }
  Context ctx = context_for(options.use);
  for_case_of<RealFft>(in.file, in.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    const Transforms rows{.n = n, .batch = rows_of(in, 2), .scaling = parse_scaling(options.scaling)};
    Array<T> parts(ctx, in.as<T>()), x(ctx, rows.batch * n);
    inverse_real_fft(ctx, as_numbers(parts), x, rows, {options.use});
    std::vector<std::int64_t> shape = in.shape;
    shape.pop_back(), shape.back() = n;
    write_result(options.out, in.format, shape, x);
  });
  say_done(ctx, "inverse real_fft", in.str(), options.out);
}

void run_real_fft(const Options& options) {
  const InputArray in = read_array(options.in);
  options.inverse ? run_inverse(options, in) : run_forward(options, in);
}

void add_real_fft(Command run) {
  static Options options;
  const auto sub = run.subcommand("real_fft", RealFft::meaning);
  add_file(sub, "--in", options.in,
           "Real numbers, whose last dimension is transformed; with --inverse complex ones, whose parts are "
           "the last dimension, of 2, and the one before it is transformed (.npy; - is standard input)")
      .required();
  const auto inverse = sub.flag("--inverse", options.inverse, "Back");
  sub.number("--n", options.n, "Real numbers of a row, with --inverse; the even number by itself", 1,
             std::numeric_limits<std::int64_t>::max())
      .needs(inverse);
  add_scaling(sub, options.scaling);
  add_file(sub, "--out", options.out, "Where the result goes (.npy; - is standard output)").required();
  add_use(sub, options.use);
  sub.footer("Example: tandem run real_fft --in x.npy --out y.npy");
  sub.callback([] { run_real_fft(options); });
}

const bool added = add_run_command(add_real_fft);

}  // namespace
}  // namespace tandem::command

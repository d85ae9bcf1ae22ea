// tandem run gemm

#include "bench/command/run/run.h"
#include "lib/core/host_memory.h"
#include "lib/ops/gemm/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string a, b, c, alpha = "1", beta = "0", out, use, precision = "full";
};

void run_gemm(const Options& options) {
  const Precision precision = parse_precision(options.precision, "--precision");
  const InputArray a = read_array(options.a, 2), b = read_array(options.b, 2);
  InputArray c;
  if (options.c.empty()) {
    c.type = a.type;
    c.shape = {a.shape[0], b.shape[1]};
    c.format = a.format;
  } else {
    c = read_array(options.c, 2);
  }
  for (const InputArray* other : std::initializer_list<const InputArray*>{&b, &c}) {
    if (other->type != a.type) {
      throw BadFile(other->file, fmt::format("holds {}; it must hold {}, as {} does", name(other->type),
                                             name(a.type), a.file));
    }
  }
  const auto layout = [](const InputArray& m) {
    return m.format.fortran_order ? Layout::column_major : Layout::row_major;
  };
  Context ctx = context_for(options.use);
  for_case_of<Gemm>(a.file, a.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    using Sum = typename C::Sum;
    const Sum alpha = parse_number<Sum>(options.alpha, "--alpha"),
              beta = parse_number<Sum>(options.beta, "--beta");
    if (options.c.empty() && beta != 0) {
      throw InvalidArgument(
          fmt::format("--beta is {}, so the matrix that it scales is needed: --c FILE", options.beta));
    }
    // Two empty matrices can ask for any product.
    const double elements = static_cast<double>(c.shape[0]) * static_cast<double>(c.shape[1]);
    require_host_memory(fmt::format("a product of {} x {}", c.shape[0], c.shape[1]),
                        2 * elements * sizeof(T));
    const Array<T> left(ctx, a.as<T>()), right(ctx, b.as<T>());
    Array<T> result(ctx, c.shape[0] * c.shape[1]);
    if (!options.c.empty()) result.upload(c.as<T>());
    gemm(ctx, alpha, matrix(left, a.shape[0], a.shape[1], layout(a)),
         matrix(right, b.shape[0], b.shape[1], layout(b)), beta,
         matrix(result, c.shape[0], c.shape[1], layout(c)), {.use = options.use, .precision = precision});
    write_result(options.out, c.format, c.shape, result);
  });
  say_done(ctx, "gemm", a.str() + ", " + b.str(), options.out);
}

void add_gemm(Command run) {
  static Options options;
  const auto sub = run.subcommand("gemm", Gemm::meaning);
  add_file(sub, "--a", options.a, "m x k matrix (.npy; - is standard input)").required();
  add_file(sub, "--b", options.b, "k x n matrix (.npy)").required();
  add_file(sub, "--c", options.c, "m x n matrix (.npy); needed unless beta is 0");
  sub.option("--alpha", options.alpha, "Factor of the product").show_default();
  sub.option("--beta", options.beta, "Factor of C").show_default();
  add_file(sub, "--out", options.out, "Where the result goes (.npy; - is standard output)").required();
  add_use(sub, options.use);
  sub.option("--precision", options.precision, "What the automatic choice may use: full, split or tf32")
      .show_default();
  sub.footer("Example: tandem run gemm --a A.npy --b B.npy --c C.npy --alpha 2 --beta 1 --out D.npy");
  sub.callback([] { run_gemm(options); });
}

const bool added = add_run_command(add_gemm);

}  // namespace
}  // namespace tandem::command

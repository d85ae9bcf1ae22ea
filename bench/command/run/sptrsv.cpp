// tandem run sptrsv

#include "bench/command/run/sparse.h"
#include "lib/ops/sptrsv/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string a, b, alpha = "1", out, use;
  bool upper = false, unit = false;
};

void run_sptrsv(const Options& options) {
  const SparseRows a = read_rows(options.a);
  const InputArray b = read_vector(options.b, a.rows, "rows");
  Context ctx = context_for(options.use);
  for_case_of<Sptrsv>(b.file, b.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    const T alpha = parse_number<T>(options.alpha, "--alpha");
    const PlacedRows<T> placed(ctx, a);
    const Array<T> in(ctx, b.as<T>());
    const auto plan = analyse_triangular(ctx, placed.matrix,
                                         {options.upper ? Triangle::upper : Triangle::lower,
                                          options.unit ? Diagonal::unit : Diagonal::stored});
    Array<T> x(ctx, a.rows);
    sptrsv(ctx, plan, in, x, {.alpha = alpha}, {.use = options.use});
    write_result(options.out, b.format, std::vector{a.rows}, x);
  });
  say_done(ctx, "sptrsv", fmt::format("{} ({}, {}), {}", options.a, a.rows, a.cols, b.str()), options.out);
}

void add_sptrsv(Command run) {
  static Options options;
  const auto sub = run.subcommand("sptrsv", Sptrsv::meaning);
  add_file(sub, "--a", options.a, "Sparse matrix of which a triangle is taken (Matrix Market, coordinate)")
      .required();
  add_file(sub, "--b", options.b, "Vector of as many elements as A has rows (.npy; - is standard input)")
      .required();
  sub.flag("--upper", options.upper, "The upper triangle instead of the lower");
  sub.flag("--unit", options.unit, "Ones on the diagonal, whatever is stored there");
  sub.option("--alpha", options.alpha, "Factor of b").show_default();
  add_file(sub, "--out", options.out, "Where x goes (.npy; - is standard output)").required();
  add_use(sub, options.use);
  sub.footer("Example: tandem run sptrsv --a lower.mtx --b b.npy --out x.npy");
  sub.callback([] { run_sptrsv(options); });
}

const bool added = add_run_command(add_sptrsv);

}  // namespace
}  // namespace tandem::command

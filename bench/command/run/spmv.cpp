// tandem run spmv

#include "bench/command/run/sparse.h"
#include "lib/ops/spmv/contract.h"

namespace tandem::command {
namespace {

struct Options {
  SparseFactor a;
  std::string x, y, alpha = "1", beta = "0", out, use;
};

void run_spmv(const Options& options) {
  const SparseRows a = read_rows(options.a.file, options.a.transposed);
  const InputArray x = read_vector(options.x, a.cols, "columns", options.a.kind());
  InputArray y;
  if (!options.y.empty()) {
    y = read_vector(options.y, a.rows, "rows", options.a.kind());
    require_type_of(y, x);
  }
  Context ctx = context_for(options.use);
  for_case_of<Spmv>(x.file, x.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    const T alpha = parse_number<T>(options.alpha, "--alpha"), beta = parse_number<T>(options.beta, "--beta");
    if (options.y.empty() && beta != 0) {
      throw InvalidArgument(
          fmt::format("--beta is {}, so the vector that it scales is needed: --y FILE", options.beta));
    }
    const PlacedRows<T> placed(ctx, a);
    const Array<T> in(ctx, x.as<T>());
    Array<T> result(ctx, a.rows);
    if (!options.y.empty()) result.upload(y.as<T>());
    spmv(ctx, placed.matrix, in, result, {.alpha = alpha, .beta = beta}, {.use = options.use});
    write_result(options.out, x.format, std::vector{a.rows}, result);
  });
  say_done(ctx, "spmv", options.a.str(a) + ", " + x.str(), options.out);
}

void add_spmv(Command run) {
  static Options options;
  const auto sub = run.subcommand("spmv", Spmv::meaning);
  add_sparse_factor(sub, options.a);
  add_file(sub, "--x", options.x, "Vector of as many elements as A has columns (.npy; - is standard input)")
      .required();
  add_file(sub, "--y", options.y, "Vector of as many elements as A has rows (.npy); needed unless beta is 0");
  sub.option("--alpha", options.alpha, "Factor of the product").show_default();
  sub.option("--beta", options.beta, "Factor of y").show_default();
  add_file(sub, "--out", options.out, "Where the result goes (.npy; - is standard output)").required();
  add_use(sub, options.use);
  sub.footer("Example: tandem run spmv --a matrix.mtx --x x.npy --out y.npy");
  sub.callback([] { run_spmv(options); });
}

const bool added = add_run_command(add_spmv);

}  // namespace
}  // namespace tandem::command

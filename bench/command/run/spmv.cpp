// tandem run spmv

#include "bench/command/run/sparse_vector_product.h"
#include "lib/ops/spmv/contract.h"

namespace tandem::command {
namespace {

void run_spmv(const SparseVectorProduct& options) {
  run_product<Spmv>(options, [&]<class T>(Context& ctx, const SparseRows& a, const Array<T>& x, Array<T>& y,
                                          const SpmvFactors<T>& factors) {
    const PlacedRows<T> placed(ctx, a);
    spmv(ctx, placed.matrix, x, y, factors, {.use = options.use});
  });
}

void add_spmv(Command run) {
  static SparseVectorProduct options;
  const auto sub = run.subcommand("spmv", Spmv::meaning);
  add_product(sub, options);
  sub.footer("Example: tandem run spmv --a matrix.mtx --x x.npy --out y.npy");
  sub.callback([] { run_spmv(options); });
}

const bool added = add_run_command(add_spmv);

}  // namespace
}  // namespace tandem::command

// tandem run spmv_bsr

#include "tandem/spmv_bsr.h"
#include "bench/command/run/sparse_vector_product.h"
#include "lib/ops/spmv_bsr/contract.h"

namespace tandem::command {
namespace {

struct Options : SparseVectorProduct {
  std::int64_t block_rows = 4, block_cols = 4;
};

void run_spmv_bsr(const Options& options) {
  run_product<SpmvBsr>(options, [&]<class T>(Context& ctx, const SparseRows& a, const Array<T>& x,
                                             Array<T>& y, const SpmvFactors<T>& factors) {
    const OwnedBsr<T> placed(ctx, by_blocks(a, options.block_rows, options.block_cols));
    spmv(ctx, placed.view(), x, y, factors, {.use = options.use});
  });
}

void add_spmv_bsr(Command run) {
  static Options options;
  const auto sub = run.subcommand("spmv_bsr", SpmvBsr::meaning);
  add_product(sub, options);
  sub.number("--block-rows", options.block_rows, "Rows of a block", 1, INT32_MAX).show_default();
  sub.number("--block-cols", options.block_cols, "Columns of a block", 1, INT32_MAX).show_default();
  sub.footer(
      "Example: tandem run spmv_bsr --a matrix.mtx --block-rows 3 --block-cols 3 --x x.npy --out y.npy");
  sub.callback([] { run_spmv_bsr(options); });
}

const bool added = add_run_command(add_spmv_bsr);

}  // namespace
}  // namespace tandem::command

// tandem run spmv_sell

#include "tandem/spmv_sell.h"
#include "bench/command/run/sparse_vector_product.h"
#include "lib/ops/spmv_sell/contract.h"

namespace tandem::command {
namespace {

struct Options : SparseVectorProduct {
  std::int64_t slice_rows = 32, sort_rows = 1;
};

void run_spmv_sell(const Options& options) {
  run_product<SpmvSell>(options, [&]<class T>(Context& ctx, const SparseRows& a, const Array<T>& x,
                                              Array<T>& y, const SpmvFactors<T>& factors) {
    const OwnedSell<T> placed(ctx, by_slices(a, options.slice_rows, options.sort_rows));
    spmv(ctx, placed.view(), x, y, factors, {.use = options.use});
  });
}

void add_spmv_sell(Command run) {
  static Options options;
  const auto sub = run.subcommand("spmv_sell", SpmvSell::meaning);
  add_product(sub, options);
  sub.number("--slice-rows", options.slice_rows, "Rows of a slice, each padded to the longest", 1, INT32_MAX)
      .show_default();
  sub.number("--sort-rows", options.sort_rows,
             "Among so many rows the longer ones come first; 1 sorts nothing", 1, INT32_MAX)
      .show_default();
  sub.footer("Example: tandem run spmv_sell --a matrix.mtx --sort-rows 256 --x x.npy --out y.npy");
  sub.callback([] { run_spmv_sell(options); });
}

const bool added = add_run_command(add_spmv_sell);

}  // namespace
}  // namespace tandem::command

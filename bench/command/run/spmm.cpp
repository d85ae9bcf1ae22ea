// tandem run spmm

#include "bench/command/run/sparse.h"
#include "lib/ops/spmm/contract.h"

namespace tandem::command {
namespace {

struct Options {
  SparseFactor a;
  std::string b, c, alpha = "1", beta = "0", out, use;
};

/// A matrix with as many rows as one side of the sparse one.
InputArray read_matrix(const std::string& path, std::int64_t rows, const char* side, const char* kind) {
  InputArray array = read_array(path, 2);
  if (array.shape[0] != rows)
    throw BadFile(array.file, fmt::format("has {} rows; the {}sparse matrix has {} {}", array.shape[0], kind,
                                          rows, side));
  return array;
}

void run_spmm(const Options& options) {
  const SparseRows a = read_rows(options.a.file, options.a.transposed);
  const InputArray b = read_matrix(options.b, a.cols, "columns", options.a.kind());
  const std::int64_t width = b.shape[1];
  InputArray c;
  c.format = b.format;
  if (!options.c.empty()) {
    c = read_matrix(options.c, a.rows, "rows", options.a.kind());
    require_type_of(c, b);
    if (c.shape[1] != width)
      throw BadFile(c.file, fmt::format("has {} columns; {} has {}", c.shape[1], b.file, width));
  }
  const auto layout = [](const InputArray& m) {
    return m.format.fortran_order ? Layout::column_major : Layout::row_major;
  };
  Context ctx = context_for(options.use);
  for_case_of<Spmm>(b.file, b.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    const T alpha = parse_number<T>(options.alpha, "--alpha"), beta = parse_number<T>(options.beta, "--beta");
    if (options.c.empty() && beta != 0) {
      throw InvalidArgument(
          fmt::format("--beta is {}, so the matrix that it scales is needed: --c FILE", options.beta));
    }
    require_host_memory(fmt::format("a product of {} x {}", a.rows, width),
                        2 * static_cast<double>(a.rows) * static_cast<double>(width) * sizeof(T));
    const PlacedRows<T> placed(ctx, a);
    const Array<T> in(ctx, b.as<T>());
    Array<T> result(ctx, a.rows * width);
    if (!options.c.empty()) result.upload(c.as<T>());
    spmm(ctx, placed.matrix, matrix(in, a.cols, width, layout(b)), matrix(result, a.rows, width, layout(c)),
         {.alpha = alpha, .beta = beta}, {.use = options.use});
    write_result(options.out, c.format, std::vector{a.rows, width}, result);
  });
  say_done(ctx, "spmm", options.a.str(a) + ", " + b.str(), options.out);
}

void add_spmm(Command run) {
  static Options options;
  const auto sub = run.subcommand("spmm", Spmm::meaning);
  add_sparse_factor(sub, options.a);
  add_file(sub, "--b", options.b, "Matrix of as many rows as A has columns (.npy; - is standard input)")
      .required();
  add_file(sub, "--c", options.c, "Matrix of the result's shape (.npy); needed unless beta is 0");
  sub.option("--alpha", options.alpha, "Factor of the product").show_default();
  sub.option("--beta", options.beta, "Factor of C").show_default();
  add_file(sub, "--out", options.out, "Where the result goes (.npy; - is standard output)").required();
  add_use(sub, options.use);
  sub.footer("Example: tandem run spmm --a matrix.mtx --b B.npy --out C.npy");
  sub.callback([] { run_spmm(options); });
}

const bool added = add_run_command(add_spmm);

}  // namespace
}  // namespace tandem::command

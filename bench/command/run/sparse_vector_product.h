#pragma once
// What `tandem run` of products of a sparse matrix and a vector has in common.

#include <string>

#include "bench/command/run/sparse.h"

namespace tandem::command {

struct SparseVectorProduct {
  SparseFactor a;
  std::string x, y, alpha = "1", beta = "0", out, use;
};

inline void add_product(Command sub, SparseVectorProduct& options) {
  add_sparse_factor(sub, options.a);
  add_file(sub, "--x", options.x, "Vector of as many elements as A has columns (.npy; - is standard input)")
      .required();
  add_file(sub, "--y", options.y, "Vector of as many elements as A has rows (.npy); needed unless beta is 0");
  sub.option("--alpha", options.alpha, "Factor of the product").show_default();
  sub.option("--beta", options.beta, "Factor of y").show_default();
  add_file(sub, "--out", options.out, "Where the result goes (.npy; - is standard output)").required();
  add_use(sub, options.use);
}

/// multiply(ctx, a, x, y, factors): y = alpha A x + beta y, for the rows of the file.
template <class Contract, class Multiply>
void run_product(const SparseVectorProduct& options, const Multiply& multiply) {
  const SparseRows a = read_rows(options.a.file, options.a.transposed);
  const InputArray x = read_vector(options.x, a.cols, "columns", options.a.kind());
  InputArray y;
  if (!options.y.empty()) {
    y = read_vector(options.y, a.rows, "rows", options.a.kind());
    require_type_of(y, x);
  }
  Context ctx = context_for(options.use);
  for_case_of<Contract>(x.file, x.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    const T alpha = parse_number<T>(options.alpha, "--alpha"), beta = parse_number<T>(options.beta, "--beta");
    if (options.y.empty() && beta != 0) {
      throw InvalidArgument(
          fmt::format("--beta is {}, so the vector that it scales is needed: --y FILE", options.beta));
    }
    const Array<T> in(ctx, x.as<T>());
    Array<T> result(ctx, a.rows);
    if (!options.y.empty()) result.upload(y.as<T>());
    multiply(ctx, a, in, result, SpmvFactors<T>{alpha, beta});
    write_result(options.out, x.format, std::vector{a.rows}, result);
  });
  say_done(ctx, Contract::name, options.a.str(a) + ", " + x.str(), options.out);
}

}  // namespace tandem::command

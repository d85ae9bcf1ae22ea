// Loops around sparse matrices as kernels: what the host's loops do.

#include "lib/ops/spmv/sparse_kernels.h"

#include "tandem/array.h"
#include "tests/support.h"

namespace tandem {

TEST_SUITE_BEGIN("sparse_kernels");

TEST_CASE("bisections and sums, on both places") {
  Context ctx = Context::host();
  constexpr std::int32_t kRows = 700;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> rows;
  for (std::int32_t r = 0; r < kRows; ++r) {
    rows.insert(rows.end(), r * r % 5, r);  // every fifth is empty
    offsets.push_back(static_cast<std::int64_t>(rows.size()));
  }
  const auto elements = static_cast<std::int64_t>(rows.size());
  const Array<std::int64_t> from_offsets(ctx, offsets);
  const Array<std::int32_t> from_rows(ctx, rows);
  for (const Place place : {Place::host, Place::simt}) {
    CAPTURE(name(place));
    const SparseKernels& kernels = sparse_kernels(place);
    Array<std::int64_t> to_offsets(ctx, std::vector<std::int64_t>(kRows + 1, -7));
    kernels.row_offsets(ctx, kRows + 1, {from_rows.data(), elements, 0, to_offsets.data()});
    CHECK(to_offsets.to_vector() == offsets);
    Array<std::int32_t> to_rows(ctx, std::vector<std::int32_t>(rows.size(), -7));
    kernels.row_numbers(ctx, elements, {from_offsets.data() + 1, kRows, 1, to_rows.data()});
    CHECK(to_rows.to_vector() == rows);

    std::vector<std::int32_t> numbers;
    for (std::int32_t k = 0; k < kRows; ++k) numbers.push_back(2 * ((k * 3 + 1) % kRows));
    const Array<std::int32_t> to(ctx, numbers);
    const auto add = [&]<class T>(auto run, T) {
      const Array<T> values(ctx, std::vector<T>(numbers.begin(), numbers.end()));
      Array<T> y(ctx, std::vector<T>(2 * kRows, 1));
      run(ctx, kRows, AddScaled<T>{2, to.data(), values.data(), y.data()});
      std::vector<T> wanted;
      for (std::int32_t i = 0; i < 2 * kRows; ++i) wanted.push_back(i % 2 == 0 ? T(1 + 2 * i) : T(1));
      CHECK(y.to_vector() == wanted);
    };
    add(kernels.add_f32, 0.0F);
    add(kernels.add_f64, 0.0);
  }
}

TEST_SUITE_END();

}  // namespace tandem

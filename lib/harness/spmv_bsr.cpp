// spmv_bsr: what it is tested with, and what is right.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "lib/harness/sparse_plan.h"
#include "lib/ops/spmv_bsr/contract.h"
#include "tandem/sparse_layouts.h"

namespace tandem {
namespace {

struct SpmvBsrHarness {
  using Contract = SpmvBsr;
  struct TestShape : SpmvBsr::Shape {
    Family family = Family::banded;
    std::int64_t length = 0;  // about the average, of the rows that the blocks are made of
    double alpha = 1, beta = 0;
  };
  static constexpr Bound bound = Bound::read;
  static constexpr Extent kExtents[] = {{"rows"}, {"length"}};
  static constexpr std::int64_t executor_size = 1 << 12;
  static std::vector<std::int64_t> bench_sizes() { return {1 << 16, 1 << 20, 1 << 24}; }
  /// n elements in rows of 16.
  static std::vector<std::int64_t> extents_of(std::int64_t n) {
    const std::int64_t length = std::min<std::int64_t>(n, 16);
    return {n / length, length};
  }

  /// A matrix of the family in blocks: what stands between its elements are zeros.
  static SparseBlocks blocks_of(Family family, std::int64_t rows, std::int64_t length,
                                std::int64_t block_rows, std::int64_t block_cols) {
    const CsrArrays matrix = matrix_of(family, rows, length);
    const std::vector<double> ones(matrix.columns.size(), 1.0);
    return by_blocks({rows, matrix.cols, matrix.offsets, matrix.columns, ones}, block_rows, block_cols);
  }
  static TestShape shape_of(Family family, std::int64_t rows, std::int64_t length, std::int64_t block_rows,
                            std::int64_t block_cols) {
    require_host_memory(fmt::format("the offsets of {} rows", rows), 16.0 * static_cast<double>(rows));
    const CsrArrays matrix = matrix_of(family, rows, length);
    TestShape shape{{rows, matrix.cols, block_rows, block_cols, 0}, family, length};
    std::vector<std::int64_t> seen(static_cast<std::size_t>((matrix.cols + block_cols - 1) / block_cols), -1);
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
      const std::int64_t mine = static_cast<std::int64_t>(row) / block_rows;
      for (std::int64_t k = matrix.offsets[row]; k < matrix.offsets[row + 1]; ++k) {
        const std::int32_t column = matrix.columns[static_cast<std::size_t>(k)];
        std::int64_t& last = seen[static_cast<std::size_t>(column / block_cols)];
        shape.blocks += last != mine;
        last = mine;
      }
    }
    return shape;
  }

  /// What must not be read is NaN: elements of x in whose column nothing stands, y where β = 0, values and x where
  /// α = 0.
  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    TestShape shape;
    SparseBlocks matrix;
    Input<std::int64_t> offsets;
    Input<std::int32_t> columns;
    Input<T> values, x, y;
    Output<T> out;
    RowSums<T> sums;

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          matrix(blocks_of(s.family, s.rows, s.length, s.block_rows, s.block_cols)),
          offsets(*this, matrix.offsets, inputs.offset % 8, "offsets"),
          columns(*this, matrix.columns, inputs.offset, "columns"),
          values(*this, static_cast<std::int64_t>(matrix.values.size()), inputs.offset, "values"),
          x(*this, s.cols, inputs.offset, "x"),
          y(*this, s.rows, inputs.offset),
          out(*this, s.rows, inputs.offset, &y),
          sums(s.alpha, s.beta, inputs.values, C::id) {
      fill_or_forget(values, s.alpha != 0, inputs);
      fill_or_forget(x, s.alpha != 0, {inputs.values, inputs.seed + 1});
      fill_or_forget(y, s.beta != 0, {inputs.values, inputs.seed + 2});
      std::vector<std::int32_t> named;
      for (std::int64_t row = 0; row < s.rows_of_blocks() * s.block_rows; ++row) {
        std::vector<std::int32_t> of_row;
        std::vector<T> elements;
        for_row(row, [&](std::size_t element, std::int64_t column) {
          T& value = values.values[element];
          const bool inside = row < s.rows && column < s.cols;
          if (!inside) value = std::numeric_limits<T>::quiet_NaN();
          if (!inside) return;
          if (s.alpha != 0 && matrix.values[element] == 0) value = 0;  // between elements
          of_row.push_back(static_cast<std::int32_t>(column));
          elements.push_back(value);
        });
        if (row >= s.rows) continue;
        sums.add(elements, of_row, x.values, y.values[static_cast<std::size_t>(row)]);
        named.insert(named.end(), of_row.begin(), of_row.end());
      }
      forget_unnamed(x, named);
      out.want = sums.want;
    }
    typename C::Args args() {
      return C::args(shape, offsets.data(), columns.data(), values.data(), x.data(), y.data(),
                     static_cast<T>(shape.alpha), static_cast<T>(shape.beta));
    }
    Verdict check(double depth) {
      out.bounds = sums.bounds(depth);
      return {};
    }

   private:
    /// Calls work(element, column) for all elements of a row, those beyond the edges, too.
    template <class Work>
    void for_row(std::int64_t row, const Work& work) const {
      const auto i = static_cast<std::size_t>(row / shape.block_rows);
      const std::int64_t r = row % shape.block_rows;
      for (std::int64_t k = matrix.offsets[i]; k < matrix.offsets[i + 1]; ++k) {
        const std::int64_t first = matrix.columns[static_cast<std::size_t>(k)] * shape.block_cols;
        for (std::int64_t c = 0; c < shape.block_cols; ++c)
          work(static_cast<std::size_t>((k * shape.block_rows + r) * shape.block_cols + c), first + c);
      }
    }
  };

  static Trial trial(const TestShape& shape, const Inputs& inputs) {
    std::string variant = fmt::format("{} blocks={}x{}", kFamilies[static_cast<int>(shape.family)],
                                      shape.block_rows, shape.block_cols);
    if (shape.alpha != 1 || shape.beta != 0)
      variant += fmt::format(" alpha={} beta={}", shape.alpha, shape.beta);
    return {shape,
            inputs,
            shape.scale(),
            variant,
            fmt::format("{}x{}", shape.rows, shape.length),
            inputs.values == Values::denormal ? "denormal" : ""};
  }

  static Plan plan(Coverage coverage, std::uint64_t seed) {
    const std::vector<CaseId> ids = case_ids<Contract>();
    static constexpr std::int64_t kSides[] = {1, 2, 3, 4, 5, 8, 16, 33};
    if (coverage == Coverage::huge) {  // matrices of a closed form are spmv's
      Plan none;
      none.trials.resize(ids.size());
      return none;
    }
    Plan plan = sparse_plan(
        coverage, seed, ids, {{"block_rows", texts_of(kSides)}, {"block_cols", texts_of(kSides)}},
        [](const SparseTrial& t) {
          TestShape shape = shape_of(t.family, t.rows, t.length, kSides[t.own[0]], kSides[t.own[1]]);
          shape.alpha = t.alpha, shape.beta = t.beta;
          return trial(shape, t.inputs);
        });
    if (coverage == Coverage::brief) return plan;
    // More rows than a block and a wave of blocks take, and than threads of the CPU share; one type will do.
    const auto more = [&](Family family, std::int64_t count, std::int64_t length, std::int64_t side) {
      TestShape shape = shape_of(family, count, length, side, side);
      shape.beta = 0.5;
      plan.trials[0].push_back(trial(shape, {Values::real, seed, 1}));
    };
    for (const Family family : {Family::stencil, Family::banded, Family::mostly_empty})
      more(family, 40'009, 5, 3), more(family, 1009, 67, 7);
    more(Family::wide, 3, 40'003, 3);  // more elements of a row than a signed number of 16 bits counts
    return plan;
  }

  static std::vector<Trial> benchmarks(CaseId, std::span<const std::int64_t> extents, std::uint64_t seed) {
    std::vector<Trial> trials;
    if (!is_measured(extents[0], extents[1])) return trials;
    for (const std::int64_t side : {4, 3})
      trials.push_back(
          trial(shape_of(Family::banded, extents[0], extents[1], side, side), {Values::exact, seed, 0}));
    return trials;
  }

  static Trial draw(CaseId id, Draws& draws, std::int64_t elements) {
    constexpr std::int64_t kSides[] = {1, 2, 3, 4, 4, 5, 8, 16};
    const auto side = [&] { return kSides[draws.below(static_cast<std::int64_t>(std::size(kSides)))]; };
    const std::int64_t length = draws.size(1, elements), rows = draws.size(1, elements / length);
    const auto family = static_cast<Family>(draws.below(static_cast<std::int64_t>(std::size(kFamilies))));
    const std::int64_t height = side(), width = draws.one_in(2) ? height : side();
    TestShape shape = shape_of(family, rows, length, height, width);
    // Of scattered elements each makes a block, and of few rows blocks are mostly padding: far beyond the elements is no matrix for
    // blocks.
    if (shape.scale() > 2 * elements)
      shape = shape_of(Family::banded, rows, length, std::min(height, rows), std::min(width, length));
    if (draws.one_in(4)) shape.alpha = 0.5, shape.beta = 1;
    return trial(shape, {Values::exact, draws.bits(), draw_offset(id, draws)});
  }

  static std::vector<Trial> each_variant(std::span<const std::int64_t> extents, std::uint64_t seed) {
    std::vector<Trial> trials;
    const auto [rows, length] = std::pair(extents[0], extents[1]);
    if (!is_measured(rows, length)) return trials;
    for (const std::int64_t side : {4, 8})
      trials.push_back(trial(shape_of(Family::banded, rows, length, side, side), {Values::exact, seed, 0}));
    return trials;
  }
  static std::vector<std::int64_t> extents_with(const Features& f) { return {f[1], f[0]}; }

  static double memory(CaseId id, const TestShape& shape) {
    const auto size = static_cast<double>(size_of(id.type));
    return 3 * (static_cast<double>(shape.scale()) * (size + 12) +
                static_cast<double>(shape.rows + shape.cols) * (size + 8));
  }

  /// Every stored element, each block's column number, each row of blocks' offset and element of x is read, every result written, and
  /// read where β is not 0.
  static Work work(CaseId id, const TestShape& shape) {
    const auto stored = static_cast<double>(shape.scale()), rows = static_cast<double>(shape.rows),
               size = static_cast<double>(size_of(id.type));
    return {stored * size + 4 * static_cast<double>(shape.blocks) +
                8 * static_cast<double>(shape.rows_of_blocks()) + rows * size * (shape.beta == 0 ? 1 : 2) +
                static_cast<double>(shape.cols) * size,
            2 * stored};
  }
};

REGISTER_OPERATION(SpmvBsrHarness)

}  // namespace
}  // namespace tandem

// spmv_sell: what it is tested with, and what is right.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "lib/harness/sparse_plan.h"
#include "lib/ops/spmv_sell/contract.h"
#include "tandem/sparse_layouts.h"

namespace tandem {
namespace {

struct SpmvSellHarness {
  using Contract = SpmvSell;
  struct TestShape : SpmvSell::Shape {
    Family family = Family::banded;
    std::int64_t length = 0;     // about the average
    std::int64_t sort_rows = 1;  // σ
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

  /// The matrix by rows, with the numbers of its elements, from 1 on, as values; and in slices.
  struct Matrix {
    CsrArrays rows;
    SparseSlices slices;
    Matrix(Family family, std::int64_t count, std::int64_t length, std::int64_t slice_rows,
           std::int64_t sort_rows)
        : rows(matrix_of(family, count, length)) {
      std::vector<double> numbers(rows.columns.size());
      std::iota(numbers.begin(), numbers.end(), 1.0);
      slices = by_slices({count, rows.cols, rows.offsets, rows.columns, numbers}, slice_rows, sort_rows);
    }
  };
  static TestShape shape_of(Family family, std::int64_t rows, std::int64_t length, std::int64_t slice_rows,
                            std::int64_t sort_rows) {
    require_host_memory(fmt::format("the offsets of {} rows", rows), 16.0 * static_cast<double>(rows));
    const CsrArrays matrix = matrix_of(family, rows, length);
    TestShape shape{{rows, matrix.cols, slice_rows, 0, sort_rows > 1}, family, length, sort_rows};
    std::vector<std::int64_t> lengths;
    for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r)
      lengths.push_back(matrix.offsets[r + 1] - matrix.offsets[r]);
    const auto part = [&](std::int64_t first, std::int64_t count) {
      return std::span(lengths).subspan(static_cast<std::size_t>(first),
                                        static_cast<std::size_t>(std::min(count, rows - first)));
    };
    for (std::int64_t first = 0; first < rows; first += sort_rows)
      std::ranges::sort(part(first, sort_rows), std::ranges::greater());
    for (std::int64_t first = 0; first < rows; first += slice_rows)
      shape.stored += slice_rows * std::ranges::max(part(first, slice_rows));
    return shape;
  }

  /// What must not be read is NaN: elements of x in whose column nothing stands, y where β = 0, values and x where
  /// α = 0.
  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    TestShape shape;
    Matrix matrix;
    Input<std::int64_t> offsets;
    Input<std::int32_t> columns, row_numbers;
    Input<T> values, x, y;
    Output<T> out;
    RowSums<T> sums;
    bool infinite;

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          matrix(s.family, s.rows, s.length, s.slice_rows, s.sort_rows),
          offsets(*this, matrix.slices.offsets, inputs.offset % 8, "offsets"),
          columns(*this, matrix.slices.columns, inputs.offset, "columns"),
          row_numbers(*this, s.reordered ? matrix.slices.row_numbers : std::vector<std::int32_t>{},
                      inputs.offset, "row_numbers"),
          values(*this, columns.size(), inputs.offset, "values"),
          x(*this, matrix.rows.cols, inputs.offset, "x"),
          y(*this, s.rows, inputs.offset),
          out(*this, s.rows, inputs.offset, &y),
          sums(s.alpha, s.beta, inputs.values, C::id),
          infinite(inputs.values == Values::infinity) {
      fill_or_forget(values, s.alpha != 0, inputs);
      fill_or_forget(x, s.alpha != 0, {inputs.values, inputs.seed + 1});
      fill_or_forget(y, s.beta != 0, {inputs.values, inputs.seed + 2});
      forget_unnamed(x, matrix.rows.columns);
      std::vector<T> by_number(matrix.rows.columns.size());  // the values by rows
      for (std::size_t k = 0; k < values.values.size(); ++k) {
        const double number = matrix.slices.values[k];
        if (number > 0)
          by_number[static_cast<std::size_t>(number) - 1] = values.values[k];
        else
          values.values[k] = 0;  // padding, as cuSPARSE wants it
      }
      for (std::size_t row = 0; row < static_cast<std::size_t>(s.rows); ++row) {
        const auto begin = static_cast<std::size_t>(matrix.rows.offsets[row]),
                   count = static_cast<std::size_t>(matrix.rows.offsets[row + 1]) - begin;
        sums.add(std::span<const T>(by_number).subspan(begin, count),
                 std::span(matrix.rows.columns).subspan(begin, count), x.values, y.values[row]);
      }
      out.want = sums.want;
    }
    typename C::Args args() {
      return C::args(shape, offsets.data(), columns.data(), shape.reordered ? row_numbers.data() : nullptr,
                     values.data(), x.data(), y.data(), static_cast<T>(shape.alpha),
                     static_cast<T>(shape.beta));
    }
    Verdict check(double depth) {
      out.bounds = sums.bounds(depth), out.want = sums.want;
      if (!infinite) return {};
      Verdict verdict = compare<T>(out.contents(), sums.want, out.bounds);
      if (verdict.correct) return verdict;
      // A library may multiply some of x by the zeros of padding, so that an infinity becomes NaN.
      out.want.clear();
      const Contents<T> all = out.contents();
      std::vector<T> got(all.begin(), all.end());
      for (std::size_t i = 0; i < got.size(); ++i) got[i] = std::isnan(got[i]) ? sums.want[i] : got[i];
      verdict.digits_alone = compare<T>(Contents<T>(std::span<const T>(got)), sums.want, out.bounds).correct;
      return verdict;
    }
  };

  static Trial trial(const TestShape& shape, const Inputs& inputs) {
    std::string variant = fmt::format("{} C={}", kFamilies[static_cast<int>(shape.family)], shape.slice_rows);
    if (shape.sort_rows > 1) variant += fmt::format(" sigma={}", shape.sort_rows);
    if (shape.alpha != 1 || shape.beta != 0)
      variant += fmt::format(" alpha={} beta={}", shape.alpha, shape.beta);
    return {shape,
            inputs,
            shape.scale(),
            variant,
            fmt::format("{}x{}", shape.rows, shape.length),
            inputs.values == Values::denormal   ? "denormal"
            : inputs.values == Values::infinity ? "infinity"
                                                : ""};
  }

  static Plan plan(Coverage coverage, std::uint64_t seed) {
    const std::vector<CaseId> ids = case_ids<Contract>();
    static constexpr std::int64_t kSliceRows[] = {1, 2, 3, 5, 8, 16, 17, 31, 32, 33, 64, 100, 128};
    static constexpr std::int64_t kSortRows[] = {1, 7, 32, 256, 10'000};
    if (coverage == Coverage::huge) {  // matrices of a closed form are spmv's
      Plan none;
      none.trials.resize(ids.size());
      return none;
    }
    Plan plan = sparse_plan(
        coverage, seed, ids, {{"slice_rows", texts_of(kSliceRows)}, {"sort_rows", texts_of(kSortRows)}},
        [](const SparseTrial& t) {
          TestShape shape = shape_of(t.family, t.rows, t.length, kSliceRows[t.own[0]], kSortRows[t.own[1]]);
          shape.alpha = t.alpha, shape.beta = t.beta;
          return trial(shape, t.inputs);
        });
    if (coverage == Coverage::brief) return plan;
    // More rows than a block and a wave of blocks take, and than threads of the CPU share; one type will do.
    const auto more = [&](Family family, std::int64_t count, std::int64_t length, std::int64_t slice_rows) {
      TestShape shape = shape_of(family, count, length, slice_rows, slice_rows % 2 ? 1 : 1024);
      shape.beta = 0.5;
      plan.trials[0].push_back(trial(shape, {Values::real, seed, 1}));
    };
    for (const Family family : {Family::stencil, Family::rmat, Family::tall, Family::mostly_empty})
      more(family, 40'009, 5, 32), more(family, 1009, 67, 33);
    // More slices, and more elements of a row, than a signed number of 16 bits counts.
    more(Family::stencil, 40'009, 5, 1), more(Family::wide, 3, 40'003, 2);
    return plan;
  }

  static std::vector<Trial> benchmarks(CaseId, std::span<const std::int64_t> extents, std::uint64_t seed) {
    std::vector<Trial> trials;
    if (!is_measured(extents[0], extents[1])) return trials;
    for (const auto& [family, sort_rows] :
         {std::pair{Family::stencil, 1}, {Family::banded, 1}, {Family::rmat, 1024}})
      trials.push_back(
          trial(shape_of(family, extents[0], extents[1], 32, sort_rows), {Values::exact, seed, 0}));
    return trials;
  }

  static Trial draw(CaseId id, Draws& draws, std::int64_t elements) {
    constexpr std::int64_t kSlices[] = {32, 32, 64, 8, 2, 33};
    const std::int64_t length = draws.size(1, elements), rows = draws.size(1, elements / length);
    const auto family = static_cast<Family>(draws.below(static_cast<std::int64_t>(std::size(kFamilies))));
    const std::int64_t slice_rows = kSlices[draws.below(static_cast<std::int64_t>(std::size(kSlices)))];
    TestShape shape = shape_of(family, rows, length, slice_rows, draws.one_in(2) ? 1 : 1024);
    // A full row pads its slice: what of that is far beyond the elements is no matrix for slices.
    if (shape.stored > 4 * elements) shape = shape_of(Family::banded, rows, length, slice_rows, 1);
    if (draws.one_in(4)) shape.alpha = 0.5, shape.beta = 1;
    return trial(shape, {Values::exact, draws.bits(), draw_offset(id, draws)});
  }

  static std::vector<Trial> each_variant(std::span<const std::int64_t> extents, std::uint64_t seed) {
    std::vector<Trial> trials;
    const std::int64_t rows = extents[0], length = extents[1];
    if (!is_measured(rows, length)) return trials;
    const auto add = [&](Family family, std::int64_t slice_rows, std::int64_t sort_rows) {
      trials.push_back(
          trial(shape_of(family, rows, length, slice_rows, sort_rows), {Values::exact, seed, 0}));
    };
    add(Family::banded, 32, 1), add(Family::banded, 2, 1), add(Family::rmat, 32, 1024);
    return trials;
  }
  static std::vector<std::int64_t> extents_with(const Features& f) { return {f[1], f[0]}; }

  static double memory(CaseId id, const TestShape& shape) {
    const auto size = static_cast<double>(size_of(id.type));
    return 3 * (static_cast<double>(shape.stored) * (size + 12) +
                static_cast<double>(shape.rows + shape.cols) * (size + 8));
  }

  /// Every stored element, its column number, each slice's offset and element of x is read, every result written, and read where β is
  /// not 0.
  static Work work(CaseId id, const TestShape& shape) {
    const auto stored = static_cast<double>(shape.stored), rows = static_cast<double>(shape.rows),
               size = static_cast<double>(size_of(id.type));
    return {stored * (size + 4) + 8 * rows / static_cast<double>(shape.slice_rows) +
                rows * ((shape.reordered ? 4 : 0) + size * (shape.beta == 0 ? 1 : 2)) +
                static_cast<double>(shape.cols) * size,
            2 * stored};
  }
};

REGISTER_OPERATION(SpmvSellHarness)

}  // namespace
}  // namespace tandem

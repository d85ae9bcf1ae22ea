// spmv_sell: what it is tested with, and what is right.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "lib/harness/operation.h"
#include "lib/harness/row_sums.h"
#include "lib/harness/sparse_matrices.h"
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
          sums(s.alpha, s.beta, inputs.values, C::id) {
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
      out.bounds = sums.bounds(depth);
      return {};
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
            inputs.values == Values::denormal ? "denormal" : ""};
  }

  static Plan plan(Coverage coverage, std::uint64_t seed) {
    constexpr double kFactors[] = {
        1, 0, -1, 2, 0.5, -0.5, 3, 1e3, RowSums<float>::kFine, RowSums<float>::kTenth};
    enum { kCase, kRows, kLength, kFamily, kSlice, kSort, kAlpha, kBeta, kValues, kOffset, kAxes };
    constexpr int kFamilyCount = static_cast<int>(std::size(kFamilies));
    constexpr std::int64_t kMost = 20'000;  // elements
    const std::vector<CaseId> ids = case_ids<Contract>();
    Plan plan;
    plan.trials.resize(ids.size());
    if (coverage == Coverage::huge) return plan;  // matrices of a closed form are spmv's
    std::vector<std::int64_t> rows{0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 64, 127, 129, 255, 257, 1000, 4099};
    std::vector<std::int64_t> lengths{0,  1,  2,  3,  4,  5,   7,   8,    9,   16,
                                      17, 31, 32, 33, 64, 100, 257, 1000, 4097};
    const std::vector<std::int64_t> slices{1, 2, 3, 5, 8, 16, 17, 31, 32, 33, 64, 100, 128},
        sorts{1, 7, 32, 256, 10'000};
    if (coverage == Coverage::brief) rows = {1, 9, 257}, lengths = {3, 32, 65};
    const auto texts = [](const auto& values) {
      std::vector<std::string> all;
      for (const auto v : values) all.push_back(fmt::format("{}", v));
      return all;
    };
    const auto of = [](const std::vector<std::int64_t>& values, int i) {
      return values[static_cast<std::size_t>(i)];
    };
    plan.axes.add("case", names(ids));
    plan.axes.add("rows", texts(rows));
    plan.axes.add("length", texts(lengths));
    plan.axes.add("family", {kFamilies, kFamilies + kFamilyCount});
    plan.axes.add("slice_rows", texts(slices));
    plan.axes.add("sort_rows", texts(sorts));
    plan.axes.add("alpha", texts(kFactors));
    plan.axes.add("beta", texts(kFactors));
    plan.axes.add("values", value_names());
    plan.axes.add("offset", offset_names());
    plan.axes.exclude(kRows, kLength, [&](int r, int l) { return of(rows, r) * of(lengths, l) > kMost; });
    plan.axes.exclude(kCase, kOffset,
                      [&](int c, int o) { return !aligned(ids[static_cast<std::size_t>(c)], o); });
    plan.axes.close();
    Covering covering(plan.axes, seed);
    const auto add = [&](const Point& given) {
      const Point point = covering.next(given);
      if (point.empty()) return;
      auto& trials = plan.trials[static_cast<std::size_t>(point[kCase])];
      TestShape shape =
          shape_of(static_cast<Family>(point[kFamily]), of(rows, point[kRows]), of(lengths, point[kLength]),
                   of(slices, point[kSlice]), of(sorts, point[kSort]));
      shape.alpha = kFactors[point[kAlpha]];
      shape.beta = kFactors[point[kBeta]];
      trials.push_back(
          trial(shape, {static_cast<Values>(point[kValues]), seed + 3 * trials.size(),
                        offset_in_elements(ids[static_cast<std::size_t>(point[kCase])], point[kOffset])}));
      trials.back().point = point;
    };
    Point any(kAxes, -1);
    const int turns = coverage == Coverage::full ? 4 : 1;
    for (int turn = 0; turn < turns; ++turn) {
      for (any[kFamily] = 0; any[kFamily] < kFamilyCount; ++any[kFamily]) {
        for (any[kCase] = 0; any[kCase] < static_cast<int>(ids.size()); ++any[kCase]) add(any);
        any[kCase] = -1;
      }
    }
    if (coverage == Coverage::brief) return plan;
    while (const auto open = covering.open()) add(*open);
    // More rows than a block and a wave of blocks take, and than threads of the CPU share; one type will do.
    const auto more = [&](Family family, std::int64_t count, std::int64_t length, std::int64_t slice_rows) {
      TestShape shape = shape_of(family, count, length, slice_rows, slice_rows % 2 ? 1 : 1024);
      shape.beta = 0.5;
      plan.trials[0].push_back(trial(shape, {Values::real, seed, 1}));
    };
    for (const Family family : {Family::stencil, Family::rmat, Family::tall, Family::mostly_empty})
      more(family, 40'009, 5, 32), more(family, 1009, 67, 33);
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
    const auto [rows, length] = std::pair(extents[0], extents[1]);
    if (!is_measured(rows, length)) return trials;
    for (const std::int64_t slice_rows : {32, 2})
      trials.push_back(
          trial(shape_of(Family::banded, rows, length, slice_rows, 1), {Values::exact, seed, 0}));
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

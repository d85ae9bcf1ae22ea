// spmm: what it is tested with, and what is right.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "lib/harness/column_input.h"
#include "lib/harness/matrix_operand.h"
#include "lib/harness/operation.h"
#include "lib/harness/periodic_matrix.h"
#include "lib/ops/spmm/contract.h"

namespace tandem {
namespace {

struct SpmmHarness {
  using Contract = Spmm;
  struct TestShape : Spmm::Shape {
    Family family = Family::banded;
    std::int64_t length = 0;  // about the average
    double alpha = 1, beta = 0;
    Type column_type = Type::i32;
  };
  static constexpr Bound bound = Bound::read;
  static constexpr Extent kExtents[] = {{"rows"}, {"length"}, {"width"}};
  static constexpr std::int64_t executor_size = 1 << 9;
  /// Factors that floats do not hold: exact in doubles, and in no binary type.
  static constexpr double kFine = 1 + 0x1p-30, kTenth = 0.1;
  static std::vector<std::int64_t> bench_sizes() { return {1 << 14, 1 << 18, 1 << 22}; }
  /// n elements in rows of 16, and 32 columns.
  static std::vector<std::int64_t> extents_of(std::int64_t n) {
    const std::int64_t length = std::min<std::int64_t>(n, 16);
    return {n / length, length, 32};
  }

  static TestShape shape_of(Family family, std::int64_t rows, std::int64_t length, std::int64_t width) {
    require_host_memory(fmt::format("the offsets of {} rows", rows), 16.0 * static_cast<double>(rows));
    const MatrixSize size = matrix_size(family, rows, length);
    return {{rows, size.cols, size.elements, size.longest, width}, family, length};
  }

  /// What must not be read is NaN: rows of B in whose column nothing stands, C where β = 0, values and B where α = 0.
  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    using Wide = Wider<T>;
    static constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
    TestShape shape;
    T alpha, beta;
    CsrArrays matrix;
    bool exact, infinite, may_spread;  // a NaN that a library multiplies by 0
    Input<std::int64_t> offsets;
    ColumnInput columns;
    Input<T> values;
    MatrixOperand<T> b, c;                 // c is what the call finds, and where its results come
    std::vector<T> want;                   // row by row, as what follows
    std::vector<double> magnitude, added;  // |α|·|A|·|B|, |β·C|

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          alpha(static_cast<T>(s.alpha)),
          beta(static_cast<T>(s.beta)),
          matrix(matrix_of(s.family, s.rows, s.length)),
          exact(is_exact(inputs.values, {C::id.type, OperatorId::plus}) && s.alpha != kTenth &&
                s.beta != kTenth),
          infinite(inputs.values == Values::infinity),
          may_spread(inputs.values == Values::nan),
          offsets(*this, matrix.offsets, inputs.offset % 8, "offsets"),
          columns(*this, matrix.columns, s.column_type, inputs.offset),
          values(*this, columns.size(), inputs.offset, "values"),
          b(*this, matrix.cols, s.width, s.b, s.b_gap, inputs.offset, "b"),
          c(*this, s.rows, s.width, s.c, s.c_gap, inputs.offset) {
      c.values.becomes_output();
      values.sent = s.alpha != 0;
      if (values.sent)
        fill(std::span<T>(values.values), OperatorId::plus, inputs);
      else
        std::fill(values.values.begin(), values.values.end(), kNan);
      b.fill(s.alpha != 0, {inputs.values, inputs.seed + 1});
      c.fill(s.beta != 0, {inputs.values, inputs.seed + 2});
      forget_rows_of_b();
      for (std::int64_t r = 0; r < s.rows; ++r) multiply_row(r);
    }
    typename C::Args args() {
      return C::args(shape, offsets.data(), columns.data(), values.data(), b.view(), c.view(), alpha, beta);
    }
    Verdict check(double depth) {
      // Exact results may be off by nothing, but a library that flushes to 0 by a finite number of these: a matter of digits.
      constexpr double kLessThanAnyError = std::numeric_limits<T>::denorm_min() / 4.0;
      std::vector<double> bounds(want.size(), kLessThanAnyError);
      for (std::size_t i = 0; i < magnitude.size(); ++i) {
        const std::size_t r = i / static_cast<std::size_t>(shape.width);
        const auto length = static_cast<double>(matrix.offsets[r + 1] - matrix.offsets[r]);
        bounds[i] = gamma<T>(std::min(depth, length) + 2) * magnitude[i] +
                    2 * std::numeric_limits<T>::epsilon() * added[i] +
                    underflow<T>(std::fabs(shape.alpha) * length + 2);
      }
      const Contents<T> all = c.values.buffer().contents();
      std::vector<T> got;
      for (std::int64_t r = 0; r < shape.rows; ++r) {
        for (std::int64_t j = 0; j < shape.width; ++j)
          got.push_back(strided(
              MatrixView<const T>{all.data(), shape.rows, shape.width, c.shape.ld, c.shape.layout})(r, j));
      }
      Verdict verdict = compare<T>(Contents<T>(std::span<const T>(got)), want, bounds);
      if (!verdict.correct && (infinite || (may_spread && shape.alpha != 0))) {
        // A library may multiply rows that no element, or none of this row, names by 0, and add an infinity to its opposite.
        for (std::size_t i = 0; i < got.size(); ++i) got[i] = std::isnan(got[i]) ? want[i] : got[i];
        const Verdict numbers = compare<T>(Contents<T>(std::span<const T>(got)), want, bounds);
        verdict.digits_alone = numbers.correct || numbers.digits_alone || infinite;
        if (numbers.correct && !infinite) verdict.input = "unnamed_rows";
      }
      verdict.include(c.check_gaps(all));
      return verdict;
    }

   private:
    void forget_rows_of_b() {
      std::vector<bool> named(static_cast<std::size_t>(matrix.cols));
      for (const std::int32_t column : matrix.columns) named[static_cast<std::size_t>(column)] = true;
      for (std::int64_t i = 0; i < matrix.cols; ++i) {
        if (named[static_cast<std::size_t>(i)]) continue;
        may_spread = true;
        for (std::int64_t j = 0; j < shape.width; ++j) b(i, j) = kNan;
      }
    }
    void multiply_row(std::int64_t r) {
      const auto width = static_cast<std::size_t>(shape.width), row = static_cast<std::size_t>(r);
      std::vector<Wide> sum(width), absolute(width);
      for (auto k = static_cast<std::size_t>(matrix.offsets[row]);
           k < static_cast<std::size_t>(matrix.offsets[row + 1]) && alpha != 0; ++k) {
        for (std::size_t j = 0; j < width; ++j) {
          const Wide product =
              static_cast<Wide>(values.values[k]) * b(matrix.columns[k], static_cast<std::int64_t>(j));
          sum[j] += product;
          absolute[j] += std::fabs(product);
        }
      }
      for (std::size_t j = 0; j < width; ++j) {
        const Wide product = alpha == 0 ? 0 : alpha * sum[j],
                   before = beta == 0 ? 0 : static_cast<Wide>(beta) * c(r, static_cast<std::int64_t>(j));
        want.push_back(static_cast<T>(product + before));
        if (exact) continue;
        magnitude.push_back(static_cast<double>(std::fabs(static_cast<Wide>(alpha)) * absolute[j]));
        added.push_back(static_cast<double>(std::fabs(before)));
      }
    }
  };

  /// Column j of B has weight j of another period, and so has that of C.
  template <class C>
  struct Large : Operands {
    using T = typename C::T;
    static constexpr std::int64_t kWeights = 13;
    TestShape shape;
    LargeOperand<std::int64_t> offsets;
    LargeOperand<std::int32_t> columns;
    LargeOperand<T> values, b, c;

    Large(Context& ctx, const TestShape& s, const Inputs&)
        : Operands(ctx),
          shape(s),
          offsets(*this, s.rows + 1, periodic_offsets(s.length)),
          columns(*this, s.elements, periodic_columns()),
          values(*this, s.elements, periodic_values<T>()),
          b(*this, kColumnPeriod * s.width, weighted(periodic_factors<T>(), s.width)),
          c(*this, s.rows * s.width, LargeOperand<T>::kNothing,
            weighted(periodic_sums<T>(s.length), s.width)) {}
    typename C::Args args() {
      return C::args(shape, offsets.data(), columns.data(), values.data(),
                     {b.data(), kColumnPeriod, shape.width, shape.width},
                     {c.data(), shape.rows, shape.width, shape.width}, 1, 0);
    }
    Verdict check(double) { return {}; }

   private:
    static ClosedForm<T> weighted(const std::vector<T>& of_rows, std::int64_t width) {
      return {of_rows, 1, 0, 0, small_numbers<T>(kWeights), 0, 1, width};
    }
  };

  static Trial trial(const TestShape& s, const Inputs& inputs) {
    std::string variant = kFamilies[static_cast<int>(s.family)];
    for (const auto& [layout, name] : {std::pair{s.b, " B"}, {s.c, " C"}}) {
      if (layout == Layout::column_major) variant += std::string(name) + " column-major";
    }
    if (s.alpha != 1 || s.beta != 0) variant += fmt::format(" alpha={} beta={}", s.alpha, s.beta);
    if (s.b_gap + s.c_gap > 0) variant += fmt::format(" gaps {} {}", s.b_gap, s.c_gap);
    variant += column_type_text(s.column_type);
    return {s,
            inputs,
            s.scale(),
            variant,
            fmt::format("{}x{}x{}", s.rows, s.length, s.width),
            inputs.values == Values::denormal   ? "denormal"
            : inputs.values == Values::infinity ? "infinity"
            : s.family == Family::wide          ? "wide"
                                                : ""};
  }

  static Plan plan(Coverage coverage, std::uint64_t seed) {
    constexpr std::int64_t kGaps[] = {0, 1, 4, 13, 64};
    constexpr double kFactors[] = {1, 0, -1, 2, 0.5, -0.5, 3, 1e3, kFine, kTenth};
    enum {
      kCase,
      kRows,
      kLength,
      kWidth,
      kFamily,
      kB,
      kC,
      kBGap,
      kCGap,
      kAlpha,
      kBeta,
      kValues,
      kOffset,
      kColumns,
      kAxes
    };
    constexpr int kFamilyCount = static_cast<int>(std::size(kFamilies));
    constexpr std::int64_t kMost = 4'000;  // of two extents' product
    const std::vector<CaseId> ids = case_ids<Contract>();
    Plan plan;
    plan.trials.resize(ids.size());
    if (coverage == Coverage::huge) {
      // Past 2^32 bytes and, of floats, past 2^31 and 2^32 elements: of C, of B, and of A.
      for (std::size_t c = 0; c < ids.size(); ++c) {
        for (const int bits : ids[c].type == Type::f64 ? std::vector{29} : std::vector{31, 32}) {
          const std::int64_t n = (std::int64_t{1} << bits) + 5;
          for (const auto& [count, length, width] :
               {std::array{n / 64 + 1, std::int64_t{3}, std::int64_t{64}},
                {std::int64_t{3}, std::int64_t{100}, n / kColumnPeriod + 1},
                {n / 1000 + 1, std::int64_t{1000}, std::int64_t{2}}}) {
            TestShape shape{{count, kColumnPeriod, count * length, length, width}, Family::periodic, length};
            plan.trials[c].push_back(trial(shape, {Values::exact, seed, 0}));
            plan.trials[c].back().inputs.closed_form = true;
          }
        }
      }
      return plan;
    }
    std::vector<std::int64_t> rows{0, 1, 2, 3, 8, 9, 31, 32, 33, 64, 129, 257, 1000};
    std::vector<std::int64_t> lengths{0, 1, 2, 3, 4, 5, 8, 15, 16, 31, 32, 33, 64, 100, 513, 1025};
    std::vector<std::int64_t> widths{0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 33, 64, 65, 96, 128, 129, 257};
    if (coverage == Coverage::brief) rows = {1, 9, 65}, lengths = {3, 33}, widths = {1, 7, 33, 65};
    const auto texts = [](const auto& all) {
      std::vector<std::string> result;
      for (const auto v : all) result.push_back(fmt::format("{}", v));
      return result;
    };
    const auto of = [](const std::vector<std::int64_t>& all, int i) {
      return all[static_cast<std::size_t>(i)];
    };
    plan.axes.add("case", names(ids));
    plan.axes.add("rows", texts(rows));
    plan.axes.add("length", texts(lengths));
    plan.axes.add("width", texts(widths));
    plan.axes.add("family", {kFamilies, kFamilies + kFamilyCount});
    plan.axes.add("layout of B", {"row-major", "column-major"});
    plan.axes.add("layout of C", {"row-major", "column-major"});
    plan.axes.add("gap of B", texts(kGaps));
    plan.axes.add("gap of C", texts(kGaps));
    plan.axes.add("alpha", texts(kFactors));
    plan.axes.add("beta", texts(kFactors));
    plan.axes.add("values", value_names());
    plan.axes.add("offset", offset_names());
    plan.axes.add("columns", column_type_names());
    plan.axes.exclude(kRows, kLength, [&](int r, int l) { return of(rows, r) * of(lengths, l) > kMost; });
    plan.axes.exclude(kRows, kWidth, [&](int r, int w) { return of(rows, r) * of(widths, w) > kMost; });
    plan.axes.exclude(kLength, kWidth, [&](int l, int w) { return of(lengths, l) * of(widths, w) > kMost; });
    plan.axes.exclude(kCase, kOffset,
                      [&](int c, int o) { return !aligned(ids[static_cast<std::size_t>(c)], o); });
    plan.axes.close();
    Covering covering(plan.axes, seed);
    const auto add = [&](const Point& given) {
      const Point point = covering.next(given);
      if (point.empty()) return;
      auto& trials = plan.trials[static_cast<std::size_t>(point[kCase])];
      TestShape shape = shape_of(static_cast<Family>(point[kFamily]), of(rows, point[kRows]),
                                 of(lengths, point[kLength]), of(widths, point[kWidth]));
      shape.b = static_cast<Layout>(point[kB]), shape.c = static_cast<Layout>(point[kC]);
      shape.b_gap = kGaps[point[kBGap]], shape.c_gap = kGaps[point[kCGap]];
      shape.alpha = kFactors[point[kAlpha]], shape.beta = kFactors[point[kBeta]];
      shape.column_type = kColumnTypes[point[kColumns]];
      trials.push_back(
          trial(shape, {static_cast<Values>(point[kValues]), seed + 3 * trials.size(),
                        offset_in_elements(ids[static_cast<std::size_t>(point[kCase])], point[kOffset])}));
      trials.back().point = point;
    };
    // Of half of all points B and C are row-major: the only ones that most steps take.
    Point any(kAxes, -1);
    any[kB] = any[kC] = static_cast<int>(Layout::row_major);
    const int turns = coverage == Coverage::full ? 4 : 1;
    for (int turn = 0; turn < turns; ++turn) {
      for (any[kFamily] = 0; any[kFamily] < kFamilyCount; ++any[kFamily]) {
        for (any[kCase] = 0; any[kCase] < static_cast<int>(ids.size()); ++any[kCase]) add(any);
        any[kCase] = -1;
        for (any[kWidth] = 0; any[kWidth] < static_cast<int>(widths.size()); ++any[kWidth]) add(any);
        any[kWidth] = -1;
      }
    }
    if (coverage == Coverage::brief) return plan;
    while (const auto open = covering.open()) add(*open);
    // More elements than threads of the CPU share, and column numbers and widths of more than 16 bits; one type will do.
    const auto more = [&](Family family, std::int64_t count, std::int64_t length, std::int64_t width) {
      const Values values = plan.trials[0].size() % 2 ? Values::exact : Values::real;
      TestShape shape = shape_of(family, count, length, width);
      shape.beta = 0.5;
      shape.column_type = kColumnTypes[plan.trials[0].size() / 2 % 2];
      plan.trials[0].push_back(trial(shape, {values, seed, 1}));
    };
    more(Family::rmat, 20'011, 7, 2), more(Family::dense_row, 70'001, 1, 3), more(Family::tall, 1009, 67, 5);
    more(Family::wide, 3, 40'003, 2), more(Family::mostly_empty, 40'009, 1, 3),
        more(Family::banded, 3, 2, 70'001);
    if (coverage == Coverage::full) {
      for (int family = 0; family < kFamilyCount; ++family)
        more(static_cast<Family>(family), 20'011, 9, 33), more(static_cast<Family>(family), 1009, 67, 129);
    }
    return plan;
  }

  static std::vector<Trial> benchmarks(CaseId, std::span<const std::int64_t> extents, std::uint64_t seed) {
    std::vector<Trial> trials;
    if (!is_measured(extents[0], extents[1])) return trials;
    for (const Family family :
         {Family::stencil, Family::banded, Family::rmat, Family::dense_row, Family::mostly_empty})
      trials.push_back(trial(shape_of(family, extents[0], extents[1], extents[2]), {Values::exact, seed, 0}));
    return trials;
  }
  static std::vector<Trial> usual_and_hard(CaseId, const Features& f, std::uint64_t seed) {
    constexpr std::int64_t kMost = 1 << 26;  // products
    std::vector<Trial> trials;
    const auto [width, length, rows] = f;
    if (!is_measured(rows, length) || rows * length > kMost / width) return trials;
    for (const Layout layout : {Layout::row_major, Layout::column_major}) {
      for (const Family family : usual_and_hard_families(rows, length)) {
        TestShape shape = shape_of(family, rows, length, width);
        shape.b = shape.c = layout;
        trials.push_back(trial(shape, {Values::exact, seed, 0}));
      }
    }
    return trials;
  }

  static Trial draw(CaseId id, Draws& draws, std::int64_t elements) {
    const std::int64_t width = draws.size(1, std::min<std::int64_t>(elements, 512)),
                       length = draws.size(1, elements / width),
                       rows = draws.size(1, elements / length / width);
    const auto family = static_cast<Family>(draws.below(static_cast<std::int64_t>(std::size(kFamilies))));
    TestShape shape = shape_of(family, rows, length, width);
    for (Layout* layout : {&shape.b, &shape.c})
      *layout = draws.one_in(4) ? Layout::column_major : Layout::row_major;
    for (std::int64_t* gap : {&shape.b_gap, &shape.c_gap}) *gap = draws.one_in(4) ? draws.below(65) : 0;
    if (draws.one_in(4)) shape.alpha = 0.5, shape.beta = 1;
    shape.column_type = kColumnTypes[draws.one_in(4)];
    return trial(shape, {Values::exact, draws.bits(), draw_offset(id, draws)});
  }

  static double memory(CaseId id, const TestShape& s) {
    const auto size = static_cast<double>(size_of(id.type)),
               lines = static_cast<double>(s.rows + s.cols + 2 * s.width);
    return 3 * (static_cast<double>(s.elements) * (size + static_cast<double>(size_of(s.column_type))) +
                8 * static_cast<double>(s.rows) +
                size * (static_cast<double>(s.rows + s.cols) * static_cast<double>(s.width) +
                        lines * static_cast<double>(std::max(s.b_gap, s.c_gap)))) +
           static_cast<double>(s.rows) * static_cast<double>(s.width) * (2 * size + 24);
  }

  /// Every element, its column number, offset and row of B is read once, every result written, and read where β is not 0.
  static Work work(CaseId id, const TestShape& s) {
    const auto elements = static_cast<double>(s.elements), rows = static_cast<double>(s.rows),
               width = static_cast<double>(s.width), size = static_cast<double>(size_of(id.type));
    return {elements * (size + static_cast<double>(size_of(s.column_type))) +
                rows * (8 + size * width * (s.beta == 0 ? 1 : 2)) +
                static_cast<double>(s.cols) * size * width,
            2 * elements * width};
  }
};

REGISTER_OPERATION(SpmmHarness)

}  // namespace
}  // namespace tandem

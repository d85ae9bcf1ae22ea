// sptrsv: what it is tested with, and what is right.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "lib/harness/column_input.h"
#include "lib/harness/operation.h"
#include "lib/harness/periodic_matrix.h"
#include "lib/harness/triangular_matrices.h"
#include "lib/ops/sptrsv/contract.h"
#include "lib/ops/sptrsv/levels.h"

namespace tandem {
namespace {

struct SptrsvHarness {
  using Contract = Sptrsv;
  /// What a row of the diagonal is that must be reported.
  enum class Zeros : int { none, zero, denormal, not_a_number, cancelled };
  static constexpr const char* kZeros[] = {"none", "zero", "denormal", "NaN", "cancelled"};
  struct TestShape : Sptrsv::Shape {
    TriangleFamily family = TriangleFamily::banded;
    std::int64_t length = 0;  // of a row of the matrix whose triangle it is, about
    TriangularForm form;
    bool both = false;  // triangles are stored
    Zeros zeros = Zeros::none;
    double alpha = 1;
    Type column_type = Type::i32;
  };
  static constexpr Bound bound = Bound::read;
  static constexpr Extent kExtents[] = {{"rows"}, {"length"}};
  static constexpr std::int64_t executor_size = 1 << 12;
  /// Factors that floats do not hold: exact in doubles, and in no binary type.
  static constexpr double kFine = 1 + 0x1p-30, kTenth = 0.1;
  static std::vector<std::int64_t> bench_sizes() { return {1 << 16, 1 << 20, 1 << 24}; }
  /// n elements in rows of 16, of both triangles.
  static std::vector<std::int64_t> extents_of(std::int64_t n) {
    const std::int64_t length = std::min<std::int64_t>(n, 16);
    return {n / length, length};
  }

  static TestShape shape_of(TriangleFamily family, std::int64_t rows, std::int64_t length,
                            TriangularForm form = {}, bool both = false) {
    require_host_memory(fmt::format("a matrix of {} rows of {}", rows, length),
                        8.0 * static_cast<double>(rows) * (4 + static_cast<double>(length)));
    const CsrArrays a = triangle_of(family, rows, length, form, both);
    const Levels levels = levels_of<std::int32_t>(a.offsets, a.columns, form.triangle);
    return {{.rows = rows,
             .elements = a.offsets.back(),
             .levels = static_cast<std::int64_t>(levels.begins.size()) - 1,
             .tidy = levels.tidy},
            family,
            length,
            form,
            both};
  }

  /// What must not be read is NaN: elements of the other triangle, a diagonal of ones, and all where α = 0. Exact problems
  /// have small numbers in A and in x, and a power of two on the diagonal, so that b and every sum are exact; in others the
  /// diagonal exceeds the sum of its row twice, so that x stays of the size of b.
  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    using Wide = Wider<T>;
    static constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
    TestShape shape;
    T alpha;
    CsrArrays matrix;
    bool exact;
    detail::SptrsvAnalysis kept;
    Input<std::int64_t> offsets;
    ColumnInput columns;
    Input<T> values, b;
    Output<T> x;
    Array<std::uint64_t> status;
    std::vector<T> want;            // of exact problems
    std::vector<bool> unspecified;  // x of rows that need a diagonal that is reported
    std::int64_t reported = -1;     // the first such row

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          alpha(static_cast<T>(s.alpha)),
          matrix(triangle_of(s.family, s.rows, s.length, s.form, s.both)),
          exact(inputs.values != Values::real && s.alpha != kTenth && s.alpha != kFine),
          kept(analysis(ctx, matrix, s.form)),
          offsets(*this, matrix.offsets, inputs.offset % 8, "offsets"),
          columns(*this, matrix.columns, s.column_type, inputs.offset),
          values(*this, columns.size(), inputs.offset, "values"),
          b(*this, s.rows, inputs.offset, "b"),
          x(*this, s.rows, inputs.offset, s.in_place ? &b : nullptr),
          status(ctx, 1),
          unspecified(static_cast<std::size_t>(s.rows)) {
      values.sent = b.sent = alpha != 0;
      for (std::int64_t r = 0; r < s.rows; ++r) fill_row(r, inputs);
      if (s.rows > 0 && s.zeros != Zeros::none) spoil_diagonals(inputs.seed);
      if (exact)
        fill_exact(inputs);
      else
        fill_random(std::span<T>(b.values), OperatorId::plus, Values::real, inputs.seed + 1);
      if (alpha == 0) forget_all();
    }
    typename C::Args args() {
      return with_type(columns.data(), [&]<class Column>(const Column* numbers) {
        const auto pattern = CsrMatrix<T>::unchecked(
            shape.rows, shape.rows, View<const std::int64_t>{offsets.data(), shape.rows + 1},
            View<const Column>{numbers, columns.size()}, View<const T>{values.data(), values.size()});
        return C::args(pattern, values.data(), kept, alpha, b.data(), x.data(), status.data());
      });
    }
    void reset() {
      Operands::reset();
      status.upload(std::vector<std::uint64_t>{0});
    }
    Verdict check(double depth) {
      Verdict verdict = check_status(status.to_vector()[0]);
      verdict.include(exact ? check_values(x.contents()) : check_residuals(x.contents(), depth));
      return verdict;
    }

   private:
    static detail::SptrsvAnalysis analysis(Context& ctx, const CsrArrays& a, TriangularForm form) {
      const Array<std::int64_t> offsets(ctx, a.offsets);
      const Array<std::int32_t> columns(ctx, a.columns);
      const auto pattern =
          CsrMatrix<T>::unchecked(a.cols, a.cols, offsets, columns, View<const T>{nullptr, columns.size()});
      return detail::analyse_triangular(ctx, pattern, form);
    }
    bool is_upper() const { return shape.form.triangle == Triangle::upper; }
    bool is_unit() const { return shape.form.diagonal == Diagonal::unit; }
    bool needs(std::int64_t r, std::int64_t j) const { return is_upper() ? j > r : j < r; }
    /// Calls f(k, column) for the elements of row r that the triangle has, those of a diagonal of ones left out.
    template <class F>
    void for_row(std::int64_t r, F f) const {
      for (std::int64_t k = matrix.offsets[static_cast<std::size_t>(r)];
           k < matrix.offsets[static_cast<std::size_t>(r) + 1]; ++k) {
        const std::int64_t j = matrix.columns[static_cast<std::size_t>(k)];
        if (needs(r, j) || (j == r && !is_unit())) f(static_cast<std::size_t>(k), j);
      }
    }
    /// Row after row, as substitution does.
    template <class F>
    void for_rows(F f) const {
      for (std::int64_t i = 0; i < shape.rows; ++i) f(is_upper() ? shape.rows - 1 - i : i);
    }
    template <class U>
    static auto& at(std::vector<U>& all, std::int64_t i) {
      return all[static_cast<std::size_t>(i)];
    }
    static int small(std::uint64_t seed, std::uint64_t i) {  // from −3 to 3
      return static_cast<int>(random_bits(seed, i) % 7) - 3;
    }

    void fill_row(std::int64_t r, const Inputs& inputs) {
      const std::int64_t begin = at(matrix.offsets, r), end = at(matrix.offsets, r + 1);
      for (std::int64_t k = begin; k < end; ++k) at(values.values, k) = kNan;
      const auto real = [&](std::uint64_t i) {  // in [−1, 1)
        return static_cast<double>(random_bits(inputs.seed, i) >> 11) * 0x1p-52 - 1;
      };
      const std::uint64_t bits = random_bits(inputs.seed + 3, static_cast<std::uint64_t>(r));
      T diagonal = static_cast<T>(exact ? 1 + static_cast<double>(bits % 2) : 1 + std::fabs(real(~bits)));
      if (bits & 2) diagonal = -diagonal;
      std::size_t last = values.values.size();  // of the elements on the diagonal
      for_row(r, [&](std::size_t k, std::int64_t j) {
        const T value =
            static_cast<T>(exact ? small(inputs.seed, k) : real(k) / (2 * static_cast<double>(end - begin)));
        values.values[k] = value;
        if (j != r) return;
        if (last < values.values.size()) diagonal -= values.values[last];
        last = k;
      });
      if (last < values.values.size()) values.values[last] = diagonal;
    }
    /// Of the rows from a third on some; where one has no more than an element, it cannot be cancelled, and is 0.
    void spoil_diagonals(std::uint64_t seed) {
      for (std::int64_t r = shape.rows / 3; r < shape.rows;
           r += 1 + static_cast<std::int64_t>(seed % 5) + shape.rows / 4) {
        bool first = true;
        T before = 0;
        for_row(r, [&](std::size_t k, std::int64_t j) {
          if (j != r) return;
          T& value = values.values[k];
          if (shape.zeros == Zeros::cancelled)
            value = -before;
          else if (first && shape.zeros == Zeros::not_a_number)
            value = kNan;
          else
            value = first && shape.zeros == Zeros::denormal ? std::numeric_limits<T>::denorm_min() : T(0);
          before += value;
          first = false;
        });
        if (reported < 0) reported = r;
        unspecified[static_cast<std::size_t>(r)] = true;
      }
      for_rows([&](std::int64_t r) {
        for_row(r, [&](std::size_t, std::int64_t j) {
          if (unspecified[static_cast<std::size_t>(j)]) unspecified[static_cast<std::size_t>(r)] = true;
        });
      });
    }
    /// x, and b = A·x ÷ α. Where b has a NaN, so has x in all rows that need it.
    void fill_exact(const Inputs& inputs) {
      const T unit = inputs.values == Values::denormal ? 4 * std::numeric_limits<T>::denorm_min() : T(1);
      for (std::int64_t r = 0; r < shape.rows; ++r)
        want.push_back(unit * static_cast<T>(small(inputs.seed + 1, static_cast<std::uint64_t>(r))));
      for_rows([&](std::int64_t r) {
        T sum = is_unit() ? at(want, r) : T(0);
        for_row(r, [&](std::size_t k, std::int64_t j) { sum += values.values[k] * at(want, j); });
        at(b.values, r) = alpha == 0 ? kNan : sum / alpha;
      });
      if (inputs.values != Values::nan || shape.rows == 0) return;
      const std::int64_t first = shape.rows / 3;
      at(b.values, first) = at(want, first) = kNan;
      for_rows([&](std::int64_t r) {
        for_row(r, [&](std::size_t, std::int64_t j) {
          if (std::isnan(at(want, j))) at(want, r) = kNan;
        });
      });
    }
    void forget_all() {
      std::fill(values.values.begin(), values.values.end(), kNan);
      std::fill(b.values.begin(), b.values.end(), kNan);
      want.assign(want.size(), T(0));
      unspecified.assign(unspecified.size(), false);
      reported = -1;
      if (want.empty()) want.resize(static_cast<std::size_t>(shape.rows)), exact = true;
    }

    Verdict check_status(std::uint64_t word) const {
      const std::string right =
          reported < 0 ? "there is none" : fmt::format("the first is in row {}", reported);
      if (word == 0)
        return reported < 0 ? Verdict{} : Verdict::wrong("does not report a diagonal of zero; " + right);
      const PivotFailure got = PivotFailure::decode(word);
      if (got.system == 0 && got.row == reported) return {};
      return Verdict::wrong(fmt::format("reports a diagonal of zero in row {}; {}", got.row, right));
    }
    Verdict check_values(std::span<const T> got) const {
      // Exact results may be off by nothing, but a library that flushes to 0 by a finite number of these: a matter of digits.
      constexpr double kLessThanAnyError = std::numeric_limits<T>::denorm_min() / 4.0;
      std::vector<T> right = want;
      for (std::size_t r = 0; r < right.size(); ++r) {
        if (unspecified[r]) right[r] = got[r];
      }
      return compare<T>(got, right, std::vector<double>(right.size(), kLessThanAnyError));
    }
    /// |A·x − α·b| ÷ its bound, row by row (Higham 2002, section 8.1).
    Verdict check_residuals(std::span<const T> got, double depth) const {
      Verdict verdict;
      for (std::int64_t r = 0; r < shape.rows; ++r) {
        const auto row = static_cast<std::size_t>(r);
        if (unspecified[row]) continue;
        const Wide right = static_cast<Wide>(alpha) * b.values[row];
        Wide residual = -right, magnitude = std::fabs(right), diagonal = 1;
        double length = 0;
        const auto add = [&](Wide product) { residual += product, magnitude += std::fabs(product); };
        if (is_unit()) add(got[row]);
        for_row(r, [&](std::size_t k, std::int64_t j) {
          add(static_cast<Wide>(values.values[k]) * got[static_cast<std::size_t>(j)]);
          if (j == r) diagonal = std::max(diagonal, std::fabs(static_cast<Wide>(values.values[k])));
          ++length;
        });
        const double allowed = gamma<T>(std::min(depth, length) + 2) * static_cast<double>(magnitude) +
                               underflow<T>(length + 2 + static_cast<double>(diagonal));
        const auto ratio = static_cast<double>(std::fabs(residual) / static_cast<Wide>(allowed));
        if (ratio <= verdict.worst) continue;
        Verdict here;
        if (!(ratio <= 1)) {
          here = Verdict::wrong(fmt::format("row {}: the residual is {:.3g} times the bound", r, ratio), r);
          here.digits_alone = std::isfinite(ratio);
        }
        if (std::isfinite(ratio)) here.worst = ratio, here.index = r;
        verdict.include(here);
      }
      return verdict;
    }
  };

  /// Ones on the diagonal; all elements are in column 0, so that every row but the first needs that one alone. Values have a
  /// period, and those of row 0, which are not of its triangle, add up to 0: x[0] is b[0] by the form of the other rows, too.
  template <class C>
  struct Large : Operands {
    using T = typename C::T;
    static constexpr std::int64_t kPeriod = 127;  // at least the length of a row
    TestShape shape;
    std::vector<T> period;
    LargeOperand<std::int64_t> offsets;
    LargeOperand<std::int32_t> columns;
    LargeOperand<T> values, b, x;
    LargeOperand<std::int32_t> order;
    std::vector<std::int64_t> begins;
    Array<std::int64_t> kernels_begins;
    Array<std::uint64_t> status;

    Large(Context& ctx, const TestShape& s, const Inputs&)
        : Operands(ctx),
          shape(s),
          period(balanced(s.length)),
          offsets(*this, s.rows + 1, periodic_offsets(s.length)),
          columns(*this, s.elements, {{0}}),
          values(*this, s.elements, {period}),
          b(*this, s.rows, {small_numbers<T>(kPeriod, 1)}),
          x(*this, s.rows, LargeOperand<T>::kNothing, solution()),
          order(*this, s.rows, rising_form<std::int32_t>()),
          begins{0, 1, s.rows},
          kernels_begins(ctx, begins),
          status(ctx, 1) {}
    typename C::Args args() {
      return {.rows = shape.rows,
              .elements = shape.elements,
              .offsets = offsets.data(),
              .columns = columns.data(),
              .values = values.data(),
              .b = b.data(),
              .x = x.data(),
              .alpha = 1,
              .upper = false,
              .unit = true,
              .number = std::numeric_limits<std::uint64_t>::max(),
              .levels = 2,
              .begins = begins.data(),
              .kernels_begins = kernels_begins.data(),
              .order = order.data(),
              .status = status.data()};
    }
    void reset() {
      Operands::reset();
      status.upload(std::vector<std::uint64_t>{0});
    }
    Verdict check(double) {
      return status.to_vector()[0] == 0 ? Verdict{} : Verdict::wrong("reports a diagonal of zero");
    }

   private:
    static std::vector<T> balanced(std::int64_t length) {
      std::vector<T> all = small_numbers<T>(kPeriod);
      all[0] = 0;
      for (std::int64_t k = 1; k < length; ++k) all[0] -= all[static_cast<std::size_t>(k)];
      return all;
    }
    ClosedForm<T> solution() const {
      ClosedForm<T> form{small_numbers<T>(kPeriod, 1)};
      const T first = form.first[0];
      for (std::int64_t r = 0; r < kPeriod; ++r) {
        for (std::int64_t k = 0; k < shape.length; ++k) {
          form.first[static_cast<std::size_t>(r)] -=
              first * period[static_cast<std::size_t>((r * shape.length + k) % kPeriod)];
        }
      }
      return form;
    }
  };

  static Trial trial(const TestShape& shape, const Inputs& inputs) {
    std::string variant = kTriangleFamilies[static_cast<int>(shape.family)];
    if (shape.form.triangle == Triangle::upper) variant += " upper";
    if (shape.form.diagonal == Diagonal::unit) variant += " unit";
    if (shape.both) variant += " both";
    if (shape.in_place) variant += " in place";
    if (shape.alpha != 1) variant += fmt::format(" alpha={}", shape.alpha);
    if (shape.zeros != Zeros::none) variant += std::string(" ") + kZeros[static_cast<int>(shape.zeros)];
    variant += column_type_text(shape.column_type);
    return {shape,
            inputs,
            shape.scale(),
            variant,
            fmt::format("{}x{}", shape.rows, shape.length),
            inputs.values == Values::denormal ? "denormal" : ""};
  }

  static Plan plan(Coverage coverage, std::uint64_t seed) {
    constexpr double kFactors[] = {1, 0, -1, 2, 0.5, -0.5, kFine, kTenth};
    constexpr Values kValues[] = {Values::exact, Values::real, Values::nan, Values::denormal};
    enum {
      kCase,
      kRows,
      kLength,
      kFamily,
      kForm,
      kBoth,
      kInPlace,
      kZero,
      kAlpha,
      kValue,
      kOffset,
      kColumns,
      kAxes
    };
    constexpr int kFamilyCount = static_cast<int>(std::size(kTriangleFamilies));
    constexpr std::int64_t kMost = 10'000;  // elements
    const auto form = [](int f) {
      return TriangularForm{f % 2 ? Triangle::upper : Triangle::lower,
                            f / 2 ? Diagonal::unit : Diagonal::stored};
    };
    const std::vector<CaseId> ids = case_ids<Contract>();
    Plan plan;
    plan.trials.resize(ids.size());
    if (coverage == Coverage::huge) {
      // Past 2^32 bytes of values and, of floats, past 2^31 and 2^32 elements: many short rows, and fewer longer ones.
      for (std::size_t c = 0; c < ids.size(); ++c) {
        for (const int bits : ids[c].type == Type::f64 ? std::vector{29} : std::vector{31, 32}) {
          const std::int64_t n = (std::int64_t{1} << bits) + 5;
          for (const std::int64_t length : {4, 100}) {
            const std::int64_t count = n / length + 1;
            TestShape shape{{.rows = count, .elements = count * length, .levels = 2, .tidy = false},
                            TriangleFamily::random,
                            length,
                            {.diagonal = Diagonal::unit},
                            true};
            plan.trials[c].push_back(trial(shape, {Values::exact, seed, 0}));
            plan.trials[c].back().inputs.closed_form = true;
          }
        }
      }
      return plan;
    }
    std::vector<std::int64_t> rows{0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 64, 127, 129, 255, 257, 511, 513, 1000};
    std::vector<std::int64_t> lengths{0, 1, 2, 3, 5, 8, 9, 16, 17, 31, 33, 63, 64, 65, 100, 257, 1000};
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
    plan.axes.add("family", {kTriangleFamilies, kTriangleFamilies + kFamilyCount});
    plan.axes.add("form", {"lower", "upper", "lower unit", "upper unit"});
    plan.axes.add("both triangles", {"no", "yes"});
    plan.axes.add("in place", {"no", "yes"});
    plan.axes.add("zeros", {std::begin(kZeros), std::end(kZeros)});
    plan.axes.add("alpha", texts(kFactors));
    plan.axes.add("values", {"exact", "real", "nan", "denormal"});
    plan.axes.add("offset", offset_names());
    plan.axes.add("columns", column_type_names());
    plan.axes.exclude(kRows, kLength, [&](int r, int l) { return of(rows, r) * of(lengths, l) > kMost; });
    plan.axes.exclude(kForm, kZero,
                      [&](int f, int z) { return form(f).diagonal == Diagonal::unit && z > 0; });
    plan.axes.exclude(kCase, kOffset,
                      [&](int c, int o) { return !aligned(ids[static_cast<std::size_t>(c)], o); });
    plan.axes.close();
    Covering covering(plan.axes, seed);
    const auto add = [&](const Point& given) {
      const Point point = covering.next(given);
      if (point.empty()) return;
      const CaseId id = ids[static_cast<std::size_t>(point[kCase])];
      auto& trials = plan.trials[static_cast<std::size_t>(point[kCase])];
      TestShape shape = shape_of(static_cast<TriangleFamily>(point[kFamily]), of(rows, point[kRows]),
                                 of(lengths, point[kLength]), form(point[kForm]), point[kBoth] == 1);
      shape.in_place = point[kInPlace] == 1;
      shape.zeros = static_cast<Zeros>(point[kZero]);
      shape.alpha = kFactors[point[kAlpha]];
      shape.column_type = kColumnTypes[point[kColumns]];
      shape.report = shape.zeros != Zeros::none;
      trials.push_back(trial(
          shape, {kValues[point[kValue]], seed + 5 * trials.size(), offset_in_elements(id, point[kOffset])}));
      trials.back().point = point;
    };
    Point any(kAxes, -1);
    const int turns = coverage == Coverage::full ? 4 : 1;
    for (int turn = 0; turn < turns; ++turn) {
      for (any[kFamily] = 0; any[kFamily] < kFamilyCount; ++any[kFamily]) {
        for (any[kForm] = 0; any[kForm] < 4; ++any[kForm]) {
          for (any[kCase] = 0; any[kCase] < static_cast<int>(ids.size()); ++any[kCase]) add(any);
          any[kCase] = -1;
        }
        any[kForm] = -1;
        for (any[kLength] = 0; any[kLength] < static_cast<int>(lengths.size()); ++any[kLength]) add(any);
        any[kLength] = -1;
      }
    }
    if (coverage == Coverage::brief) return plan;
    while (const auto open = covering.open()) add(*open);
    // Levels of more rows than a block has, and than threads of the CPU share; one type will do.
    const auto more = [&](TriangleFamily family, std::int64_t count, std::int64_t length) {
      const auto turn = static_cast<int>(plan.trials[0].size());
      TestShape shape = shape_of(family, count, length, form(turn % 4));
      shape.column_type = kColumnTypes[turn / 4 % 2];
      plan.trials[0].push_back(trial(shape, {kValues[turn / 2 % 2], seed, 1}));
    };
    for (int family = 0; family < kFamilyCount; ++family) {
      more(static_cast<TriangleFamily>(family), 1'501, 5);
      if (coverage == Coverage::full)
        more(static_cast<TriangleFamily>(family), 100'003, 7),
            more(static_cast<TriangleFamily>(family), 20'011, 40);
    }
    more(TriangleFamily::diagonal, 40'009, 1);
    // More levels than a signed number of 16 bits counts, for which a kernel whose rows wait takes long on the executor.
    if (coverage == Coverage::full) more(TriangleFamily::chain, 32'800, 1);
    return plan;
  }

  /// None of larger matrices: only making one tells its levels.
  static std::vector<Trial> benchmarks(CaseId, std::span<const std::int64_t> extents, std::uint64_t seed) {
    std::vector<Trial> trials;
    if (!is_measured(extents[0], extents[1])) return trials;
    for (const TriangleFamily family :
         {TriangleFamily::stencil, TriangleFamily::banded, TriangleFamily::rmat, TriangleFamily::random})
      trials.push_back(trial(shape_of(family, extents[0], extents[1]), {Values::exact, seed, 0}));
    return trials;
  }

  static Trial draw(CaseId id, Draws& draws, std::int64_t elements) {
    const std::int64_t length = draws.size(1, elements), rows = draws.size(1, elements / length);
    const auto family =
        static_cast<TriangleFamily>(draws.below(static_cast<std::int64_t>(std::size(kTriangleFamilies))));
    TestShape shape = shape_of(family, rows, length,
                               {draws.one_in(4) ? Triangle::upper : Triangle::lower,
                                draws.one_in(4) ? Diagonal::unit : Diagonal::stored},
                               draws.one_in(4));
    if (draws.one_in(4)) shape.alpha = 0.5;
    shape.column_type = kColumnTypes[draws.one_in(4)];
    return trial(shape, {Values::exact, draws.bits(), draw_offset(id, draws)});
  }

  /// Of smaller matrices alone: only making one tells its levels.
  static std::vector<Trial> usual_and_hard(CaseId, const Features& f, std::uint64_t seed) {
    constexpr std::int64_t kMost = 1 << 20;  // elements
    std::vector<Trial> trials;
    const auto [length, rows, none] = f;
    if (rows > kMost / length) return trials;
    for (const TriangleFamily family :
         {TriangleFamily::stencil, TriangleFamily::random, TriangleFamily::diagonal, TriangleFamily::banded,
          TriangleFamily::rmat, TriangleFamily::chain})
      trials.push_back(trial(shape_of(family, rows, length), {Values::exact, seed, 0}));
    return trials;
  }

  static double memory(CaseId id, const TestShape& shape) {
    const auto size = static_cast<double>(size_of(id.type));
    return 3 *
           (static_cast<double>(shape.elements) * (size + static_cast<double>(size_of(shape.column_type))) +
            static_cast<double>(shape.rows) * (2 * size + 28));
  }

  /// Every element with its column, every offset, row number and element of b is read, every result written.
  static Work work(CaseId id, const TestShape& shape) {
    const auto elements = static_cast<double>(shape.elements), rows = static_cast<double>(shape.rows),
               size = static_cast<double>(size_of(id.type));
    return {elements * (size + static_cast<double>(size_of(shape.column_type))) + rows * (8 + 4 + 2 * size),
            2 * elements};
  }
};

REGISTER_OPERATION(SptrsvHarness)

}  // namespace
}  // namespace tandem

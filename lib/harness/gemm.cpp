// gemm: what it is tested with, and what is right.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "lib/harness/first_error.h"
#include "lib/harness/matrix_operand.h"
#include "lib/harness/operation.h"
#include "lib/ops/gemm/contract.h"

namespace tandem {
namespace {

// Beyond this many multiplications only some rows are compared.
constexpr std::int64_t kCompareAllUpTo = std::int64_t{1} << 30;

struct GemmHarness {
  using Contract = Gemm;
  struct TestShape : Gemm::Shape {
    double alpha = 1, beta = 0;
  };
  static constexpr Bound bound = Bound::flops;
  static constexpr Extent kExtents[] = {{"m"}, {"n"}, {"k"}};
  /// Factors that floats do not hold: exact in doubles, and in no binary type.
  static constexpr double kFine = 1 + 0x1p-30, kTenth = 0.1;
  static constexpr std::int64_t executor_size = 65;
  static std::vector<std::int64_t> bench_sizes() { return {256, 1024}; }
  static std::vector<std::int64_t> extents_of(std::int64_t n) { return {n, n, n}; }

  /// What must not be read is poisoned: C where β = 0, A and B where α = 0.
  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    using Sum = typename C::Sum;
    using Wide = Wider<Sum>;
    static constexpr bool kNarrow = sizeof(T) < sizeof(Sum);

    TestShape shape;
    Sum alpha, beta;
    MatrixOperand<T> a, b, c;  // c is what the call finds, and where its results come
    bool exact;
    std::int64_t step;  // every step-th row is compared
    std::vector<std::vector<Sum>> want;
    std::vector<std::vector<double>> magnitude;  // |α|·|A|·|B|

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          alpha(static_cast<Sum>(s.alpha)),
          beta(static_cast<Sum>(s.beta)),
          a(*this, s.m, s.k, s.a, s.a_gap, inputs.offset),
          b(*this, s.k, s.n, s.b, s.b_gap, inputs.offset),
          c(*this, s.m, s.n, Layout::row_major, s.c_gap, inputs.offset),
          exact(is_exact(inputs.values, {C::id.type, OperatorId::plus}) && s.alpha != kTenth &&
                s.beta != kTenth) {
      c.values.becomes_output();
      a.fill(s.alpha != 0, inputs);
      b.fill(s.alpha != 0, {inputs.values, inputs.seed + 1});
      c.fill(s.beta != 0, {inputs.values, inputs.seed + 2});
      const std::int64_t all = s.m * s.n * std::max<std::int64_t>(s.k, 1);
      step =
          all <= kCompareAllUpTo ? 1 : all / kCompareAllUpTo / 4 * 2 + 1;  // odd: meets every row of a tile
      multiply();
    }
    typename C::Args args() { return C::args(alpha, a.view(), b.view(), beta, c.view()); }

    /// Any order of k additions has the bound γ_k; `depth` is k and what a path adds to it. Elements of 16 bits are
    /// rounded once more at the end.
    Verdict check(double depth) {
      if (kNarrow) depth *= 2;  // tensor cores cut sums off instead of rounding them
      const Contents<T> got = c.values.buffer().contents();
      const auto n = static_cast<std::size_t>(shape.n), ld = static_cast<std::size_t>(c.shape.ld);
      Verdict verdict;
      std::vector<double> bounds(exact ? 0 : n);
      for (std::size_t row = 0, i = 0; row < want.size(); ++row, i += static_cast<std::size_t>(step)) {
        for (std::size_t j = 0; j < bounds.size(); ++j) {
          constexpr double kEpsilon = std::numeric_limits<Sum>::epsilon();
          const double beta_c = shape.beta == 0
                                    ? 0
                                    : static_cast<double>(shape.beta * wide(c, static_cast<std::int64_t>(i),
                                                                            static_cast<std::int64_t>(j)));
          bounds[j] = gamma<Sum>(depth + 2) * magnitude[row][j] + 2 * kEpsilon * std::fabs(beta_c) +
                      underflow<Sum>(std::fabs(shape.alpha) * static_cast<double>(shape.k) + 2);
          if constexpr (kNarrow) {
            bounds[j] += std::numeric_limits<T>::epsilon() / 2.0 * (std::fabs(want[row][j]) + bounds[j]) +
                         static_cast<double>(std::numeric_limits<T>::denorm_min());
          }
        }
        Verdict row_verdict = compare_row(got.subspan(i * ld, n), want[row], bounds);
        if (!row_verdict.correct) row_verdict.text = fmt::format("row {} ", i) + row_verdict.text;
        verdict.include(row_verdict);
      }
      verdict.include(c.check_gaps(got));
      return verdict;
    }

   private:
    static Wide wide(const MatrixOperand<T>& m, std::int64_t i, std::int64_t j) {
      return static_cast<Wide>(m(i, j));
    }
    Verdict compare_row(std::span<const T> got, std::span<const Sum> wanted, std::span<const double> bounds) {
      if constexpr (!kNarrow) {
        return compare<T>(got, wanted, bounds);
      } else if (exact) {
        std::vector<T> rounded;
        for (const Sum x : wanted) rounded.push_back(T(x));
        return compare<T>(got, rounded, bounds);
      } else {
        std::vector<Sum> results;
        for (std::size_t j = 0; j < got.size(); ++j) results.push_back(before_overflow(got[j], wanted[j]));
        return compare<Sum>(results, wanted, bounds);
      }
    }
    // What a result stands for beside a finite one: of an infinity the nearest number that is rounded to it.
    static Sum before_overflow(T got, Sum wanted) {
      const Sum result = got;
      if (!std::isinf(result) || !std::isfinite(wanted)) return result;
      const Sum largest = std::numeric_limits<T>::max();
      const Sum first = largest * (1 + std::numeric_limits<T>::epsilon() / 4);
      return result > 0 ? std::max(first, wanted) : std::min(-first, wanted);
    }
    // The definition in a wider type, for every step-th row; magnitude is |α|·|A|·|B|.
    void multiply() {
      const auto rows = static_cast<std::size_t>((shape.m + step - 1) / step);
      const auto n = static_cast<std::size_t>(shape.n);
      want.assign(rows, std::vector<Sum>(n));
      magnitude.assign(exact ? 0 : rows, std::vector<double>(n));
      const std::int64_t k = shape.alpha == 0 ? 0 : shape.k;
      FirstError error;
#pragma omp parallel for schedule(dynamic) if (shape.n * k > 10000)
      for (std::size_t row = 0; row < rows; ++row) {
        error.keep([&] {
          const std::int64_t i = static_cast<std::int64_t>(row) * step;
          std::vector<Wide> sum(n), absolute(exact ? 0 : n);
          for (std::int64_t p = 0; p < k; ++p) {
            const Wide factor = wide(a, i, p), size = std::fabs(factor);
            const T* line = shape.b == Layout::row_major ? b.values.values.data() + p * b.shape.ld : nullptr;
            for (std::size_t j = 0; j < n; ++j) {
              const Wide other = line ? static_cast<Wide>(line[j]) : wide(b, p, static_cast<std::int64_t>(j));
              sum[j] += factor * other;
              if (!exact) absolute[j] += size * std::fabs(other);
            }
          }
          for (std::size_t j = 0; j < n; ++j) {
            const Wide product = k == 0 ? 0 : Wide(alpha) * sum[j];
            want[row][j] = static_cast<Sum>(
                shape.beta == 0 ? product : product + Wide(beta) * wide(c, i, static_cast<std::int64_t>(j)));
            if (!exact) magnitude[row][j] = static_cast<double>(std::fabs(Wide(alpha)) * absolute[j]);
          }
        });
      }
      error.rethrow();
    }
  };

  /// A(i, p) depends on i + p and B(p, j) on p + j, both modulo a number that divides k: so C(i, j) depends on
  /// j − i alone, and is an exact sum; of 16 bits where k is a power of two times that number. C = A·B without gaps.
  template <class C>
  struct Large : Operands {
    using T = typename C::T;
    using Sum = typename C::Sum;
    static constexpr std::int64_t kPeriod = 13;
    TestShape shape;
    LargeOperand<T> a, b, c;

    Large(Context& ctx, const TestShape& s, const Inputs&)
        : Operands(ctx),
          shape(s),
          a(*this, s.m * s.k, {numbers(0), 1, 1, 0, {T(1)}, 0, 0, s.a == Layout::row_major ? s.k : s.m}),
          b(*this, s.k * s.n, {numbers(1), 1, 1, 0, {T(1)}, 0, 0, s.b == Layout::row_major ? s.n : s.k}),
          c(*this, s.m * s.n, nullptr, product(s)) {}
    typename C::Args args() {
      return C::args(1,
                     {a.data(), shape.m, shape.k, shape.a == Layout::row_major ? shape.k : shape.m, shape.a},
                     {b.data(), shape.k, shape.n, shape.b == Layout::row_major ? shape.n : shape.k, shape.b},
                     0, {c.data(), shape.m, shape.n, shape.n, Layout::row_major});
    }
    Verdict check(double) { return {}; }

   private:
    /// Exact: quarters up to 2, and of 16 bits up to 1, so that eight bits hold sixteen times the sum over a period.
    static std::vector<T> numbers(int seed) {
      std::vector<T> table;
      for (const int x : small_numbers<int>(kPeriod, seed))
        table.push_back(static_cast<T>(static_cast<Sum>(sizeof(T) == 2 ? x / 2 : x) / 4));
      return table;
    }
    static ClosedForm<T> product(const TestShape& s) {
      const std::vector<T> x = numbers(0), y = numbers(1);
      ClosedForm<T> form;
      for (std::size_t r = 0; r < kPeriod; ++r) {
        Sum sum = 0;
        for (std::size_t q = 0; q < kPeriod; ++q) sum += x[q] * y[(q + r) % kPeriod];
        form.first.push_back(static_cast<T>(sum * static_cast<Sum>(s.k / kPeriod)));
      }
      form.a = kPeriod - 1, form.b = 1, form.ld = s.n;
      return form;
    }
  };

  static Trial trial(CaseId id, TestShape s, const Inputs& inputs) {
    const auto is_aligned = [&](Layout layout, std::int64_t rows, std::int64_t cols, std::int64_t gap) {
      const std::int64_t ld = (layout == Layout::row_major ? cols : rows) + gap;
      const std::int64_t of_pack = Gemm::kAlignment / static_cast<std::int64_t>(size_of(id.type));
      return inputs.offset % of_pack == 0 && ld % of_pack == 0;
    };
    s.aligned = is_aligned(s.a, s.m, s.k, s.a_gap) && is_aligned(s.b, s.k, s.n, s.b_gap) &&
                is_aligned(Layout::row_major, s.m, s.n, s.c_gap);
    std::string variant;
    if (s.a == Layout::column_major || s.b == Layout::column_major) {
      variant = fmt::format("{}{} ", s.a == Layout::column_major ? 'T' : 'N',
                            s.b == Layout::column_major ? 'T' : 'N');
    }
    if (s.alpha != 1 || s.beta != 0) variant += fmt::format("alpha={} beta={} ", s.alpha, s.beta);
    if (s.a_gap + s.b_gap + s.c_gap > 0) variant += fmt::format("gaps {} {} {} ", s.a_gap, s.b_gap, s.c_gap);
    if (!variant.empty()) variant.pop_back();
    return {s, inputs, s.k, variant, fmt::format("{}x{}x{}", s.m, s.n, s.k)};
  }

  /// A product whose lines begin at multiples of 16 elements, so of 16 bytes, whatever the type.
  static TestShape with_aligned_lines(std::int64_t m, std::int64_t n, std::int64_t k, Layout a, Layout b) {
    const auto gap = [](std::int64_t line) { return (16 - line % 16) % 16; };
    return {
        {m, n, k, a, b, gap(a == Layout::row_major ? k : m), gap(b == Layout::row_major ? n : k), gap(n)}};
  }

  struct Extents {
    std::int64_t m, n, k;
  };
  /// Extents to test: up to 40, around the edges of tiles, long or large.
  static constexpr const char* kKinds[] = {"small", "edges", "large"};
  static std::array<std::vector<Extents>, 3> sizes(Coverage coverage) {
    std::array<std::vector<Extents>, 3> sizes;
    auto& [small, edges, large] = sizes;
    const auto add = [](std::vector<Extents>& to, std::initializer_list<Extents> more) {
      to.insert(to.end(), more);
    };
    if (coverage == Coverage::brief) {
      small = {{1, 2, 17}, {1, 1, 1}};
      edges = {{33, 66, 17}, {33, 33, 33}};
      large = {{130, 260, 17}, {130, 130, 34}};
      return sizes;
    }
    for (std::int64_t n = 0; n <= 20; ++n) add(small, {{n, n, n}, {n, 21 - n, n * 7 % 20}, {20 - n, n, 40}});
    // Both sides of tiles, on one side after the other.
    for (const std::int64_t n : {31, 32, 33, 63, 64, 65, 127, 128, 129})
      add(edges, {{n, 17, 33}, {19, n, 9}, {9, 23, n}, {n, n, 16}, {n, n + 1, 31}});
    large = {{1, 1, 1000}, {7, 33, 1030}, {257, 1, 5}, {1, 259, 5}, {130, 258, 65}, {256, 128, 32}};
    if (coverage == Coverage::full) {
      for (const std::int64_t n : {200, 255, 256, 257, 300, 384, 511, 512, 513, 640, 777}) {
        for (int repeat = 0; repeat < 4; ++repeat)
          add(large, {{n, n, n}, {n, 97, 3 * n}, {65, n, 129}, {2 * n, n, 40}});
      }
      add(large, {{2'100'000, 2, 3}, {2, 2'100'000, 3}, {3, 3, 300'000}});
    }
    return sizes;
  }

  static Plan plan(Coverage coverage, std::uint64_t seed) {
    constexpr std::int64_t kGaps[] = {0, 1, 4, 13, 64, 100};
    constexpr double kFactors[] = {1, 0, -1, 2, 0.5, -0.5, 3, 1e3, kFine, kTenth};
    enum { kCase, kKind, kA, kB, kAlpha, kBeta, kAGap, kBGap, kCGap, kValues, kOffset, kAxes };
    const std::vector<CaseId> ids = case_ids<Contract>();
    Plan plan;
    plan.trials.resize(ids.size());
    if (coverage == Coverage::huge) {
      // A, B and C in turn past 2^32 elements, or past 2^32 bytes; k is a multiple of 13.
      for (std::size_t c = 0; c < ids.size(); ++c) {
        std::vector<TestShape> shapes{
            {{65539, 64, 65546}}, {{64, 65539, 65546}}, {{65539, 65551, 26}}, {{46349, 64, 46358}}};
        if (size_of(ids[c].type) == 2) {  // lines of whole packs, too
          shapes = {{{80669, 64, 53248}},
                    {{64, 80672, 53248}},
                    {{65539, 65552, 208}},
                    {{65539, 65551, 26}},
                    {{40343, 64, 53248}}};
        }
        if (size_of(ids[c].type) == 8)
          shapes = {{{23173, 64, 23179}}, {{64, 23173, 23179}}, {{23173, 23171, 26}}};
        for (const TestShape& shape : shapes) {
          plan.trials[c].push_back(trial(ids[c], shape, {Values::exact, seed, 0}));
          plan.trials[c].back().inputs.closed_form = true;
        }
      }
      return plan;
    }
    std::vector<std::string> gaps, factors;
    for (const std::int64_t gap : kGaps) gaps.push_back(std::to_string(gap));
    for (const double factor : kFactors) factors.push_back(fmt::format("{}", factor));
    plan.axes.add("case", names(ids));
    plan.axes.add("size", {std::begin(kKinds), std::end(kKinds)});
    plan.axes.add("layout of A", {"row-major", "column-major"});
    plan.axes.add("layout of B", {"row-major", "column-major"});
    plan.axes.add("alpha", factors);
    plan.axes.add("beta", factors);
    for (const char* of : {"gap of A", "gap of B", "gap of C"}) plan.axes.add(of, gaps);
    plan.axes.add("values", value_names());
    plan.axes.add("offset", offset_names());
    plan.axes.exclude(kCase, kOffset,
                      [&](int c, int o) { return !aligned(ids[static_cast<std::size_t>(c)], o); });

    plan.axes.close();
    Covering covering(plan.axes, seed);
    const auto add = [&](const Point& given, const Extents& e) {
      const Point point = covering.next(given);
      if (point.empty()) return;
      const CaseId id = ids[static_cast<std::size_t>(point[kCase])];
      auto& trials = plan.trials[static_cast<std::size_t>(point[kCase])];
      TestShape s{{e.m, e.n, e.k, static_cast<Layout>(point[kA]), static_cast<Layout>(point[kB]),
                   kGaps[point[kAGap]], kGaps[point[kBGap]], kGaps[point[kCGap]]},
                  kFactors[point[kAlpha]],
                  kFactors[point[kBeta]]};
      trials.push_back(trial(id, s,
                             {static_cast<Values>(point[kValues]), seed + 3 * trials.size(),
                              offset_in_elements(id, point[kOffset])}));
      trials.back().point = point;
    };
    const auto all = sizes(coverage);
    Point any(kAxes, -1);
    for (int c = 0; c < static_cast<int>(ids.size()); ++c) {
      for (int kind = 0; kind < static_cast<int>(all.size()); ++kind) {
        any[kCase] = c, any[kKind] = kind;
        for (const Extents& e : all[static_cast<std::size_t>(kind)]) add(any, e);
      }
    }
    for (std::uint64_t turn = 0; const auto open = covering.open(); ++turn) {
      any = *open;
      if (any[kKind] < 0) any[kKind] = static_cast<int>(turn % all.size());
      const auto& of_kind = all[static_cast<std::size_t>(any[kKind])];
      add(any, of_kind[random_bits(seed, turn) % of_kind.size()]);
    }
    if (coverage != Coverage::brief) {
      // A side longer than a signed number of 16 bits counts, rows that threads of the CPU share among them; whole blocks
      // of B.
      for (std::size_t c = 0; c < ids.size(); ++c) {
        for (const Extents& e : {Extents{40'001, 3, 5}, {3, 32'801, 2}, {2, 3, 32'801}, {1, 2048, 384}})
          plan.trials[c].push_back(trial(ids[c], {{e.m, e.n, e.k}}, {Values::exact, seed, 0}));
      }
    }
    // Lines that begin at multiples of 16 bytes and end between, which paths that copy packs or boxes take as they are.
    const std::vector<std::int64_t> ends =
        coverage == Coverage::brief
            ? std::vector<std::int64_t>{3, 68}
            : std::vector<std::int64_t>{1, 2, 3, 4, 5, 7, 8, 9, 12, 20, 24, 33, 68, 129, 136, 258};
    for (std::size_t c = 0; c < ids.size(); ++c) {
      auto& trials = plan.trials[c];
      for (const std::int64_t n : ends) {
        const auto turn = static_cast<std::int64_t>(trials.size());
        const auto a = static_cast<Layout>(turn % 2), b = static_cast<Layout>(turn / 2 % 2);
        const std::int64_t m = std::min<std::int64_t>(2 * n + 1, 37),
                           k = std::min<std::int64_t>(3 * n + 2, 45);
        trials.push_back(
            trial(ids[c], with_aligned_lines(m, n, k, a, b), {Values::exact, seed + 3 * trials.size(), 0}));
      }
    }
    return plan;
  }

  static std::vector<Trial> benchmarks(CaseId id, std::span<const std::int64_t> extents, std::uint64_t seed) {
    return {trial(id, {{extents[0], extents[1], extents[2]}}, {Values::real, seed, 0})};
  }

  /// A and B in both layouts, with aligned lines and with lines of an odd stride: libraries have kernels for arrays that lie one
  /// element further.
  static std::vector<Trial> usual_and_hard(CaseId id, const Features& wanted, std::uint64_t seed) {
    const std::vector<std::int64_t> extents = extents_with(wanted);
    if (extents.empty()) return {};
    const std::int64_t m = extents[0], n = extents[1], k = extents[2];
    std::vector<Trial> trials;
    for (const Layout a : {Layout::row_major, Layout::column_major}) {
      for (const Layout b : {Layout::row_major, Layout::column_major}) {
        trials.push_back(trial(id, with_aligned_lines(m, n, k, a, b), {Values::real, seed, 0}));
        trials.push_back(trial(id, {{m, n, k, a, b, 1, 1, 1}}, {Values::real, seed, 0}));
      }
    }
    return trials;
  }

  /// C of any sides up to four times those of the largest square, and any k: of small and thin products, too,
  /// but with no more than 256 multiplications for each element of the largest matrix.
  static Trial draw(CaseId id, Draws& draws, std::int64_t elements) {
    const std::int64_t side = 4 * static_cast<std::int64_t>(std::sqrt(static_cast<double>(elements)));
    TestShape s{{draws.size(1, std::min(side, elements)), 0, 0}};
    s.n = draws.size(1, std::min(side, elements / s.m));
    s.k = draws.size(1, std::min(elements / std::max(s.m, s.n), 256 * elements / (s.m * s.n)));
    for (Layout* layout : {&s.a, &s.b}) *layout = draws.one_in(3) ? Layout::column_major : Layout::row_major;
    for (std::int64_t* gap : {&s.a_gap, &s.b_gap, &s.c_gap}) *gap = draws.one_in(4) ? draws.below(65) : 0;
    if (draws.one_in(4)) s.alpha = 0.5, s.beta = 1;
    return trial(id, s, {Values::real, draws.bits(), draw_offset(id, draws)});
  }

  /// The longer side of C is its first; none where no product is like that.
  static std::vector<std::int64_t> extents_with(const Features& f) {
    const auto [side, shorter, k] = f;
    constexpr std::int64_t kMost = std::int64_t{1} << 20;  // its third power is counted in 64 bits
    if (side > kMost || side * side * side / shorter / k < shorter) return {};
    return {side * side * side / shorter / k, shorter, k};
  }

  static Work work(CaseId id, const TestShape& s) {
    const auto m = static_cast<double>(s.m), n = static_cast<double>(s.n), k = static_cast<double>(s.k);
    return {(m * k + k * n + m * n) * static_cast<double>(size_of(id.type)), 2 * m * n * k};
  }
};

REGISTER_OPERATION(GemmHarness)

}  // namespace
}  // namespace tandem

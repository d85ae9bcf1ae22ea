// gemm: what it is tested with, and what is right.

#include <fmt/format.h>

#include <cstring>

#include "lib/harness/first_error.h"
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
  static constexpr const char* extents = "m x n x k";
  static constexpr int kExtents = 3;
  static constexpr std::int64_t executor_size = 65;
  static std::vector<std::int64_t> bench_sizes() { return {256, 1024}; }

  /// Gaps between lines count as part of all buffers. What must not be read is poisoned: C where β = 0, A and
  /// B where α = 0.
  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    using Wide = Wider<T>;

    struct Matrix {
      Matrix(Operands& all, std::int64_t rows, std::int64_t cols, Layout layout, std::int64_t gap, int offset)
          : shape{nullptr, rows, cols, 0, layout}, values(all, shape.lines() * (shape.line() + gap), offset) {
        shape.ld = shape.line() + gap;
      }
      void fill(bool read, const Inputs& inputs) {
        if (read)
          fill_random(std::span<T>(values.values), OperatorId::plus, inputs.values, inputs.seed);
        else if (!values.values.empty())
          std::memset(values.values.data(), 0xFF, values.values.size() * sizeof(T));
      }
      MatrixView<T> view(T* data) const {
        MatrixView<T> result = shape;
        result.data = data;
        return result;
      }
      Wide operator()(std::int64_t i, std::int64_t j) const {
        return static_cast<Wide>(strided(view(const_cast<T*>(values.values.data())))(i, j));
      }

      MatrixView<T> shape;
      Input<T> values;
    };

    TestShape shape;
    Matrix a, b, c;  // c is what the call finds, and where its results come
    bool exact;
    std::int64_t step;  // every step-th row is compared
    std::vector<std::vector<T>> want;
    std::vector<std::vector<double>> magnitude;  // |α|·|A|·|B|

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          a(*this, s.m, s.k, s.a, s.a_gap, inputs.offset),
          b(*this, s.k, s.n, s.b, s.b_gap, inputs.offset),
          c(*this, s.m, s.n, Layout::row_major, s.c_gap, inputs.offset),
          exact(is_exact(inputs.values, {C::id.type, OperatorId::plus})) {
      c.values.becomes_output();
      a.fill(s.alpha != 0, inputs);
      b.fill(s.alpha != 0, {inputs.values, inputs.seed + 1});
      c.fill(s.beta != 0, {inputs.values, inputs.seed + 2});
      const std::int64_t all = s.m * s.n * std::max<std::int64_t>(s.k, 1);
      step =
          all <= kCompareAllUpTo ? 1 : all / kCompareAllUpTo / 4 * 2 + 1;  // odd: meets every row of a tile
      multiply();
    }
    typename C::Args args() {
      return C::args(static_cast<T>(shape.alpha), a.view(a.values.data()), b.view(b.values.data()),
                     static_cast<T>(shape.beta), c.view(c.values.data()));
    }

    /// Any order of k additions has the bound γ_k; `depth` is k and what a path adds to it.
    Verdict check(double depth) {
      const std::vector<T> got = c.values.buffer().download();
      const auto n = static_cast<std::size_t>(shape.n), ld = static_cast<std::size_t>(c.shape.ld);
      Verdict verdict;
      std::vector<double> bounds(exact ? 0 : n);
      for (std::size_t row = 0, i = 0; row < want.size(); ++row, i += static_cast<std::size_t>(step)) {
        for (std::size_t j = 0; j < bounds.size(); ++j) {
          constexpr double kEpsilon = std::numeric_limits<T>::epsilon();
          const double beta_c = shape.beta == 0
                                    ? 0
                                    : static_cast<double>(shape.beta * c(static_cast<std::int64_t>(i),
                                                                         static_cast<std::int64_t>(j)));
          bounds[j] = gamma<T>(depth + 2) * magnitude[row][j] + 2 * kEpsilon * std::fabs(beta_c);
        }
        Verdict row_verdict = compare<T>(std::span(got).subspan(i * ld, n), want[row], bounds);
        if (!row_verdict.correct) row_verdict.text = fmt::format("row {} ", i) + row_verdict.text;
        verdict.include(row_verdict);
      }
      for (std::size_t i = 0; ld > n && i < static_cast<std::size_t>(shape.m); ++i) {
        if (std::memcmp(&got[i * ld] + n, &c.values.values[i * ld] + n, (ld - n) * sizeof(T)) != 0)
          verdict.include(Verdict::wrong(fmt::format("wrote into the gap behind row {}", i)));
      }
      return verdict;
    }

   private:
    // The definition in a wider type, for every step-th row; magnitude is |α|·|A|·|B|.
    void multiply() {
      const auto rows = static_cast<std::size_t>((shape.m + step - 1) / step);
      const auto n = static_cast<std::size_t>(shape.n);
      want.assign(rows, std::vector<T>(n));
      magnitude.assign(exact ? 0 : rows, std::vector<double>(n));
      const Wide alpha = static_cast<T>(shape.alpha), beta = static_cast<T>(shape.beta);
      const std::int64_t k = shape.alpha == 0 ? 0 : shape.k;
      FirstError error;
#pragma omp parallel for schedule(dynamic) if (shape.n * k > 10000)
      for (std::size_t row = 0; row < rows; ++row) {
        error.keep([&] {
          const std::int64_t i = static_cast<std::int64_t>(row) * step;
          std::vector<Wide> sum(n), absolute(exact ? 0 : n);
          for (std::int64_t p = 0; p < k; ++p) {
            const Wide factor = a(i, p), size = std::fabs(factor);
            const T* line = shape.b == Layout::row_major ? b.values.values.data() + p * b.shape.ld : nullptr;
            for (std::size_t j = 0; j < n; ++j) {
              const Wide other = line ? static_cast<Wide>(line[j]) : b(p, static_cast<std::int64_t>(j));
              sum[j] += factor * other;
              if (!exact) absolute[j] += size * std::fabs(other);
            }
          }
          for (std::size_t j = 0; j < n; ++j) {
            const Wide product = k == 0 ? 0 : alpha * sum[j];
            want[row][j] = static_cast<T>(
                shape.beta == 0 ? product : product + beta * c(i, static_cast<std::int64_t>(j)));
            if (!exact) magnitude[row][j] = static_cast<double>(std::fabs(alpha) * absolute[j]);
          }
        });
      }
      error.rethrow();
    }
  };

  static Trial trial(const TestShape& s, const Inputs& inputs) {
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

  static std::vector<Trial> tests(CaseId id, Coverage coverage, std::uint64_t seed) {
    constexpr std::int64_t kGaps[] = {0, 1, 4, 0, 13};
    constexpr double kAlphas[] = {1, -1, 2, 0.5, 1, 0}, kBetas[] = {0, 1, -0.5, 0, 2, 0, 1};
    std::vector<Trial> trials;
    if (coverage == Coverage::huge) return trials;
    std::uint64_t turn = random_bits(seed, static_cast<std::uint64_t>(id.type)) % 100000;
    const auto add = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
      // Each axis turns at a pace of its own, so that every pair of values is met.
      TestShape s{{m, n, k}};
      s.a = static_cast<Layout>(turn % 2), s.b = static_cast<Layout>(turn / 2 % 2);
      s.alpha = kAlphas[turn % std::size(kAlphas)], s.beta = kBetas[turn % std::size(kBetas)];
      s.a_gap = kGaps[turn / 3 % 5], s.b_gap = kGaps[turn / 4 % 5], s.c_gap = kGaps[turn / 7 % 5];
      trials.push_back(
          trial(s, {static_cast<Values>(turn % kValuesCount), seed + 3 * trials.size(), kOffsets[turn % 5]}));
      turn += 1;
    };
    if (coverage == Coverage::brief) {
      for (const std::int64_t n : {1, 33, 130}) add(n, 2 * n, 17), add(n, n, n);
      return trials;
    }
    for (std::int64_t n = 0; n <= 20; ++n) add(n, n, n), add(n, 21 - n, n * 7 % 20), add(20 - n, n, 40);
    // Both sides of tiles, on one side after the other.
    for (const std::int64_t n : {31, 32, 33, 63, 64, 65, 127, 128, 129}) {
      add(n, 17, 33), add(19, n, 9), add(9, 23, n), add(n, n, 16), add(n, n + 1, 31);
    }
    add(1, 1, 1000), add(257, 1, 5), add(1, 259, 5), add(130, 258, 65), add(256, 128, 32);
    if (coverage == Coverage::full) {
      for (const std::int64_t n : {200, 255, 256, 257, 300, 384, 511, 512, 513, 640, 777}) {
        for (int repeat = 0; repeat < 4; ++repeat)
          add(n, n, n), add(n, 97, 3 * n), add(65, n, 129), add(2 * n, n, 40);
      }
      add(2'100'000, 2, 3), add(2, 2'100'000, 3), add(3, 3, 300'000);
    }
    return trials;
  }

  static std::vector<Trial> benchmarks(CaseId id, std::int64_t n, std::uint64_t seed) {
    return benchmarks(id, std::vector{n, n, n}, seed);
  }
  static std::vector<Trial> benchmarks(CaseId, std::span<const std::int64_t> extents, std::uint64_t seed) {
    return {trial({{extents[0], extents[1], extents[2]}}, {Values::real, seed, 0})};
  }

  static Work work(CaseId id, const TestShape& s) {
    const auto m = static_cast<double>(s.m), n = static_cast<double>(s.n), k = static_cast<double>(s.k);
    return {(m * k + k * n + m * n) * static_cast<double>(size_of(id.type)), 2 * m * n * k};
  }
};

REGISTER_OPERATION(GemmHarness)

}  // namespace
}  // namespace tandem

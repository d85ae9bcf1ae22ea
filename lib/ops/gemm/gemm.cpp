#include "lib/ops/gemm/contract.h"

#include <fmt/format.h>

#include <cstring>

#include "lib/harness/guarded.h"

namespace tandem {
namespace {

// Beyond this many multiplications only some rows are compared.
constexpr std::int64_t kCompareAllUpTo = std::int64_t{1} << 30;

/// Inputs, C before and after, and the reference of one product. Gaps between lines count as part of all
/// buffers. What must not be read is poisoned: C where β = 0, A and B where α = 0.
template <class C>
class GemmData {
  using T = typename C::T;
  using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;

  struct Matrix {
    Matrix(Context& ctx, std::int64_t rows, std::int64_t cols, Layout layout, std::int64_t gap, int offset)
        : shape{nullptr, rows, cols, 0, layout},
          host(static_cast<std::size_t>(shape.lines() * (shape.line() + gap))),
          buffer(ctx, static_cast<std::int64_t>(host.size()), offset) {
      shape.ld = shape.line() + gap;
    }
    void fill(bool read, const Inputs& inputs) {
      if (read)
        fill_random(std::span<T>(host), OperatorId::plus, inputs.values, inputs.seed);
      else if (!host.empty())
        std::memset(host.data(), 0xFF, host.size() * sizeof(T));
    }
    MatrixView<T> view(T* data) const {
      MatrixView<T> result = shape;
      result.data = data;
      return result;
    }
    Wide operator()(std::int64_t i, std::int64_t j) const {
      return static_cast<Wide>(strided(view(const_cast<T*>(host.data())))(i, j));
    }

    MatrixView<T> shape;
    std::vector<T> host;
    GuardedBuffer<T> buffer;
  };

 public:
  GemmData(Context& ctx, const Gemm::Shape& shape, const Inputs& inputs)
      : shape_(shape),
        a_(ctx, shape.m, shape.k, shape.a, shape.a_gap, inputs.offset),
        b_(ctx, shape.k, shape.n, shape.b, shape.b_gap, inputs.offset),
        c_(ctx, shape.m, shape.n, Layout::row_major, shape.c_gap, inputs.offset),
        exact_(is_exact(inputs.values, {C::id.type, OperatorId::plus})) {
    a_.fill(shape.alpha != 0, inputs);
    b_.fill(shape.alpha != 0, {inputs.values, inputs.seed + 1});
    c_.fill(shape.beta != 0, {inputs.values, inputs.seed + 2});
    const std::int64_t all = shape.m * shape.n * std::max<std::int64_t>(shape.k, 1);
    step_ = all <= kCompareAllUpTo ? 1 : all / kCompareAllUpTo / 4 * 2 + 1;  // odd: meets every row of a tile
    multiply();
  }

  typename C::Args args() {
    return C::args(static_cast<T>(shape_.alpha), a_.view(a_.buffer.data()), b_.view(b_.buffer.data()),
                   static_cast<T>(shape_.beta), c_.view(c_.buffer.data()));
  }
  void reset() {
    for (Matrix* x : {&a_, &b_, &c_}) x->buffer.upload(x->host);
  }

  /// Any order of k additions has the bound γ_k; `depth` is k and what a path adds to it.
  Verdict check(double depth) {
    const std::vector<T> got = c_.buffer.download();
    const auto n = static_cast<std::size_t>(shape_.n), ld = static_cast<std::size_t>(c_.shape.ld);
    Verdict verdict;
    std::vector<double> bounds;
    for (std::size_t row = 0, i = 0; row < want_.size(); ++row, i += static_cast<std::size_t>(step_)) {
      if (!exact_) {
        bounds.resize(n);
        constexpr double kEpsilon = std::numeric_limits<T>::epsilon();
        for (std::size_t j = 0; j < n; ++j) {
          const double beta_c = shape_.beta == 0
                                    ? 0
                                    : static_cast<double>(shape_.beta * c_(static_cast<std::int64_t>(i),
                                                                           static_cast<std::int64_t>(j)));
          bounds[j] = gamma<T>(depth + 2) * magnitude_[row][j] + 2 * kEpsilon * std::fabs(beta_c);
        }
      }
      Verdict of_row = compare<T>(std::span(got).subspan(i * ld, n), want_[row], bounds);
      if (!of_row.correct) of_row.text = fmt::format("row {} ", i) + of_row.text;
      verdict.include(of_row);
    }
    for (std::size_t i = 0; ld > n && i < static_cast<std::size_t>(shape_.m); ++i) {
      if (std::memcmp(&got[i * ld] + n, &c_.host[i * ld] + n, (ld - n) * sizeof(T)) != 0)
        verdict.include(Verdict::wrong(fmt::format("wrote into the gap behind row {}", i)));
    }
    for (Matrix* x : {&a_, &b_, &c_}) {
      if (const std::string damage = x->buffer.damage(); !damage.empty())
        verdict.include(Verdict::wrong(damage));
    }
    for (Matrix* x : {&a_, &b_}) {
      const std::vector<T> now = x->buffer.download();
      if (!now.empty() && std::memcmp(now.data(), x->host.data(), now.size() * sizeof(T)) != 0)
        verdict.include(Verdict::wrong("changed its input"));
    }
    return verdict;
  }

 private:
  // The definition in a wider type, for every step-th row; magnitude_ is |α|·|A|·|B|.
  void multiply() {
    const auto rows = static_cast<std::size_t>((shape_.m + step_ - 1) / step_);
    const auto n = static_cast<std::size_t>(shape_.n);
    want_.assign(rows, std::vector<T>(n));
    magnitude_.assign(exact_ ? 0 : rows, std::vector<double>(n));
    const Wide alpha = static_cast<T>(shape_.alpha), beta = static_cast<T>(shape_.beta);
    const std::int64_t k = shape_.alpha == 0 ? 0 : shape_.k;
#pragma omp parallel for schedule(dynamic) if (shape_.n * k > 10000)
    for (std::size_t row = 0; row < rows; ++row) {
      const std::int64_t i = static_cast<std::int64_t>(row) * step_;
      std::vector<Wide> sum(n), magnitude(exact_ ? 0 : n);
      for (std::int64_t p = 0; p < k; ++p) {
        const Wide factor = a_(i, p), size = std::fabs(factor);
        const T* line = shape_.b == Layout::row_major ? b_.host.data() + p * b_.shape.ld : nullptr;
        for (std::size_t j = 0; j < n; ++j) {
          const Wide other = line ? static_cast<Wide>(line[j]) : b_(p, static_cast<std::int64_t>(j));
          sum[j] += factor * other;
          if (!exact_) magnitude[j] += size * std::fabs(other);
        }
      }
      for (std::size_t j = 0; j < n; ++j) {
        const Wide product = k == 0 ? 0 : alpha * sum[j];
        want_[row][j] =
            static_cast<T>(shape_.beta == 0 ? product : product + beta * c_(i, static_cast<std::int64_t>(j)));
        if (!exact_) magnitude_[row][j] = static_cast<double>(std::fabs(alpha) * magnitude[j]);
      }
    }
  }

  Gemm::Shape shape_;
  Matrix a_, b_, c_;
  bool exact_;
  std::int64_t step_;
  std::vector<std::vector<T>> want_;
  std::vector<std::vector<double>> magnitude_;
};

Trial trial(const Gemm::Shape& s, const Inputs& inputs) {
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

}  // namespace

std::vector<Trial> Gemm::tests(CaseId id, Extent extent, std::uint64_t seed) {
  constexpr int kOffsets[] = {0, 1, 3, 4, 7};
  constexpr std::int64_t kGaps[] = {0, 1, 4, 0, 13};
  constexpr double kAlphas[] = {1, -1, 2, 0.5, 1, 0}, kBetas[] = {0, 1, -0.5, 0, 2, 0, 1};
  std::vector<Trial> trials;
  if (extent == Extent::huge) return trials;
  std::uint64_t turn = random_bits(seed, static_cast<std::uint64_t>(id.type)) % 100000;
  const auto add = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
    // Each axis turns at a pace of its own, so that every pair of values is met.
    Shape s{m, n, k};
    s.a = static_cast<Layout>(turn % 2), s.b = static_cast<Layout>(turn / 2 % 2);
    s.alpha = kAlphas[turn % std::size(kAlphas)], s.beta = kBetas[turn % std::size(kBetas)];
    s.reads_c = s.beta != 0;
    s.a_gap = kGaps[turn / 3 % 5], s.b_gap = kGaps[turn / 4 % 5], s.c_gap = kGaps[turn / 7 % 5];
    trials.push_back(
        trial(s, {static_cast<Values>(turn % kValuesCount), seed + 3 * trials.size(), kOffsets[turn % 5]}));
    turn += 1;
  };
  if (extent == Extent::brief) {
    for (const std::int64_t n : {1, 33, 130}) add(n, 2 * n, 17), add(n, n, n);
    return trials;
  }
  for (std::int64_t n = 0; n <= 20; ++n) add(n, n, n), add(n, 21 - n, n * 7 % 20), add(20 - n, n, 40);
  // Both sides of tiles, on one side after the other.
  for (const std::int64_t n : {31, 32, 33, 63, 64, 65, 127, 128, 129}) {
    add(n, 17, 33), add(19, n, 9), add(9, 23, n), add(n, n, 16), add(n, n + 1, 31);
  }
  add(1, 1, 1000), add(257, 1, 5), add(1, 259, 5), add(130, 258, 65), add(256, 128, 32);
  if (extent == Extent::full) {
    for (const std::int64_t n : {200, 255, 256, 257, 300, 384, 511, 512, 513, 640, 777}) {
      for (int repeat = 0; repeat < 4; ++repeat)
        add(n, n, n), add(n, 97, 3 * n), add(65, n, 129), add(2 * n, n, 40);
    }
    add(2'100'000, 2, 3), add(2, 2'100'000, 3), add(3, 3, 300'000);
  }
  return trials;
}

std::vector<Trial> Gemm::benchmarks(CaseId, std::span<const std::int64_t> extents, std::uint64_t seed) {
  return {trial({extents[0], extents[1], extents[2]}, {Values::real, seed, 0})};
}

Work Gemm::work(CaseId id, const Shape& s) {
  const auto m = static_cast<double>(s.m), n = static_cast<double>(s.n), k = static_cast<double>(s.k);
  return {(m * k + k * n + m * n) * static_cast<double>(size_of(id.type)), 2 * m * n * k};
}

REGISTER_OPERATION(Gemm, GemmData)

namespace detail {
void require_product(const MatrixView<const std::byte>& a, const MatrixView<const std::byte>& b,
                     const MatrixView<const std::byte>& c) {
  const auto same = [](const char* what, const char* argument, std::int64_t value, const char* of,
                       std::int64_t wanted) {
    if (value == wanted) return;
    throw InvalidArgument(
        fmt::format("gemm: {} of '{}' is {}; it must be {}, the {}", what, argument, value, wanted, of));
  };
  same("rows", "b", b.rows, "cols of 'a'", a.cols);
  same("rows", "c", c.rows, "rows of 'a'", a.rows);
  same("cols", "c", c.cols, "cols of 'b'", b.cols);
}
}  // namespace detail

}  // namespace tandem

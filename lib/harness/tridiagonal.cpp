// tridiagonal: what it is tested with, and what is right.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "lib/harness/first_error.h"
#include "lib/harness/operation.h"
#include "lib/harness/tridiagonal_matrices.h"
#include "tandem/device/pivot.h"

namespace tandem {
namespace {

/// Offsets of the lists of tests and benchmarks: lengths from 1 to n, every fourth of a few rows.
std::vector<std::int64_t> list_offsets(const Systems& systems) {
  std::vector<std::int64_t> offsets{0};
  for (std::int64_t s = 0; s < systems.inner; ++s) {
    const auto bits = random_bits(17, static_cast<std::uint64_t>(s)) >> 1;
    const std::int64_t most = s % 4 == 3 ? std::min<std::int64_t>(systems.n, 4) : systems.n;
    const std::int64_t length =
        s == systems.inner / 2 ? systems.n : 1 + static_cast<std::int64_t>(bits) % most;
    offsets.push_back(offsets.back() + length);
  }
  return offsets;
}

struct TridiagonalHarness {
  using Contract = Tridiagonal;
  struct TestShape : Tridiagonal::Shape {
    Matrix matrix = Matrix::dominant;
  };
  static constexpr Bound bound = Bound::copy;
  static constexpr const char* extents = "n x systems";
  static constexpr int kExtents = 2;
  static constexpr std::int64_t executor_size = 64;
  static std::vector<std::int64_t> bench_sizes() { return {64, 256, 1024}; }

  /// A batch in memory: coefficients and right-hand sides, NaN in what must not be read, poisoned x, a status
  /// word.
  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    using Wide = Wider<T>;
    static constexpr std::int64_t kGroup = 16;  // systems looked at together, for the sake of the cache
    static constexpr T kNan = std::numeric_limits<T>::quiet_NaN();

    TestShape shape;
    std::vector<std::int64_t> offsets;  // of a list, else empty
    Array<std::int64_t> device_offsets;
    typename C::Args args_host;  // strides and offsets, for walking through host copies
    std::size_t size, matrix_size;
    Input<T> lower, diag, upper, rhs;
    Output<T> x;
    Array<std::uint64_t> status;

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          offsets(s.list ? list_offsets(s.systems) : std::vector<std::int64_t>{}),
          device_offsets(ctx, offsets),
          args_host(make_args(nullptr, nullptr, nullptr, nullptr, nullptr, offsets.data(), nullptr)),
          size(static_cast<std::size_t>(s.list ? offsets.back() : storage_size(s.systems))),
          matrix_size(s.systems.shared_matrix ? static_cast<std::size_t>(s.systems.n) : size),
          lower(*this, static_cast<std::int64_t>(matrix_size), inputs.offset),
          diag(*this, static_cast<std::int64_t>(matrix_size), inputs.offset),
          upper(*this, static_cast<std::int64_t>(matrix_size), inputs.offset),
          rhs(*this, static_cast<std::int64_t>(size), inputs.offset),
          x(*this, rhs.size(), inputs.offset, s.in_place ? &rhs : nullptr),
          status(ctx, 1) {
      fill_random(std::span<T>(rhs.values), OperatorId::plus, Values::real, inputs.seed);
      if (s.matrix == Matrix::dominant)
        fill_dominant(inputs.seed);
      else
        fill_systems(inputs.seed);
      if (static_cast<std::int64_t>(size) != args_host.unknowns()) poison_gaps();
      for (std::int64_t system = 0; system < (s.systems.shared_matrix ? 1 : args_host.count); ++system) {
        const auto [m, v, n] = args_host.locate(system);
        element(lower, m) = kNan;
        element(upper, m + (n - 1) * args_host.matrix.row) = kNan;
      }
    }

    typename C::Args args() {
      return make_args(lower.data(), diag.data(), upper.data(), rhs.data(), x.data(), device_offsets.data(),
                       status.data());
    }
    void reset() {
      Operands::reset();
      status.upload(std::vector<std::uint64_t>{0});
    }
    Verdict check(double) {
      const std::vector<T> got = x.download();
      Verdict verdict = check_status(status.to_vector()[0]);
      if (!is_singular(shape.matrix)) verdict.include(check_residuals(got));
      verdict.include(check_gaps(got));
      return verdict;
    }

   private:
    static T& element(Input<T>& values, std::int64_t i) { return values.values[static_cast<std::size_t>(i)]; }
    typename C::Args make_args(const T* l, const T* d, const T* u, const T* b, T* to,
                               const std::int64_t* starts, std::uint64_t* word) const {
      if (!shape.list) return C::args(l, d, u, b, to, shape.systems, word);
      return C::args(l, d, u, b, to, starts, shape.systems.inner, shape.systems.n, offsets.back(), word);
    }

    void fill_dominant(std::uint64_t seed) {
      fill_random(std::span<T>(lower.values), OperatorId::plus, Values::real, seed + 1);
      fill_random(std::span<T>(diag.values), OperatorId::plus, Values::real, seed + 2);
      fill_random(std::span<T>(upper.values), OperatorId::plus, Values::real, seed + 3);
#pragma omp parallel for if (matrix_size > 65536)
      for (std::size_t i = 0; i < matrix_size; ++i) {
        T& d = diag.values[i];
        d += std::copysign(std::fabs(lower.values[i]) + std::fabs(upper.values[i]) + T(0.125), d);
      }
    }
    /// System by system; right-hand sides by multiplying with random solutions, so that these are of order
    /// one.
    void fill_systems(std::uint64_t seed) {
      Coefficients<T> a;
      for (std::int64_t s = 0; s < args_host.count; ++s) {
        const auto [m, v, n] = args_host.locate(s);
        if (s == 0 || !shape.systems.shared_matrix)
          a = coefficients<T>(shape.matrix, n, shape.systems.pivot, seed + static_cast<std::uint64_t>(s));
        for (std::int64_t i = 0; i < n; ++i) {
          const auto at = static_cast<std::size_t>(i);
          element(lower, m + i * args_host.matrix.row) = a.lower[at];
          element(diag, m + i * args_host.matrix.row) = a.diag[at];
          element(upper, m + i * args_host.matrix.row) = a.upper[at];
          const auto solution = [&](std::int64_t k) { return uniform(seed + 7, s * args_host.n + k); };
          double b = a.diag[at] * solution(i);
          if (i > 0) b += a.lower[at] * solution(i - 1);
          if (i + 1 < n) b += a.upper[at] * solution(i + 1);
          element(rhs, v + i * args_host.vector.row) = static_cast<T>(b);
        }
      }
    }
    template <class F>
    void for_gaps(F f) const {
      std::vector<bool> used(rhs.values.size());
      for (std::int64_t s = 0; s < args_host.count; ++s) {
        const auto [m, v, n] = args_host.locate(s);
        for (std::int64_t i = 0; i < n; ++i)
          used[static_cast<std::size_t>(v + i * args_host.vector.row)] = true;
      }
      for (std::size_t i = 0; i < used.size(); ++i) {
        if (!used[i]) f(i);
      }
    }
    void poison_gaps() {
      for_gaps([&](std::size_t i) {
        rhs.values[i] = kNan;
        if (!shape.systems.shared_matrix) lower.values[i] = diag.values[i] = upper.values[i] = kNan;
      });
    }

    Verdict check_status(std::uint64_t status) const {
      if (!is_singular(shape.matrix)) {
        if (status == 0) return {};
        const auto [system, row] = PivotFailure::decode(status);
        return Verdict::wrong(fmt::format("reports a pivot of zero: system {} row {}", system, row));
      }
      if (status == 0) return Verdict::wrong("does not report a singular matrix");
      const auto [system, row] = PivotFailure::decode(status);
      // All are singular, so the first to be reported is system 0.
      if (system != 0 || row < 0 || row >= args_host.n)
        return Verdict::wrong(fmt::format("reports system {} row {}, which is not the first", system, row));
      return {};
    }

    /// ‖b − Ax‖ ÷ (30 ε ‖A‖ ‖x‖) of each system, in maximum norms: LAPACK's criterion.
    Verdict check_residuals(const std::vector<T>& x) const {
      constexpr double kAllowed = 30;
      const std::int64_t groups = (args_host.count + kGroup - 1) / kGroup;
      Verdict verdict;
      FirstError error;
#pragma omp parallel for schedule(static) if (args_host.n * args_host.count > 65536)
      for (std::int64_t group = 0; group < groups; ++group) {
        const std::int64_t first = group * kGroup, systems = std::min(kGroup, args_host.count - first);
        std::array<Wide, kGroup> residual{}, norm_a{}, norm_x{};
        std::array<typename C::Args::Location, kGroup> where{};
        std::array<std::int64_t, kGroup> worst{};
        for (std::int64_t g = 0; g < systems; ++g)
          where[static_cast<std::size_t>(g)] = args_host.locate(first + g);
        for (std::int64_t i = 0; i < args_host.n; ++i) {
          for (std::size_t g = 0; g < static_cast<std::size_t>(systems); ++g) {
            if (i >= where[g].n) continue;
            const auto a = static_cast<std::size_t>(where[g].matrix + i * args_host.matrix.row);
            const auto b = static_cast<std::size_t>(where[g].vector + i * args_host.vector.row);
            const auto step = static_cast<std::size_t>(args_host.vector.row);
            Wide r = rhs.values[b] - Wide(diag.values[a]) * x[b], size = std::fabs(Wide(diag.values[a]));
            if (i > 0) r -= Wide(lower.values[a]) * x[b - step], size += std::fabs(Wide(lower.values[a]));
            if (i + 1 < where[g].n)
              r -= Wide(upper.values[a]) * x[b + step], size += std::fabs(Wide(upper.values[a]));
            if (!(std::fabs(r) <= residual[g])) residual[g] = std::fabs(r), worst[g] = i;  // a NaN stays
            norm_a[g] = std::max(norm_a[g], size);
            norm_x[g] = std::max(norm_x[g], std::fabs(Wide(x[b])));
          }
        }
        for (std::size_t g = 0; g < static_cast<std::size_t>(systems); ++g) {
          const Wide limit = kAllowed * std::numeric_limits<T>::epsilon() * norm_a[g] * norm_x[g];
          const Wide ratio = residual[g] == 0 ? 0 : residual[g] / limit;
          if (ratio <= verdict_worst(verdict)) continue;
          error.keep([&] {
            const std::int64_t system = first + static_cast<std::int64_t>(g);
            Verdict here;
            if (!(ratio <= 1)) {
              here = Verdict::wrong(
                  fmt::format("system {}: the residual is {:.3g} times the bound, worst in row {}", system,
                              static_cast<double>(ratio), worst[g]),
                  where[g].vector + worst[g] * args_host.vector.row);
              here.digits_alone = true;
              if (std::isfinite(ratio)) here.worst = static_cast<double>(ratio);
            } else {
              here.worst = static_cast<double>(ratio);
              here.index = where[g].vector + worst[g] * args_host.vector.row;
            }
#pragma omp critical
            error.keep([&] { verdict.include(here); });
          });
        }
      }
      error.rethrow();
      return verdict;
    }
    static double verdict_worst(const Verdict& verdict) {
      double worst;
#pragma omp atomic read
      worst = verdict.worst;
      return worst;
    }

    Verdict check_gaps(const std::vector<T>& got) const {
      Verdict verdict;
      if (static_cast<std::int64_t>(got.size()) == args_host.unknowns()) return verdict;
      T poison;
      std::memset(&poison, 0xFF, sizeof poison);
      for_gaps([&](std::size_t i) {
        if (std::memcmp(&got[i], shape.in_place ? &rhs.values[i] : &poison, sizeof(T)) != 0)
          verdict.include(Verdict::wrong(fmt::format("wrote into a gap, element {}", i)));
      });
      return verdict;
    }
  };

  static Trial trial(const TestShape& shape, const std::string& layout, const Inputs& inputs) {
    std::string variant = layout;
    if (shape.systems.shared_matrix) variant += " shared";
    if (shape.in_place) variant += " in place";
    if (shape.systems.pivot) variant += " pivot";
    const bool plain = shape.matrix == Matrix::dominant;
    if (!plain) variant += std::string(" ") + name(shape.matrix);
    return {shape,
            inputs,
            shape.scale(),
            variant,
            fmt::format("{}x{}", shape.systems.n, shape.systems.count()),
            plain ? "" : name(shape.matrix)};
  }

  static std::vector<Trial> tests(CaseId id, Coverage coverage, std::uint64_t seed) {
    constexpr std::int64_t kUnknowns = 3000;  // about as many in a trial of the quick coverage
    std::vector<Trial> trials;
    std::uint64_t turn = random_bits(seed, static_cast<std::uint64_t>(id.type));
    const auto add = [&](std::int64_t n, std::int64_t count, int layout, Matrix matrix, bool pivot) {
      Systems systems = contiguous(n, count);
      const char* names[] = {"contiguous",       "interleaved", "along y", "contiguous gaps",
                             "interleaved gaps", "strided",     "list"};
      const bool list = layout == 6;
      if (layout == 1 || layout == 4) systems = interleaved(n, count);
      if (layout == 2)
        systems = sweep(1, std::max<std::int64_t>(count / 3, 1), n, std::min<std::int64_t>(count, 3));
      if (layout == 3) systems.system += 3;
      if (layout == 4) systems.row += 5;
      if (layout == 5)
        systems = {n, std::min<std::int64_t>(count, 3), (count + 2) / 3, 2, 2 * n + 1, 6 * n + 7};
      systems.shared_matrix = !list && turn % 7 == 3;
      systems.pivot = pivot;
      trials.push_back(trial({{systems, list, turn % 5 == 2, is_singular(matrix)}, matrix}, names[layout],
                             {Values::real, seed + trials.size(), kOffsets[turn % 5]}));
      ++turn;
    };
    if (coverage == Coverage::huge) {  // beyond 2^31 elements
      trials.push_back(trial({{contiguous(513, 4186127)}}, "contiguous", {Values::real, seed, 0}));
      trials.push_back(trial({{interleaved(513, 4186127)}}, "interleaved", {Values::real, seed, 0}));
      return trials;
    }
    std::vector<std::int64_t> lengths{1,   2,   3,   4,   5,   7,    8,    9,    15,   16,  17,
                                      31,  32,  33,  63,  64,  65,   100,  127,  128,  129, 255,
                                      256, 257, 511, 512, 513, 1023, 1024, 1025, 2048, 2049};
    if (coverage == Coverage::brief) lengths = {1, 3, 33, 256, 600, 1024};
    const bool full = coverage == Coverage::full;
    int other = 0;  // of the layouts that are neither
    for (const std::int64_t n : lengths) {
      for (const int layout : {0, 1, 2 + other++ % 5}) {
        const std::int64_t count = std::max<std::int64_t>(1, (turn % 3 ? kUnknowns : kUnknowns / 8) / n);
        add(n, count, layout, turn % 3 ? Matrix::dominant : Matrix::laplacian, false);
        add(n, std::min<std::int64_t>(count, 5), layout, static_cast<Matrix>(2 + turn / 2 % 12), true);
        if (full) add(n, 2'000'003 / n, layout, Matrix::dominant, turn % 2 == 0);
      }
    }
    // Every matrix at a length with and without a remainder.
    for (int matrix = 2; matrix < 14; ++matrix) {
      if (coverage == Coverage::brief && matrix % 3 != 0) continue;
      for (const bool pivot : {false, true}) {
        add(50, 7, matrix % 7, static_cast<Matrix>(matrix), pivot);
        add(64, 11, matrix % 2, static_cast<Matrix>(matrix), pivot);
      }
    }
    if (coverage == Coverage::brief) return trials;
    // Batches: one, primes, many.
    for (const std::int64_t count : {1, 2, 31, 127, 509}) {
      for (const int layout : {0, 1}) add(6, count, layout, Matrix::dominant, turn % 2 == 0);
    }
    for (const std::int64_t n : {1, 2, 70, 300, 1100}) {
      for (const bool pivot : {false, true}) add(n, 9, 6, Matrix::laplacian, pivot);
    }
    if (full) {
      for (const int layout : {0, 1, 2}) {
        add(5, 1 << 20, layout, Matrix::dominant, false);
        add(1'000'003, 2, layout, Matrix::dominant, false);
      }
    }
    return trials;
  }

  static std::vector<Trial> benchmarks(CaseId id, std::int64_t n, std::uint64_t seed) {
    return benchmarks(id, std::vector{n, n}, seed);
  }
  static std::vector<Trial> benchmarks(CaseId, std::span<const std::int64_t> extents, std::uint64_t seed) {
    return {trial({{contiguous(extents[0], extents[1])}}, "contiguous", {Values::real, seed, 0}),
            trial({{interleaved(extents[0], extents[1])}}, "interleaved", {Values::real, seed, 0}),
            trial({{contiguous(extents[0], extents[1]), true}}, "list", {Values::real, seed, 0})};
  }

  static Work work(CaseId id, const TestShape& shape) {
    const Systems& s = shape.systems;
    const double unknowns = shape.list ? static_cast<double>(list_offsets(s).back())
                                       : static_cast<double>(s.n) * static_cast<double>(s.count());
    const double matrix = s.shared_matrix ? static_cast<double>(s.n) : unknowns;
    // Thomas: a quotient, three products and two sums down, a product and a sum up.
    return {(3 * matrix + 2 * unknowns) * static_cast<double>(size_of(id.type)), 8 * unknowns};
  }
};

REGISTER_OPERATION(TridiagonalHarness)

}  // namespace
}  // namespace tandem

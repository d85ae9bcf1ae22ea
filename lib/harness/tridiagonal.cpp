// tridiagonal: what it is tested with, and what is right.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>

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
  static constexpr Extent kExtents[] = {{"n"}, {"systems"}};
  static constexpr std::int64_t executor_size = 64;
  static std::vector<std::int64_t> bench_sizes() { return {64, 256, 1024}; }
  static std::vector<std::int64_t> extents_of(std::int64_t n) { return {n, n}; }

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
      const Contents<T> got = x.contents();
      Verdict verdict = check_status(status.to_vector()[0]);
      verdict.include(check_residuals(got));
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
          a = coefficients<T>(shape.matrix, n, s, shape.systems.pivot, seed + static_cast<std::uint64_t>(s));
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

    std::int64_t singular_row(std::int64_t system) const {
      return tandem::singular_row(shape.matrix, args_host.locate(system).n, system);
    }
    Verdict check_status(std::uint64_t status) const {
      std::int64_t system = 0;
      while (system < args_host.count && singular_row(system) < 0) ++system;
      const bool any = system < args_host.count;
      if (status == 0) return any ? Verdict::wrong("does not report a singular matrix") : Verdict{};
      const PivotFailure got = PivotFailure::decode(status);
      if (any && got.system == system && got.row == singular_row(system)) return {};
      const std::string right =
          any ? fmt::format("the first is system {} row {}", system, singular_row(system)) : "there is none";
      return Verdict::wrong(
          fmt::format("reports a pivot of zero in system {} row {}; {}", got.system, got.row, right));
    }

    /// ‖b − Ax‖ ÷ (30 ε ‖A‖ ‖x‖) of each regular system, in maximum norms: LAPACK's criterion.
    Verdict check_residuals(std::span<const T> x) const {
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
            if (singular_row(system) >= 0) return;
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

    Verdict check_gaps(std::span<const T> got) const {
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

  /// −1, 4, −1 in every row; the solution of system s is first[i + 1] · second[s], 0 in the rows before the
  /// first and behind the last.
  template <class C>
  struct Large : Operands {
    using T = typename C::T;
    TestShape shape;
    std::int64_t size, matrix_size;
    Array<std::int64_t> offsets;
    LargeOperand<T> lower, diag, upper;
    std::optional<LargeOperand<T>> rhs, x;
    Array<std::uint64_t> status;

    Large(Context& ctx, const TestShape& s, const Inputs&)
        : Operands(ctx),
          shape(s),
          size(storage_size(s.systems)),
          matrix_size(s.systems.shared_matrix ? s.systems.n : size),
          offsets(ctx, equal_lists(s)),
          lower(*this, matrix_size, {{T(-1)}}),
          diag(*this, matrix_size, {{T(4)}}),
          upper(*this, matrix_size, {{T(-1)}}),
          status(ctx, 1) {
      constexpr double kAllowed = 1000 * std::numeric_limits<T>::epsilon();
      ClosedForm<T> solution = form(), right = form();
      const std::int64_t period = s.systems.n + 1;
      for (std::int64_t q = 0; q < period; ++q)
        solution.first.push_back(static_cast<T>(q == 0 ? 0 : 1 + q % 5));
      for (std::size_t q = 0; q < solution.first.size(); ++q) {
        const auto& t = solution.first;
        right.first.push_back(q == 0 ? 0 : 4 * t[q] - t[q - 1] - t[(q + 1) % t.size()]);
      }
      if (!s.in_place) rhs.emplace(*this, size, right);
      x.emplace(*this, size, s.in_place ? &right : nullptr, solution, kAllowed);
    }
    typename C::Args args() {
      T* const to = x->data();
      const T* const from = rhs ? rhs->data() : to;
      if (!shape.list)
        return C::args(lower.data(), diag.data(), upper.data(), from, to, shape.systems, status.data());
      return C::args(lower.data(), diag.data(), upper.data(), from, to, offsets.data(), shape.systems.inner,
                     shape.systems.n, size, status.data());
    }
    void reset() {
      Operands::reset();
      status.upload(std::vector<std::uint64_t>{0});
    }
    Verdict check(double) {
      return status.to_vector()[0] == 0 ? Verdict{} : Verdict::wrong("reports a pivot of zero");
    }

   private:
    ClosedForm<T> form() const {
      ClosedForm<T> form;
      const bool contiguous = shape.systems.row == 1;
      (contiguous ? form.b : form.a) = 1, (contiguous ? form.a : form.b) = 0, form.c = 1;
      (contiguous ? form.d : form.e) = 1;
      form.second = {T(1), T(2), T(-1), T(3), T(-2), T(1), T(-3)};
      form.ld = contiguous ? shape.systems.n : shape.systems.row;
      return form;
    }
    static std::vector<std::int64_t> equal_lists(const TestShape& s) {
      std::vector<std::int64_t> offsets;
      for (std::int64_t system = 0; s.list && system <= s.systems.inner; ++system)
        offsets.push_back(system * s.systems.n);
      return offsets;
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

  static constexpr const char* kLayouts[] = {"contiguous",       "interleaved", "along y", "contiguous gaps",
                                             "interleaved gaps", "strided",     "list"};
  static Systems layout(int layout, std::int64_t n, std::int64_t count) {
    Systems systems = layout == 1 || layout == 4 ? interleaved(n, count) : contiguous(n, count);
    if (layout == 2)
      systems = sweep(1, std::max<std::int64_t>(count / 3, 1), n, std::min<std::int64_t>(count, 3));
    if (layout == 3) systems.system += n % 2 ? 3 : 70;
    if (layout == 4) systems.row += n % 2 ? 5 : 64;
    if (layout == 5)
      systems = {n, std::min<std::int64_t>(count, 3), (count + 2) / 3, 2, 2 * n + 1, 6 * n + 7};
    return systems;
  }

  static Plan plan(Coverage coverage, std::uint64_t seed) {
    constexpr std::int64_t kUnknowns = 5000;  // about as many in a trial of the quick coverage
    enum { kCase, kLength, kCount, kLayout, kMatrix, kPivot, kShared, kInPlace, kOffset, kAxes };
    enum { kOne, kFew, kMany, kThousands };
    const std::vector<CaseId> ids = case_ids<Contract>();
    Plan plan;
    plan.trials.resize(ids.size());
    if (coverage == Coverage::huge) {
      for (std::size_t c = 0; c < ids.size(); ++c) {
        // Past 2^31 elements, or past 2^32 bytes; past 2^32 elements, with one matrix for all systems.
        const std::int64_t n = 513, count = size_of(ids[c].type) == 8 ? 1046535 : 4186127, most = 8388617;
        const auto add_huge = [&](const TestShape& shape, const char* layout) {
          plan.trials[c].push_back(trial(shape, layout, {Values::real, seed, 0}));
          plan.trials[c].back().inputs.closed_form = true;
        };
        add_huge({{contiguous(n, count)}}, "contiguous");
        add_huge({{interleaved(n, count), false, true}}, "interleaved");
        add_huge({{contiguous(n, count), true}}, "list");
        for (Systems shared : {contiguous(n, most), interleaved(n, most)}) {
          shared.shared_matrix = true;
          add_huge({{shared, false, true}}, shared.row == 1 ? "contiguous" : "interleaved");
        }
      }
      return plan;
    }
    std::vector<std::int64_t> lengths{1,   2,   3,   4,    5,    7,    8,    9,    15,   16,   17,  31,  32,
                                      33,  63,  64,  65,   100,  127,  128,  129,  255,  256,  257, 511, 512,
                                      513, 600, 700, 1023, 1024, 1025, 2048, 2049, 3001, 4096, 6001};
    if (coverage == Coverage::brief) lengths = {1, 3, 33, 256, 600, 1024};
    const bool full = coverage == Coverage::full;
    const auto length = [&](int l) { return lengths[static_cast<std::size_t>(l)]; };
    std::vector<std::string> length_names, matrices;
    for (const std::int64_t n : lengths) length_names.push_back(std::to_string(n));
    for (int m = 0; m < kMatrices; ++m) matrices.emplace_back(name(static_cast<Matrix>(m)));
    plan.axes.add("case", names(ids));
    plan.axes.add("n", length_names);
    plan.axes.add("systems", {"one", "few", "many", "thousands"});
    plan.axes.add("layout", {std::begin(kLayouts), std::end(kLayouts)});
    plan.axes.add("matrix", matrices);
    plan.axes.add("rows may be exchanged", {"no", "yes"});
    plan.axes.add("one matrix", {"no", "yes"});
    plan.axes.add("in place", {"no", "yes"});
    plan.axes.add("offset", offset_names());
    plan.axes.exclude(kCase, kOffset,
                      [&](int c, int o) { return !aligned(ids[static_cast<std::size_t>(c)], o); });
    plan.axes.exclude(kLayout, kShared, [](int layout, int shared) { return layout == 6 && shared; });
    plan.axes.exclude(kMatrix, kShared,
                      [](int m, int shared) { return static_cast<Matrix>(m) == Matrix::mixed && shared; });
    plan.axes.exclude(kLength, kCount, [&](int l, int count) {
      return (count == kThousands && length(l) > 9) || (count == kMany && length(l) > kUnknowns / 12);
    });

    plan.axes.close();
    Covering covering(plan.axes, seed);
    std::uint64_t turn = 0;
    const auto add = [&](const Point& given, std::int64_t count = 0) {
      const Point point = covering.next(given);
      if (point.empty()) return;
      const CaseId id = ids[static_cast<std::size_t>(point[kCase])];
      auto& trials = plan.trials[static_cast<std::size_t>(point[kCase])];
      const std::int64_t n = length(point[kLength]);
      // Whole groups of systems, too: kernels leave out their tests then.
      const std::int64_t many = kUnknowns / n, groups = many / 64 * 64;
      const std::int64_t counts[] = {1, 2 + static_cast<std::int64_t>(++turn % 10),
                                     turn % 2 && groups > 0 ? groups : many,
                                     4096 + static_cast<std::int64_t>(turn % 3)};
      Systems systems = layout(point[kLayout], n, count ? count : counts[point[kCount]]);
      systems.shared_matrix = point[kShared];
      systems.pivot = point[kPivot];
      const auto matrix = static_cast<Matrix>(point[kMatrix]);
      trials.push_back(
          trial({{systems, point[kLayout] == 6, point[kInPlace] == 1, is_singular(matrix)}, matrix},
                kLayouts[point[kLayout]],
                {Values::real, seed + trials.size(), offset_in_elements(id, point[kOffset])}));
      trials.back().point = point;
    };
    Point any(kAxes, -1);
    for (int c = 0; c < static_cast<int>(ids.size()); ++c) {
      any[kCase] = c;
      for (int l = 0; l < static_cast<int>(lengths.size()); ++l) {
        Point p = any;
        p[kLength] = l;
        for (const int layout : {0, 1, -1}) {
          p[kLayout] = layout;
          p[kMatrix] = static_cast<int>(turn % 2), p[kPivot] = 0;
          add(p);
          p[kMatrix] = p[kPivot] = -1;
          add(p);
          if (full) p[kMatrix] = 0, add(p, 2'000'003 / length(l));
        }
      }
      if (coverage == Coverage::brief) continue;
      for (int matrix = 0; matrix < kMatrices; ++matrix) {
        for (int layout = 0; layout < 7; ++layout) {
          for (const int pivot : {0, 1}) {
            Point p = any;
            p[kLayout] = layout, p[kMatrix] = matrix, p[kPivot] = pivot;
            if (full || (matrix + layout + pivot) % 2 == c % 2) add(p);
          }
        }
      }
    }
    while (const auto open = covering.open()) add(*open);
    if (coverage != Coverage::brief) {  // more systems, more rows than a signed number of 16 bits counts
      for (auto& trials : plan.trials) {
        for (const int l : {0, 1}) {
          for (const auto& [n, count] : {std::pair{3, 32'800}, std::pair{32'801, 1}})
            trials.push_back(trial({{layout(l, n, count)}}, kLayouts[l], {Values::real, seed, 0}));
        }
        for (const int l : {0, 1, 6}) {  // a first singular system whose number has more than ten bits
          for (const bool pivot : {false, true}) {
            for (const std::int64_t n : {5 + 4 * pivot, 65}) {  // there are steps for short ones and for long
              Systems systems = layout(l, n, kLate + 40);
              systems.pivot = pivot;
              trials.push_back(trial({{systems, l == 6, false, true}, Matrix::late}, kLayouts[l],
                                     {Values::real, seed, 0}));
            }
          }
        }
      }
    }
    if (full) {
      for (auto& trials : plan.trials) {
        for (const int l : {0, 1, 2}) {
          for (const auto& [n, count] : {std::pair{5, 1 << 20}, std::pair{1'000'003, 2},
                                         std::pair{200'003, 16}, std::pair{9'000'011, 1}})
            trials.push_back(trial({{layout(l, n, count)}}, kLayouts[l], {Values::real, seed, 0}));
        }
      }
    }
    return plan;
  }

  static std::vector<Trial> benchmarks(CaseId, std::span<const std::int64_t> extents, std::uint64_t seed) {
    return batches(extents, seed, false);
  }
  static std::vector<Trial> batches(std::span<const std::int64_t> extents, std::uint64_t seed, bool pivot) {
    Systems one = contiguous(extents[0], extents[1]), other = interleaved(extents[0], extents[1]);
    one.pivot = other.pivot = pivot;
    return {trial({{one}}, "contiguous", {Values::real, seed, 0}),
            trial({{other}}, "interleaved", {Values::real, seed, 0}),
            trial({{one, true}}, "list", {Values::real, seed, 0})};
  }
  static std::vector<Trial> each_variant(std::span<const std::int64_t> extents, std::uint64_t seed) {
    std::vector<Trial> trials = batches(extents, seed, false);
    for (Trial& trial : batches(extents, seed, true)) trials.push_back(std::move(trial));
    return trials;
  }

  /// From many short systems to a long one. Never in place: a solution that is solved for again and again
  /// ends in denormals.
  static Trial draw(CaseId id, Draws& draws, std::int64_t elements) {
    constexpr int kChosen[] = {0, 0, 0, 1, 1, 1, 6, 6};
    const std::int64_t n = draws.size(1, elements), count = draws.size(1, elements / n);
    const std::int64_t which =
        draws.one_in(8) ? 2 + draws.below(4) : kChosen[draws.below(std::size(kChosen))];
    TestShape shape{{layout(static_cast<int>(which), n, count), which == 6}};
    shape.systems.shared_matrix = !shape.list && draws.one_in(8);
    shape.systems.pivot = draws.one_in(8);
    return trial(shape, kLayouts[which], {Values::real, draws.bits(), draw_offset(id, draws)});
  }

  static std::vector<std::int64_t> extents_with(const Features& f) { return {f[0], f[1]}; }

  /// Five arrays twice, results, and the offsets of a list.
  static double memory(CaseId id, const TestShape& shape) {
    const auto systems = static_cast<double>(shape.systems.count());
    const double unknowns = static_cast<double>(shape.systems.n) * systems;
    return 11 * unknowns * static_cast<double>(size_of(id.type)) + 16 * systems;
  }

  static Work work(CaseId id, const TestShape& shape) {
    const Systems& s = shape.systems;
    const double unknowns = shape.list ? static_cast<double>(list_offsets(s).back())
                                       : static_cast<double>(s.n) * static_cast<double>(s.count());
    const double matrix = s.shared_matrix ? static_cast<double>(s.n) : unknowns;
    // Thomas: a quotient, three products and two sums down, a product and a sum up.
    return {(3 * matrix + 2 * unknowns) * static_cast<double>(size_of(id.type)), 8 * unknowns,
            s.shared_matrix ? 1 : 4};
  }
};

REGISTER_OPERATION(TridiagonalHarness)

}  // namespace
}  // namespace tandem

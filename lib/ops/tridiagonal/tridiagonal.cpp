#include "lib/ops/tridiagonal/contract.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>

#include "lib/harness/guarded.h"
#include "lib/harness/tridiagonal_matrices.h"
#include "tandem/device/pivot.h"

namespace tandem {

SingularSystem::SingularSystem(std::int64_t system, std::int64_t row)
    : Error(fmt::format(
          "tridiagonal: system {} has no usable pivot in row {}: the matrix is singular, or needs an "
          "exchange of rows (Systems::pivot)",
          system, row)),
      system(system),
      row(row) {}

Systems sweep(int axis, std::int64_t nx, std::int64_t ny, std::int64_t nz) {
  switch (axis) {
    case 0:
      return contiguous(nx, ny * nz);
    case 1:
      return {ny, nx, nz, nx, 1, nx * ny};
    case 2:
      return interleaved(nz, nx * ny);
    default:
      throw InvalidArgument(fmt::format("sweep: axis is {}; it must be 0 (x), 1 (y) or 2 (z)", axis));
  }
}

namespace {

struct Dimension {
  const char* of;
  std::int64_t extent, stride;
};
std::array<Dimension, 3> dimensions(const Systems& s) {
  return {{{"row", s.n, s.row}, {"system", s.inner, s.system}, {"block", s.outer, s.block}}};
}

/// Elements from the first to the last of the batch; −1 beyond 2^63.
std::int64_t span_of(const Systems& s) {
  std::int64_t last = 0;
  for (const Dimension& d : dimensions(s)) {
    std::int64_t distance;
    if (__builtin_mul_overflow(d.extent - 1, d.stride, &distance) ||
        __builtin_add_overflow(last, distance, &last))
      return -1;
  }
  return last + 1;
}

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

// --- test data

/// A batch in memory: coefficients and right-hand sides, NaN in what must not be read, poisoned x, a status word.
template <class C>
class TridiagonalData {
  using T = typename C::T;
  using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;
  static constexpr std::int64_t kGroup = 16;  // systems looked at together, for the sake of the cache

 public:
  TridiagonalData(Context& ctx, const Tridiagonal::Shape& shape, const Inputs& inputs)
      : shape_(shape),
        offsets_(shape.list ? list_offsets(shape.systems) : std::vector<std::int64_t>{}),
        device_offsets_(ctx, offsets_),
        args_(args_of(nullptr, nullptr, nullptr, nullptr, nullptr, offsets_.data(), nullptr)),
        size_(static_cast<std::size_t>(shape.list ? offsets_.back() : span_of(shape.systems))),
        matrix_size_(shape.systems.shared_matrix ? static_cast<std::size_t>(shape.systems.n) : size_),
        lower_(ctx, matrix_size_, inputs.offset),
        diag_(ctx, matrix_size_, inputs.offset),
        upper_(ctx, matrix_size_, inputs.offset),
        rhs_(ctx, size_, inputs.offset),
        x_(ctx, shape.in_place ? 0 : rhs_.host.size(), inputs.offset),
        status_(ctx, 1) {
    fill_random(std::span<T>(rhs_.host), OperatorId::plus, Values::real, inputs.seed);
    if (shape.matrix == Tridiagonal::Matrix::dominant)
      fill_dominant(inputs.seed);
    else
      fill_systems(inputs.seed);
    if (static_cast<std::int64_t>(size_) != args_.unknowns()) poison_gaps();
    for (std::int64_t s = 0; s < (shape.systems.shared_matrix ? 1 : args_.count); ++s) {
      const auto [m, v, n] = args_.place(s);
      lower_.at(m) = kNan;
      upper_.at(m + (n - 1) * args_.matrix.row) = kNan;
    }
  }

  typename C::Args args() {
    return args_of(lower_.buffer.data(), diag_.buffer.data(), upper_.buffer.data(), rhs_.buffer.data(),
                   x().data(), device_offsets_.data(), status_.data());
  }
  void reset() {
    for (Vector* v : {&lower_, &diag_, &upper_, &rhs_}) v->buffer.upload(v->host);
    x_.buffer.poison();  // empty in place, but its guard zones are checked too
    status_.upload(std::vector<std::uint64_t>{0});
  }

  Verdict check(double) {
    const std::vector<T> got = x().download();
    Verdict verdict = check_status(status_.to_vector()[0]);
    if (!is_singular(shape_.matrix)) verdict.include(check_residuals(got));
    verdict.include(check_gaps(got));
    for (Vector* v : {&lower_, &diag_, &upper_, &rhs_, &x_}) {
      if (const std::string damage = v->buffer.damage(); !damage.empty())
        verdict.include(Verdict::wrong(damage));
    }
    for (Vector* v : {&lower_, &diag_, &upper_, &rhs_}) {
      if (v == &rhs_ && shape_.in_place) continue;
      const std::vector<T> now = v->buffer.download();
      if (std::memcmp(now.data(), v->host.data(), now.size() * sizeof(T)) != 0)
        verdict.include(Verdict::wrong("changed its input"));
    }
    return verdict;
  }

 private:
  static constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
  struct Vector {
    Vector(Context& ctx, std::size_t size, int offset)
        : host(size), buffer(ctx, static_cast<std::int64_t>(size), offset) {}
    T& at(std::int64_t i) { return host[static_cast<std::size_t>(i)]; }
    std::vector<T> host;
    GuardedBuffer<T> buffer;
  };
  GuardedBuffer<T>& x() { return shape_.in_place ? rhs_.buffer : x_.buffer; }
  typename C::Args args_of(const T* lower, const T* diag, const T* upper, const T* rhs, T* x,
                           const std::int64_t* offsets, std::uint64_t* status) const {
    if (!shape_.list) return C::args(lower, diag, upper, rhs, x, shape_.systems, status);
    return C::args(lower, diag, upper, rhs, x, offsets, shape_.systems.inner, shape_.systems.n,
                   offsets_.back(), status);
  }

  void fill_dominant(std::uint64_t seed) {
    fill_random(std::span<T>(lower_.host), OperatorId::plus, Values::real, seed + 1);
    fill_random(std::span<T>(diag_.host), OperatorId::plus, Values::real, seed + 2);
    fill_random(std::span<T>(upper_.host), OperatorId::plus, Values::real, seed + 3);
#pragma omp parallel for if (matrix_size_ > 65536)
    for (std::size_t i = 0; i < matrix_size_; ++i) {
      T& d = diag_.host[i];
      d += std::copysign(std::fabs(lower_.host[i]) + std::fabs(upper_.host[i]) + T(0.125), d);
    }
  }
  /// System by system; right-hand sides by multiplying with random solutions, so that these are of order one.
  void fill_systems(std::uint64_t seed) {
    Coefficients<T> a;
    for (std::int64_t s = 0; s < args_.count; ++s) {
      const auto [m, v, n] = args_.place(s);
      if (s == 0 || !shape_.systems.shared_matrix)
        a = coefficients<T>(shape_.matrix, n, shape_.systems.pivot, seed + static_cast<std::uint64_t>(s));
      for (std::int64_t i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        lower_.at(m + i * args_.matrix.row) = a.lower[at];
        diag_.at(m + i * args_.matrix.row) = a.diag[at];
        upper_.at(m + i * args_.matrix.row) = a.upper[at];
        const auto solution = [&](std::int64_t k) { return uniform(seed + 7, s * args_.n + k); };
        double b = a.diag[at] * solution(i);
        if (i > 0) b += a.lower[at] * solution(i - 1);
        if (i + 1 < n) b += a.upper[at] * solution(i + 1);
        rhs_.at(v + i * args_.vector.row) = static_cast<T>(b);
      }
    }
  }
  template <class F>
  void for_gaps(F f) const {
    std::vector<bool> used(rhs_.host.size());
    for (std::int64_t s = 0; s < args_.count; ++s) {
      const auto [m, v, n] = args_.place(s);
      for (std::int64_t i = 0; i < n; ++i) used[static_cast<std::size_t>(v + i * args_.vector.row)] = true;
    }
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (!used[i]) f(i);
    }
  }
  void poison_gaps() {
    for_gaps([&](std::size_t i) {
      rhs_.host[i] = kNan;
      if (!shape_.systems.shared_matrix) lower_.host[i] = diag_.host[i] = upper_.host[i] = kNan;
    });
  }

  Verdict check_status(std::uint64_t status) const {
    if (!is_singular(shape_.matrix)) {
      if (status == 0) return {};
      const auto [system, row] = PivotFailure::decode(status);
      return Verdict::wrong(fmt::format("reports a pivot of zero: system {} row {}", system, row));
    }
    if (status == 0) return Verdict::wrong("does not report a singular matrix");
    const auto [system, row] = PivotFailure::decode(status);
    // All are singular, so the first to be reported is system 0.
    if (system != 0 || row < 0 || row >= args_.n)
      return Verdict::wrong(fmt::format("reports system {} row {}, which is not the first", system, row));
    return {};
  }

  /// ‖b − Ax‖ ÷ (30 ε ‖A‖ ‖x‖) of each system, in maximum norms: LAPACK's criterion.
  Verdict check_residuals(const std::vector<T>& x) const {
    constexpr double kAllowed = 30;
    const std::int64_t groups = (args_.count + kGroup - 1) / kGroup;
    Verdict verdict;
#pragma omp parallel for schedule(static) if (args_.n * args_.count > 65536)
    for (std::int64_t group = 0; group < groups; ++group) {
      const std::int64_t first = group * kGroup, systems = std::min(kGroup, args_.count - first);
      std::array<Wide, kGroup> residual{}, norm_a{}, norm_x{};
      std::array<typename C::Args::Extent, kGroup> place{};
      std::array<std::int64_t, kGroup> worst{};
      for (std::int64_t g = 0; g < systems; ++g) place[static_cast<std::size_t>(g)] = args_.place(first + g);
      for (std::int64_t i = 0; i < args_.n; ++i) {
        for (std::size_t g = 0; g < static_cast<std::size_t>(systems); ++g) {
          if (i >= place[g].n) continue;
          const auto a = static_cast<std::size_t>(place[g].matrix + i * args_.matrix.row);
          const auto b = static_cast<std::size_t>(place[g].vector + i * args_.vector.row);
          const auto step = static_cast<std::size_t>(args_.vector.row);
          Wide r = rhs_.host[b] - Wide(diag_.host[a]) * x[b], size = std::fabs(Wide(diag_.host[a]));
          if (i > 0) r -= Wide(lower_.host[a]) * x[b - step], size += std::fabs(Wide(lower_.host[a]));
          if (i + 1 < place[g].n)
            r -= Wide(upper_.host[a]) * x[b + step], size += std::fabs(Wide(upper_.host[a]));
          if (!(std::fabs(r) <= residual[g])) residual[g] = std::fabs(r), worst[g] = i;  // a NaN stays
          norm_a[g] = std::max(norm_a[g], size);
          norm_x[g] = std::max(norm_x[g], std::fabs(Wide(x[b])));
        }
      }
      for (std::size_t g = 0; g < static_cast<std::size_t>(systems); ++g) {
        const Wide limit = kAllowed * std::numeric_limits<T>::epsilon() * norm_a[g] * norm_x[g];
        const Wide ratio = residual[g] == 0 ? 0 : residual[g] / limit;
        if (ratio <= verdict_worst(verdict)) continue;
        const std::int64_t system = first + static_cast<std::int64_t>(g);
        Verdict here;
        if (!(ratio <= 1)) {
          here =
              Verdict::wrong(fmt::format("system {}: the residual is {:.3g} times the bound, worst in row {}",
                                         system, static_cast<double>(ratio), worst[g]),
                             place[g].vector + worst[g] * args_.vector.row);
        } else {
          here.worst = static_cast<double>(ratio);
          here.index = place[g].vector + worst[g] * args_.vector.row;
        }
#pragma omp critical
        verdict.include(here);
      }
    }
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
    if (static_cast<std::int64_t>(got.size()) == args_.unknowns()) return verdict;
    T poison;
    std::memset(&poison, 0xFF, sizeof poison);
    for_gaps([&](std::size_t i) {
      if (std::memcmp(&got[i], shape_.in_place ? &rhs_.host[i] : &poison, sizeof(T)) != 0)
        verdict.include(Verdict::wrong(fmt::format("wrote into a gap, element {}", i)));
    });
    return verdict;
  }

  Tridiagonal::Shape shape_;
  std::vector<std::int64_t> offsets_;  // of a list
  Array<std::int64_t> device_offsets_;
  typename C::Args args_;
  std::size_t size_, matrix_size_;
  Vector lower_, diag_, upper_, rhs_, x_;
  Array<std::uint64_t> status_;
};

const char* name(Tridiagonal::Matrix matrix) {
  constexpr const char* kNames[] = {"dominant", "laplacian", "lapack1",  "lapack2", "lapack3",
                                    "lapack4",  "lapack5",   "lapack6",  "lapack7", "lapack8",
                                    "lapack9",  "lapack10",  "lapack11", "lapack12"};
  return kNames[static_cast<int>(matrix)];
}

Trial trial(const Tridiagonal::Shape& shape, const std::string& layout, const Inputs& inputs) {
  std::string variant = layout;
  if (shape.systems.shared_matrix) variant += " shared";
  if (shape.in_place) variant += " in place";
  if (shape.systems.pivot) variant += " pivot";
  if (shape.matrix != Tridiagonal::Matrix::dominant) variant += std::string(" ") + name(shape.matrix);
  return {shape, inputs, shape.scale(), variant,
          fmt::format("{}x{}", shape.systems.n, shape.systems.count())};
}

}  // namespace

std::vector<Trial> Tridiagonal::tests(CaseId id, Extent extent, std::uint64_t seed) {
  constexpr int kOffsets[] = {0, 1, 3, 4, 7};
  constexpr std::int64_t kUnknowns = 3000;  // about as many in a trial of the quick extent
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
    trials.push_back(trial({systems, list, turn % 5 == 2, is_singular(matrix), matrix}, names[layout],
                           {Values::real, seed + trials.size(), kOffsets[turn % 5]}));
    ++turn;
  };
  if (extent == Extent::huge) {  // beyond 2^31 elements
    trials.push_back(trial({contiguous(513, 4186127)}, "contiguous", {Values::real, seed, 0}));
    trials.push_back(trial({interleaved(513, 4186127)}, "interleaved", {Values::real, seed, 0}));
    return trials;
  }
  std::vector<std::int64_t> lengths{1,   2,   3,   4,   5,   7,    8,    9,    15,   16,  17,
                                    31,  32,  33,  63,  64,  65,   100,  127,  128,  129, 255,
                                    256, 257, 511, 512, 513, 1023, 1024, 1025, 2048, 2049};
  if (extent == Extent::brief) lengths = {1, 3, 33, 256, 600, 1024};
  const bool full = extent == Extent::full;
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
    if (extent == Extent::brief && matrix % 3 != 0) continue;
    for (const bool pivot : {false, true}) {
      add(50, 7, matrix % 7, static_cast<Matrix>(matrix), pivot);
      add(64, 11, matrix % 2, static_cast<Matrix>(matrix), pivot);
    }
  }
  if (extent == Extent::brief) return trials;
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

std::vector<Trial> Tridiagonal::benchmarks(CaseId, std::span<const std::int64_t> extents,
                                           std::uint64_t seed) {
  return {trial({contiguous(extents[0], extents[1])}, "contiguous", {Values::real, seed, 0}),
          trial({interleaved(extents[0], extents[1])}, "interleaved", {Values::real, seed, 0}),
          trial({contiguous(extents[0], extents[1]), true}, "list", {Values::real, seed, 0})};
}

Work Tridiagonal::work(CaseId id, const Shape& shape) {
  const Systems& s = shape.systems;
  const double unknowns = shape.list ? static_cast<double>(list_offsets(s).back())
                                     : static_cast<double>(s.n) * static_cast<double>(s.count());
  const double matrix = s.shared_matrix ? static_cast<double>(s.n) : unknowns;
  // Thomas: a quotient, three products and two sums down, a product and a sum up.
  return {(3 * matrix + 2 * unknowns) * static_cast<double>(size_of(id.type)), 8 * unknowns};
}

REGISTER_OPERATION(Tridiagonal, TridiagonalData)

namespace detail {

namespace {
constexpr const char* op = Tridiagonal::name;

/// Elements from the first to the last of the batch.
std::int64_t require_layout(const Systems& systems, std::size_t element_bytes) {
  for (const auto& [what, value] :
       {std::pair{"n", systems.n}, {"inner", systems.inner}, {"outer", systems.outer}}) {
    if (value < 1) throw InvalidArgument(fmt::format("{}: {} is {}; it must be at least 1", op, what, value));
  }
  const std::int64_t span = span_of(systems);
  auto sorted = dimensions(systems);
  std::sort(sorted.begin(), sorted.end(),
            [](const Dimension& a, const Dimension& b) { return a.stride < b.stride; });
  std::int64_t reach = 1;  // elements that the dimensions of smaller strides cover
  for (const Dimension& d : sorted) {
    if (d.extent == 1) continue;
    if (d.stride < reach) {
      throw InvalidArgument(
          fmt::format("{}: stride of the {}s is {}; it must be at least {}, or unknowns meet", op, d.of,
                      d.stride, reach));
    }
    if (span < 0) break;
    reach += (d.extent - 1) * d.stride;
  }
  if (span < 0 || static_cast<std::uint64_t>(span) > INT64_MAX / element_bytes) {
    throw InvalidArgument(
        fmt::format("{}: {} unknowns in {} x {} systems with strides {}, {}, {} overflow 2^63 bytes", op,
                    systems.n, systems.inner, systems.outer, systems.row, systems.system, systems.block));
  }
  return span;
}

void require_array(Context& ctx, const TridiagonalArray& array, std::int64_t needed,
                   std::size_t element_bytes) {
  if (array.size < needed) {
    throw InvalidArgument(
        fmt::format("{}: size of '{}' is {}; it must be at least {}", op, array.name, array.size, needed));
  }
  require::array(ctx, op, array.name, array.data, needed, element_bytes);
}
}  // namespace

void require_tridiagonal(Context& ctx, const Systems& systems, const TridiagonalArray& x,
                         std::size_t element_bytes) {
  require_array(ctx, x, require_layout(systems, element_bytes), element_bytes);
}

void require_tridiagonal(Context& ctx, const Systems& systems, const TridiagonalArray (&arrays)[5],
                         std::size_t element_bytes) {
  const std::int64_t span = require_layout(systems, element_bytes);
  for (int i = 0; i < 5; ++i) {
    require_array(ctx, arrays[i], i < 3 && systems.shared_matrix ? systems.n : span, element_bytes);
  }
  for (int i = 0; i < 4; ++i) {
    const std::int64_t size = i < 3 && systems.shared_matrix ? systems.n : span;
    require::overlap(op, arrays[i].data, static_cast<std::size_t>(size) * element_bytes, arrays[4].data,
                     static_cast<std::size_t>(span) * element_bytes, i == 3, arrays[i].name, "x");
  }
}

std::int64_t require_tridiagonal(Context& ctx, const SystemList& systems, const TridiagonalArray (&arrays)[5],
                                 std::size_t element_bytes) {
  const auto [offsets, size] = systems.offsets;
  if (size < 2) {
    throw InvalidArgument(fmt::format(
        "{}: size of 'offsets' is {}; it must be at least 2, one more than the systems", op, size));
  }
  require::array(ctx, op, "offsets", offsets, size, sizeof *offsets);
  const std::int64_t rows = arrays[4].size;
  for (const TridiagonalArray& array : arrays) {
    require::same_size(op, rows, array.size, "x", array.name);
    require::array(ctx, op, array.name, array.data, rows, element_bytes);
  }
  const auto bytes = static_cast<std::size_t>(rows) * element_bytes;
  for (int i = 0; i < 4; ++i)
    require::overlap(op, arrays[i].data, bytes, arrays[4].data, bytes, i == 3, arrays[i].name, "x");
  require::overlap(op, offsets, static_cast<std::size_t>(size) * sizeof *offsets, arrays[4].data, bytes,
                   false, "offsets", "x");
  if (ctx.place() == Place::device) return rows;
  std::int64_t longest = 0;
  for (std::int64_t s = 0; s < size; ++s) {
    const std::int64_t least = s == 0 ? 0 : offsets[s - 1] + 1;
    if (offsets[s] < least || offsets[s] > rows) {
      throw InvalidArgument(
          offsets[s] > rows
              ? fmt::format("{}: offsets[{}] is {}; it must be at most {}, the size of 'x'", op, s,
                            offsets[s], rows)
              : fmt::format("{}: offsets[{}] is {}; it must be at least {}, as each system has a row", op, s,
                            offsets[s], least));
    }
    if (s > 0) longest = std::max(longest, offsets[s] - offsets[s - 1]);
  }
  return longest;
}

std::uint64_t* tridiagonal_status(Context& ctx) {
  auto* status = ctx.state<std::uint64_t>("tridiagonal status");
  ctx.backend()->after_waiting("tridiagonal", [backend = ctx.backend().get(), status] {
    std::uint64_t word = 0;
    backend->copy(&word, status, sizeof word);
    backend->wait();
    if (word == 0) return;
    backend->fill(status, 0, sizeof word);
    const auto [system, row] = PivotFailure::decode(word);
    throw SingularSystem(system, row);
  });
  return status;
}

}  // namespace detail
}  // namespace tandem

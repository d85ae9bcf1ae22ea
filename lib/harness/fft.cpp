// fft: what it is tested with, and what is right.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "lib/harness/first_error.h"
#include "lib/harness/fourier.h"
#include "lib/harness/operation.h"
#include "lib/ops/fft/contract.h"

namespace tandem {
namespace {

struct FftHarness {
  using Contract = Fft;
  struct TestShape : Fft::Shape {
    double factor = 1;
  };
  static constexpr Bound bound = Bound::copy;
  static constexpr Extent kExtents[] = {{"n"}, {"batch"}};
  static constexpr std::int64_t executor_size = 64;
  static std::vector<std::int64_t> bench_sizes() { return {64, 1024, 1 << 14, 1 << 20}; }
  /// Up to 16M numbers.
  static std::vector<std::int64_t> extents_of(std::int64_t n) {
    constexpr std::int64_t kNumbers = 1 << 24;
    return {n, std::clamp<std::int64_t>(kNumbers / std::max<std::int64_t>(n, 1), 1,
                                        std::max<std::int64_t>(n, 1))};
  }

  /// Operands are arrays of parts. Gaps between rows count as part of both, so that a stray write there shows.
  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    using Wide = Wider<T>;
    TestShape shape;
    std::int64_t in_distance, out_distance;
    Input<T> in;
    Output<T> out;
    std::optional<Reference<Wide>> reference;
    RightRows<Wide> right;

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          in_distance(s.n + s.in_gap),
          out_distance(s.in_place ? in_distance : s.n + s.out_gap),
          in(*this, 2 * size(in_distance), inputs.offset),
          out(*this, 2 * size(out_distance), inputs.offset, s.in_place ? &in : nullptr),
          right(s.batch) {
      fill(std::span<T>(in.values), OperatorId::plus, inputs);
      if (s.in_gap == 0) return;
      for (std::int64_t i = 0; i < in.size(); ++i) {
        if (i / 2 % in_distance >= s.n)
          in.values[static_cast<std::size_t>(i)] = std::numeric_limits<T>::quiet_NaN();
      }
    }
    typename C::Args args() {
      return {reinterpret_cast<const Complex<T>*>(in.data()),
              reinterpret_cast<Complex<T>*>(out.data()),
              shape.n,
              shape.batch,
              in_distance,
              out_distance,
              shape.inverse,
              static_cast<T>(shape.factor)};
    }
    Verdict check(double depth) {
      const Contents<T> got = out.contents();
      Verdict verdict;
      if (shape.n == 0 || shape.batch == 0) return verdict;
      if (!reference) reference.emplace(shape.n);
      FirstError error;
#pragma omp parallel for schedule(dynamic) if (shape.n * shape.batch > 4096)
      for (std::int64_t row = 0; row < shape.batch; ++row) {
        error.keep([&] {
          const Verdict here = check_row(got, row, depth);
#pragma omp critical(tandem_fft_verdict)
          error.keep([&] { verdict.include(here); });
        });
      }
      error.rethrow();
      verdict.include(check_gaps(got));
      return verdict;
    }

   private:
    std::int64_t size(std::int64_t distance) const {
      return shape.n == 0 || shape.batch == 0 ? 0 : (shape.batch - 1) * distance + shape.n;
    }

    Verdict check_row(std::span<const T> got, std::int64_t row, double depth) {
      const auto n = static_cast<std::size_t>(shape.n);
      std::vector<Complex<Wide>> x(n);
      bool finite = true;
      for (std::size_t j = 0; j < n; ++j) {
        const T* part = &in.values[2 * (static_cast<std::size_t>(row * in_distance) + j)];
        finite = finite && std::isfinite(part[0]) && std::isfinite(part[1]);
        x[j] = shape.inverse ? Complex<Wide>{part[1], part[0]} : Complex<Wide>{part[0], part[1]};
      }
      const auto first = 2 * static_cast<std::size_t>(row * out_distance);
      if (!finite) return check_not_finite<T>(got.subspan(first, 2 * n), row);
      const auto& want = right.of(row, [&] { return (*reference)(x); });
      SpectrumError<T> error;
      const auto factor = static_cast<Wide>(static_cast<T>(shape.factor));
      for (std::size_t k = 0; k < n; ++k) {
        const std::size_t at = first + 2 * k;
        error.add(got[at], got[at + 1], factor * (shape.inverse ? swapped(want[k]) : want[k]),
                  static_cast<std::int64_t>(at));
      }
      return error.verdict(depth, shape.n, factor, fmt::format("row {}", row));
    }
    Verdict check_gaps(std::span<const T> got) const {
      if (out_distance == shape.n) return {};
      return check_between(
          got, shape.in_place ? std::span<const T>(in.values) : std::span<const T>(),
          [&](std::size_t i) { return static_cast<std::int64_t>(i / 2) % out_distance < shape.n; });
    }
  };

  /// Past 2^32 numbers: forward, without gaps.
  template <class C>
  struct Large : Operands {
    using T = typename C::T;
    TestShape shape;
    ClosedForm<T> given;
    std::vector<T> spectrum;
    LargeOperand<T> in, out;

    Large(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          given(weighted_rows(row_of_parts<T>(2 * s.n, inputs.seed))),
          spectrum(parts_of<T, Wider<T>>(Reference<Wider<T>>(s.n)(numbers_of(given.second)))),
          in(*this, s.in_place ? 0 : 2 * s.n * s.batch, given),
          out(*this, 2 * s.n * s.batch, s.in_place ? &given : nullptr, weighted_rows(spectrum),
              allowed_of_rows(spectrum)) {}
    typename C::Args args() {
      return {reinterpret_cast<const Complex<T>*>(shape.in_place ? out.data() : in.data()),
              reinterpret_cast<Complex<T>*>(out.data()),
              shape.n,
              shape.batch,
              shape.n,
              shape.n,
              false,
              T(1)};
    }
    Verdict check(double) { return {}; }
  };

  static Trial trial(TestShape shape, const Inputs& inputs) {
    shape.scaled = shape.factor != 1;
    std::string variant = shape.inverse ? "inverse" : "forward";
    if (shape.scaled) variant += ", scaled";
    if (shape.in_place) variant += " in place";
    if (shape.in_gap + shape.out_gap > 0) variant += fmt::format(" gaps {} {}", shape.in_gap, shape.out_gap);
    return {shape, inputs, shape.n, variant, fmt::format("{}x{}", shape.n, shape.batch)};
  }

  static Plan plan(Coverage coverage, std::uint64_t seed) {
    constexpr std::int64_t kGaps[] = {0, 1, 6, 67};
    constexpr std::int64_t kNumbers = 800;        // about as many in a trial of many rows
    constexpr std::int64_t kLongestOfMany = 600;  // the definition takes long on the executor
    constexpr Values kValues[] = {Values::real, Values::ones,     Values::zeros,
                                  Values::nan,  Values::infinity, Values::denormal};
    enum { kCase, kLength, kBatch, kDirection, kFactor, kInPlace, kInGap, kOutGap, kValue, kOffset, kAxes };
    enum { kOne, kFew, kMany };
    const std::vector<CaseId> ids = case_ids<Contract>();
    Plan plan;
    plan.trials.resize(ids.size());
    if (coverage == Coverage::huge) {  // past 2^31 and 2^32 numbers
      for (const TestShape& shape : {TestShape{{1 << 12, (1 << 19) + 3}},
                                     {{1 << 12, (1 << 20) + 3}},
                                     {{1 << 12, (1 << 20) + 3, true}}}) {
        plan.trials[0].push_back(trial(shape, {Values::real, seed, 0}));
        plan.trials[0].back().inputs.closed_form = true;
      }
      return plan;
    }
    // Each radix by itself and with others, both sides of powers of two, primes.
    std::vector<std::int64_t> lengths{1,   2,   3,   4,   5,   6,   7,   8,   9,   10,   11,   12,  13,  14,
                                      15,  16,  17,  20,  21,  24,  25,  27,  30,  31,   32,   33,  35,  48,
                                      49,  60,  63,  64,  65,  72,  97,  100, 101, 120,  121,  125, 127, 128,
                                      210, 243, 255, 256, 257, 343, 500, 512, 625, 1000, 1009, 1024};
    if (coverage == Coverage::brief) lengths = {1, 8, 15, 17, 64, 1024};
    const bool full = coverage == Coverage::full;
    if (full)
      lengths.insert(lengths.end(),
                     {2048, 4096, 5000, 6561, 8192, 8193, 15625, 16384, 16807, 32768, 65536, 100'000});
    const auto length = [&](int l) { return lengths[static_cast<std::size_t>(l)]; };
    std::vector<std::string> length_names, gaps, values;
    for (const std::int64_t n : lengths) length_names.push_back(std::to_string(n));
    for (const std::int64_t gap : kGaps) gaps.push_back(std::to_string(gap));
    for (const Values v : kValues) values.emplace_back(name(v));
    plan.axes.add("case", names(ids));
    plan.axes.add("n", length_names);
    plan.axes.add("batch", {"one", "few", "many"});
    plan.axes.add("direction", {"forward", "inverse"});
    plan.axes.add("factor", {"1", "1/n", "1/sqrt(n)"});
    plan.axes.add("in place", {"no", "yes"});
    plan.axes.add("gap of in", gaps);
    plan.axes.add("gap of out", gaps);
    plan.axes.add("values", values);
    plan.axes.add("offset", offset_names());
    plan.axes.exclude(kCase, kOffset, [&](int c, int o) {
      return static_cast<std::size_t>(kOffsets[o]) % (2 * size_of(ids[static_cast<std::size_t>(c)].type)) !=
             0;
    });
    plan.axes.exclude(kInPlace, kOutGap, [](int in_place, int gap) { return in_place && gap != 0; });
    plan.axes.exclude(kLength, kBatch,
                      [&](int l, int batch) { return !full && batch != kOne && length(l) > kLongestOfMany; });
    plan.axes.close();
    Covering covering(plan.axes, seed);
    std::int64_t turn = 0;
    const auto add = [&](const Point& given) {
      const Point point = covering.next(given);
      if (point.empty()) return;
      const CaseId id = ids[static_cast<std::size_t>(point[kCase])];
      auto& trials = plan.trials[static_cast<std::size_t>(point[kCase])];
      const std::int64_t n = length(point[kLength]),
                         batches[] = {1, 2 + ++turn % 4, kNumbers / n + 2 + turn % 3};
      const double factors[] = {1, 1 / static_cast<double>(n), 1 / std::sqrt(static_cast<double>(n))};
      TestShape shape{{n, batches[point[kBatch]], point[kInPlace] == 1, point[kDirection] == 1,
                       kGaps[point[kInGap]], kGaps[point[kOutGap]]},
                      factors[point[kFactor]]};
      trials.push_back(trial(
          shape, {kValues[point[kValue]], seed + trials.size(), offset_in_elements(id, point[kOffset])}));
      trials.back().point = point;
    };
    for (int c = 0; c < static_cast<int>(ids.size()); ++c) {
      for (int l = 0; l < static_cast<int>(lengths.size()); ++l) {
        Point p(kAxes, -1);
        p[kCase] = c, p[kLength] = l, p[kValue] = 0;
        for (const int in_place : {0, 1}) {
          p[kInPlace] = in_place;
          add(p);
        }
      }
    }
    while (const auto open = covering.open()) add(*open);
    if (coverage != Coverage::brief) {  // more rows than a signed number of 16 bits counts
      for (const std::int64_t n : {1, 2, 3})
        plan.trials[0].push_back(trial({{n, 32'800, n == 3}}, {Values::real, seed, 0}));
      for (const auto& [c, n] : {std::pair{0, 2048}, {0, 4093}, {0, 4096}, {1, 2187}, {1, 4096}})
        plan.trials[static_cast<std::size_t>(c)].push_back(trial({{n, 1}}, {Values::real, seed, 0}));
    }
    if (full) {
      for (auto& trials : plan.trials) {
        for (const auto& [n, batch] :
             {std::pair{1 << 20, 2}, {1 << 21, 1}, {1024, 1031}, {1000, 1031}, {4093, 50}})
          trials.push_back(trial({{n, batch}}, {Values::real, seed, 0}));
      }
    }
    return plan;
  }

  static std::vector<Trial> benchmarks(CaseId, std::span<const std::int64_t> extents, std::uint64_t seed) {
    std::vector<Trial> trials{trial({{extents[0], extents[1]}}, {Values::real, seed, 0})};
    trials[0].variant = Fft::kinds[Fft::kind_of(extents[0])];
    return trials;
  }
  static std::vector<Trial> each_variant(std::span<const std::int64_t> extents, std::uint64_t seed) {
    std::vector<Trial> trials;
    for (std::size_t kind = 0; kind < Fft::kinds.size(); ++kind) {
      const std::int64_t n = length_up_to(extents[0], kind);
      if (n == 0) continue;
      for (const double factor : {1.0, factor_that_keeps_norm(n)})
        trials.push_back(trial({{n, extents[1]}, factor}, {Values::real, seed, 0}));
    }
    return trials;
  }
  static std::vector<std::int64_t> extents_with(const Features& f) { return {f[0], usual_batch(f[1])}; }

  /// One in eight in place, one in four with gaps. Factors keep the norm, of every call in place and of half the
  /// others.
  static Trial draw(CaseId, Draws& draws, std::int64_t elements) {
    const std::int64_t numbers = std::max<std::int64_t>(elements / 2, 1);
    TestShape shape{{draw_length(draws, numbers), 1}};
    shape.batch = draws.size(1, numbers / shape.n);
    shape.inverse = draws.one_in(2);
    shape.in_place = draws.one_in(8);
    shape.factor = shape.in_place || draws.one_in(2) ? factor_that_keeps_norm(shape.n) : 1;
    if (draws.one_in(4)) shape.in_gap = draws.below(65);
    if (draws.one_in(4) && !shape.in_place) shape.out_gap = draws.below(65);
    const int offset = static_cast<int>(draws.below(2)) * 2;
    Trial drawn = trial(shape, {Values::real, draws.bits(), offset});
    drawn.variant = fmt::format("{} {}", Fft::kinds[Fft::kind_of(shape.n)], drawn.variant);
    return drawn;
  }

  /// One read and one write of each number; 5 n log2(n) operations for a row, as is usual.
  static Work work(CaseId id, const TestShape& shape) {
    const double numbers = static_cast<double>(shape.n) * static_cast<double>(shape.batch);
    return {4 * numbers * static_cast<double>(size_of(id.type)), 5 * numbers * Fft::levels(shape.n)};
  }
};

REGISTER_OPERATION(FftHarness)

}  // namespace
}  // namespace tandem

// real_fft: what it is tested with, and what is right.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "lib/harness/first_error.h"
#include "lib/harness/fourier.h"
#include "lib/harness/operation.h"
#include "lib/ops/real_fft/contract.h"

namespace tandem {
namespace {

struct RealFftHarness {
  using Contract = RealFft;
  struct TestShape : RealFft::Shape {
    double factor = 1;
  };
  static constexpr Bound bound = Bound::copy;
  static constexpr Extent kExtents[] = {{"n"}, {"batch"}};
  static constexpr std::int64_t executor_size = 64;
  static std::vector<std::int64_t> bench_sizes() { return {64, 1024, 1 << 14, 1 << 20}; }
  /// Up to 32M numbers.
  static std::vector<std::int64_t> extents_of(std::int64_t n) {
    constexpr std::int64_t kNumbers = 1 << 25;
    return {n, std::clamp<std::int64_t>(kNumbers / std::max<std::int64_t>(n, 1), 1,
                                        std::max<std::int64_t>(n, 1))};
  }

  /// Operands are arrays of parts. Gaps between rows count as part of both, so that a stray write there shows.
  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    using Wide = Wider<T>;
    static constexpr T kNothing = std::numeric_limits<T>::quiet_NaN();
    TestShape shape;
    std::int64_t in_row, out_row;            // parts of a row
    std::int64_t in_distance, out_distance;  // in parts
    Input<T> in;
    Output<T> out;
    std::optional<Reference<Wide>> reference;
    RightRows<Wide> right;
    bool others_not_finite;  // besides a row that is

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          in_row(row(s.inverse)),
          out_row(row(!s.inverse)),
          in_distance(s.in_place ? 2 * (RealFft::spectrum_size(s.n) + s.in_gap)
                                 : in_row + width(s.inverse) * s.in_gap),
          out_distance(s.in_place ? in_distance : out_row + width(!s.inverse) * s.out_gap),
          in(*this, size(s.in_place ? std::max(in_row, out_row) : in_row, in_distance),
             first(s.inverse || s.in_place, inputs)),
          out(*this, size(out_row, out_distance), first(!s.inverse, inputs), s.in_place ? &in : nullptr),
          right(s.batch),
          others_not_finite(inputs.values == Values::nan || inputs.values == Values::infinity) {
      fill(std::span<T>(in.values), OperatorId::plus, inputs);
      for (std::int64_t i = 0; i < in.size(); ++i) {
        if (const std::int64_t part = i % in_distance; part >= in_row || stands_for_nothing(part))
          in.values[static_cast<std::size_t>(i)] = kNothing;
      }
    }
    typename C::Args args() {
      return {in.data(),
              out.data(),
              shape.n,
              shape.batch,
              in_distance / width(shape.inverse),
              out_distance / width(!shape.inverse),
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
#pragma omp critical(tandem_real_fft_verdict)
          error.keep([&] { verdict.include(here); });
        });
      }
      error.rethrow();
      verdict.include(check_gaps(got));
      return verdict;
    }

   private:
    /// Parts of a number.
    static std::int64_t width(bool complex) { return complex ? 2 : 1; }
    std::int64_t row(bool complex) const {
      return shape.n == 0 ? 0 : complex ? 2 * RealFft::spectrum_size(shape.n) : shape.n;
    }
    std::int64_t size(std::int64_t row, std::int64_t distance) const {
      return shape.n == 0 || shape.batch == 0 ? 0 : (shape.batch - 1) * distance + row;
    }
    /// Real numbers begin where complex ones could not, too.
    static int first(bool complex, const Inputs& inputs) {
      return complex ? inputs.offset : inputs.offset / 2;
    }
    /// Imaginary parts that are not looked at.
    bool stands_for_nothing(std::int64_t part) const {
      return shape.inverse && (part == 1 || (part == shape.n + 1 && shape.n % 2 == 0));
    }

    /// Number k of a row's n, as a forward transform of all of them takes it.
    Complex<Wide> number(const T* x, std::int64_t k) const {
      if (!shape.inverse) return {x[k], 0};
      const std::int64_t given = std::min(k, shape.n - k);  // the other one is its conjugate
      const T re = x[2 * given], im = stands_for_nothing(2 * given + 1) ? 0 : x[2 * given + 1];
      return swapped(Complex<Wide>{re, k == given ? im : -im});
    }
    Verdict check_row(std::span<const T> got, std::int64_t row, double depth) {
      const T* const given = &in.values[static_cast<std::size_t>(row * in_distance)];
      std::vector<Complex<Wide>> x(static_cast<std::size_t>(shape.n));
      bool finite = true;
      for (std::int64_t k = 0; k < shape.n; ++k) {
        const Complex<Wide> number = this->number(given, k);
        finite = finite && std::isfinite(number.re) && std::isfinite(number.im);
        x[static_cast<std::size_t>(k)] = number;
      }
      const std::int64_t first = row * out_distance;
      if (!finite)
        return check_not_finite(
            got.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(out_row)), row);
      const auto& want = right.of(row, [&] { return (*reference)(x); });
      SpectrumError<T> error;
      const auto factor = static_cast<Wide>(static_cast<T>(shape.factor));
      for (std::int64_t k = 0; k < out_row / width(!shape.inverse); ++k) {
        const Complex<Wide> right = factor * want[static_cast<std::size_t>(k)];
        const std::int64_t where = first + k * width(!shape.inverse);
        const T* const result = &got[static_cast<std::size_t>(where)];
        if (shape.inverse)
          error.add(result[0], 0, {right.im, 0}, where);
        else
          error.add(result[0], result[1], right, where, k == 0 || 2 * k == shape.n ? 1 : 2);
      }
      Verdict verdict = error.verdict(depth, shape.n, factor, fmt::format("row {}", row));
      // What some libraries leave of the rows beside one with a NaN or an infinity.
      if (!verdict.correct && others_not_finite) verdict.digits_alone = true;
      return verdict;
    }
    /// A real number may be without its share of what is not finite: that of cosines alone, say.
    Verdict check_not_finite(std::span<const T> got, std::int64_t row) const {
      const auto step = static_cast<std::size_t>(width(!shape.inverse));
      std::size_t finite = 0;
      for (std::size_t k = 0; k < got.size(); k += step)
        finite += std::isfinite(got[k]) && std::isfinite(got[k + step - 1]);
      if (finite == 0 || (shape.inverse && finite < got.size())) return {};
      return Verdict::wrong(
          fmt::format("row {}: {} results do not show a NaN or an infinity of the input", row, finite));
    }
    Verdict check_gaps(std::span<const T> got) const {
      const std::int64_t written = shape.in_place ? std::max(in_row, out_row) : out_row;
      if (out_distance == written) return {};
      return check_between(
          got, shape.in_place ? std::span<const T>(in.values) : std::span<const T>(),
          [&](std::size_t i) { return static_cast<std::int64_t>(i) % out_distance < written; });
    }
  };

  /// Past 2^32 numbers: forward, without gaps.
  template <class C>
  struct Large : Operands {
    using T = typename C::T;
    TestShape shape;
    std::vector<T> row, spectrum;
    LargeOperand<T> in, out;

    Large(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          row(row_of_parts<T>(s.n, inputs.seed)),
          spectrum(spectrum_of(row)),
          in(*this, s.n * s.batch, weighted_rows(row)),
          out(*this, 2 * RealFft::spectrum_size(s.n) * s.batch, LargeOperand<T>::kNothing,
              weighted_rows(spectrum), allowed_of_rows(spectrum)) {}
    typename C::Args args() {
      return {in.data(), out.data(), shape.n, shape.batch, shape.n, RealFft::spectrum_size(shape.n),
              false,     T(1)};
    }
    Verdict check(double) { return {}; }

   private:
    static std::vector<T> spectrum_of(const std::vector<T>& row) {
      std::vector<Complex<Wider<T>>> numbers;
      for (const T x : row) numbers.push_back({x, 0});
      const auto n = static_cast<std::int64_t>(row.size());
      const std::vector<Complex<Wider<T>>> all = Reference<Wider<T>>(n)(numbers);
      return parts_of<T, Wider<T>>(std::span(all).first(static_cast<std::size_t>(RealFft::spectrum_size(n))));
    }
  };

  static Trial trial(TestShape shape, const Inputs& inputs) {
    shape.scaled = shape.factor != 1;
    std::string variant(RealFft::variants[shape.variant()]);
    if (shape.in_place) variant += " in place";
    if (shape.in_gap + shape.out_gap > 0) variant += fmt::format(" gaps {} {}", shape.in_gap, shape.out_gap);
    const char* const kind = inputs.values == Values::nan        ? "nan"
                             : inputs.values == Values::infinity ? "infinity"
                                                                 : "";
    return {shape, inputs, shape.n, variant, fmt::format("{}x{}", shape.n, shape.batch), kind};
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
    if (coverage == Coverage::huge) {  // past 2^31 and 2^32 numbers, and their spectra
      for (const std::int64_t batch : {(1 << 19) + 3, (1 << 20) + 3, (1 << 21) + 3}) {
        plan.trials[0].push_back(trial({{1 << 12, batch}}, {Values::real, seed, 0}));
        plan.trials[0].back().inputs.closed_form = true;
      }
      return plan;
    }
    // Odd lengths and those whose halves are of each radix, odd or primes; both sides of powers of two.
    std::vector<std::int64_t> lengths{1,   2,   3,   4,   5,   6,   7,   8,   9,    10,   11,   12,  13,  14,
                                      15,  16,  17,  18,  20,  22,  24,  25,  26,   28,   30,   31,  32,  33,
                                      34,  35,  48,  49,  63,  64,  65,  97,  100,  101,  120,  127, 128, 129,
                                      194, 210, 243, 254, 256, 257, 343, 512, 1000, 1009, 1024, 1026};
    if (coverage == Coverage::brief) lengths = {1, 2, 15, 16, 34, 512};
    const bool full = coverage == Coverage::full;
    if (full)
      lengths.insert(lengths.end(), {2048, 4096, 5000, 6561, 8192, 8193, 16384, 16807, 32768, 100'000});
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
      TestShape shape{{n, batches[point[kBatch]], point[kDirection] == 1, point[kInPlace] == 1,
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
        for (const int direction : {0, 1}) {
          p[kDirection] = direction;
          add(p);
        }
      }
    }
    while (const auto open = covering.open()) add(*open);
    if (coverage != Coverage::brief) {  // more rows than a signed number of 16 bits counts
      for (const std::int64_t n : {1, 2, 3})
        plan.trials[0].push_back(trial({{n, 32'800}}, {Values::real, seed, 0}));
      plan.trials[0].push_back(trial({{8192, 1}}, {Values::real, seed, 0}));
      plan.trials[0].push_back(trial({{4093, 1, true}}, {Values::real, seed, 0}));
      plan.trials[1].push_back(trial({{2187, 1}}, {Values::real, seed, 0}));
      plan.trials[1].push_back(trial({{8192, 1, true}}, {Values::real, seed, 0}));
    }
    if (full) {
      for (auto& trials : plan.trials) {
        for (const auto& [n, batch] :
             {std::pair{1 << 20, 2}, {1 << 21, 1}, {1024, 1031}, {1000, 1031}, {4093, 50}}) {
          for (const bool inverse : {false, true})
            trials.push_back(trial({{n, batch, inverse}}, {Values::real, seed, 0}));
        }
      }
    }
    return plan;
  }

  static std::vector<Trial> benchmarks(CaseId, std::span<const std::int64_t> extents, std::uint64_t seed) {
    std::vector<Trial> trials;
    for (const bool inverse : {false, true})
      trials.push_back(trial({{extents[0], extents[1], inverse}}, {Values::real, seed, 0}));
    return trials;
  }
  static std::vector<Trial> each_variant(std::span<const std::int64_t> extents, std::uint64_t seed) {
    std::vector<Trial> trials;
    for (const std::size_t kind : {0, 1}) {  // powers of two, and factors to 7
      const std::int64_t n = length_up_to(extents[0], kind);
      if (n == 0) continue;
      for (const bool inverse : {false, true}) {
        for (const double factor : {1.0, factor_that_keeps_norm(n)})
          trials.push_back(trial({{n, extents[1], inverse}, factor}, {Values::real, seed, 0}));
      }
    }
    return trials;
  }
  static std::vector<std::int64_t> extents_with(const Features& f) { return {f[0], usual_batch(f[1])}; }

  /// One in eight in place, one in four with gaps. Factors keep the norm, of every call in place and of half the others.
  static Trial draw(CaseId, Draws& draws, std::int64_t elements) {
    const std::int64_t numbers = std::max<std::int64_t>(elements - 2, 1);
    TestShape shape{{draw_length(draws, numbers), 1}};
    shape.batch = draws.size(1, numbers / (shape.n + 2));
    shape.inverse = draws.one_in(2);
    shape.in_place = draws.one_in(8);
    shape.factor = shape.in_place || draws.one_in(2) ? factor_that_keeps_norm(shape.n) : 1;
    if (draws.one_in(4)) shape.in_gap = draws.below(65);
    if (draws.one_in(4) && !shape.in_place) shape.out_gap = draws.below(65);
    const int offset = static_cast<int>(draws.below(2)) * 2;
    return trial(shape, {Values::real, draws.bits(), offset});
  }

  /// One read and one write of each number; half of a complex transform's operations, as is usual.
  static Work work(CaseId id, const TestShape& shape) {
    const double numbers = static_cast<double>(shape.n) * static_cast<double>(shape.batch);
    const double parts = numbers + 2 * static_cast<double>(shape.batch * RealFft::spectrum_size(shape.n));
    return {parts * static_cast<double>(size_of(id.type)), 2.5 * numbers * Fft::levels(shape.n)};
  }
};

REGISTER_OPERATION(RealFftHarness)

}  // namespace
}  // namespace tandem

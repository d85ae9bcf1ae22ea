// convolve: what it is tested with, and what is right.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "lib/harness/first_error.h"
#include "lib/harness/fourier.h"
#include "lib/harness/operation.h"
#include "lib/ops/convolve/contract.h"

namespace tandem {
namespace {

struct ConvolveHarness {
  using Contract = Convolve;
  struct TestShape : Convolve::Shape {
    bool scaled = true;  // by 1/n
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
    Input<T> in, filter;
    Output<T> out;
    std::optional<Reference<Wide>> reference;
    RightRows<Wide> right;

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          in_distance(s.n + s.in_gap),
          out_distance(s.in_place ? in_distance : s.n + s.out_gap),
          in(*this, 2 * size(in_distance), inputs.offset),
          filter(*this, size(in_distance) == 0 ? 0 : 2 * s.n, inputs.offset, "filter"),
          out(*this, 2 * size(out_distance), inputs.offset, s.in_place ? &in : nullptr),
          right(s.batch) {
      fill(std::span<T>(in.values), OperatorId::plus, inputs);
      fill_random(std::span<T>(filter.values), OperatorId::plus, Values::real, inputs.seed + 1);
      for (std::int64_t i = 0; i < in.size() && s.in_gap > 0; ++i) {
        if (i / 2 % in_distance >= s.n)
          in.values[static_cast<std::size_t>(i)] = std::numeric_limits<T>::quiet_NaN();
      }
    }
    typename C::Args args() {
      return {reinterpret_cast<const Complex<T>*>(in.data()),
              reinterpret_cast<const Complex<T>*>(filter.data()),
              reinterpret_cast<Complex<T>*>(out.data()),
              shape.n,
              shape.batch,
              in_distance,
              out_distance,
              factor()};
    }
    Verdict check(double depth) {
      const Contents<T> got = out.contents();
      Verdict verdict;
      if (size(out_distance) == 0) return verdict;
      if (!reference) reference.emplace(shape.n);
      FirstError error;
#pragma omp parallel for schedule(dynamic) if (shape.n * shape.batch > 4096)
      for (std::int64_t row = 0; row < shape.batch; ++row) {
        error.keep([&] {
          const Verdict here = check_row(got, row, depth);
#pragma omp critical(tandem_convolve_verdict)
          error.keep([&] { verdict.include(here); });
        });
      }
      error.rethrow();
      verdict.include(check_gaps(got));
      return verdict;
    }

   private:
    T factor() const { return shape.scaled ? static_cast<T>(1 / static_cast<double>(shape.n)) : T(1); }
    std::int64_t size(std::int64_t distance) const {
      return shape.n == 0 || shape.batch == 0 ? 0 : (shape.batch - 1) * distance + shape.n;
    }
    static Complex<Wide> number(std::span<const T> parts, std::size_t i) {
      return {parts[2 * i], parts[2 * i + 1]};
    }
    static Wide square(const Complex<Wide>& x) { return x.re * x.re + x.im * x.im; }

    Verdict check_row(std::span<const T> got, std::int64_t row, double depth) {
      const auto n = static_cast<std::size_t>(shape.n), from = static_cast<std::size_t>(row * in_distance),
                 to = static_cast<std::size_t>(row * out_distance);
      std::vector<Complex<Wide>> x(n);
      Wide norm = 0, greatest = 0;  // their squares, of the row and of a number of the filter
      for (std::size_t j = 0; j < n; ++j) {
        x[j] = number(in.values, from + j);
        norm += square(x[j]);
        greatest = std::max(greatest, square(number(filter.values, j)));
      }
      if (!std::isfinite(norm)) return check_not_finite<T>(got.subspan(2 * to, 2 * n), row);
      const auto& want = right.of(row, [&] {
        std::vector<Complex<Wide>> products = (*reference)(x);
        for (std::size_t k = 0; k < n; ++k) products[k] = swapped(products[k] * number(filter.values, k));
        return (*reference)(products);
      });
      SpectrumError<T> error;
      const Wide scale = factor(), length = static_cast<Wide>(shape.n);
      for (std::size_t j = 0; j < n; ++j) {
        const std::size_t at = 2 * (to + j);
        error.add(got[at], got[at + 1], scale * swapped(want[j]), static_cast<std::int64_t>(at));
      }
      // The errors of the way there are multiplied by up to max |h|, whatever is left of the row itself.
      error.measure_by(scale * length * std::sqrt(greatest * norm));
      const Wide on_the_way = scale * (1 + std::sqrt(greatest * length));
      return error.verdict(depth, shape.n, on_the_way, fmt::format("row {}", row));
    }
    Verdict check_gaps(std::span<const T> got) const {
      if (out_distance == shape.n) return {};
      return check_between(
          got, shape.in_place ? std::span<const T>(in.values) : std::span<const T>(),
          [&](std::size_t i) { return static_cast<std::int64_t>(i / 2) % out_distance < shape.n; });
    }
  };

  /// Past 2^32 numbers, without gaps.
  template <class C>
  struct Large : Operands {
    using T = typename C::T;
    TestShape shape;
    ClosedForm<T> given;
    std::vector<T> spectrum, results;
    LargeOperand<T> in, filter, out;

    Large(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          given(weighted_rows(row_of_parts<T>(2 * s.n, inputs.seed))),
          spectrum(row_of_parts<T>(2 * s.n, inputs.seed + 1)),
          results(convolved(given.second, spectrum)),
          in(*this, s.in_place ? 0 : 2 * s.n * s.batch, given),
          filter(*this, 2 * s.n, ClosedForm<T>{spectrum}),
          out(*this, 2 * s.n * s.batch, s.in_place ? &given : nullptr, weighted_rows(results),
              2 * allowed_of_rows(results)) {}
    typename C::Args args() {
      return {reinterpret_cast<const Complex<T>*>(shape.in_place ? out.data() : in.data()),
              reinterpret_cast<const Complex<T>*>(filter.data()),
              reinterpret_cast<Complex<T>*>(out.data()),
              shape.n,
              shape.batch,
              shape.n,
              shape.n,
              T(1)};
    }
    Verdict check(double) { return {}; }

   private:
    static std::vector<T> convolved(const std::vector<T>& row, const std::vector<T>& filter) {
      const Reference<Wider<T>> reference(static_cast<std::int64_t>(row.size() / 2));
      std::vector<Complex<Wider<T>>> all = reference(numbers_of(row));
      const std::vector<Complex<Wider<T>>> factors = numbers_of(filter);
      for (std::size_t k = 0; k < all.size(); ++k) all[k] = swapped(all[k] * factors[k]);
      all = reference(all);
      for (Complex<Wider<T>>& x : all) x = swapped(x);
      return parts_of<T, Wider<T>>(all);
    }
  };

  static Trial trial(const TestShape& shape, const Inputs& inputs) {
    std::string variant(Convolve::variants[shape.variant()]);
    if (shape.in_place) variant += " in place";
    if (shape.in_gap + shape.out_gap > 0) variant += fmt::format(" gaps {} {}", shape.in_gap, shape.out_gap);
    return {shape, inputs, shape.n, variant, fmt::format("{}x{}", shape.n, shape.batch)};
  }

  static Plan plan(Coverage coverage, std::uint64_t seed) {
    constexpr std::int64_t kGaps[] = {0, 1, 6, 67};
    constexpr std::int64_t kNumbers = 800;        // about as many in a trial of many rows
    constexpr std::int64_t kLongestOfMany = 600;  // the executor takes long
    constexpr Values kValues[] = {Values::real, Values::ones,     Values::zeros,
                                  Values::nan,  Values::infinity, Values::denormal};
    enum { kCase, kLength, kBatch, kScaled, kInPlace, kInGap, kOutGap, kValue, kOffset, kAxes };
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
    std::vector<std::int64_t> lengths{1,   2,   3,   4,   5,   7,   8,   9,   11,   12,   13,  15,  16,
                                      17,  21,  25,  31,  32,  33,  49,  60,  64,   65,   97,  100, 101,
                                      128, 210, 243, 256, 257, 343, 512, 625, 1000, 1009, 1024};
    if (coverage == Coverage::brief) lengths = {1, 8, 15, 17, 64, 512};
    const bool full = coverage == Coverage::full;
    if (full)
      lengths.insert(lengths.end(),
                     {2048, 4096, 5000, 6561, 8192, 8193, 15625, 16384, 32768, 65536, 100'000});
    const auto length = [&](int l) { return lengths[static_cast<std::size_t>(l)]; };
    std::vector<std::string> length_names, gaps, values;
    for (const std::int64_t n : lengths) length_names.push_back(std::to_string(n));
    for (const std::int64_t gap : kGaps) gaps.push_back(std::to_string(gap));
    for (const Values v : kValues) values.emplace_back(name(v));
    plan.axes.add("case", names(ids));
    plan.axes.add("n", length_names);
    plan.axes.add("batch", {"one", "few", "many"});
    plan.axes.add("factor", {"1", "1/n"});
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
      const TestShape shape{
          {n, batches[point[kBatch]], point[kInPlace] == 1, kGaps[point[kInGap]], kGaps[point[kOutGap]]},
          point[kScaled] == 1};
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
      for (const std::int64_t n : {1, 3, 8})
        plan.trials[0].push_back(trial({{n, 32'800}}, {Values::real, seed, 0}));
      for (const auto& [c, n] : {std::pair{0, 8192}, {0, 4093}, {0, 4096}, {1, 2187}, {1, 2048}})
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
    return {trial({{extents[0], extents[1]}}, {Values::real, seed, 0})};
  }
  static std::vector<Trial> each_variant(std::span<const std::int64_t> extents, std::uint64_t seed) {
    std::vector<Trial> trials;
    for (std::size_t variant = 0; variant < Convolve::variants.size(); ++variant) {
      const std::int64_t of_variant[] = {length_up_to(extents[0], variant), extents[1]};
      if (of_variant[0] > 0) trials.push_back(benchmarks({}, of_variant, seed)[0]);
    }
    return trials;
  }
  static std::vector<std::int64_t> extents_with(const Features& f) { return {f[0], usual_batch(f[1])}; }

  /// One in eight in place, one in four with gaps. Calls in place can be repeated, since 1/n keeps about the norm.
  static Trial draw(CaseId, Draws& draws, std::int64_t elements) {
    const std::int64_t numbers = std::max<std::int64_t>(elements / 2, 1);
    TestShape shape{{draw_length(draws, numbers), 1}};
    shape.batch = draws.size(1, numbers / shape.n);
    shape.in_place = draws.one_in(8);
    if (draws.one_in(4)) shape.in_gap = draws.below(65);
    if (draws.one_in(4) && !shape.in_place) shape.out_gap = draws.below(65);
    const int offset = static_cast<int>(draws.below(2)) * 2;
    return trial(shape, {Values::real, draws.bits(), offset});
  }

  /// One read and one write of each number, and one read of the filter; 5 n log2(n) operations for each of a row's transforms,
  /// as is usual, and 6 n for the product.
  static Work work(CaseId id, const TestShape& shape) {
    const auto n = static_cast<double>(shape.n), numbers = n * static_cast<double>(shape.batch);
    return {(4 * numbers + 2 * n) * static_cast<double>(size_of(id.type)),
            (10 * Fft::levels(shape.n) + 6) * numbers};
  }
};

REGISTER_OPERATION(ConvolveHarness)

}  // namespace
}  // namespace tandem

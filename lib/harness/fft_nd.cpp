// fft_nd: what it is tested with, and what is right.

#include <fmt/format.h>

#include <cmath>

#include "lib/harness/first_error.h"
#include "lib/harness/grids.h"
#include "lib/harness/operation.h"

namespace tandem {
namespace {

struct FftNdHarness {
  using Contract = FftNd;
  struct TestShape : FftNd::Shape {
    double factor = 1;
  };
  static constexpr Bound bound = Bound::copy;
  static constexpr Extent kExtents[] = {{"x"}, {"y"}, {"z"}, {"batch"}};
  static constexpr std::int64_t executor_size = 64;
  static std::vector<std::int64_t> bench_sizes() { return {1 << 12, 1 << 16, 1 << 20, 1 << 24}; }
  /// Squares of about n numbers, up to 16M numbers in all.
  static std::vector<std::int64_t> extents_of(std::int64_t n) {
    constexpr std::int64_t kNumbers = 1 << 24;
    const OfAxes square = square_of(std::max<std::int64_t>(n, 1));
    return {1, square[1], square[2],
            std::clamp<std::int64_t>(kNumbers / FftNd::points(square), 1, square[1])};
  }

  /// Operands are arrays of parts.
  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    using Wide = Wider<T>;
    static constexpr T kNothing = std::numeric_limits<T>::quiet_NaN();
    TestShape shape;
    Input<T> in;
    Output<T> out;
    RightRows<Wide> right;

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          in(*this, 2 * size_of_grids(s.in, s.extents, s.batch), inputs.offset),
          out(*this, 2 * size_of_grids(s.out, s.extents, s.batch), inputs.offset, s.in_place ? &in : nullptr),
          right(s.batch) {
      fill(std::span<T>(in.values), OperatorId::plus, inputs);
      const std::vector<bool> used = elements(s.in);
      for (std::size_t i = 0; i < in.values.size(); ++i) {
        if (!used[i / 2]) in.values[i] = kNothing;
      }
    }
    typename C::Args args() {
      return {reinterpret_cast<const Complex<T>*>(in.data()),
              reinterpret_cast<Complex<T>*>(out.data()),
              shape.extents,
              shape.batch,
              shape.in,
              shape.out,
              shape.inverse,
              static_cast<T>(shape.factor)};
    }
    Verdict check(double depth) {
      const Contents<T> got = out.contents();
      Verdict verdict;
      if (got.empty()) return verdict;
      FirstError error;
#pragma omp parallel for schedule(dynamic) if (shape.scale() * shape.batch > 4096)
      for (std::int64_t grid = 0; grid < shape.batch; ++grid) {
        error.keep([&] {
          const Verdict here = check_grid(got, grid, depth);
#pragma omp critical(tandem_fft_nd_verdict)
          error.keep([&] { verdict.include(here); });
        });
      }
      error.rethrow();
      verdict.include(check_gaps(got));
      return verdict;
    }

   private:
    /// Which elements belong to a grid.
    std::vector<bool> elements(const GridLayout& l) const {
      std::vector<bool> used(static_cast<std::size_t>(size_of_grids(l, shape.extents, shape.batch)));
      for (std::int64_t grid = 0; grid < shape.batch && !used.empty(); ++grid)
        for_numbers(l, shape.extents, grid, [&](std::size_t, std::size_t element) { used[element] = true; });
      return used;
    }
    Verdict check_grid(std::span<const T> got, std::int64_t grid, double depth) {
      std::vector<Complex<Wide>> x(static_cast<std::size_t>(shape.scale()));
      bool finite = true;
      for_numbers(shape.in, shape.extents, grid, [&](std::size_t number, std::size_t element) {
        const T* part = &in.values[2 * element];
        finite = finite && std::isfinite(part[0]) && std::isfinite(part[1]);
        x[number] = shape.inverse ? Complex<Wide>{part[1], part[0]} : Complex<Wide>{part[0], part[1]};
      });
      if (!finite) return check_not_finite(got, grid);
      const auto& want = right.of(grid, [&] {
        transform_grid(x, shape.extents);
        return std::move(x);
      });
      SpectrumError<T> error;
      const auto factor = static_cast<Wide>(static_cast<T>(shape.factor));
      for_numbers(shape.out, shape.extents, grid, [&](std::size_t number, std::size_t element) {
        error.add(got[2 * element], got[2 * element + 1],
                  factor * (shape.inverse ? swapped(want[number]) : want[number]),
                  2 * static_cast<std::int64_t>(element));
      });
      return error.verdict(depth, shape.scale(), factor, fmt::format("grid {}", grid));
    }
    Verdict check_not_finite(std::span<const T> got, std::int64_t grid) const {
      Verdict verdict;
      for_numbers(shape.out, shape.extents, grid, [&](std::size_t number, std::size_t element) {
        if (std::isfinite(got[2 * element]) && std::isfinite(got[2 * element + 1])) {
          verdict = Verdict::wrong(
              fmt::format("grid {}: result {} does not show a NaN of the input", grid, number));
        }
      });
      return verdict;
    }
    Verdict check_gaps(std::span<const T> got) const {
      const std::vector<bool> written = elements(shape.out);
      return check_between(got, shape.in_place ? std::span<const T>(in.values) : std::span<const T>(),
                           [&](std::size_t i) { return written[i / 2]; });
    }
  };

  /// Past 2^32 numbers: forward, grids in row-major order without gaps.
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
          given(weighted_rows(row_of_parts<T>(2 * FftNd::points(s.extents), inputs.seed))),
          spectrum(spectrum_of(given.second, s.extents)),
          in(*this, s.in_place ? 0 : 2 * size_of_grids(s.in, s.extents, s.batch), given),
          out(*this, 2 * size_of_grids(s.out, s.extents, s.batch), s.in_place ? &given : nullptr,
              weighted_rows(spectrum), allowed_of_rows(spectrum)) {}
    typename C::Args args() {
      return {reinterpret_cast<const Complex<T>*>(shape.in_place ? out.data() : in.data()),
              reinterpret_cast<Complex<T>*>(out.data()),
              shape.extents,
              shape.batch,
              shape.in,
              shape.out,
              false,
              T(1)};
    }
    Verdict check(double) { return {}; }

   private:
    static std::vector<T> spectrum_of(const std::vector<T>& grid, const OfAxes& extents) {
      std::vector<Complex<Wider<T>>> numbers = numbers_of(grid);
      transform_grid(numbers, extents);
      return parts_of<T, Wider<T>>(numbers);
    }
  };

  static Trial trial(TestShape shape, const Inputs& inputs, const std::string& lays = "") {
    shape.scaled = shape.factor != 1;
    std::string variant(FftNd::variants[shape.variant()]);
    variant += shape.inverse ? " inverse" : " forward";
    if (shape.in_place) variant += " in place";
    return {shape, inputs, shape.scale(), variant + lays,
            fmt::format("{}x{}", fmt::join(shape.extents, "x"), shape.batch)};
  }
  static TestShape shape_of(const OfAxes& extents, std::int64_t batch, Lay in, Lay out) {
    return {{extents, batch, layout(in, extents, batch), layout(out, extents, batch)}};
  }
  static Plan plan(Coverage coverage, std::uint64_t seed) {
    constexpr Values kValues[] = {Values::real, Values::ones,     Values::zeros,
                                  Values::nan,  Values::infinity, Values::denormal};
    enum { kCase, kGrid, kBatch, kDirection, kFactor, kInPlace, kIn, kOut, kValue, kOffset, kAxes };
    const std::vector<CaseId> ids = case_ids<Contract>();
    Plan plan;
    plan.trials.resize(ids.size());
    if (coverage == Coverage::huge) {  // past 2^31 and 2^32 numbers
      for (const auto& [batch, in_place] :
           {std::pair{(1 << 19) + 3, false}, {(1 << 20) + 3, false}, {(1 << 20) + 3, true}}) {
        TestShape shape = shape_of({1, 1 << 6, 1 << 6}, batch, Lay::row_major, Lay::row_major);
        shape.in_place = in_place;
        plan.trials[0].push_back(trial(shape, {Values::real, seed, 0}));
        plan.trials[0].back().inputs.closed_form = true;
      }
      return plan;
    }
    const std::vector<OfAxes> grids = test_grids(coverage);
    const bool full = coverage == Coverage::full;
    const auto grid = [&](int g) { return grids[static_cast<std::size_t>(g)]; };
    std::vector<std::string> grid_names, values;
    for (const OfAxes& g : grids) grid_names.push_back(fmt::format("{}", fmt::join(g, "x")));
    for (const Values v : kValues) values.emplace_back(name(v));
    const std::vector<std::string> lays(std::begin(kLays), std::end(kLays));
    plan.axes.add("case", names(ids));
    plan.axes.add("grid", grid_names);
    plan.axes.add("batch", {"one", "few", "many"});
    plan.axes.add("direction", {"forward", "inverse"});
    plan.axes.add("factor", {"1", "1/n", "1/sqrt(n)"});
    plan.axes.add("in place", {"no", "yes"});
    plan.axes.add("in", lays);
    plan.axes.add("out", lays);
    plan.axes.add("values", values);
    plan.axes.add("offset", offset_names());
    plan.axes.exclude(kCase, kOffset, [&](int c, int o) {
      return static_cast<std::size_t>(kOffsets[o]) % (2 * size_of(ids[static_cast<std::size_t>(c)].type)) !=
             0;
    });
    plan.axes.exclude(kInPlace, kOut, [](int in_place, int out) { return in_place && out != 0; });
    plan.axes.exclude(kGrid, kBatch,
                      [&](int g, int batch) { return !full && batch == 2 && FftNd::points(grid(g)) > 150; });
    plan.axes.close();
    Covering covering(plan.axes, seed);
    std::int64_t turn = 0;
    const auto add = [&](const Point& given) {
      const Point point = covering.next(given);
      if (point.empty()) return;
      const CaseId id = ids[static_cast<std::size_t>(point[kCase])];
      auto& trials = plan.trials[static_cast<std::size_t>(point[kCase])];
      const std::int64_t batches[] = {1, 2 + ++turn % 3, 9 + turn % 5};
      const bool in_place = point[kInPlace] == 1;
      const auto in = static_cast<Lay>(point[kIn]), out = in_place ? in : static_cast<Lay>(point[kOut]);
      TestShape shape = shape_of(grid(point[kGrid]), batches[point[kBatch]], in, out);
      const auto n = static_cast<double>(shape.scale());
      const double factors[] = {1, 1 / n, 1 / std::sqrt(n)};
      shape.inverse = point[kDirection] == 1, shape.in_place = in_place;
      shape.factor = factors[point[kFactor]];
      trials.push_back(
          trial(shape, {kValues[point[kValue]], seed + trials.size(), offset_in_elements(id, point[kOffset])},
                names_of(in, out)));
      trials.back().point = point;
    };
    for (int c = 0; c < static_cast<int>(ids.size()); ++c) {
      for (int g = 0; g < static_cast<int>(grids.size()); ++g) {
        Point p(kAxes, -1);
        p[kCase] = c, p[kGrid] = g, p[kValue] = 0;
        for (const int in_place : {0, 1}) {
          p[kInPlace] = in_place;
          add(p);
        }
      }
    }
    while (const auto open = covering.open()) add(*open);
    const auto one = [&](std::size_t c, const OfAxes& extents, std::int64_t batch, Lay lay) {
      plan.trials[c].push_back(
          trial(shape_of(extents, batch, lay, lay), {Values::real, seed, 0}, names_of(lay, lay)));
    };
    if (coverage !=
        Coverage::brief) {  // more lines and grids than a signed number of 16 bits counts; long lines
      one(0, {1, 1, 2}, 32'800, Lay::row_major);
      one(0, {1, 2, 2}, 32'800, Lay::row_major);
      one(0, {1, 1, 8}, 32'800, Lay::row_major);
      one(0, {1, 1, 2048}, 1, Lay::row_major);
      one(1, {1, 2048, 2}, 1, Lay::row_major);
      one(1, {1, 1, 2187}, 2, Lay::interleaved);
      one(1, {1, 1009, 3}, 1, Lay::row_major);
    }
    for (std::size_t c = 0; c < ids.size() && full; ++c) {
      one(c, {1, 1, 1 << 20}, 2, Lay::row_major);
      one(c, {1, 1024, 1024}, 2, Lay::padded);
      one(c, {64, 64, 64}, 3, Lay::turned);
      one(c, {1, 1000, 1031}, 1, Lay::spread);
    }
    return plan;
  }

  static std::vector<Trial> benchmarks(CaseId, std::span<const std::int64_t> extents, std::uint64_t seed) {
    const OfAxes grid{extents[0], extents[1], extents[2]};
    std::vector<Trial> trials{
        trial(shape_of(grid, extents[3], Lay::row_major, Lay::row_major), {Values::real, seed, 0})};
    trials[0].variant = FftNd::variants[std::any_cast<const TestShape&>(trials[0].shape).variant()];
    return trials;
  }
  /// A line, a square and a cube of about as many numbers, of powers of two and of factors to 7.
  static std::vector<Trial> each_variant(std::span<const std::int64_t> extents, std::uint64_t seed) {
    std::vector<Trial> trials;
    for (const OfAxes& grid : usual_grids(extents[2])) {
      TestShape shape = shape_of(grid, extents[3], Lay::row_major, Lay::row_major);
      for (const double factor : {1.0, factor_that_keeps_norm(shape.scale())}) {
        shape.factor = factor;
        trials.push_back(trial(shape, {Values::real, seed, 0}));
      }
    }
    return trials;
  }
  static std::vector<std::int64_t> extents_with(const Features& f) { return {1, 1, f[0], usual_batch(f[1])}; }

  /// One in eight in place, one in two in another layout. Factors keep the norm, of every call in place and
  /// of half the others.
  static Trial draw(CaseId, Draws& draws, std::int64_t elements) {
    const std::int64_t numbers = std::max<std::int64_t>(elements / 2, 1);
    const OfAxes extents = draw_grid(draws, numbers);
    const std::int64_t batch = draws.size(1, numbers / FftNd::points(extents));
    const auto lay = [&] { return draws.one_in(2) ? Lay::row_major : static_cast<Lay>(1 + draws.below(3)); };
    const Lay in = lay();
    const bool in_place = draws.one_in(8);
    const Lay out = in_place ? in : lay();
    TestShape shape = shape_of(extents, batch, in, out);
    shape.inverse = draws.one_in(2), shape.in_place = in_place;
    shape.factor = in_place || draws.one_in(2) ? factor_that_keeps_norm(shape.scale()) : 1;
    const int offset = static_cast<int>(draws.below(2)) * 2;
    return trial(shape, {Values::real, draws.bits(), offset}, names_of(in, out));
  }

  /// One read and one write of each number; 5 n log2(n) operations for a grid, as is usual.
  static Work work(CaseId id, const TestShape& shape) {
    const double numbers = static_cast<double>(shape.scale()) * static_cast<double>(shape.batch);
    return {4 * numbers * static_cast<double>(size_of(id.type)), 5 * numbers * Fft::levels(shape.scale())};
  }
};

REGISTER_OPERATION(FftNdHarness)

}  // namespace
}  // namespace tandem

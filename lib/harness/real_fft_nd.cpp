// real_fft_nd: what it is tested with, and what is right.

#include <fmt/format.h>

#include <cmath>

#include "lib/harness/first_error.h"
#include "lib/harness/grids.h"
#include "lib/ops/real_fft_nd/contract.h"

namespace tandem {
namespace {

struct RealFftNdHarness {
  using Contract = RealFftNd;
  struct TestShape : RealFftNd::Shape {
    double factor = 1;
    OfAxes in_extents() const { return inverse ? RealFftNd::spectrum(extents) : extents; }
    OfAxes out_extents() const { return inverse ? extents : RealFftNd::spectrum(extents); }
    /// Parts of a number.
    std::int64_t in_width() const { return inverse ? 2 : 1; }
    std::int64_t out_width() const { return inverse ? 1 : 2; }
    /// Of all grids, with what lies between.
    std::int64_t in_parts() const { return in_width() * size_of_grids(in, in_extents(), batch); }
    std::int64_t out_parts() const { return out_width() * size_of_grids(out, out_extents(), batch); }
  };
  static constexpr Bound bound = Bound::copy;
  static constexpr Extent kExtents[] = {{"x"}, {"y"}, {"z"}, {"batch"}};
  static constexpr std::int64_t executor_size = 64;
  static std::vector<std::int64_t> bench_sizes() { return {1 << 12, 1 << 16, 1 << 20, 1 << 24}; }
  /// Squares of about n numbers, up to 32M numbers in all.
  static std::vector<std::int64_t> extents_of(std::int64_t n) {
    constexpr std::int64_t kNumbers = 1 << 25;
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
    bool others_not_finite;  // besides a grid that is

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          in(*this, s.in_place ? std::max(s.in_parts(), s.out_parts()) : s.in_parts(),
             first(s.inverse || s.in_place, inputs)),
          out(*this, s.out_parts(), first(!s.inverse, inputs), s.in_place ? &in : nullptr),
          right(s.batch),
          others_not_finite(inputs.values == Values::nan || inputs.values == Values::infinity) {
      fill(std::span<T>(in.values), OperatorId::plus, inputs);
      const std::vector<bool> used = parts(s.in, s.in_extents(), s.in_width(), in.values.size());
      for (std::size_t i = 0; i < in.values.size(); ++i) {
        if (!used[i]) in.values[i] = kNothing;
      }
      if (s.inverse) be_finite_where_not_looked_at();
    }
    typename C::Args args() {
      return {in.data(), out.data(), shape.extents, shape.batch,
              shape.in,  shape.out,  shape.inverse, static_cast<T>(shape.factor)};
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
#pragma omp critical(tandem_real_fft_nd_verdict)
          error.keep([&] { verdict.include(here); });
        });
      }
      error.rethrow();
      verdict.include(check_gaps(got));
      return verdict;
    }

   private:
    /// Real numbers begin where complex ones could not, too.
    static int first(bool complex, const Inputs& inputs) {
      return complex ? inputs.offset : inputs.offset / 2;
    }
    /// Which of `size` parts belong to a number of a grid.
    std::vector<bool> parts(const GridLayout& l, const OfAxes& extents, std::int64_t width,
                            std::size_t size) const {
      std::vector<bool> used(size);
      for (std::int64_t grid = 0; grid < shape.batch && FftNd::points(extents) > 0; ++grid) {
        for_numbers(l, extents, grid, [&](std::size_t, std::size_t element) {
          for (std::int64_t part = 0; part < width; ++part)
            used[element * static_cast<std::size_t>(width) + static_cast<std::size_t>(part)] = true;
        });
      }
      return used;
    }
    /// Number of the grid of conjugates: (−x, −y, −z) modulo the extents, where (x, y, z) is row-major number i.
    std::size_t mirrored(std::size_t i) const {
      const OfAxes strides = FftNd::contiguous(shape.extents).strides;
      std::int64_t rest = static_cast<std::int64_t>(i), mirror = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::int64_t at = rest / strides[axis];
        rest %= strides[axis];
        mirror += (at == 0 ? 0 : shape.extents[axis] - at) * strides[axis];
      }
      return static_cast<std::size_t>(mirror);
    }
    /// Row-major number of the whole grid, given that of its spectrum.
    std::size_t whole(std::size_t number) const {
      const auto stored = static_cast<std::size_t>(shape.in_extents()[2]);
      return number / stored * static_cast<std::size_t>(shape.extents[2]) + number % stored;
    }
    /// Numbers that are their own conjugates: what their imaginary parts are must not matter.
    void be_finite_where_not_looked_at() {
      for (std::int64_t grid = 0; grid < shape.batch && !in.values.empty(); ++grid) {
        for_numbers(shape.in, shape.in_extents(), grid, [&](std::size_t number, std::size_t element) {
          T& im = in.values[2 * element + 1];
          if (mirrored(whole(number)) == whole(number) && !std::isfinite(im)) im = 1;
        });
      }
    }

    /// A grid of all its n numbers, as a forward transform takes them.
    std::vector<Complex<Wide>> numbers_of_grid(std::int64_t grid, bool& finite) const {
      std::vector<Complex<Wide>> x(static_cast<std::size_t>(shape.scale()));
      for_numbers(shape.in, shape.in_extents(), grid, [&](std::size_t number, std::size_t element) {
        if (!shape.inverse) {
          x[number] = {in.values[element], 0};
          finite = finite && std::isfinite(in.values[element]);
          return;
        }
        const T re = in.values[2 * element], im = in.values[2 * element + 1];
        finite = finite && std::isfinite(re) && std::isfinite(im);
        x[whole(number)] = swapped(Complex<Wide>{re, im});
      });
      if (!shape.inverse) return x;
      const std::int64_t n = shape.extents[2], stored = shape.in_extents()[2];
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (static_cast<std::int64_t>(i) % n >= stored) x[i] = swapped(conjugate(swapped(x[mirrored(i)])));
      }
      return x;
    }
    Verdict check_grid(std::span<const T> got, std::int64_t grid, double depth) {
      bool finite = true;
      std::vector<Complex<Wide>> x = numbers_of_grid(grid, finite);
      if (!finite) return check_not_finite(got, grid);
      const auto& want = right.of(grid, [&] {
        transform_grid(x, shape.extents);
        return std::move(x);
      });
      SpectrumError<T> error;
      const auto factor = static_cast<Wide>(static_cast<T>(shape.factor));
      const std::int64_t n = shape.extents[2], stored = shape.out_extents()[2];
      for_numbers(shape.out, shape.out_extents(), grid, [&](std::size_t number, std::size_t element) {
        const auto i = static_cast<std::int64_t>(number);
        const auto where = static_cast<std::int64_t>(element) * shape.out_width();
        if (shape.inverse) return error.add(got[element], 0, {factor * want[number].im, 0}, where);
        const std::int64_t k = i % stored;
        error.add(got[2 * element], got[2 * element + 1],
                  factor * want[static_cast<std::size_t>(i / stored * n + k)], where,
                  k == 0 || 2 * k == n ? 1 : 2);
      });
      if (shape.inverse) {  // of planes that are no conjugates of themselves the other part is lost
        Wide norm = 0;
        for (const Complex<Wide>& result : want) norm += result.re * result.re + result.im * result.im;
        error.measure_by(factor * std::sqrt(norm));
      }
      Verdict verdict = error.verdict(depth, shape.scale(), factor, fmt::format("grid {}", grid));
      // What some libraries leave of the grids beside one with a NaN or an infinity.
      if (!verdict.correct && others_not_finite) verdict.digits_alone = true;
      return verdict;
    }
    /// A real number may be without its share of what is not finite: that of cosines alone, say.
    Verdict check_not_finite(std::span<const T> got, std::int64_t grid) const {
      std::int64_t finite = 0;
      for_numbers(shape.out, shape.out_extents(), grid, [&](std::size_t, std::size_t element) {
        finite += shape.inverse ? std::isfinite(got[element])
                                : std::isfinite(got[2 * element]) && std::isfinite(got[2 * element + 1]);
      });
      if (finite == 0 || (shape.inverse && finite < shape.scale())) return {};
      return Verdict::wrong(
          fmt::format("grid {}: {} results do not show a NaN or an infinity of the input", grid, finite));
    }
    /// In place a grid's memory is that of its spectrum.
    Verdict check_gaps(std::span<const T> got) const {
      std::vector<bool> written = parts(shape.out, shape.out_extents(), shape.out_width(), got.size());
      if (shape.in_place && shape.inverse) {
        const std::vector<bool> read = parts(shape.in, shape.in_extents(), 2, in.values.size());
        for (std::size_t i = 0; i < written.size(); ++i) written[i] = written[i] || read[i];
      }
      return check_between(got, shape.in_place ? std::span<const T>(in.values) : std::span<const T>(),
                           [&](std::size_t i) { return written[i]; });
    }
  };

  /// Past 2^32 numbers: forward, grids in row-major order without gaps.
  template <class C>
  struct Large : Operands {
    using T = typename C::T;
    TestShape shape;
    std::vector<T> grid, spectrum;
    LargeOperand<T> in, out;

    Large(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          grid(row_of_parts<T>(s.scale(), inputs.seed)),
          spectrum(spectrum_of(grid, s.extents)),
          in(*this, s.in_parts(), weighted_rows(grid)),
          out(*this, s.out_parts(), LargeOperand<T>::kNothing, weighted_rows(spectrum),
              allowed_of_rows(spectrum)) {}
    typename C::Args args() {
      return {in.data(), out.data(), shape.extents, shape.batch, shape.in, shape.out, false, T(1)};
    }
    Verdict check(double) { return {}; }

   private:
    static std::vector<T> spectrum_of(const std::vector<T>& grid, const OfAxes& extents) {
      std::vector<Complex<Wider<T>>> numbers, stored;
      for (const T x : grid) numbers.push_back({x, 0});
      transform_grid(numbers, extents);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (2 * (static_cast<std::int64_t>(i) % extents[2]) <= extents[2]) stored.push_back(numbers[i]);
      }
      return parts_of<T, Wider<T>>(stored);
    }
  };

  static Trial trial(TestShape shape, const Inputs& inputs, const std::string& lays = "") {
    shape.scaled = shape.factor != 1;
    std::string variant(RealFftNd::variants[shape.variant()]);
    if (shape.in_place) variant += " in place";
    const char* const kind = inputs.values == Values::nan        ? "nan"
                             : inputs.values == Values::infinity ? "infinity"
                                                                 : "";
    return {shape,
            inputs,
            shape.scale(),
            variant + lays,
            fmt::format("{}x{}", fmt::join(shape.extents, "x"), shape.batch),
            kind};
  }
  static TestShape shape_of(const OfAxes& extents, std::int64_t batch, bool inverse, Lay in = Lay::row_major,
                            Lay out = Lay::row_major) {
    TestShape shape{{extents, batch, {}, {}, inverse}};
    shape.in = layout(in, shape.in_extents(), batch);
    shape.out = layout(out, shape.out_extents(), batch);
    return shape;
  }
  /// Rows of real numbers begin where those of complex ones do; `lay`: one whose last axis has no stride.
  static TestShape shape_in_place(const OfAxes& extents, std::int64_t batch, bool inverse, Lay lay) {
    TestShape shape{{extents, batch, {}, {}, inverse, true}};
    const GridLayout complex = layout(lay, RealFftNd::spectrum(extents), batch);
    const GridLayout real{{2 * complex.strides[0], 2 * complex.strides[1], 1}, 2 * complex.distance};
    shape.in = inverse ? complex : real, shape.out = inverse ? real : complex;
    return shape;
  }
  static constexpr bool has_rows(Lay lay) {
    return lay == Lay::row_major || lay == Lay::padded || lay == Lay::far;
  }

  static Plan plan(Coverage coverage, std::uint64_t seed) {
    constexpr Values kValues[] = {Values::real, Values::ones,     Values::zeros,
                                  Values::nan,  Values::infinity, Values::denormal};
    enum { kCase, kGrid, kBatch, kDirection, kFactor, kInPlace, kIn, kOut, kValue, kOffset, kAxes };
    const std::vector<CaseId> ids = case_ids<Contract>();
    Plan plan;
    plan.trials.resize(ids.size());
    if (coverage == Coverage::huge) {  // past 2^31 and 2^32 numbers, and their spectra
      for (const std::int64_t batch : {(1 << 19) + 3, (1 << 20) + 3}) {
        plan.trials[0].push_back(trial(shape_of({1, 1 << 6, 1 << 6}, batch, false), {Values::real, seed, 0}));
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
    plan.axes.exclude(kInPlace, kIn,
                      [](int in_place, int in) { return in_place && !has_rows(static_cast<Lay>(in)); });
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
      const auto in = static_cast<Lay>(point[kIn]), out = static_cast<Lay>(point[kOut]);
      const std::int64_t batch = batches[point[kBatch]];
      const bool inverse = point[kDirection] == 1, in_place = point[kInPlace] == 1;
      TestShape shape = in_place ? shape_in_place(grid(point[kGrid]), batch, inverse, in)
                                 : shape_of(grid(point[kGrid]), batch, inverse, in, out);
      const auto n = static_cast<double>(shape.scale());
      const double factors[] = {1, 1 / n, 1 / std::sqrt(n)};
      shape.factor = factors[point[kFactor]];
      trials.push_back(
          trial(shape, {kValues[point[kValue]], seed + trials.size(), offset_in_elements(id, point[kOffset])},
                names_of(in, in_place ? in : out)));
      trials.back().point = point;
    };
    for (int c = 0; c < static_cast<int>(ids.size()); ++c) {
      for (int g = 0; g < static_cast<int>(grids.size()); ++g) {
        Point p(kAxes, -1);
        p[kCase] = c, p[kGrid] = g, p[kValue] = 0;
        for (const int direction : {0, 1}) {
          p[kDirection] = direction;
          add(p);
        }
      }
    }
    while (const auto open = covering.open()) add(*open);
    const auto both = [&](std::size_t c, const OfAxes& extents, std::int64_t batch, Lay lay) {
      for (const bool inverse : {false, true}) {
        plan.trials[c].push_back(
            trial(shape_of(extents, batch, inverse, lay, lay), {Values::real, seed, 0}, names_of(lay, lay)));
      }
    };
    if (coverage !=
        Coverage::brief) {  // more rows, lines and grids than a signed number of 16 bits counts; long axes
      both(0, {1, 1, 2}, 32'800, Lay::row_major);
      both(0, {1, 2, 2}, 32'800, Lay::row_major);
      both(0, {1, 3, 4096}, 1, Lay::row_major);
      both(1, {1, 2048, 2}, 1, Lay::row_major);
      both(1, {1, 3, 1009}, 1, Lay::interleaved);
      both(1, {1, 1009, 3}, 1, Lay::row_major);
    }
    for (std::size_t c = 0; c < ids.size() && full; ++c) {
      both(c, {1, 1, 1 << 20}, 2, Lay::row_major);
      both(c, {1, 1024, 1024}, 2, Lay::padded);
      both(c, {64, 64, 64}, 3, Lay::turned);
      both(c, {1, 1000, 1031}, 1, Lay::spread);
    }
    return plan;
  }

  static std::vector<Trial> benchmarks(CaseId, std::span<const std::int64_t> extents, std::uint64_t seed) {
    const OfAxes grid{extents[0], extents[1], extents[2]};
    TestShape back = shape_of(grid, extents[3], true);
    back.factor = 1 / static_cast<double>(back.scale());  // as usual
    const Inputs inputs{Values::real, seed, 0};
    return {trial(shape_of(grid, extents[3], false), inputs), trial(back, inputs)};
  }
  static std::vector<Trial> each_variant(std::span<const std::int64_t> extents, std::uint64_t seed) {
    std::vector<Trial> trials;
    for (const OfAxes& grid : usual_grids(extents[2])) {
      for (const bool inverse : {false, true}) {
        TestShape shape = shape_of(grid, extents[3], inverse);
        for (const double factor : {1.0, factor_that_keeps_norm(shape.scale())}) {
          shape.factor = factor;
          trials.push_back(trial(shape, {Values::real, seed, 0}));
        }
      }
    }
    return trials;
  }
  static std::vector<std::int64_t> extents_with(const Features& f) { return {1, 1, f[0], usual_batch(f[1])}; }

  /// One in eight in place, one in two in another layout. Factors keep the norm, of every call in place and of half the others.
  static Trial draw(CaseId, Draws& draws, std::int64_t elements) {
    const std::int64_t numbers = std::max<std::int64_t>(elements / 2, 1);
    const OfAxes extents = draw_grid(draws, numbers);
    const std::int64_t batch = draws.size(1, numbers / FftNd::points(extents));
    const auto lay = [&] { return draws.one_in(2) ? Lay::row_major : static_cast<Lay>(1 + draws.below(3)); };
    const Lay in = lay(), out = lay();
    const bool inverse = draws.one_in(2), in_place = draws.one_in(8) && has_rows(in);
    TestShape shape =
        in_place ? shape_in_place(extents, batch, inverse, in) : shape_of(extents, batch, inverse, in, out);
    shape.factor = in_place || draws.one_in(2) ? factor_that_keeps_norm(shape.scale()) : 1;
    const int offset = static_cast<int>(draws.below(2)) * 2;
    return trial(shape, {Values::real, draws.bits(), offset}, names_of(in, in_place ? in : out));
  }

  /// One read and one write of each number; half of a complex transform's operations, as is usual.
  static Work work(CaseId id, const TestShape& shape) {
    const double numbers = static_cast<double>(shape.scale()) * static_cast<double>(shape.batch);
    const double stored = static_cast<double>(FftNd::points(RealFftNd::spectrum(shape.extents))) *
                          static_cast<double>(shape.batch);
    return {(numbers + 2 * stored) * static_cast<double>(size_of(id.type)),
            2.5 * numbers * Fft::levels(shape.scale())};
  }
};

REGISTER_OPERATION(RealFftNdHarness)

}  // namespace
}  // namespace tandem

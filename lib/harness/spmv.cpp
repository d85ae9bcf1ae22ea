// spmv: what it is tested with, and what is right.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "lib/harness/column_input.h"
#include "lib/harness/operation.h"
#include "lib/harness/periodic_matrix.h"
#include "lib/harness/sparse_plan.h"
#include "lib/ops/spmv/tiles.h"

namespace tandem {
namespace {

struct SpmvHarness {
  using Contract = Spmv;
  struct TestShape : Spmv::Shape {
    Family family = Family::banded;
    std::int64_t length = 0;  // about the average
    bool kept = false;        // an analysis
    double alpha = 1, beta = 0;
    Type column_type = Type::i32;
  };
  static constexpr Bound bound = Bound::read;
  static constexpr Extent kExtents[] = {{"rows"}, {"length"}};
  static constexpr std::int64_t executor_size = 1 << 12;
  static std::vector<std::int64_t> bench_sizes() { return {1 << 16, 1 << 20, 1 << 24}; }
  /// n elements in rows of 16.
  static std::vector<std::int64_t> extents_of(std::int64_t n) {
    const std::int64_t length = std::min<std::int64_t>(n, 16);
    return {n / length, length};
  }

  static TestShape shape_of(Family family, std::int64_t rows, std::int64_t length) {
    require_host_memory(fmt::format("the offsets of {} rows", rows), 16.0 * static_cast<double>(rows));
    const MatrixSize size = matrix_size(family, rows, length);
    return {{rows, size.cols, size.elements, size.longest}, family, length};
  }

  /// What must not be read is NaN: elements of x in whose column nothing stands, y where β = 0, values and x where
  /// α = 0.
  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    TestShape shape;
    CsrArrays matrix;
    Array<PathPoint> tiles;
    Input<std::int64_t> offsets;
    ColumnInput columns;
    Input<T> values, x, y;
    Output<T> out;
    RowSums<T> sums;

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          matrix(matrix_of(s.family, s.rows, s.length)),
          tiles(ctx, s.kept ? tiles_of(matrix.offsets) : std::vector<PathPoint>{}),
          offsets(*this, matrix.offsets, inputs.offset % 8, "offsets"),
          columns(*this, matrix.columns, s.column_type, inputs.offset),
          values(*this, columns.size(), inputs.offset, "values"),
          x(*this, matrix.cols, inputs.offset, "x"),
          y(*this, s.rows, inputs.offset),
          out(*this, s.rows, inputs.offset, &y),
          sums(s.alpha, s.beta, inputs.values, C::id) {
      fill_or_forget(values, s.alpha != 0, inputs);
      fill_or_forget(x, s.alpha != 0, {inputs.values, inputs.seed + 1});
      fill_or_forget(y, s.beta != 0, {inputs.values, inputs.seed + 2});
      forget_unnamed(x, matrix.columns);
      for (std::size_t row = 0; row < static_cast<std::size_t>(s.rows); ++row) {
        const auto begin = static_cast<std::size_t>(matrix.offsets[row]),
                   count = static_cast<std::size_t>(matrix.offsets[row + 1]) - begin;
        sums.add(std::span(values.values).subspan(begin, count),
                 std::span(matrix.columns).subspan(begin, count), x.values, y.values[row]);
      }
      out.want = sums.want;
    }
    typename C::Args args() {
      return C::args(shape, offsets.data(), columns.data(), values.data(), x.data(), y.data(),
                     static_cast<T>(shape.alpha), static_cast<T>(shape.beta),
                     shape.kept ? tiles.data() : nullptr);
    }
    Verdict check(double depth) {
      out.bounds = sums.bounds(depth);
      return {};
    }
  };

  template <class C>
  struct Large : Operands {
    using T = typename C::T;
    TestShape shape;
    LargeOperand<std::int64_t> offsets;
    LargeOperand<std::int32_t> columns;
    LargeOperand<T> values, x, y;

    Large(Context& ctx, const TestShape& s, const Inputs&)
        : Operands(ctx),
          shape(s),
          offsets(*this, s.rows + 1, periodic_offsets(s.length)),
          columns(*this, s.elements, periodic_columns()),
          values(*this, s.elements, periodic_values<T>()),
          x(*this, kColumnPeriod, {periodic_factors<T>()}),
          y(*this, s.rows, LargeOperand<T>::kNothing, {periodic_sums<T>(s.length)}) {}
    typename C::Args args() {
      return C::args(shape, offsets.data(), columns.data(), values.data(), x.data(), y.data(), 1, 0, nullptr);
    }
    Verdict check(double) { return {}; }
  };

  static Trial trial(const TestShape& shape, const Inputs& inputs) {
    std::string variant = kFamilies[static_cast<int>(shape.family)];
    if (shape.kept) variant += " kept";
    if (shape.alpha != 1 || shape.beta != 0)
      variant += fmt::format(" alpha={} beta={}", shape.alpha, shape.beta);
    variant += column_type_text(shape.column_type);
    return {shape,
            inputs,
            shape.scale(),
            variant,
            fmt::format("{}x{}", shape.rows, shape.length),
            inputs.values == Values::denormal ? "denormal" : ""};
  }

  static Plan plan(Coverage coverage, std::uint64_t seed) {
    const std::vector<CaseId> ids = case_ids<Contract>();
    if (coverage == Coverage::huge) {
      Plan plan;
      plan.trials.resize(ids.size());
      // Past 2^32 bytes of values and, of floats, past 2^31 and 2^32 elements: many short rows, some long ones, and a single
      // one where a sum of it is exact.
      for (std::size_t c = 0; c < ids.size(); ++c) {
        const bool wide = ids[c].type == Type::f64;
        for (const int bits : wide ? std::vector{29} : std::vector{31, 32}) {
          const std::int64_t n = (std::int64_t{1} << bits) + 5;
          for (const std::int64_t length : {std::int64_t{4}, std::int64_t{100}, wide ? n : 1000}) {
            const std::int64_t rows = (n - 1) / length + 1;
            TestShape shape{{rows, kColumnPeriod, rows * length, length}, Family::periodic, length};
            plan.trials[c].push_back(trial(shape, {Values::exact, seed, 0}));
            plan.trials[c].back().inputs.closed_form = true;
          }
        }
      }
      return plan;
    }
    Plan plan = sparse_plan(coverage, seed, ids, {{"kept", {"no", "yes"}}, {"columns", column_type_names()}},
                            [](const SparseTrial& t) {
                              TestShape shape = shape_of(t.family, t.rows, t.length);
                              shape.kept = t.own[0] == 1, shape.column_type = kColumnTypes[t.own[1]];
                              shape.alpha = t.alpha, shape.beta = t.beta;
                              return trial(shape, t.inputs);
                            });
    if (coverage == Coverage::brief) return plan;
    // More elements than a block and a wave of blocks take, and than threads of the CPU share; one type will do.
    const auto more = [&](Family family, std::int64_t count, std::int64_t length) {
      const Values values = plan.trials[0].size() % 2 ? Values::exact : Values::real;
      TestShape shape = shape_of(family, count, length);
      shape.kept = plan.trials[0].size() / 2 % 2,
      shape.column_type = kColumnTypes[plan.trials[0].size() / 4 % 2];
      shape.beta = 0.5;
      plan.trials[0].push_back(trial(shape, {values, seed, 1}));
    };
    for (int family = 0; family < static_cast<int>(std::size(kFamilies)); ++family) {
      more(static_cast<Family>(family), 40'009, 5), more(static_cast<Family>(family), 1009, 67);
      if (coverage == Coverage::full)
        more(static_cast<Family>(family), 200'003, 7), more(static_cast<Family>(family), 20'011, 40);
    }
    more(Family::dense_row, 200'003, 1), more(Family::wide, 3, 100'003), more(Family::empty, 200'003, 1);
    return plan;
  }

  static std::vector<Trial> benchmarks(CaseId, std::span<const std::int64_t> extents, std::uint64_t seed) {
    std::vector<Trial> trials;
    if (!is_measured(extents[0], extents[1])) return trials;
    for (const Family family :
         {Family::stencil, Family::banded, Family::rmat, Family::dense_row, Family::mostly_empty})
      trials.push_back(trial(shape_of(family, extents[0], extents[1]), {Values::exact, seed, 0}));
    return trials;
  }

  static Trial draw(CaseId id, Draws& draws, std::int64_t elements) {
    const std::int64_t length = draws.size(1, elements), rows = draws.size(1, elements / length);
    const auto family = static_cast<Family>(draws.below(static_cast<std::int64_t>(std::size(kFamilies))));
    TestShape shape = shape_of(family, rows, length);
    shape.kept = draws.one_in(4), shape.column_type = kColumnTypes[draws.one_in(4)];
    if (draws.one_in(4)) shape.alpha = 0.5, shape.beta = 1;
    return trial(shape, {Values::exact, draws.bits(), draw_offset(id, draws)});
  }

  static std::vector<Trial> usual_and_hard(CaseId, const Features& f, std::uint64_t seed) {
    std::vector<Trial> trials;
    const auto [length, rows, none] = f;
    if (!is_measured(rows, length)) return trials;
    for (const Family family : usual_and_hard_families(rows, length))
      trials.push_back(trial(shape_of(family, rows, length), {Values::exact, seed, 0}));
    return trials;
  }

  static double memory(CaseId id, const TestShape& shape) {
    const auto size = static_cast<double>(size_of(id.type));
    return 3 *
           (static_cast<double>(shape.elements) * (size + static_cast<double>(size_of(shape.column_type))) +
            static_cast<double>(shape.rows + shape.cols) * (size + 8));
  }

  /// Every element, its column number, offset and element of x is read, every result written, and read where β is not 0.
  static Work work(CaseId id, const TestShape& shape) {
    const auto elements = static_cast<double>(shape.elements), rows = static_cast<double>(shape.rows),
               size = static_cast<double>(size_of(id.type));
    return {elements * (size + static_cast<double>(size_of(shape.column_type))) +
                rows * (8 + size * (shape.beta == 0 ? 1 : 2)) + static_cast<double>(shape.cols) * size,
            2 * elements};
  }
};

REGISTER_OPERATION(SpmvHarness)

}  // namespace
}  // namespace tandem

// transpose: what it is tested with, and what is right.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "lib/harness/operation.h"
#include "lib/ops/transpose/contract.h"

namespace tandem {
namespace {

struct TransposeHarness {
  using Contract = Transpose;
  using TestShape = Transpose::Shape;
  static constexpr Bound bound = Bound::copy;
  static constexpr Extent kExtents[] = {{"rows"}, {"cols"}};
  static constexpr std::int64_t executor_size = 128;
  static std::vector<std::int64_t> bench_sizes() { return {512, 1024, 4096, 8192}; }
  static std::vector<std::int64_t> extents_of(std::int64_t n) { return {n, n}; }

  /// Gaps between lines count as part of both buffers, so that a stray write there shows.
  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    TestShape shape;
    std::int64_t ld_in, ld_out;
    Input<T> in;
    Output<T> out;
    std::vector<T> want;

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          ld_in(s.cols + s.in_gap),
          ld_out(s.in_place ? ld_in : s.rows + s.out_gap),
          in(*this, s.rows * ld_in, inputs.offset),
          out(*this, s.cols * ld_out, inputs.offset, s.in_place ? &in : nullptr) {
      fill(std::span<T>(in.values), OperatorId::plus, inputs);
      want = in.values;
      if (!s.in_place) {
        want.resize(static_cast<std::size_t>(s.cols * ld_out));
        if (!want.empty()) std::memset(static_cast<void*>(want.data()), 0xFF, want.size() * sizeof(T));
      }
      for (std::int64_t i = 0; i < s.rows; ++i) {
        for (std::int64_t j = 0; j < s.cols; ++j)
          want[static_cast<std::size_t>(j * ld_out + i)] = in.values[static_cast<std::size_t>(i * ld_in + j)];
      }
    }
    typename C::Args args() { return {in.data(), shape.rows, shape.cols, ld_in, out.data(), ld_out}; }
    Verdict check(double) { return compare<T>(out.contents(), want, {}, Same::bits); }
  };

  /// Without gaps. The numbers of row and column have different factors, so that they are not exchanged by
  /// chance.
  template <class C>
  struct Large : Operands {
    using T = typename C::T;
    TestShape shape;
    ClosedForm<T> before, after;
    std::optional<LargeOperand<T>> in, out;

    Large(Context& ctx, const TestShape& s, const Inputs&) : Operands(ctx), shape(s) {
      before.first = after.first = small_numbers<T>(251);
      before.a = after.b = 1, before.b = after.a = 7;
      before.ld = s.cols, after.ld = s.rows;
      const std::int64_t size = s.rows * s.cols;
      if (!s.in_place) in.emplace(*this, size, before);
      out.emplace(*this, size, s.in_place ? &before : nullptr, after);
    }
    typename C::Args args() {
      return {in ? in->data() : out->data(), shape.rows, shape.cols, shape.cols, out->data(), shape.rows};
    }
    Verdict check(double) { return {}; }
  };

  static Trial trial(const TestShape& shape, const Inputs& inputs) {
    std::string variant = shape.in_place ? "in place" : "";
    if (shape.in_gap + shape.out_gap > 0) {
      variant += fmt::format("{}gaps {} {}", variant.empty() ? "" : " ", shape.in_gap, shape.out_gap);
    }
    return {shape,
            inputs,
            shape.scale(),
            variant,
            fmt::format("{}x{}", shape.rows, shape.cols),
            inputs.values == Values::bits || inputs.values == Values::nan ? "payloads" : ""};
  }

  static Plan plan(Coverage coverage, std::uint64_t seed) {
    constexpr std::int64_t kGaps[] = {0, 1, 4, 17, 64, 100};
    enum { kCase, kRows, kCols, kInPlace, kInGap, kOutGap, kValues, kOffset, kAxes };
    const std::vector<CaseId> ids = case_ids<Contract>();
    Plan plan;
    plan.trials.resize(ids.size());
    if (coverage == Coverage::huge) {
      for (std::size_t c = 0; c < ids.size(); ++c) {
        if (size_of(ids[c].type) < 4) continue;
        // Past 2^31 and 2^32 elements, or past 2^32 bytes.
        std::vector<TestShape> shapes{{46349, 46351}, {65539, 65537}, {65539, 65539, true}};
        if (size_of(ids[c].type) == 8) shapes = {{23173, 23171}, {23173, 23173, true}};
        for (const TestShape& shape : shapes) {
          plan.trials[c].push_back(trial(shape, {Values::exact, seed, 0}));
          plan.trials[c].back().inputs.closed_form = true;
        }
      }
      return plan;
    }
    // Around the edges of tiles of 32, 64 and 128, against each other and against thin matrices; more than
    // one thread takes on the CPU; more than 4,096.
    std::vector<std::int64_t> edges{0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,  12,  13,  14,  15,
                                    16, 17, 18, 19, 20, 31, 32, 33, 63, 64, 65, 127, 128, 129, 600, 4099};
    if (coverage == Coverage::brief) edges = {1, 33, 128};
    const auto square = static_cast<int>(edges.size());  // the last value of the axis of columns
    const auto edge = [&](int i) { return edges[static_cast<std::size_t>(i)]; };
    std::vector<std::string> edge_names, gaps;
    for (const std::int64_t n : edges) edge_names.push_back(std::to_string(n));
    for (const std::int64_t gap : kGaps) gaps.push_back(std::to_string(gap));
    plan.axes.add("case", names(ids));
    plan.axes.add("rows", edge_names);
    edge_names.emplace_back("as rows");
    plan.axes.add("cols", edge_names);
    plan.axes.add("in place", {"no", "yes"});
    plan.axes.add("gap of in", gaps);
    plan.axes.add("gap of out", gaps);
    plan.axes.add("values", value_names(kMovedValuesCount));
    plan.axes.add("offset", offset_names());
    plan.axes.exclude(kRows, kCols, [&](int r, int c) {
      const std::int64_t cols = c == square ? edge(r) : edge(c);
      return std::max(edge(r), cols) > 129 && std::min(edge(r), cols) > 129 && edge(r) * cols != 600 * 600;
    });
    plan.axes.exclude(kCols, kInPlace, [&](int c, int in_place) { return in_place && c != square; });
    plan.axes.exclude(kInPlace, kOutGap, [&](int in_place, int gap) { return in_place && gap != 0; });
    plan.axes.exclude(kCase, kOffset,
                      [&](int c, int o) { return !aligned(ids[static_cast<std::size_t>(c)], o); });

    plan.axes.close();
    Covering covering(plan.axes, seed);
    const auto add = [&](const Point& given) {
      const Point point = covering.next(given);
      if (point.empty()) return;
      auto& trials = plan.trials[static_cast<std::size_t>(point[kCase])];
      const std::int64_t rows = edge(point[kRows]);
      trials.push_back(
          trial({rows, point[kCols] == square ? rows : edge(point[kCols]), point[kInPlace] == 1,
                 kGaps[point[kInGap]], kGaps[point[kOutGap]]},
                {static_cast<Values>(point[kValues]), seed + trials.size(),
                 offset_in_elements(ids[static_cast<std::size_t>(point[kCase])], point[kOffset])}));
      trials.back().point = point;
    };
    const auto each = [](int count, auto f) {
      for (int i = 0; i < count; ++i) f(i);
    };
    const bool full = coverage == Coverage::full;
    each(square, [&](int rows) {
      each(static_cast<int>(ids.size()), [&](int c) {
        add({c, rows, square, 1, -1, -1, -1, -1});
        if (full) each(square + 1, [&](int cols) { add({c, rows, cols, 0, -1, -1, -1, -1}); });
      });
      each(square + 1, [&](int cols) { add({-1, rows, cols, 0, -1, -1, -1, -1}); });
    });
    while (const auto open = covering.open()) add(*open);
    if (coverage != Coverage::brief) {
      // More rows, more columns than a signed number of 16 bits counts, and outputs that are too large for a cache, of
      // whole cache lines and of others; one type will do.
      const auto one = [&](Type type, std::int64_t rows, std::int64_t cols) {
        const auto c = std::ranges::find(ids, type, &CaseId::type) - ids.begin();
        plan.trials[static_cast<std::size_t>(c)].push_back(trial({rows, cols}, {Values::bits, seed, 0}));
      };
      one(Type::f32, 32'800, 20), one(Type::f32, 20, 32'800);
      one(Type::f64, 528, 1'000), one(Type::f64, 1'031, 520);
      // Lines that begin at multiples of 16 bytes and end between, which paths that move packs take as they are.
      const auto gap = [](std::int64_t line) { return 16 - line % 16; };
      for (auto& trials : plan.trials) {
        for (const std::int64_t n : {1, 3, 7, 9, 33, 68, 130}) {
          const std::int64_t rows = 2 * n + 1;
          trials.push_back(
              trial({rows, n, false, gap(n), gap(rows)}, {Values::bits, seed + trials.size(), 0}));
        }
      }
    }
    if (full) {
      for (auto& trials : plan.trials) {
        const auto large = [&](std::int64_t rows, std::int64_t cols, bool in_place = false) {
          trials.push_back(trial({rows, cols, in_place}, {Values::bits, seed + trials.size(), 0}));
        };
        large(2'097'153, 3), large(3, 2'097'153);  // more than 65,535 tiles of 32 on one side
        for (const std::int64_t n : {190, 191, 1000, 1023, 1024, 1025, 2048, 3001})
          large(n, n, true), large(n, n), large(n, 997), large(2 * n, n + 5);
      }
    }
    return plan;
  }

  static std::vector<Trial> benchmarks(CaseId, std::span<const std::int64_t> extents, std::uint64_t seed) {
    std::vector<Trial> trials{trial({extents[0], extents[1]}, {Values::real, seed, 0})};
    if (extents[0] == extents[1]) {
      trials.push_back(trial({extents[0], extents[1], true}, {Values::real, seed, 0}));
    }
    return trials;
  }

  /// Any sides up to four times those of the largest square; one in eight in place, every second one with
  /// gaps.
  static Trial draw(CaseId id, Draws& draws, std::int64_t elements) {
    const std::int64_t side = 4 * static_cast<std::int64_t>(std::sqrt(static_cast<double>(elements)));
    TestShape shape{draws.size(1, std::min(side, elements)), 0};
    shape.cols = draws.size(1, std::min(side, elements / shape.rows));
    shape.in_place = draws.one_in(8);
    if (shape.in_place) shape.rows = shape.cols = std::min(shape.rows, shape.cols);
    if (draws.one_in(2)) shape.in_gap = draws.below(65);
    if (draws.one_in(2) && !shape.in_place) shape.out_gap = draws.below(65);
    return trial(shape, {Values::real, draws.bits(), draw_offset(id, draws)});
  }

  /// Wide.
  static std::vector<std::int64_t> extents_with(const Features& f) {
    const auto [side, shorter, none] = f;
    if (shorter > side) return {};
    return {shorter, side * side / shorter};
  }

  static Work work(CaseId id, const TestShape& shape) {
    const double elements = static_cast<double>(shape.rows) * static_cast<double>(shape.cols);
    return {2 * elements * static_cast<double>(size_of(id.type)), elements};
  }
};

REGISTER_OPERATION(TransposeHarness)

}  // namespace
}  // namespace tandem

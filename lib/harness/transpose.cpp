// transpose: what it is tested with, and what is right.

#include <fmt/format.h>

#include <cstring>

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
    // float and double as such, because libraries multiply them by one, which may change the payload of a
    // NaN; other types as whole numbers, bit for bit.
    using Compared = std::conditional_t<std::is_floating_point_v<T>, T,
                                        std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>>;
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
    Verdict check(double) { return compare<Compared>(compared(out.download()), compared(want)); }

   private:
    static std::vector<Compared> compared(const std::vector<T>& values) {
      std::vector<Compared> all(values.size());
      for (std::size_t i = 0; i < all.size(); ++i) std::memcpy(&all[i], &values[i], sizeof(T));
      return all;
    }
  };

  static Trial trial(const TestShape& shape, const Inputs& inputs) {
    std::string variant = shape.in_place ? "in place" : "";
    if (shape.in_gap + shape.out_gap > 0) {
      variant += fmt::format("{}gaps {} {}", variant.empty() ? "" : " ", shape.in_gap, shape.out_gap);
    }
    return {shape, inputs, shape.scale(), variant, fmt::format("{}x{}", shape.rows, shape.cols)};
  }

  static std::vector<Trial> tests(CaseId id, Coverage coverage, std::uint64_t seed) {
    constexpr std::int64_t kGaps[] = {0, 1, 4, 0, 17};
    std::vector<Trial> trials;
    std::uint64_t turn = random_bits(seed, static_cast<std::uint64_t>(id.type));
    const auto add = [&](std::int64_t rows, std::int64_t cols, bool in_place) {
      TestShape shape{rows, cols, in_place, kGaps[turn % 5], in_place ? 0 : kGaps[turn / 5 % 5]};
      trials.push_back(trial(
          shape, {static_cast<Values>(turn % kValuesCount), seed + trials.size(), kOffsets[turn / 25 % 5]}));
      turn += 7;
    };
    if (coverage == Coverage::huge) {  // beyond 2^31 elements
      trials.push_back(trial({46349, 46351}, {Values::real, seed, 0}));
      return trials;
    }
    // Around the edges of tiles of 32, 64 and 128, against each other and against thin matrices.
    std::vector<std::int64_t> edges{1, 2, 3, 8, 31, 32, 33, 63, 64, 65, 127, 128, 129};
    if (coverage == Coverage::brief) edges = {1, 33, 128};
    for (const std::int64_t rows : edges) {
      for (const std::int64_t cols : edges) {
        if (coverage == Coverage::quick && (rows * 5 + cols) % 3 != static_cast<std::int64_t>(turn % 3))
          continue;
        add(rows, cols, false);
      }
      add(rows, rows, true);
    }
    if (coverage == Coverage::brief) return trials;
    add(0, 5, false), add(5, 0, false), add(0, 0, true), add(1, 1000, false), add(777, 3, false);
    add(190, 190, true), add(191, 191, true);
    for (std::int64_t n = 4; n <= 20; ++n) add(n, 21 - n % 7, false), add(n, n, true);
    if (coverage == Coverage::full) {
      add(2'097'153, 3, false), add(3, 2'097'153, false);  // more than 65,535 tiles of 32 on one side
      for (const std::int64_t n : {1000, 1023, 1024, 1025, 2048, 3001}) {
        add(n, n, true), add(n, n, false), add(n, 997, false), add(2 * n, n + 5, false);
      }
    }
    return trials;
  }

  static std::vector<Trial> benchmarks(CaseId, std::span<const std::int64_t> extents, std::uint64_t seed) {
    std::vector<Trial> trials{trial({extents[0], extents[1]}, {Values::real, seed, 0})};
    if (extents[0] == extents[1]) {
      trials.push_back(trial({extents[0], extents[1], true}, {Values::real, seed, 0}));
    }
    return trials;
  }

  static Work work(CaseId id, const TestShape& shape) {
    const double elements = static_cast<double>(shape.rows) * static_cast<double>(shape.cols);
    return {2 * elements * static_cast<double>(size_of(id.type)), elements};
  }
};

REGISTER_OPERATION(TransposeHarness)

}  // namespace
}  // namespace tandem

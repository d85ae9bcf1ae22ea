#include "lib/ops/transpose/contract.h"

#include <fmt/format.h>

#include <cstring>

#include "lib/harness/guarded.h"

namespace tandem {
namespace {

/// Input, poisoned output and the reference of one transposition. Gaps between lines count as part of both
/// buffers, so that a stray write there shows.
template <class C>
class TransposeData {
  using T = typename C::T;
  // float and double as such, because libraries multiply them by one, which may change the payload of a NaN;
  // other types as whole numbers, bit for bit.
  using Compared = std::conditional_t<std::is_floating_point_v<T>, T,
                                      std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>>;

 public:
  TransposeData(Context& ctx, const Transpose::Shape& shape, const Inputs& inputs)
      : shape_(shape),
        ld_in_(shape.cols + shape.in_gap),
        ld_out_(shape.in_place ? ld_in_ : shape.rows + shape.out_gap),
        host_(static_cast<std::size_t>(shape.rows * ld_in_)),
        in_(ctx, shape.rows * ld_in_, inputs.offset),
        out_(ctx, shape.in_place ? 0 : shape.cols * ld_out_, inputs.offset) {
    fill(std::span<T>(host_), OperatorId::plus, inputs);
    want_ = host_;
    if (!shape.in_place) {
      want_.resize(static_cast<std::size_t>(shape.cols * ld_out_));
      if (!want_.empty()) std::memset(static_cast<void*>(want_.data()), 0xFF, want_.size() * sizeof(T));
    }
    for (std::int64_t i = 0; i < shape.rows; ++i) {
      for (std::int64_t j = 0; j < shape.cols; ++j)
        want_[static_cast<std::size_t>(j * ld_out_ + i)] = host_[static_cast<std::size_t>(i * ld_in_ + j)];
    }
  }

  typename C::Args args() { return {in_.data(), shape_.rows, shape_.cols, ld_in_, output().data(), ld_out_}; }
  void reset() {
    in_.upload(host_);
    out_.poison();  // empty in place, but its guard zones are checked too
  }

  Verdict check(double) {
    Verdict verdict = compare<Compared>(compared(output().download()), compared(want_));
    for (const std::string& damage : {in_.damage(), out_.damage()}) {
      if (!damage.empty()) verdict.include(Verdict::wrong(damage));
    }
    if (!shape_.in_place && !host_.empty()) {
      const std::vector<T> now = in_.download();
      if (std::memcmp(now.data(), host_.data(), host_.size() * sizeof(T)) != 0)
        verdict.include(Verdict::wrong("changed its input"));
    }
    return verdict;
  }

 private:
  GuardedBuffer<T>& output() { return shape_.in_place ? in_ : out_; }
  static std::vector<Compared> compared(const std::vector<T>& values) {
    std::vector<Compared> all(values.size());
    for (std::size_t i = 0; i < all.size(); ++i) std::memcpy(&all[i], &values[i], sizeof(T));
    return all;
  }

  Transpose::Shape shape_;
  std::int64_t ld_in_, ld_out_;
  std::vector<T> host_, want_;
  GuardedBuffer<T> in_, out_;
};

Trial trial(const Transpose::Shape& shape, const Inputs& inputs) {
  std::string variant = shape.in_place ? "in place" : "";
  if (shape.in_gap + shape.out_gap > 0) {
    variant += fmt::format("{}gaps {} {}", variant.empty() ? "" : " ", shape.in_gap, shape.out_gap);
  }
  return {shape, inputs, shape.scale(), variant, fmt::format("{}x{}", shape.rows, shape.cols)};
}

}  // namespace

std::vector<Trial> Transpose::tests(CaseId id, Extent extent, std::uint64_t seed) {
  constexpr int kOffsets[] = {0, 1, 3, 4, 7};
  constexpr std::int64_t kGaps[] = {0, 1, 4, 0, 17};
  std::vector<Trial> trials;
  std::uint64_t turn = random_bits(seed, static_cast<std::uint64_t>(id.type));
  const auto add = [&](std::int64_t rows, std::int64_t cols, bool in_place) {
    Shape shape{rows, cols, in_place, kGaps[turn % 5], in_place ? 0 : kGaps[turn / 5 % 5]};
    trials.push_back(trial(
        shape, {static_cast<Values>(turn % kValuesCount), seed + trials.size(), kOffsets[turn / 25 % 5]}));
    turn += 7;
  };
  if (extent == Extent::huge) {  // beyond 2^31 elements
    trials.push_back(trial({46349, 46351}, {Values::real, seed, 0}));
    return trials;
  }
  // Around the edges of tiles of 32, 64 and 128, against each other and against thin matrices.
  std::vector<std::int64_t> edges{1, 2, 3, 8, 31, 32, 33, 63, 64, 65, 127, 128, 129};
  if (extent == Extent::brief) edges = {1, 33, 128};
  for (const std::int64_t rows : edges) {
    for (const std::int64_t cols : edges) {
      if (extent == Extent::quick && (rows * 5 + cols) % 3 != static_cast<std::int64_t>(turn % 3)) continue;
      add(rows, cols, false);
    }
    add(rows, rows, true);
  }
  if (extent == Extent::brief) return trials;
  add(0, 5, false), add(5, 0, false), add(0, 0, true), add(1, 1000, false), add(777, 3, false);
  add(190, 190, true), add(191, 191, true);
  for (std::int64_t n = 4; n <= 20; ++n) add(n, 21 - n % 7, false), add(n, n, true);
  if (extent == Extent::full) {
    add(2'097'153, 3, false), add(3, 2'097'153, false);  // more than 65,535 tiles of 32 on one side
    for (const std::int64_t n : {1000, 1023, 1024, 1025, 2048, 3001}) {
      add(n, n, true), add(n, n, false), add(n, 997, false), add(2 * n, n + 5, false);
    }
  }
  return trials;
}

std::vector<Trial> Transpose::benchmarks(CaseId, std::span<const std::int64_t> extents, std::uint64_t seed) {
  std::vector<Trial> trials{trial({extents[0], extents[1]}, {Values::real, seed, 0})};
  if (extents[0] == extents[1]) {
    trials.push_back(trial({extents[0], extents[1], true}, {Values::real, seed, 0}));
  }
  return trials;
}

Work Transpose::work(CaseId id, const Shape& shape) {
  const double elements = static_cast<double>(shape.rows) * static_cast<double>(shape.cols);
  return {2 * elements * static_cast<double>(size_of(id.type)), elements};
}

REGISTER_OPERATION(Transpose, TransposeData)

namespace detail {
void require_transposed(const MatrixView<const std::byte>& in, const MatrixView<const std::byte>& out) {
  for (const auto& [what, value, of, wanted] :
       {std::tuple{"rows", out.rows, "cols", in.cols}, {"cols", out.cols, "rows", in.rows}}) {
    if (value != wanted) {
      throw InvalidArgument(fmt::format("transpose: {} of 'out' is {}; it must be {}, the {} of 'in'", what,
                                        value, wanted, of));
    }
  }
  if (in.layout != out.layout) {
    throw InvalidArgument(fmt::format("transpose: layout of 'out' is {}; it must be {}, the layout of 'in'",
                                      name(out.layout), name(in.layout)));
  }
}
}  // namespace detail

}  // namespace tandem

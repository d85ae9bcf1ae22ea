#include "tandem/segmented_reduce.h"

#include <fmt/format.h>

#include <vector>

#include "lib/core/call.h"
#include "lib/ops/segmented_reduce/contract.h"
#include "lib/ops/segmented_reduce/segments.h"

namespace tandem {

namespace {
constexpr const char* kSegments = "Segments";  // not an operation: several take them

void require_one_offset(std::int64_t size) {
  if (size < 1) {
    throw InvalidArgument(
        fmt::format("{}: size of 'offsets' is {}; it must be at least 1, one more than there are segments",
                    kSegments, size));
  }
}
}  // namespace

Segments::Segments(Context& ctx, View<const std::int64_t> offsets) : Segments(0, nullptr, 0, 0) {
  public_call(ctx, [&] {
    require_one_offset(offsets.size);
    if (!offsets.data)
      throw InvalidArgument(
          fmt::format("{}: 'offsets' is null, but its size is {}", kSegments, offsets.size));
    std::vector<std::int64_t> all(static_cast<std::size_t>(offsets.size));
    ctx.copy(all.data(), offsets.data, all.size() * sizeof all[0]);
    ctx.synchronize();
    if (all[0] < 0)
      throw InvalidArgument(fmt::format("{}: offset 0 is {}; it must be at least 0", kSegments, all[0]));
    for (std::size_t i = 1; i < all.size(); ++i) {
      if (all[i] < all[i - 1]) {
        throw InvalidArgument(fmt::format("{}: offset {} is {}; it must be at least {}, which is offset {}",
                                          kSegments, i, all[i], all[i - 1], i - 1));
      }
      longest_ = std::max(longest_, all[i] - all[i - 1]);
    }
    count_ = offsets.size - 1;
    end_ = all.back();
    memory_.emplace(ctx, all);
    offsets_ = memory_->data();
  });
}

Segments Segments::equal(std::int64_t count, std::int64_t length) {
  for (const auto& [what, value] : {std::pair{"count", count}, {"length", length}}) {
    if (value < 0)
      throw InvalidArgument(
          fmt::format("{}: {} of equal segments is {}; it must be at least 0", kSegments, what, value));
  }
  std::int64_t end;
  if (__builtin_mul_overflow(count, length, &end)) {
    throw InvalidArgument(fmt::format(
        "{}: {} segments of {} elements; together they must be at most 2^63 - 1", kSegments, count, length));
  }
  return {count, nullptr, length, end};
}

Segments Segments::unchecked(View<const std::int64_t> offsets) {
  require_one_offset(offsets.size);
  return {offsets.size - 1, offsets.data, -1, -1};
}

namespace detail {
namespace {

constexpr const char* kName = SegmentedReduce::name;
using Form = SegmentedReduce::Form;

/// All that holds whatever the operator is, but for what `in` and `out` share.
void check_segments(Context& ctx, const AnyArray& in, const Segments& segments, const AnyArray& out) {
  require::array(ctx, kName, "in", in.data, in.size, in.element_bytes, in.alignment);
  require::array(ctx, kName, "out", out.data, out.size, out.element_bytes, out.alignment);
  require_segments_inside(kName, segments, in.size);
  if (out.size != segments.count()) {
    throw InvalidArgument(fmt::format("{}: size of 'out' is {}; it must be {}, one for each segment", kName,
                                      out.size, segments.count()));
  }
  require_offsets(ctx, kName, segments, out);
}

constexpr const char* kAxis = "reduce_axis";

/// The same of reduce_axis.
void check_axis(Context& ctx, const MatrixView<const std::byte>& in, std::size_t element_bytes,
                std::size_t alignment, int axis, const AnyArray& out) {
  require::matrix(ctx, kAxis, "in", in, element_bytes, alignment);
  require::array(ctx, kAxis, "out", out.data, out.size, out.element_bytes, out.alignment);
  if (axis != 0 && axis != 1)
    throw InvalidArgument(fmt::format("{}: axis is {}; it must be 0 or 1", kAxis, axis));
  const std::int64_t results = axis == 0 ? in.cols : in.rows;
  if (out.size != results) {
    throw InvalidArgument(fmt::format("{}: size of 'out' is {}; it must be {}, the {} of 'in'", kAxis,
                                      out.size, results, axis == 0 ? "cols" : "rows"));
  }
}

/// Bytes of an element and of a result.
struct Sizes {
  std::size_t in, out;
};
Sizes sizes_of(CaseId id) {
  Sizes sizes{};
  for_case<SegmentedReduce>(id, [&]<class C>() { sizes = {sizeof(typename C::T), sizeof(typename C::Acc)}; });
  return sizes;
}

/// `in` and `out` are checked, but for what they share.
void run(Context& ctx, CaseId id, const void* in, std::int64_t in_size,
         const SegmentedReduce::Layout& segments, const SegmentedReduce::Shape& shape, Memory out,
         const Options& options) {
  for_case<SegmentedReduce>(id, [&]<class C>() {
    using T = typename C::T;
    using Acc = typename C::Acc;
    const std::size_t out_bytes = static_cast<std::size_t>(out.size) * sizeof(Acc);
    require::overlap(kName, in, static_cast<std::size_t>(in_size) * sizeof(T), out.data, out_bytes, false);
    call<SegmentedReduce, C>(
        ctx, {static_cast<const T*>(in), segments, shape.elements, static_cast<Acc*>(out.data)}, shape,
        options);
  });
}

}  // namespace

void check_own_segments(Context& ctx, const AnyArray& in, const Segments& segments, const AnyArray& out) {
  check_segments(ctx, in, segments, out);
  require::overlap(kName, in.data, in.bytes(), out.data, out.bytes(), false);
}

void check_own_axis(Context& ctx, const MatrixView<const std::byte>& in, std::size_t element_bytes,
                    std::size_t alignment, int axis, const AnyArray& out) {
  check_axis(ctx, in, element_bytes, alignment, axis, out);
  const std::int64_t size = storage_size(in.lines(), in.line(), in.ld, element_bytes);
  require::overlap(kAxis, in.data, static_cast<std::size_t>(size) * element_bytes, out.data, out.bytes(),
                   false);
}

void segmented_reduce(Context& ctx, CaseId id, ConstMemory in, const Segments& segments, Memory out,
                      const Options& options) {
  public_call(ctx, [&] {
    const Sizes sizes = sizes_of(id);
    check_segments(ctx, {in.data, in.size, sizes.in, 0}, segments, {out.data, out.size, sizes.out, 0});
    const std::int64_t count = segments.count(), *const offsets = segments.offsets();
    const bool by_offsets = lie_by_offsets(segments);
    const std::int64_t elements = segments.end() < 0 ? in.size : segments.end();
    const std::int64_t longest = segments.longest() < 0 ? in.size : segments.longest();
    run(ctx, id, in.data, in.size, {offsets, count, by_offsets ? 0 : longest, by_offsets ? 0 : longest, 1},
        {count, elements, longest, by_offsets ? Form::offsets : Form::equal}, out, options);
  });
}

void reduce_axis(Context& ctx, CaseId id, const MatrixView<const std::byte>& in, int axis, Memory out,
                 const Options& options) {
  public_call(ctx, [&] {
    const Sizes sizes = sizes_of(id);
    check_axis(ctx, in, sizes.in, 0, axis, {out.data, out.size, sizes.out, 0});
    const std::int64_t results = out.size;
    const bool along_lines = (axis == 1) == (in.layout == Layout::row_major);
    const std::int64_t length = along_lines ? in.line() : in.lines();
    // Lines of one element without a gap are a single line.
    const bool columns = !along_lines && in.ld > 1;
    run(ctx, id, in.data, storage_size(in.lines(), in.line(), in.ld, sizes.in),
        {nullptr, results, length,
         along_lines ? in.ld
         : columns   ? 1
                     : length,
         columns ? in.ld : 1},
        {results, results * length, length, columns ? Form::columns : Form::equal,
         along_lines && in.ld > length},
        out, options);
  });
}

}  // namespace detail
}  // namespace tandem

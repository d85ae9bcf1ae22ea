// needs: cccl
// cub::DeviceSegmentedReduce for segments of one length, of a newer CCCL than the toolkit's: 3.1 has it first. Lanes, warps or
// blocks read a segment, by its length, where the form with offsets has a block for each.

#include <limits>

#include "vendor_wrappers/segmented_reduce/cub.cuh"

namespace tandem {
namespace {

constexpr bool kHasFixedSize = CUB_VERSION >= 300100;

template <class C>
void cub_fixed_size(const typename C::Args& a, Context& ctx) {
  if constexpr (kHasFixedSize) {
    const std::int64_t count = a.segments.count, length = a.segments.length;
    with_operands<C>(a.in, [&](auto in) {
      // The bytes that it needs depend on both.
      call_cub(ctx, count << 31 ^ length, "cub::DeviceSegmentedReduce",
               [&](void* scratch, std::size_t& bytes) {
                 return cub::DeviceSegmentedReduce::Reduce(
                     scratch, bytes, in, a.out, count, int(length), typename C::Op{},
                     C::Op::template identity<typename C::Acc>(), static_cast<cudaStream_t>(ctx.stream()));
               });
    });
  }
}

std::string refuses(const SegmentedReduce::Shape& shape, CaseId id) {
  if (!kHasFixedSize) return "needs CUB 3.1";
  if (shape.form == SegmentedReduce::Form::offsets) return "segments must have one length";
  if (shape.longest > std::numeric_limits<int>::max()) return "a segment has at most 2^31 - 1 elements";
  return SegmentedReduce::refuse_gaps(shape, id);
}

REGISTER(SegmentedReduce, cub_fixed_size, .note = "cub::DeviceSegmentedReduce of one length, of another CCCL",
         .version = LIBRARY_VERSION("CUB", CUB), .refuses = refuses)

}  // namespace
}  // namespace tandem

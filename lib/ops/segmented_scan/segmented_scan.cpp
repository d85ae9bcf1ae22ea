#include "tandem/segmented_scan.h"

#include "lib/core/call.h"
#include "lib/ops/segmented_reduce/segments.h"
#include "lib/ops/segmented_scan/contract.h"

namespace tandem::detail {
namespace {

constexpr const char* kName = SegmentedScan::name;
using Form = SegmentedScan::Form;

void check_arrays(Context& ctx, const AnyArray& in, const AnyArray& out, bool may_be_in_place) {
  require::array(ctx, kName, "in", in.data, in.size, in.element_bytes, in.alignment);
  require::array(ctx, kName, "out", out.data, out.size, out.element_bytes, out.alignment);
  require::same_size(kName, in.size, out.size);
  require::overlap(kName, in.data, in.bytes(), out.data, out.bytes(), may_be_in_place);
}

void run(Context& ctx, CaseId id, const ConstMemory& in, const Memory& out, bool exclusive, const void* init,
         const SegmentedScan::Layout& segments, const Options& options) {
  if (init && !exclusive)
    throw InvalidArgument(std::string(kName) +
                          ": init is given to an inclusive scan; only exclusive ones take it");
  const bool by_key = segments.form == Form::keys;
  const SegmentedScan::Shape shape{segments.n,
                                   segments.form,
                                   by_key ? 1 : segments.count,
                                   by_key ? static_cast<int>(size_of(segments.keys.type)) : 0,
                                   exclusive,
                                   in.data == out.data && in.size > 0};
  for_case<SegmentedScan>(id, [&]<class C>() {
    using T = typename C::T;
    typename C::Args args{static_cast<const T*>(in.data), static_cast<T*>(out.data), exclusive, segments};
    if (init) args.init = C::load(*static_cast<const T*>(init)), args.with_init = true;
    call<SegmentedScan, C>(ctx, args, shape, options);
  });
}

}  // namespace

void check_segmented_scan(Context& ctx, const AnyArray& in, const Segments& segments, const AnyArray& out,
                          bool may_be_in_place) {
  check_arrays(ctx, in, out, may_be_in_place);
  require_segments_inside(kName, segments, in.size);
  require_offsets(ctx, kName, segments, out);
}

void check_scan_by_key(Context& ctx, const AnyArray& keys, const AnyArray& in, const AnyArray& out,
                       bool may_be_in_place) {
  require::array(ctx, kName, "keys", keys.data, keys.size, keys.element_bytes, keys.alignment);
  check_arrays(ctx, in, out, may_be_in_place);
  require::same_size(kName, in.size, keys.size, "in", "keys");
  require::overlap(kName, keys.data, keys.bytes(), out.data, out.bytes(), false, "keys");
}

void segmented_scan(Context& ctx, CaseId id, ConstMemory in, const Segments& segments, Memory out,
                    bool exclusive, const void* init, const Options& options) {
  public_call(ctx, [&] {
    const std::size_t size = size_of(id.type);
    check_segmented_scan(ctx, {in.data, in.size, size, 0}, segments, {out.data, out.size, size, 0}, true);
    const bool by_offsets = lie_by_offsets(segments);
    const std::int64_t n = segments.end() < 0 ? in.size : segments.end();
    run(ctx, id, in, out, exclusive, init,
        {by_offsets ? Form::offsets : Form::equal,
         n,
         segments.offsets(),
         segments.count(),
         by_offsets ? 0 : segments.longest(),
         {}},
        options);
  });
}

void scan_by_key(Context& ctx, CaseId id, Type key_type, ConstMemory keys, ConstMemory in, Memory out,
                 bool exclusive, const void* init, const Options& options) {
  public_call(ctx, [&] {
    const std::size_t size = size_of(id.type);
    check_scan_by_key(ctx, {keys.data, keys.size, size_of(key_type), 0}, {in.data, in.size, size, 0},
                      {out.data, out.size, size, 0}, true);
    run(ctx, id, in, out, exclusive, init, {Form::keys, in.size, nullptr, 0, 0, {keys.data, key_type}},
        options);
  });
}

}  // namespace tandem::detail

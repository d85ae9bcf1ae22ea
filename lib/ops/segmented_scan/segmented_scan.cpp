#include "tandem/segmented_scan.h"

#include "lib/core/call.h"
#include "lib/ops/segmented_reduce/segments.h"
#include "lib/ops/segmented_scan/contract.h"

namespace tandem::detail {
namespace {

constexpr const char* kName = SegmentedScan::name;
using Form = SegmentedScan::Form;

void check_arrays(Context& ctx, std::size_t size, const ConstMemory& in, const Memory& out) {
  require::array(ctx, kName, "in", in.data, in.size, size);
  require::array(ctx, kName, "out", out.data, out.size, size);
  require::same_size(kName, in.size, out.size);
  const std::size_t bytes = static_cast<std::size_t>(in.size) * size;
  require::overlap(kName, in.data, bytes, out.data, bytes, true);
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
    if (init) args.init = *static_cast<const T*>(init), args.with_init = true;
    call<SegmentedScan, C>(ctx, args, shape, options);
  });
}

}  // namespace

void segmented_scan(Context& ctx, CaseId id, ConstMemory in, const Segments& segments, Memory out,
                    bool exclusive, const void* init, const Options& options) {
  public_call(ctx, [&] {
    const std::size_t size = size_of(id.type);
    check_arrays(ctx, size, in, out);
    const std::int64_t count = segments.count(), *const offsets = segments.offsets();
    const bool by_offsets = offsets || segments.end() < 0;
    require_segments_inside(kName, segments, in.size);
    if (by_offsets) {
      require::array(ctx, kName, "offsets", offsets, count + 1, sizeof *offsets);
      require::overlap(kName, offsets, static_cast<std::size_t>(count + 1) * sizeof *offsets, out.data,
                       static_cast<std::size_t>(out.size) * size, false, "offsets");
    }
    const std::int64_t n = segments.end() < 0 ? in.size : segments.end();
    run(ctx, id, in, out, exclusive, init,
        {by_offsets ? Form::offsets : Form::equal,
         n,
         offsets,
         count,
         by_offsets ? 0 : segments.longest(),
         {}},
        options);
  });
}

void scan_by_key(Context& ctx, CaseId id, Type key_type, ConstMemory keys, ConstMemory in, Memory out,
                 bool exclusive, const void* init, const Options& options) {
  public_call(ctx, [&] {
    const std::size_t size = size_of(id.type), key_size = size_of(key_type);
    require::array(ctx, kName, "keys", keys.data, keys.size, key_size);
    check_arrays(ctx, size, in, out);
    require::same_size(kName, in.size, keys.size, "in", "keys");
    require::overlap(kName, keys.data, static_cast<std::size_t>(keys.size) * key_size, out.data,
                     static_cast<std::size_t>(out.size) * size, false, "keys");
    run(ctx, id, in, out, exclusive, init, {Form::keys, in.size, nullptr, 0, 0, {keys.data, key_type}},
        options);
  });
}

}  // namespace tandem::detail

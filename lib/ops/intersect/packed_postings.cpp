#include "lib/ops/intersect/packed_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "lib/core/owner.h"
#include "lib/core/workers.h"
#include "lib/ops/intersect/device_copies.h"
#include "tandem/array.h"

namespace tandem {

namespace {
constexpr std::int64_t kBlock = PackedList::kBlock;

/// Gap i of a block is ids[i] less the id before it less one; i = 0 looks at `before`. Sums and differences
/// are modulo 2^32.
std::uint32_t gap(std::span<const std::uint32_t> ids, std::size_t i, std::uint32_t before) {
  return ids[i] - (i > 0 ? ids[i - 1] : before) - 1;
}

/// How many quads a block takes.
std::uint32_t quads_of(std::span<const std::uint32_t> ids, std::uint32_t before) {
  std::uint32_t all = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) all |= gap(ids, i, before);
  const auto rows = static_cast<int>((ids.size() + 3) / 4);
  return static_cast<std::uint32_t>((rows * std::bit_width(all) + 31) / 32);
}

/// Stores a block in `length` quads that hold zeros.
void pack(std::span<const std::uint32_t> ids, std::uint32_t before, std::uint32_t length, Quad* quads) {
  const int width = PackedList::width_of(static_cast<int>(length), static_cast<int>(ids.size()));
  for (std::size_t i = 0; i < ids.size() && width > 0; ++i) {
    const int bit = static_cast<int>(i / 4) * width, shift = bit % 32;
    Quad* at = quads + bit / 32;
    const std::uint32_t value = gap(ids, i, before);
    at[0].words[i % 4] |= value << shift;
    if (shift + width > 32) at[1].words[i % 4] |= value >> (32 - shift);
  }
}

std::span<const std::uint32_t> block_of(std::span<const std::uint32_t> list, std::int64_t b) {
  const auto first = static_cast<std::size_t>(b * kBlock);
  return list.subspan(first, std::min(static_cast<std::size_t>(kBlock), list.size() - first));
}
std::uint32_t before_block(std::span<const std::uint32_t> list, std::int64_t b) {
  return b > 0 ? list[static_cast<std::size_t>(b * kBlock) - 1] : 0xFFFFFFFFu;
}
}  // namespace

struct PackedIndex::State {
  struct Copy {
    Array<std::uint64_t> lists;
    Array<std::uint32_t> blocks;
    Array<Quad> quads;
  };
  PackedArrays host;
  DeviceCopies<Copy> copies;
};

namespace {
void pack(const Index& index, PackedArrays& a) {
  const auto count = static_cast<std::size_t>(index.lists());
  a.lists.resize(3 * (count + 1));
  const std::span starts(a.lists.data(), count + 1);
  std::uint64_t *first_blocks = starts.data() + starts.size(), *first_quads = first_blocks + starts.size();
  std::ranges::copy(index.starts(), starts.begin());
  for (std::size_t l = 0; l < count; ++l)
    first_blocks[l + 1] = first_blocks[l] + (starts[l + 1] - starts[l] + kBlock - 1) / kBlock;
  const std::uint64_t blocks = first_blocks[count];
  a.blocks.resize(2 * blocks);
  std::uint32_t *lasts = a.blocks.data(), *ends = lasts + blocks;

  const auto for_each_list = [&](const auto& body) {
    parallel_for(index.lists(), {}, [&](std::int64_t from, std::int64_t to, int) {
      for (std::int64_t l = from; l < to; ++l) body(static_cast<std::size_t>(l));
    });
  };
  for_each_list([&](std::size_t l) {
    const auto list = index[static_cast<std::int64_t>(l)];
    std::uint32_t end = 0;
    for (std::uint64_t b = 0; b < first_blocks[l + 1] - first_blocks[l]; ++b) {
      const auto ids = block_of(list, static_cast<std::int64_t>(b));
      end += quads_of(ids, before_block(list, static_cast<std::int64_t>(b)));
      lasts[first_blocks[l] + b] = ids.back();
      ends[first_blocks[l] + b] = end;
    }
    first_quads[l + 1] = end;
  });
  for (std::size_t l = 0; l < count; ++l) first_quads[l + 1] += first_quads[l];
  a.quads.resize(first_quads[count] + 1);
  for_each_list([&](std::size_t l) {
    const auto list = index[static_cast<std::int64_t>(l)];
    std::uint32_t begin = 0;
    for (std::uint64_t b = 0; b < first_blocks[l + 1] - first_blocks[l]; ++b) {
      const std::uint32_t end = ends[first_blocks[l] + b];
      pack(block_of(list, static_cast<std::int64_t>(b)), before_block(list, static_cast<std::int64_t>(b)),
           end - begin, a.quads.data() + first_quads[l] + begin);
      begin = end;
    }
  });
}
}  // namespace

PackedIndex::PackedIndex(const Index& index)
    : state_(detail::translated([&] {
        auto state = std::make_shared<State>();
        pack(index, state->host);
        return detail::make_handle(std::move(state));
      })) {}

std::int64_t PackedIndex::lists() const {
  return static_cast<std::int64_t>(state().host.lists.size()) / 3 - 1;
}
std::int64_t PackedIndex::ids() const { return static_cast<std::int64_t>(starts().back()); }
std::span<const std::uint64_t> PackedIndex::starts() const {
  return std::span(state().host.lists).first(static_cast<std::size_t>(lists()) + 1);
}
const PackedArrays& arrays(const PackedIndex& index) { return index.state().host; }
std::size_t PackedIndex::bytes() const {
  const PackedArrays& a = state().host;
  return a.lists.size() * sizeof a.lists[0] + a.blocks.size() * sizeof a.blocks[0] +
         a.quads.size() * sizeof a.quads[0];
}

PackedLists packed_lists(const PackedIndex& index, const std::uint64_t* lists, const std::uint32_t* blocks,
                         const Quad* quads) {
  const std::int64_t count = index.lists() + 1;
  return {lists, lists + count, lists + 2 * count, blocks, blocks + arrays(index).blocks.size() / 2, quads};
}

PackedLists packed_lists(const PackedIndex& index, Context& ctx) {
  const PackedArrays& a = arrays(index);
  if (ctx.place() != Place::device)
    return packed_lists(index, a.lists.data(), a.blocks.data(), a.quads.data());
  const PackedIndex::State::Copy& copy = index.state().copies.of(ctx, [&] {
    return PackedIndex::State::Copy{Array<std::uint64_t>(ctx, a.lists), Array<std::uint32_t>(ctx, a.blocks),
                                    Array<Quad>(ctx, a.quads)};
  });
  return packed_lists(index, copy.lists.data(), copy.blocks.data(), copy.quads.data());
}

std::vector<std::uint32_t> PackedIndex::unpack(std::int64_t list) const {
  if (list < 0 || list >= lists())
    throw InvalidArgument(fmt::format("PackedIndex: list is {}; it must be in [0, {})", list, lists()));
  const PackedArrays& a = state().host;
  const PackedList packed =
      packed_lists(*this, a.lists.data(), a.blocks.data(), a.quads.data())[static_cast<std::uint32_t>(list)];
  std::vector<std::uint32_t> ids;
  detail::translated([&] { ids.reserve(static_cast<std::size_t>(packed.size)); });
  for (std::int64_t b = 0; b < packed.blocks(); ++b) {
    const PackedList::Block block = packed[b];
    std::uint32_t id = block.before;
    for (int i = 0; i < block.size; ++i) {
      const int bit = i / 4 * block.width, shift = bit % 32;
      const Quad* at = block.quads + bit / 32;
      std::uint64_t bits = at[0].words[i % 4];
      if (shift + block.width > 32) bits |= std::uint64_t{at[1].words[i % 4]} << 32;
      id += (static_cast<std::uint32_t>(bits >> shift) & block.mask()) + 1;
      ids.push_back(id);
    }
  }
  return ids;
}

}  // namespace tandem

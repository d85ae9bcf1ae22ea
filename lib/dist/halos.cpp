#include "tandem/ranks/halos.h"

#include <fmt/format.h>

#include <vector>

#include "lib/core/context_impl.h"
#include "lib/core/require.h"
#include "lib/dist/parts.h"
#include "tandem/error.h"

namespace tandem::detail {
namespace {

constexpr const char* kName = "halos";

std::string name_of(int field) { return fmt::format("field {}", field); }

void check(Context& ctx, const Memory* fields, int count, std::int64_t layer, Ends ends,
           std::size_t element_bytes) {
  if (layer < 1) throw InvalidArgument(fmt::format("{}: layer is {}; it must be at least 1", kName, layer));
  if (ends != Ends::open && ends != Ends::periodic)
    throw InvalidArgument(
        fmt::format("{}: ends is {}; it must be open (0) or periodic (1)", kName, static_cast<int>(ends)));
  for (int f = 0; f < count; ++f) {
    const std::string name = name_of(f);
    require::array(ctx, kName, name.c_str(), fields[f].data, fields[f].size, element_bytes);
    require::same_size(kName, fields[0].size, fields[f].size, name_of(0).c_str(), name.c_str());
    const auto bytes = static_cast<std::size_t>(fields[f].size) * element_bytes;
    for (int g = 0; g < f; ++g)
      require::overlap(kName, fields[g].data, bytes, fields[f].data, bytes, false, name_of(g).c_str(),
                       name.c_str());
  }
  if (fields[0].size % layer != 0 || fields[0].size / layer < 2) {
    throw InvalidArgument(fmt::format(
        "{}: size of '{}' is {}; it must be a multiple of {}, the size of a layer, and at least two of them",
        kName, name_of(0), fields[0].size, layer));
  }
}

}  // namespace

void halos(Communicator& all, Type type, const Memory* fields, int count, std::int64_t layer, Ends ends) {
  translated([&] {
    RanksScope scope(all, {.call = RankCall::halos,
                           .id = {type, OperatorId::none},
                           .sizes = {layer, count, static_cast<std::int64_t>(ends)}});
    Context& ctx = scope.context();
    public_call(ctx, [&] {
      const auto ranks = static_cast<std::size_t>(scope.size());
      std::int64_t own = 0, bytes = 0, message = 0;  // layers; bytes of a layer, and of those of all fields
      std::vector<std::int64_t> layers(ranks);
      std::byte *sent = nullptr, *received = nullptr;
      scope.together([&] {
        check(ctx, fields, count, layer, ends, size_of(type));
        own = fields[0].size / layer - 2;
        bytes = layer * static_cast<std::int64_t>(size_of(type)), message = count * bytes;
        sent = scope.memory_here(0, static_cast<std::size_t>(2 * message));
        received = scope.memory_here(1, static_cast<std::size_t>(2 * message));
      });
      scope.all_gather(&own, layers.data(), sizeof own);
      const Neighbours beside = neighbours_of(layers, scope.rank(), ends == Ends::periodic);

      // Blocks lie in rank order. Where one rank is on both sides, its block has the sender's first layers, then the last ones.
      const auto copy = [&](std::byte*& packed, std::int64_t number, bool packs) {
        for (int f = 0; f < count; ++f, packed += bytes) {
          std::byte* const at = static_cast<std::byte*>(fields[f].data) + number * bytes;
          ctx.copy(packs ? packed : at, packs ? at : packed, static_cast<std::size_t>(bytes));
        }
      };
      std::vector<std::int64_t> block_bytes(ranks);
      std::byte *next_sent = sent, *next_received = received;
      for (std::size_t r = 0; r < ranks; ++r) {
        if (r == beside.before) copy(next_sent, 1, true), block_bytes[r] += message;
        if (r == beside.after) copy(next_sent, own, true), block_bytes[r] += message;
      }
      scope.exchange(sent, block_bytes, received, block_bytes);
      for (std::size_t r = 0; r < ranks; ++r) {
        if (r == beside.after) copy(next_received, own + 1, false);
        if (r == beside.before) copy(next_received, 0, false);
      }
    });
  });
}

}  // namespace tandem::detail

#pragma once
// halos over ranks: what a rank needs of its neighbours' layers.

#include <array>
#include <cstdint>

#include "tandem/array.h"
#include "tandem/communicator.h"

namespace tandem {

/// What is beyond the first and the last layer of the whole.
enum class Ends : std::uint8_t { open, periodic };

namespace detail {
TANDEM_API void halos(Communicator& all, Type type, const Memory* fields, int count, std::int64_t layer,
                      Ends ends);
}  // namespace detail

/// Copies layers at the edges of each rank's part to the ranks beside it.
///
/// A field is layers of `layer` elements, one behind the other: room for one layer before this rank's own, these, and room for one
/// behind them; in rank order the ranks' own layers are the whole. A rank may have none, and then its room stays as it is. The room
/// before gets the last layer of the nearest rank before that has any, the room behind the first layer of the nearest rank after. At
/// the ends of the whole it stays as it is where they are open; where they are periodic, the whole goes on there from its other end,
/// also where one rank has all layers.
///
/// fields: one or more, of one element type (any of Tandem's, moved bit for bit) and as many layers; several in one call travel in one
/// message. layer, ends and the number of fields must agree on all ranks. A rank sends two layers of each field, and the communicator
/// keeps room for four. Throws InvalidArgument where a field is no whole number of layers, fewer than two, or not as long as the first,
/// where fields overlap, or where layer is below 1; RanksDiffer, RankFailed, CommunicationError. Nothing is written where a call is
/// refused.
template <Viewable Field, Viewable... More>
void halos(Communicator& all, std::int64_t layer, Ends ends, Field&& field, More&&... more) {
  using T = element_of<Field>;
  static_assert((std::is_same_v<element_of<More>, T> && ...), "halos: all fields must hold one type");
  const std::array<detail::Memory, 1 + sizeof...(More)> fields{detail::memory(field),
                                                               detail::memory(more)...};
  detail::halos(all, type_of<T>, fields.data(), static_cast<int>(fields.size()), layer, ends);
}

}  // namespace tandem

#include "lib/simt/mbarriers.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <string_view>
#include <utility>

namespace tandem::simt {
namespace {

struct State {
  std::uint64_t arrivals : 20, missing : 20, parity : 1, bytes_missing : 23;  // bytes modulo 2^23
};

// The threads of a block take turns on one OS thread, so that words need not be atomic here.
template <class Change>
void change(std::uint64_t* word, Site site, const Change& how) {
  fence(in_cluster() ? Scope::device : Scope::block);  // other blocks of a cluster may wait for it
  note_atomic(word, sizeof *word, Kind::atomic, site);
  note_mbarrier(word, true);
  auto state = std::bit_cast<State>(*word);
  how(state);
  if (state.missing == 0 && state.bytes_missing == 0) {
    state.missing = state.arrivals;
    state.parity ^= 1;
  }
  *word = std::bit_cast<std::uint64_t>(state);
}

std::string place(const Site& site) {
  const std::string_view file = site.file_name();
  return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), site.line());
}

}  // namespace

void mbarrier_init(std::uint64_t* word, unsigned arrivals, Site site) {
  note_atomic(word, sizeof *word, Kind::store, site);
  *word = std::bit_cast<std::uint64_t>(State{arrivals & 0xfffff, arrivals & 0xfffff, 0, 0});
}
void mbarrier_arrive(std::uint64_t* word, unsigned bytes, Site site) {
  change(word, site, [&](State& state) {
    if (state.missing == 0)
      fail(fmt::format("more arrivals at {} than the mbarrier's {}", place(site),
                       static_cast<unsigned>(state.arrivals)));
    state.missing -= 1;
    state.bytes_missing += bytes;
  });
}
void mbarrier_complete(std::uint64_t* word, unsigned bytes, Site site) {
  change(word, site, [&](State& state) { state.bytes_missing -= bytes; });
}
void mbarrier_wait(std::uint64_t* word, unsigned parity, Site site) {
  while (std::bit_cast<State>(*word).parity == parity) spin(site);
  note_atomic(word, sizeof *word, Kind::load, site);
  note_mbarrier(word, false);
  fence(in_cluster() ? Scope::device : Scope::block);
}

void bulk_copy(void* to, const void* from, unsigned bytes, Site site) {
  for (const auto& [what, value] : {std::pair{"destination", reinterpret_cast<std::uintptr_t>(to)},
                                    {"source", reinterpret_cast<std::uintptr_t>(from)},
                                    {"size", std::uintptr_t{bytes}}}) {
    if (value % 16 != 0) {
      fail(fmt::format("bulk copy at {}: its {}, {:#x}, is not a multiple of 16 bytes", place(site), what,
                       value));
    }
  }
  if (bytes == 0) return;
  note_range(from, bytes, Kind::load, site);
  note_range(to, bytes, Kind::store, site);
  std::memcpy(to, from, bytes);
}

void store_in_block(unsigned rank, void* own, const void* value, unsigned bytes, std::uint64_t* own_word,
                    Site site) {
  void* const there = in_block(rank, own, site);
  note_range(there, bytes, Kind::store, site);
  std::memcpy(there, value, bytes);
  mbarrier_complete(static_cast<std::uint64_t*>(in_block(rank, own_word, site)), bytes, site);
}

}  // namespace tandem::simt

#include "tandem/postings.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>

#include "lib/core/owner.h"
#include "lib/ops/intersect/device_copies.h"
#include "lib/ops/intersect/index_memory.h"
#include "lib/ops/intersect/kept_bits.h"
#include "tandem/array.h"

namespace tandem {

struct Index::State {
  struct Copy {
    Array<std::uint64_t> starts;
    Array<std::uint32_t> ids;
  };
  explicit State(std::uint64_t most_ids) : ids(new std::uint32_t[most_ids]), room(most_ids) {}

  std::vector<std::uint64_t> starts{0};
  std::unique_ptr<std::uint32_t[]> ids;  // not initialised: they are read from a file as fast as it comes
  std::uint64_t room;
  std::uint64_t serial = [] {
    static std::atomic<std::uint64_t> next = 1;
    return next++;
  }();
  mutable DeviceCopies<Copy> copies;
  bool has_dense_lists = false;
  mutable std::once_flag bits_made;
  mutable std::unique_ptr<const KeptBits> bits;

  /// Behind the last id.
  void finish() {
    for (std::size_t l = 1; l < starts.size() && !has_dense_lists; ++l)
      has_dense_lists = KeptBits::keeps({ids.get() + starts[l - 1], ids.get() + starts[l]});
  }
};

// --- IndexBuilder

namespace {
Index::State& state_in(const detail::Handle& handle) { return *static_cast<Index::State*>(handle.get()); }
}  // namespace

IndexBuilder::IndexBuilder(std::uint64_t most_ids)
    : state_(
          detail::translated([&] { return detail::make_handle(std::make_shared<Index::State>(most_ids)); })) {
}

std::uint32_t* IndexBuilder::append(std::uint64_t count) {
  Index::State& state = state_in(state_);
  if (count > state.room - used_) throw InvalidArgument("IndexBuilder: more ids than there is room for");
  return state.ids.get() + std::exchange(used_, used_ + count);
}
void IndexBuilder::end_list() {
  detail::translated([&] { state_in(state_).starts.push_back(used_); });
}

std::uint64_t first_not_ascending(const std::uint32_t* ids, std::uint64_t count) {
  constexpr std::uint64_t kBlock = 512;  // looked at without a branch
  for (std::uint64_t first = 1; first < count; first += kBlock) {
    const std::uint64_t end = std::min(count, first + kBlock);
    std::uint32_t falls = 0;
    for (std::uint64_t i = first; i < end; ++i) falls |= static_cast<std::uint32_t>(ids[i] <= ids[i - 1]);
    if (!falls) continue;
    for (std::uint64_t i = first;; ++i) {
      if (ids[i] <= ids[i - 1]) return i;
    }
  }
  return count;
}

Index IndexBuilder::finish() {
  state_in(state_).finish();
  return Index(std::move(state_));
}

// --- Index

namespace {
detail::Handle checked(std::span<const std::uint64_t> starts, std::span<const std::uint32_t> ids) {
  if (starts.empty() || starts.front() != 0 || starts.back() != ids.size()) {
    throw InvalidArgument(
        fmt::format("Index: 'starts' goes from {} to {}; it must go from 0 to {}, the number of ids",
                    starts.empty() ? std::string("nothing") : std::to_string(starts.front()),
                    starts.empty() ? std::string("nothing") : std::to_string(starts.back()), ids.size()));
  }
  auto state = std::make_shared<Index::State>(ids.size());
  for (std::size_t l = 1; l < starts.size(); ++l) {
    const std::uint64_t from = starts[l - 1], to = starts[l];
    if (to < from || to > ids.size()) {
      throw InvalidArgument(
          fmt::format("Index: starts[{}] is {}; it must be from {}, the start before it, to {}", l, to, from,
                      ids.size()));
    }
    const std::uint64_t bad = first_not_ascending(ids.data() + from, to - from);
    if (bad != to - from) {
      throw InvalidArgument(
          fmt::format("Index: id {} of list {} is {}; it must be above {}, the one before it", bad, l - 1,
                      ids[from + bad], ids[from + bad - 1]));
    }
  }
  state->starts.assign(starts.begin(), starts.end());
  if (!ids.empty()) std::memcpy(state->ids.get(), ids.data(), ids.size_bytes());
  state->finish();
  return detail::make_handle(std::move(state));
}
std::vector<std::uint64_t> starts_of(std::span<const std::vector<std::uint32_t>> lists) {
  std::vector<std::uint64_t> starts{0};
  for (const auto& list : lists) starts.push_back(starts.back() + list.size());
  return starts;
}
std::vector<std::uint32_t> joined(std::span<const std::vector<std::uint32_t>> lists) {
  std::vector<std::uint32_t> ids;
  for (const auto& list : lists) ids.insert(ids.end(), list.begin(), list.end());
  return ids;
}
}  // namespace

Index::Index(std::span<const std::uint64_t> starts, std::span<const std::uint32_t> ids)
    : state_(detail::translated([&] { return checked(starts, ids); })) {}
Index::Index(std::span<const std::vector<std::uint32_t>> lists)
    : state_(detail::translated([&] { return checked(starts_of(lists), joined(lists)); })) {}

std::int64_t Index::lists() const { return static_cast<std::int64_t>(state().starts.size()) - 1; }
std::size_t Index::bytes() const {
  return static_cast<std::size_t>(ids()) * sizeof(std::uint32_t) + starts().size_bytes();
}
std::int64_t Index::ids() const { return static_cast<std::int64_t>(state().starts.back()); }
std::span<const std::uint64_t> Index::starts() const { return state().starts; }
const std::uint32_t* Index::data() const { return state().ids.get(); }
std::uint64_t serial(const Index& index) { return index.state().serial; }
bool has_dense_lists(const Index& index) { return index.state().has_dense_lists; }
const KeptBits& kept_bits(const Index& index) {
  const Index::State& state = index.state();
  std::call_once(state.bits_made, [&] { state.bits = std::make_unique<const KeptBits>(index); });
  return *state.bits;
}
std::span<const std::uint32_t> Index::operator[](std::int64_t list) const {
  if (list < 0 || list >= lists())
    throw InvalidArgument(fmt::format("Index: list is {}; it must be in [0, {})", list, lists()));
  const std::uint64_t* at = starts().data() + list;
  return {data() + at[0], data() + at[1]};
}

IndexMemory memory(const Index& index, Context& ctx) {
  if (ctx.place() != Place::device) return {index.starts().data(), index.data()};
  const Index::State::Copy& copy = index.state().copies.of(ctx, [&] {
    return Index::State::Copy{
        Array<std::uint64_t>(ctx, index.starts()),
        Array<std::uint32_t>(ctx, std::span(index.data(), static_cast<std::size_t>(index.ids())))};
  });
  return {copy.starts.data(), copy.ids.data()};
}

// --- Queries

void Queries::add(std::span<const std::uint32_t> query) {
  detail::translated([&] {
    starts.push_back(lists.size() + query.size());
    try {
      lists.insert(lists.end(), query.begin(), query.end());
    } catch (...) {
      starts.pop_back();
      throw;
    }
  });
}
std::span<const std::uint32_t> Queries::operator[](std::int64_t query) const {
  if (query < 0 || query >= size())
    throw InvalidArgument(fmt::format("Queries: query is {}; it must be in [0, {})", query, size()));
  const auto q = static_cast<std::size_t>(query);
  return std::span(lists).subspan(starts[q], starts[q + 1] - starts[q]);
}

}  // namespace tandem

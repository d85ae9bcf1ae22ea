#include "lib/dist/shared_blocks.h"

#include <sched.h>

#include <algorithm>

#include "lib/dist/communicator_impl.h"

namespace tandem {

void SharedBlocks::meet(std::size_t rank) {
  constexpr int kSpins = 200;  // some microseconds, before others may have the processor
  const std::uint64_t here = ++meetings_;
  met(rank).store(here, std::memory_order_release);
  for (std::size_t r = 0; r < of_.size(); ++r) {
    for (int spins = 0; met(r).load(std::memory_order_acquire) < here; ++spins) {
      if (spins > kSpins) sched_yield();
    }
  }
}

namespace detail {

bool RanksScope::is_one_node() const {
  return std::find(impl_.pids.begin(), impl_.pids.end(), 0) == impl_.pids.end();
}

bool RanksScope::share(std::int64_t bytes) {
  SharedBlocks made(static_cast<std::size_t>(bytes));
  if (impl_.blocks.bytes() >= made.bytes()) return true;
  if (!impl_.shares || !is_one_node()) return false;
  auto mine = std::make_unique<SharedMemory>(made.bytes_with_head());
  const auto descriptors = impl_.gathered(call_.call, mine->data() ? mine->descriptor() : -1);
  bool have = true;
  for (std::size_t r = 0; r < descriptors.size(); ++r) {
    auto block = r == static_cast<std::size_t>(rank())
                     ? std::move(mine)
                     : std::make_unique<SharedMemory>(impl_.pids[r], descriptors[r], made.bytes_with_head());
    have &= block->data() != nullptr;
    made.add(std::move(block));
  }
  const auto all_have = impl_.gathered(call_.call, have ? 1 : 0);
  impl_.shares = std::find(all_have.begin(), all_have.end(), 0) == all_have.end();
  if (!impl_.shares) return false;
  made.close_descriptors();
  impl_.blocks = std::move(made);  // nobody reads those from before: all ranks are here
  return true;
}

std::byte* RanksScope::shared(int rank) const { return impl_.blocks.of(static_cast<std::size_t>(rank)); }
std::int64_t RanksScope::next_turn() { return impl_.blocks.next_turn(); }
void RanksScope::meet() {
  impl_.message([&] { impl_.blocks.meet(static_cast<std::size_t>(impl_.rank)); });
}

}  // namespace detail

}  // namespace tandem

#include "lib/harness/guard_pages.h"

#include <signal.h>
#include <sys/mman.h>

#include <atomic>

#include "tandem/error.h"

namespace tandem {
namespace {

constexpr std::size_t kPage = 4096, kClosed = 64 << 10;  // bytes on either side
constexpr int kMost = 4096;

// What the signal handler looks at: nothing here is ever freed.
struct Slot {
  std::atomic<std::byte*> begin = nullptr;
  std::atomic<std::byte*> touched = nullptr;
};
Slot slots[kMost];
std::atomic<int> used = 0;  // slots from here on were never taken
struct sigaction before;

void on_fault(int, siginfo_t* info, void*) {
  auto* address = static_cast<std::byte*>(info->si_addr);
  for (int s = 0; s < used; ++s) {
    std::byte* begin = slots[s].begin;
    if (!begin || address < begin || address >= begin + kClosed) continue;
    std::byte* none = nullptr;
    slots[s].touched.compare_exchange_strong(none, address);
    mprotect(begin, kClosed, PROT_READ | PROT_WRITE);
    return;
  }
  sigaction(SIGSEGV, &before, nullptr);  // the instruction faults again, for whoever was there before
}

void listen() {
  struct sigaction now;
  sigaction(SIGSEGV, nullptr, &now);
  if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fault) return;
  before = now;
  struct sigaction ours {};
  ours.sa_sigaction = on_fault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &ours, nullptr);
}

int take(std::byte* begin) {
  for (int s = 0; s < kMost; ++s) {
    std::byte* none = nullptr;
    if (!slots[s].begin.compare_exchange_strong(none, begin)) continue;
    for (int now = used; now <= s && !used.compare_exchange_weak(now, s + 1);) {
    }
    slots[s].touched = nullptr;
    return s;
  }
  throw OutOfMemory("guard pages", kClosed, 0);
}

}  // namespace

GuardPages::GuardPages(std::size_t bytes) {
  const std::size_t inside = (bytes + kPage - 1) / kPage * kPage;
  void* all =
      mmap(nullptr, inside + 2 * kClosed, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) throw OutOfMemory("host", inside, 0);
  begin_ = static_cast<std::byte*>(all) + kClosed;
  end_ = begin_ + inside;
  if (inside > 0 && mprotect(begin_, inside, PROT_READ | PROT_WRITE) != 0) {
    munmap(all, inside + 2 * kClosed);
    throw OutOfMemory("host", inside, 0);
  }
  listen();
  slots_[0] = take(begin_ - kClosed);
  slots_[1] = take(end_);
}

GuardPages::~GuardPages() {
  for (const int s : slots_) slots[s].begin = nullptr;
  munmap(begin_ - kClosed, static_cast<std::size_t>(end_ - begin_) + 2 * kClosed);
}

void GuardPages::close() {
  listen();
  for (const int s : slots_) {
    if (slots[s].touched.exchange(nullptr)) mprotect(slots[s].begin, kClosed, PROT_NONE);
  }
}

const std::byte* GuardPages::touched() const {
  for (const int s : slots_) {
    if (const std::byte* address = slots[s].touched) return address;
  }
  return nullptr;
}

}  // namespace tandem

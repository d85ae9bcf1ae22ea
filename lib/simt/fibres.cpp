#include "lib/simt/fibres.h"

#include <sys/mman.h>

#include <mutex>
#include <utility>

#include "tandem/error.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace tandem::simt {
namespace context = boost::context;

namespace {

// Boost.Context asks for an allocator; ours hands out a stack that outlives the fibre.
struct StackOf {
  std::byte* bottom;
  std::size_t bytes;
  context::stack_context allocate() {
    context::stack_context stack;
    stack.size = bytes;
    stack.sp = bottom + bytes;
    return stack;
  }
  void deallocate(context::stack_context&) {}
};

}  // namespace

Fibres::Fibres(std::function<unsigned(unsigned)> work)
    : work_(std::move(work)),
      stacks_(static_cast<std::byte*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))) {
  if (stacks_ == MAP_FAILED) throw OutOfMemory("host", kBytes, 0);
}
Fibres::~Fibres() {
  abandon();
  munmap(stacks_, kBytes);
}

unsigned Fibres::take() {
  if (!free_.empty()) {
    const unsigned f = free_.back();
    free_.pop_back();
    return f;
  }
  const auto f = static_cast<unsigned>(fibres_.size());
  mprotect(bottom(f), kGuardBytes, PROT_NONE);  // a kernel with huge local arrays stops here
  fibres_.emplace_back(std::allocator_arg, StackOf{bottom(f), bytes(f)},
                       [this, f](Place&& left) { return run(f, std::move(left)); });
  return f;
}

Fibres::Place Fibres::run(unsigned f, Place&& left) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, left_ == &scheduler_ ? &scheduler_bottom_ : nullptr,
                                  left_ == &scheduler_ ? &scheduler_bytes_ : nullptr);
#endif
  arrive(std::move(left));
  for (;;) {
    const unsigned next = work_(f);
    free_.push_back(f);
    next == kWhoeverResumed ? yield(f) : hand_over(f, next);
  }
}

void Fibres::resume(unsigned f) { go(scheduler_, fibres_[f], bottom(f), bytes(f)); }
void Fibres::yield(unsigned f) { go(fibres_[f], scheduler_, scheduler_bottom_, scheduler_bytes_); }
void Fibres::hand_over(unsigned f, unsigned to) { go(fibres_[f], fibres_[to], bottom(to), bytes(to)); }

// What comes back tells where to go on with whoever stopped for it, which need not be the one that was gone to.
void Fibres::arrive(Place&& left) { *left_ = std::move(left); }
// AddressSanitizer must be told of every change of stack.
void Fibres::go(Place& from, Place& to, [[maybe_unused]] const void* bottom,
                [[maybe_unused]] std::size_t bytes) {
  left_ = &from;
#if defined(__SANITIZE_ADDRESS__)
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, bottom, bytes);
#endif
  Place left = std::move(to).resume();
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fake, left_ == &scheduler_ ? &scheduler_bottom_ : nullptr,
                                  left_ == &scheduler_ ? &scheduler_bytes_ : nullptr);
#endif
  arrive(std::move(left));
}

void Fibres::abandon() {
  static std::mutex mutex;
  static auto& graves = *new std::vector<context::fiber>;  // destroying a fibre would unwind it
  const std::lock_guard lock(mutex);
  for (unsigned f = 0; f < fibres_.size(); ++f) {
    graves.push_back(std::move(fibres_[f]));
#if defined(__SANITIZE_ADDRESS__)
    __asan_unpoison_memory_region(bottom(f) + kGuardBytes, kStackBytes - kGuardBytes);
#endif
  }
  fibres_.clear();
  free_.clear();
}

}  // namespace tandem::simt

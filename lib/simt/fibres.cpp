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

Fibres::Fibres(std::function<void(unsigned)> work)
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
  Fibre& fibre = fibres_.emplace_back();
  mprotect(bottom(f), kGuardBytes, PROT_NONE);  // a kernel with huge local arrays stops here
  fibre.here = context::fiber(std::allocator_arg, StackOf{bottom(f), kStackBytes},
                              [this, f](context::fiber&& scheduler) { return run(f, std::move(scheduler)); });
  return f;
}

// AddressSanitizer must be told of every change of stack.

context::fiber Fibres::run(unsigned f, context::fiber&& scheduler) {
  fibres_[f].scheduler = std::move(scheduler);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, &scheduler_bottom_, &scheduler_bytes_);
#endif
  for (;;) {
    work_(f);
    free_.push_back(f);
    yield(f);
  }
}

void Fibres::resume(unsigned f) {
#if defined(__SANITIZE_ADDRESS__)
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, bottom(f), kStackBytes);
#endif
  fibres_[f].here = std::move(fibres_[f].here).resume();
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
}

void Fibres::yield(unsigned f) {
#if defined(__SANITIZE_ADDRESS__)
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, scheduler_bottom_, scheduler_bytes_);
#endif
  fibres_[f].scheduler = std::move(fibres_[f].scheduler).resume();
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fake, &scheduler_bottom_, &scheduler_bytes_);
#endif
}

void Fibres::abandon() {
  static std::mutex mutex;
  static auto& graves = *new std::vector<context::fiber>;  // destroying a fibre would unwind it
  const std::lock_guard lock(mutex);
  for (unsigned f = 0; f < fibres_.size(); ++f) {
    graves.push_back(std::move(fibres_[f].here));
#if defined(__SANITIZE_ADDRESS__)
    __asan_unpoison_memory_region(bottom(f) + kGuardBytes, kStackBytes - kGuardBytes);
#endif
  }
  fibres_.clear();
  free_.clear();
}

}  // namespace tandem::simt

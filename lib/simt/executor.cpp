#include "lib/simt/executor.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <boost/context/fiber.hpp>
#include <cstring>
#include <exception>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "lib/simt/cuda.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

constinit thread_local uint3 threadIdx{}, blockIdx{};
constinit thread_local dim3 blockDim{}, gridDim{};

namespace tandem::simt {
namespace {

namespace context = boost::context;

constexpr unsigned kMaxThreads = 1024;  // per block, as on every GPU since 2010
constexpr unsigned kWarp = 32;
constexpr std::size_t kStackBytes = 64 * 1024;
constexpr std::size_t kMaxSharedBytes = 227 * 1024;  // dynamic, per block on sm_90
constexpr int kIdlePasses = 10000;  // passes in which threads only spin, before that is a deadlock

enum class State : std::uint8_t { ready, spinning, at_block_barrier, at_warp_call, ended };

struct Thread {
  context::fiber fiber;  // where to resume it
  context::fiber back;   // where it returns to: the scheduler
  State state = State::ended;
  Site site;  // of the barrier, warp call or spin it waits at
  WarpCall call{};
  unsigned mask = 0;
  int argument = 0, width = 32;
  std::uint64_t value = 0;  // in: this lane's operand; out: its result
  uint3 index{};
};

// Stacks of all fibres in one mapping; pages cost nothing until a fibre touches them.
class Stacks {
 public:
  Stacks()
      : memory_(static_cast<std::byte*>(mmap(nullptr, kMaxThreads * kStackBytes, PROT_READ | PROT_WRITE,
                                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))) {
    if (memory_ == MAP_FAILED) throw OutOfMemory("host", kMaxThreads * kStackBytes, 0);
  }
  ~Stacks() { munmap(memory_, kMaxThreads * kStackBytes); }
  std::byte* bottom(unsigned thread) const { return memory_ + thread * kStackBytes; }

 private:
  std::byte* memory_;
};

// Boost.Context asks for an allocator; ours hands out a stack that outlives the fibre.
struct StackOf {
  std::byte* bottom;
  context::stack_context allocate() {
    context::stack_context stack;
    stack.size = kStackBytes;
    stack.sp = bottom + kStackBytes;
    return stack;
  }
  void deallocate(context::stack_context&) {}
};

std::string where(const Site& site) {
  const std::string_view file = site.file_name();
  return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), site.line());
}
bool same(const Site& a, const Site& b) {
  return a.line() == b.line() && a.column() == b.column() && std::string_view(a.file_name()) == b.file_name();
}

class Executor {
 public:
  Schedule schedule;

  Executor() = default;
  Executor(const Executor&) = delete;
  ~Executor() { unwind(); }

  void launch(Dim3 grid, Dim3 block, std::size_t shared_bytes, const std::string& kernel,
              const std::function<void()>& body) {
    const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
    if (threads == 0 || threads > kMaxThreads || grid.x == 0 || grid.y == 0 || grid.z == 0 ||
        grid.y > 65535 || grid.z > 65535) {
      throw KernelError(fmt::format("{}: cannot launch {} x {} x {} blocks of {} x {} x {} threads", kernel,
                                    grid.x, grid.y, grid.z, block.x, block.y, block.z));
    }
    if (shared_bytes > kMaxSharedBytes) {
      throw KernelError(fmt::format("{}: {} bytes of dynamic shared memory; a block can have {}", kernel,
                                    shared_bytes, kMaxSharedBytes));
    }
    kernel_ = kernel;
    body_ = &body;
    count_ = static_cast<unsigned>(threads);
    shared_.resize(shared_bytes);
    blockDim = block;
    gridDim = grid;
    random_.seed(schedule.seed);
    prepare();
    for (unsigned z = 0; z < grid.z; ++z) {
      for (unsigned y = 0; y < grid.y; ++y) {
        for (unsigned x = 0; x < grid.x; ++x) {
          blockIdx = {x, y, z};
          run_block();
        }
      }
    }
  }

  // --- called from inside a fibre ---

  int block_barrier(bool predicate, const Site& site) {
    Thread& self = threads_[current_];
    if (arrived_ > 0 && !same(site, barrier_site_)) {
      fail(fmt::format("divergent barrier: this thread is at {}, others wait at {}", where(site),
                       where(barrier_site_)));
    }
    barrier_site_ = site;
    barrier_count_ += predicate;
    if (++arrived_ < count_) {
      self.site = site;
      self.state = State::at_block_barrier;
      yield(self);
    } else {  // the last one to come lets all go
      for (unsigned t = 0; t < count_; ++t) threads_[t].state = State::ready;
      barrier_result_ = barrier_count_;
      arrived_ = 0;
      barrier_count_ = 0;
    }
    return barrier_result_;
  }

  std::uint64_t warp_meet(WarpCall call, unsigned mask, std::uint64_t value, int argument, int width,
                          const Site& site) {
    Thread& self = threads_[current_];
    const unsigned lane = current_ % kWarp, first = current_ - lane;
    self.site = site;
    self.call = call;
    self.mask = mask;
    self.argument = argument;
    self.width = width;
    self.value = value;
    if (!(mask >> lane & 1))
      fail(fmt::format("the mask {:#010x} at {} leaves out the calling lane", mask, where(site)));
    self.state = State::at_warp_call;
    bool complete = true;
    for (unsigned rest = mask; rest; rest &= rest - 1) {
      const unsigned other = first + static_cast<unsigned>(std::countr_zero(rest));
      if (other >= count_ || threads_[other].state == State::ended) {
        fail(fmt::format("the mask {:#010x} at {} names lane {}, which {}", mask, where(site), other % kWarp,
                         other >= count_ ? "the block does not have" : "has ended"));
      }
      const Thread& t = threads_[other];
      complete &= t.state == State::at_warp_call && t.mask == mask && t.call == call && same(t.site, site);
    }
    if (complete)
      finish_warp_call(first, mask);
    else
      yield(self);
    return self.value;
  }

  void spin_until(const std::function<bool()>& condition, const Site& site) {
    Thread& self = threads_[current_];
    while (!condition()) {
      self.site = site;
      self.state = State::spinning;
      yield(self);
    }
  }

  [[noreturn]] void fail(const std::string& text) {
    throw KernelError(fmt::format("{}, block {}, thread {}: {}", kernel_, blockIdx.x, show(current_), text));
  }

  std::vector<std::byte>& shared() { return shared_; }
  std::uint64_t serial() const { return serial_; }

 private:
  std::string show(unsigned thread) const {
    const uint3 i = threads_[thread].index;
    return blockDim.y * blockDim.z == 1 ? fmt::format("{}", i.x) : fmt::format("({}, {}, {})", i.x, i.y, i.z);
  }

  // One fibre per thread of a block; each runs one body after another, so that a grid needs no new ones.
  void prepare() {
    for (unsigned t = 0; t < count_; ++t) {
      threads_[t].index = {t % blockDim.x, t / blockDim.x % blockDim.y, t / (blockDim.x * blockDim.y)};
      if (threads_[t].fiber) continue;
      threads_[t].fiber =
          context::fiber(std::allocator_arg, StackOf{stacks_.bottom(t)},
                         [this, t](context::fiber&& scheduler) { return fibre(t, std::move(scheduler)); });
    }
    order_.resize(count_);
    std::iota(order_.begin(), order_.end(), 0u);
    if (schedule.order == Schedule::Order::reverse) std::reverse(order_.begin(), order_.end());
  }

  context::fiber fibre(unsigned t, context::fiber&& scheduler) {
    Thread& self = threads_[t];
    self.back = std::move(scheduler);
    entered();
    while (true) {
      try {
        (*body_)();
      } catch (const std::exception&) {  // a boost::context unwinding is no std::exception and passes
        error_ = std::current_exception();
      }
      self.state = State::ended;
      yield(self);
    }
  }

  void run_block() {
    ++serial_;
    std::fill(shared_.begin(), shared_.end(), std::byte{0xFF});
    for (unsigned t = 0; t < count_; ++t) threads_[t].state = State::ready;
    arrived_ = 0;
    barrier_count_ = 0;
    unsigned ended = 0;
    for (int idle = 0; ended < count_;) {
      if (schedule.order == Schedule::Order::random) std::shuffle(order_.begin(), order_.end(), random_);
      bool progress = false, spinning = false;
      for (const unsigned t : order_) {
        State& state = threads_[t].state;
        if (state != State::ready && state != State::spinning) continue;
        state = State::ready;
        resume(t);
        if (error_) stop();
        if (state == State::spinning) {
          spinning = true;
        } else {
          progress = true;
          ended += state == State::ended;
        }
      }
      idle = progress ? 0 : idle + 1;
      if (ended < count_ && !progress && (!spinning || idle > kIdlePasses)) deadlock();
    }
  }

  // Nobody can go on: says who waits where.
  [[noreturn]] void deadlock() {
    std::string text;
    unsigned ended = 0;
    std::vector<std::pair<std::string, unsigned>> waits;  // place, how many
    for (unsigned t = 0; t < count_; ++t) {
      const Thread& thread = threads_[t];
      if (thread.state == State::ended) {
        ++ended;
        continue;
      }
      const char* what = thread.state == State::at_block_barrier ? "at the block barrier"
                         : thread.state == State::at_warp_call   ? "at the warp call"
                                                                 : "spinning";
      const std::string place = fmt::format("{} {}", what, where(thread.site));
      const auto found =
          std::find_if(waits.begin(), waits.end(), [&](const auto& w) { return w.first == place; });
      if (found == waits.end())
        waits.emplace_back(place, 1);
      else
        ++found->second;
    }
    for (const auto& [place, threads] : waits)
      text += fmt::format("{}{} wait {}", text.empty() ? "" : ", ", threads, place);
    if (ended) text += fmt::format(", {} have ended", ended);
    const bool divergent = waits.size() == 1 && arrived_ > 0;
    error_ = std::make_exception_ptr(KernelError(
        fmt::format("{}, block {}: {}: of {} threads {}", kernel_, blockIdx.x,
                    divergent ? "a barrier that some threads never reach" : "deadlock", count_, text)));
    stop();
  }

  // Unwinds every fibre (they may be anywhere) and rethrows.
  [[noreturn]] void stop() {
    unwind();
    std::rethrow_exception(std::exchange(error_, nullptr));
  }

  void finish_warp_call(unsigned first, unsigned mask) {
    std::array<std::uint64_t, kWarp> result{};
    unsigned ballot = 0;
    for (unsigned rest = mask; rest; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      if (threads_[first + lane].value) ballot |= 1u << lane;
    }
    for (unsigned rest = mask; rest; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      const Thread& t = threads_[first + lane];
      if (t.call == WarpCall::barrier) continue;
      if (t.call == WarpCall::ballot) {
        result[lane] = ballot;
      } else if (t.call == WarpCall::match) {
        for (unsigned other = 0; other < kWarp; ++other) {
          if (mask >> other & 1 && threads_[first + other].value == t.value) result[lane] |= 1u << other;
        }
      } else {
        const unsigned source = source_lane(t, lane);
        if (!(mask >> source & 1))
          fail(fmt::format("shuffle at {} reads lane {}, which is not in its mask", where(t.site), source));
        result[lane] = threads_[first + source].value;
      }
    }
    for (unsigned rest = mask; rest; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      threads_[first + lane].value = result[lane];
      threads_[first + lane].state = State::ready;
    }
  }

  // Outside its segment of `width` lanes a shuffle up, down or xor returns the lane's own value.
  static unsigned source_lane(const Thread& t, unsigned lane) {
    const int width = t.width, own = static_cast<int>(lane), segment = own / width * width;
    int source = own;
    switch (t.call) {
      case WarpCall::shuffle:
        source = segment + (t.argument & (width - 1));
        break;
      case WarpCall::shuffle_up:
        source = own - t.argument;
        break;
      case WarpCall::shuffle_down:
        source = own + t.argument;
        break;
      default:
        source = own ^ t.argument;
        break;
    }
    return static_cast<unsigned>(source < segment || source >= segment + width ? own : source);
  }

  // --- switching; AddressSanitizer must be told of every change of stack ---

  void resume(unsigned t) {
    current_ = t;
    threadIdx = threads_[t].index;
#if defined(__SANITIZE_ADDRESS__)
    void* fake = nullptr;
    __sanitizer_start_switch_fiber(&fake, stacks_.bottom(t), kStackBytes);
#endif
    threads_[t].fiber = std::move(threads_[t].fiber).resume();
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
  }
  void yield(Thread& self) {
#if defined(__SANITIZE_ADDRESS__)
    void* fake = nullptr;
    __sanitizer_start_switch_fiber(&fake, scheduler_bottom_, scheduler_bytes_);
#endif
    self.back = std::move(self.back).resume();
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake, &scheduler_bottom_, &scheduler_bytes_);
#endif
  }
  void unwind() {
    for (unsigned t = 0; t < kMaxThreads; ++t) {
      if (threads_[t].fiber) unwind(t);
    }
  }
  // Destroying a fibre runs its destructors on its own stack; it comes back without saying so.
  void unwind(unsigned t) {
#if defined(__SANITIZE_ADDRESS__)
    void* fake = nullptr;
    const void* bottom = nullptr;
    std::size_t bytes = 0;
    __sanitizer_start_switch_fiber(&fake, stacks_.bottom(t), kStackBytes);
#endif
    threads_[t].fiber = {};
    threads_[t].back = {};
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(nullptr, &bottom, &bytes);
    __sanitizer_start_switch_fiber(nullptr, bottom, bytes);
    __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
    __asan_unpoison_memory_region(stacks_.bottom(t), kStackBytes);  // frames that were left without their end
#endif
  }
  void entered() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(nullptr, &scheduler_bottom_, &scheduler_bytes_);
#endif
  }

  Stacks stacks_;
  std::array<Thread, kMaxThreads> threads_;
  std::vector<unsigned> order_;
  std::mt19937_64 random_;
  std::string kernel_;
  const std::function<void()>* body_ = nullptr;
  std::vector<std::byte> shared_;
  std::uint64_t serial_ = 0;
  unsigned count_ = 0, current_ = 0;
  unsigned arrived_ = 0;
  int barrier_count_ = 0, barrier_result_ = 0;
  Site barrier_site_;
  std::exception_ptr error_;
#if defined(__SANITIZE_ADDRESS__)
  const void* scheduler_bottom_ = nullptr;
  std::size_t scheduler_bytes_ = 0;
#endif
};

Executor& executor() {
  static thread_local const auto instance = std::make_unique<Executor>();
  return *instance;
}

}  // namespace

void set_schedule(Schedule schedule) { executor().schedule = schedule; }
void launch(Dim3 grid, Dim3 block, std::size_t shared_bytes, const std::string& kernel,
            const std::function<void()>& body) {
  executor().launch(grid, block, shared_bytes, kernel, body);
}
int block_barrier(bool predicate, Site site) { return executor().block_barrier(predicate, site); }
std::uint64_t warp_meet(WarpCall call, unsigned mask, std::uint64_t value, int argument, int width,
                        Site site) {
  return executor().warp_meet(call, mask, value, argument, width, site);
}
void spin_until(const std::function<bool()>& condition, Site site) { executor().spin_until(condition, site); }
void fail(const std::string& text) { executor().fail(text); }
std::byte* dynamic_shared_memory() { return executor().shared().data(); }
std::size_t dynamic_shared_bytes() { return executor().shared().size(); }
std::uint64_t block_serial() { return executor().serial(); }

}  // namespace tandem::simt

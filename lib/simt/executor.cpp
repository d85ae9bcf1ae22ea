#include "lib/simt/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <memory>
#include <numeric>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "lib/core/random_bits.h"
#include "lib/simt/cuda.h"
#include "lib/simt/fibres.h"
#include "lib/simt/grid.h"
#include "lib/simt/kernel_memory.h"
#include "lib/simt/ranks.h"
#include "lib/simt/symbols.h"

constinit thread_local tandem::simt::Indices tandem_simt_indices{};
[[gnu::tls_model("initial-exec")]] constinit thread_local tandem::simt::Unwatched tandem_simt_unwatched{};

namespace tandem::simt {
namespace {

constexpr unsigned kMaxThreads = 1024;  // per block, as on every GPU since 2010
constexpr unsigned kWarp = 32;
constexpr unsigned kMaxCluster = 8;
constexpr unsigned kPollCalls =
    8;  // warp calls of a loop that waits: spin_until([&] { return __all_sync(…); })
constexpr int kIdlePasses = 10000;             // passes in which threads only spin, before that is a deadlock
constexpr std::uint64_t kShareThreads = 1024;  // grids with fewer threads stay on one OS thread

enum class State : std::uint8_t { ready, spinning, paused, at_block_barrier, at_warp_call, ended };

struct Thread {
  State state = State::ended;
  unsigned fibre = 0;  // that holds it once it has started
  Site site;           // of the barrier, warp call or spin it waits at
  WarpCall call{};
  unsigned mask = 0;
  int argument = 0, width = 32;
  std::uint64_t value = 0;             // in: this lane's operand; out: its result
  unsigned calls = 0;                  // warp calls since it last spun
  std::optional<std::uint32_t> phase;  // of its cluster's barrier, at which it has arrived and not waited
  Index index{};
};

std::string_view file_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }
std::string_view file_of(const Site& site) { return file_of(std::string_view(site.file_name())); }
std::string place(const Site& site) { return fmt::format("{}:{}", file_of(site), site.line()); }
bool same(const Site& a, const Site& b) {
  return a.line() == b.line() && a.column() == b.column() &&
         (a.file_name() == b.file_name() || std::string_view(a.file_name()) == b.file_name());
}

/// For std::shuffle: the same on every machine.
struct Shuffler {
  using result_type = std::uint64_t;
  std::uint64_t seed, drawn = 0;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }
  result_type operator()() { return random_bits(seed, drawn++); }
};

class Executor {
 public:
  Observer* observer = nullptr;
  bool running = false;

  Executor() = default;
  Executor(const Executor&) = delete;

  // Takes blocks until none is left. The first error of any OS thread ends the launch on all.
  void work(Grid& grid) {
    grid_ = &grid;
    try {
      count_ = static_cast<unsigned>(grid.launch.block.count());
      memory_.begin_launch(grid.serial, grid.launch.shared_bytes, grid.ranges, grid.launcher_stack,
                           grid.clusters ? &grid.layout : nullptr);
      tandem_simt_indices.block_dim = grid.launch.block;
      tandem_simt_indices.grid_dim = grid.launch.grid;
      tandem_simt_unwatched = {fibres_.stacks(), {}};
      prepare();
      running = true;
      for (std::uint64_t b; (grid.turns || !grid.stop) && (b = grid.next++) < grid.end;)
        grid.turns ? take_turns(b) : run_block(b);
    } catch (...) {
      grid.give_up(std::current_exception());
    }
    running = false;
  }

  void observe(Observer* by) {
    watch_with(by);
    if (running && grid_->turns) grid_->observer = by;
  }

  // --- called from inside a fibre ---

  int block_barrier(bool predicate, const Site& site) {
    Thread& self = threads_[current_];
    if (arrived_ > 0 && !same(site, barrier_site_)) {
      fail(fmt::format("divergent barrier: this thread is at {}:{}, others wait at {}:{}", file_of(site),
                       site.line(), file_of(barrier_site_), barrier_site_.line()));
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
      if (observer) observer->block_barrier();
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
    ++self.calls;
    if (!(mask >> lane & 1))
      fail(fmt::format("the mask {:#010x} at {}:{} leaves out the calling lane", mask, file_of(site),
                       site.line()));
    self.state = State::at_warp_call;
    WarpLanes& lanes = lanes_[first / kWarp];
    if (const unsigned gone = mask & (lanes.ended | lanes.missing)) {
      const auto other = static_cast<unsigned>(std::countr_zero(gone));
      fail(fmt::format("the mask {:#010x} at {}:{} names lane {}, which {}", mask, file_of(site), site.line(),
                       other, lanes.missing >> other & 1 ? "the block does not have" : "has ended"));
    }
    lanes.waiting |= 1u << lane;
    if ((mask & ~lanes.waiting) == 0 && all_meet(first, mask, self))
      finish_warp_call(first, mask);
    else
      yield(self);
    return self.value;
  }

  void spin(const Site& site) {
    Thread& self = threads_[current_];
    self.site = site;
    self.calls = 0;
    self.state = State::spinning;
    yield(self);
  }

  // --- clusters ---

  unsigned cluster_size() const { return grid_->clusters ? grid_->clusters->size() : 1; }
  unsigned rank_in_cluster() const { return grid_->clusters ? grid_->clusters->rank(block_) : 0; }

  void cluster_arrive(const Site& site) {
    Thread& self = threads_[current_];
    if (!grid_->clusters)
      fail(fmt::format("arrives at the barrier of a cluster at {}; the launch has none", place(site)));
    if (self.phase)
      fail(fmt::format("arrives at the cluster's barrier at {} and has not waited since it last did",
                       place(site)));
    if (observer) observer->cluster_arrived(current_);
    self.phase = grid_->clusters->arrive(block_);
  }
  void cluster_wait(const Site& site) {
    Thread& self = threads_[current_];
    if (!self.phase)
      fail(fmt::format("waits at the cluster's barrier at {} and has not arrived", place(site)));
    while (!grid_->clusters->has_ended(block_, *self.phase)) spin(site);
    self.phase.reset();
    if (observer) observer->cluster_waited(current_);
  }
  void* in_block(unsigned rank, const void* own, const Site& site) {
    const auto* address = static_cast<const std::byte*>(own);
    if (!memory_.in_shared(address, 1))
      fail(fmt::format("{}: {} is not in shared memory", place(site), fmt::ptr(own)));
    if (rank >= cluster_size())
      fail(fmt::format("{}: block {} of a cluster of {}", place(site), rank, cluster_size()));
    if (rank == rank_in_cluster()) return const_cast<void*>(own);
    std::byte* const shared = grid_->clusters->shared_of(grid_->clusters->neighbour(block_, rank));
    if (!shared)
      fail(fmt::format("{}: block {} of the cluster has not begun or has ended", place(site), rank));
    return shared + (address - memory_.shared());
  }

  // Leaves the fibre for good: nothing is thrown through the kernel, because the calls that instrument its
  // loads and stores count as calls that cannot throw.
  [[noreturn]] void fail(std::string text) { fail({}, std::move(text)); }
  [[noreturn]] void fail(std::optional<CodeSite> site, std::string text) {
    failure_ = Failure{site, std::move(text)};  // nobody will destroy what is left on this stack
    fibres_.yield(threads_[current_].fibre);
    std::abort();  // not reached
  }

  // --- memory ---

  // What comes up most: the thread's own stack, the launch's arguments and indices, and while nobody watches shared
  // memory.
  bool of_no_interest(const std::byte* address, std::size_t bytes) const {
    return tandem_simt_unwatched.stacks.holds(address, bytes) ||
           (!observer && memory_.in_shared(address, bytes) && Unwatched::is_aligned(address, bytes)) ||
           memory_.on_launcher_stack(address) || is_index(address);
  }

  void* shared_element(SharedArray& array, std::int64_t index, std::int64_t count, std::size_t size) {
    std::string wrong;
    void* element = memory_.element(array, index, count, size, wrong);
    if (!element) fail(std::move(wrong));
    return element;
  }
  void* dynamic_shared_element(std::int64_t index, std::size_t size) {
    std::string wrong;
    void* element = memory_.dynamic_element(index, size, wrong);
    if (!element) fail(std::move(wrong));
    return element;
  }

  void note_access(const void* pointer, std::size_t bytes, Kind kind, bool relaxed, const CodeSite& site,
                   Scope scope = Scope::device) {
    const auto* address = static_cast<const std::byte*>(pointer);
    if (of_no_interest(address, bytes)) return;
    std::uint64_t block = block_;
    auto located = memory_.locate(address, bytes);
    if (located.place == KernelMemory::Place::outside && grid_->clusters) {
      for (unsigned rank = 0; rank < cluster_size(); ++rank) {
        const std::uint64_t neighbour = grid_->clusters->neighbour(block_, rank);
        const std::byte* const shared = grid_->clusters->shared_of(neighbour);
        if (!shared || !memory_.in_shared(shared, address, bytes)) continue;
        located = {KernelMemory::Place::shared, std::size_t(address - shared), {}};
        block = neighbour;
      }
    }
    if (located.place == KernelMemory::Place::outside) {
      const char* verb = kind == Kind::load ? "reads" : kind == Kind::store ? "writes" : "updates";
      std::string text = fmt::format("{} {} bytes at {}", verb, bytes, located.wrong);
      located.wrong = std::string();
      fail(site, std::move(text));
    }
    if (located.place == KernelMemory::Place::host) return;
    if (!Unwatched::is_aligned(address, bytes))
      fail(site, fmt::format("moves {} bytes at {}, which is not aligned to them", bytes, fmt::ptr(address)));
    if (!observer) {
      if (located.place == KernelMemory::Place::global) tandem_simt_unwatched.arrays = memory_.last_ranges();
      return;
    }
    const Access access = access_of(address, located, block, bytes, kind, relaxed, site, scope);
    if (observer->access(access)) {
      Thread& self = threads_[current_];
      self.state = State::paused;
      yield(self);
    }
  }

  void note_unspecified(const void* pointer, std::size_t bytes, const CodeSite& site) {
    if (!observer || bytes == 0) return;
    const auto* address = static_cast<const std::byte*>(pointer);
    const auto located = memory_.locate(address, bytes);
    if (located.place == KernelMemory::Place::shared)
      observer->unspecified(access_of(address, located, block_, bytes, Kind::store, false, site));
  }

  unsigned current() const { return current_; }

 private:
  Access access_of(const std::byte* address, const KernelMemory::Located& located, std::uint64_t block,
                   std::size_t bytes, Kind kind, bool relaxed, const CodeSite& site,
                   Scope scope = Scope::device) {
    const bool shared = located.place == KernelMemory::Place::shared;
    return {current_,
            site_number(site),
            shared ? located.offset : reinterpret_cast<std::uint64_t>(address),
            static_cast<std::uint32_t>(bytes),
            shared ? Space::shared : Space::global,
            kind,
            relaxed,
            block,
            scope};
  }

  static std::string show(Index i, Dim3 of) {
    return of.y * of.z == 1 ? fmt::format("{}", i.x) : fmt::format("({}, {}, {})", i.x, i.y, i.z);
  }

  // One launch runs the same few instructions over and over, so a small table in front of `sites` hits.
  std::uint32_t site_number(const CodeSite& site) {
    const void* key = site.instruction ? site.instruction : site.file;
    auto& slot = site_cache_[(reinterpret_cast<std::uintptr_t>(key) + site.line) % site_cache_.size()];
    if (slot.key != key || slot.line != site.line || slot.column != site.column)
      slot = {key, site.line, site.column, simt::site_number(site)};
    return slot.number;
  }

  static bool is_index(const std::byte* address) {
    const auto* begin = reinterpret_cast<const std::byte*>(&tandem_simt_indices);
    return std::size_t(address - begin) < sizeof tandem_simt_indices;
  }

  // --- running a block ---

  void watch_with(Observer* by) {
    observer = by;
    if (by) tandem_simt_unwatched.arrays = {};
  }

  void prepare() {
    const Dim3 block = grid_->launch.block;
    for (unsigned t = 0; t < count_; ++t)
      threads_[t].index = {t % block.x, t / block.x % block.y, t / (block.x * block.y)};
    for (unsigned w = 0; w < lanes_.size(); ++w) {
      const unsigned there = std::clamp(count_, w * kWarp, (w + 1) * kWarp) - w * kWarp;
      lanes_[w].missing = there == kWarp ? 0 : ~0u << there;
    }
    order_.resize(count_);
    std::iota(order_.begin(), order_.end(), 0u);
    if (grid_->settings.schedule.order == Schedule::Order::reverse)
      std::reverse(order_.begin(), order_.end());
  }

  // What a fibre does: it calls the threads of a block that have not started, one after another, until one
  // has to wait and keeps the fibre. Then goes on who can.
  unsigned start_threads(unsigned fibre) {
    while (started_ < count_ && !error_) {
      const unsigned t = order_[started_++];
      threads_[t].fibre = fibre;
      enter(t);
      try {
        grid_->launch.body(grid_->launch.context);
      } catch (...) {
        error_ = std::current_exception();
      }
      threads_[current_].state = State::ended;
      lanes_[current_ / kWarp].ended |= 1u << current_ % kWarp;
      leave_cluster();
      ++ended_;
    }
    if (error_ || next_ == count_) return Fibres::kWhoeverResumed;
    note_progress();
    return next_goes_on() ? threads_[current_].fibre : Fibres::kWhoeverResumed;
  }

  void leave_cluster() {
    if (!grid_->clusters) return;
    const auto& phase = threads_[current_].phase;
    grid_->clusters->leave(block_, phase && !grid_->clusters->has_ended(block_, *phase));
  }

  void enter(unsigned t) {
    current_ = t;
    tandem_simt_indices.thread = threads_[t].index;
  }

  void take_turns(std::uint64_t b) {
    grid_->turns->begin(grid_->first_turn + b);
    try {
      watch_with(grid_->observer);
      if (!grid_->stop) run_block(b);
    } catch (...) {
      grid_->fail(std::current_exception());
    }
    observer = nullptr;  // launch() gives it back to the OS thread that it belongs to
    if (grid_->clusters) grid_->clusters->close(b);
    grid_->end_turns(b);
  }

  bool pass_turn(std::uint64_t b, bool made_progress) {
    const bool goes_on = grid_->turns->pass(grid_->first_turn + b, made_progress);
    watch_with(grid_->observer);
    if (observer) observer->block_again(block_);
    return goes_on;
  }

  void run_block(std::uint64_t b) {
    const Dim3 grid = grid_->launch.grid;
    tandem_simt_indices.block = {unsigned(b % grid.x), unsigned(b / grid.x % grid.y),
                                 unsigned(b / (std::uint64_t{grid.x} * grid.y))};
    block_ = grid_->launch.first_block + b;
    memory_.begin_block();
    if (grid_->clusters) grid_->clusters->open(block_, memory_.shared());
    for (unsigned t = 0; t < count_; ++t) {
      threads_[t].state = State::ready;
      threads_[t].phase.reset();
      threads_[t].calls = kPollCalls + 1;
    }
    for (WarpLanes& lanes : lanes_) lanes.waiting = lanes.ended = 0;
    started_ = ended_ = arrived_ = 0;
    barrier_count_ = 0;
    if (observer) observer->block(block_, count_);

    const Schedule schedule = grid_->settings.schedule;
    Shuffler shuffler{random_bits(schedule.seed, block_)};
    const auto shuffle = [&] {
      if (schedule.order == Schedule::Order::random) std::shuffle(order_.begin(), order_.end(), shuffler);
    };
    shuffle();
    next_ = count_;
    while (started_ < count_) resume(fibres_.take());
    std::uint64_t seen = grid_->progress;
    bool made_progress = true;  // in this turn
    for (int idle = 0; ended_ < count_;) {
      progress_ = let_pauses_end();
      spinning_ = false;
      shuffle();
      next_ = 0;
      while (next_goes_on()) {
        resume(threads_[current_].fibre);
        note_progress();
      }
      if (progress_) {
        idle = 0;
        made_progress = true;
        grid_->progressed();
        if (grid_->rank && ended_ < count_ && grid_->turns->mixes()) pass_turn(b, true);
      } else if (ended_ < count_) {
        if (!spinning_) deadlock();
        if (grid_->stop) return fibres_.abandon();
        if (grid_->turns) {
          if (!pass_turn(b, std::exchange(made_progress, false))) deadlock();
          continue;
        }
        if (idle == 0 || grid_->progress >> 16 != seen >> 16) {  // starts to count anew
          seen = grid_->progress;
          idle = 0;
        }
        if (++idle >= kIdlePasses) {
          if (grid_->all_confirm(seen, idle == kIdlePasses)) deadlock();
          std::this_thread::yield();  // other blocks are still at work
        }
      }
    }
    grid_->progressed();
    if (observer) observer->block_end();
  }

  bool let_pauses_end() {
    bool any = false;
    for (unsigned first = 0; first < count_; first += kWarp) {
      bool paused = false;
      for (unsigned t = first; t < std::min(first + kWarp, count_); ++t) {
        if (threads_[t].state != State::paused) continue;
        threads_[t].state = State::ready;
        paused = true;
      }
      if (paused) observer->caught_up(first / kWarp);
      any |= paused;
    }
    return any;
  }

  // Nobody can go on: says who waits where.
  [[noreturn]] void deadlock() {
    std::string text;
    std::vector<std::pair<std::string, unsigned>> waits;  // place, how many
    for (unsigned t = 0; t < count_; ++t) {
      const Thread& thread = threads_[t];
      if (thread.state == State::ended) continue;
      const char* what = thread.state == State::at_block_barrier ? "at the block barrier"
                         : thread.state == State::at_warp_call   ? "at the warp call"
                                                                 : "spinning at";
      const std::string place = fmt::format("{} {}:{}", what, file_of(thread.site), thread.site.line());
      const auto found =
          std::find_if(waits.begin(), waits.end(), [&](const auto& w) { return w.first == place; });
      if (found == waits.end())
        waits.emplace_back(place, 1);
      else
        ++found->second;
    }
    for (const auto& [place, threads] : waits)
      text += fmt::format("{}{} wait {}", text.empty() ? "" : ", ", threads, place);
    if (ended_) text += fmt::format(", {} have ended", ended_);
    const bool divergent = waits.size() == 1 && arrived_ > 0;
    error_ = std::make_exception_ptr(KernelError(
        fmt::format("{}, block {}: {}: of {} threads {}", grid_->launch.implementation,
                    show(tandem_simt_indices.block, grid_->launch.grid),
                    divergent ? "a barrier that some threads never reach" : "deadlock", count_, text)));
    stop();
  }

  [[noreturn]] void stop() {
    fibres_.abandon();
    if (failure_) {
      const Failure failure = *std::exchange(failure_, {});
      throw KernelError(fmt::format("{}, block {}, thread {}: {}{}", grid_->launch.implementation,
                                    show(tandem_simt_indices.block, grid_->launch.grid),
                                    show(threads_[current_].index, grid_->launch.block),
                                    failure.site ? show_line(*failure.site) + " " : "", failure.text));
    }
    std::rethrow_exception(std::exchange(error_, nullptr));
  }

  void finish_warp_call(unsigned first, unsigned mask) {
    std::array<std::uint64_t, kWarp> result{};
    std::array<std::uint8_t, kWarp> sources{};
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
        sources[lane] = static_cast<std::uint8_t>(std::countr_zero(result[lane]));
      } else {
        const unsigned source = source_lane(t, lane);
        if (!(mask >> source & 1))
          fail(fmt::format("shuffle at {}:{} reads lane {}, which is not in its mask", file_of(t.site),
                           t.site.line(), source));
        sources[lane] = static_cast<std::uint8_t>(source);
        result[lane] = threads_[first + source].value;
      }
    }
    for (unsigned rest = mask; rest; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      threads_[first + lane].value = result[lane];
      threads_[first + lane].state = State::ready;
    }
    lanes_[first / kWarp].waiting &= ~mask;
    if (observer) {
      const Thread& t = threads_[current_];
      observer->warp_call({first / kWarp,
                           mask,
                           t.call,
                           {nullptr, t.site.file_name(), t.site.line(), t.site.column()},
                           sources});
    }
  }

  // Whether the lanes of the mask, all of which wait, wait for the same call.
  bool all_meet(unsigned first, unsigned mask, const Thread& self) const {
    for (unsigned rest = mask; rest; rest &= rest - 1) {
      const Thread& t = threads_[first + static_cast<unsigned>(std::countr_zero(rest))];
      if (t.mask != mask || t.call != self.call || !same(t.site, self.site)) return false;
    }
    return true;
  }

  // Outside its segment of `width` lanes a shuffle up or down returns the lane's own value; xor reads earlier
  // segments, not later ones.
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
    const bool before = source < segment && t.call != WarpCall::shuffle_xor;
    return static_cast<unsigned>(before || source >= segment + width ? own : source);
  }

  // The next thread of this turn that can go on is the current one; false: there is none.
  bool next_goes_on() {
    while (next_ < count_) {
      const unsigned t = order_[next_++];
      State& state = threads_[t].state;
      if (state != State::ready && state != State::spinning) continue;
      state = State::ready;
      enter(t);
      return true;
    }
    return false;
  }
  // What the current thread did in this turn.
  void note_progress() {
    const Thread& t = threads_[current_];
    if (t.state == State::spinning || (t.state == State::at_warp_call && t.calls <= kPollCalls))
      spinning_ = true;
    else
      progress_ = true;
  }

  void resume(unsigned fibre) {
    fibres_.resume(fibre);
    if (error_ || failure_) stop();
  }
  // A thread stops. The next one goes on at once, or starts, where there is one and a fibre for it.
  void yield(const Thread& self) {
    if (started_ < count_) {
      if (fibres_.any_free()) return fibres_.hand_over(self.fibre, fibres_.take());
    } else if (next_ < count_) {
      note_progress();
      if (next_goes_on()) return fibres_.hand_over(self.fibre, threads_[current_].fibre);
    }
    fibres_.yield(self.fibre);
  }

  struct SiteSlot {
    const void* key = nullptr;
    unsigned line = 0, column = 0;
    std::uint32_t number = 0;
  };

  Grid* grid_ = nullptr;
  Fibres fibres_{[this](unsigned fibre) { return start_threads(fibre); }};
  KernelMemory memory_;
  std::array<Thread, kMaxThreads> threads_;
  struct WarpLanes {
    unsigned waiting, ended, missing;  // a bit per lane: at a warp call; has ended; not part of the block
  };
  std::array<WarpLanes, kMaxThreads / kWarp> lanes_{};
  std::vector<unsigned> order_;
  std::array<SiteSlot, 256> site_cache_{};
  std::uint64_t block_ = 0;
  unsigned count_ = 0, current_ = 0, started_ = 0, ended_ = 0;
  unsigned next_ = 0;                         // of order_, in this turn
  bool progress_ = false, spinning_ = false;  // of any thread in this turn
  unsigned arrived_ = 0;
  int barrier_count_ = 0, barrier_result_ = 0;
  Site barrier_site_;
  std::exception_ptr error_;
  // Put into words on the scheduler's stack: reading line numbers needs more than a fibre has.
  struct Failure {
    std::optional<CodeSite> site;
    std::string text;
  };
  std::optional<Failure> failure_;
};

// Made on the first launch of each OS thread; the pointer alone is read by every hook.
[[gnu::tls_model("initial-exec")]] constinit thread_local Executor* this_thread = nullptr;
Executor& executor() {
  static thread_local std::unique_ptr<Executor> instance;
  if (!instance) {
    instance = std::make_unique<Executor>();
    this_thread = instance.get();
  }
  return *instance;
}

Executor& running() { return *this_thread; }

}  // namespace

Settings& settings() {
  static thread_local Settings instance;
  return instance;
}

Schedule parse_schedule(const std::string& text) {
  if (text == "forward") return {};
  if (text == "reverse") return {Schedule::Order::reverse, 0};
  if (text.starts_with("random:")) {
    Schedule schedule{Schedule::Order::random, 0};
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data() + 7, end, schedule.seed);
    if (parsed.ec == std::errc() && parsed.ptr == end) return schedule;
  }
  throw InvalidArgument(fmt::format("unknown schedule '{}'; known: forward, reverse, random:SEED", text));
}

void observe(Observer* observer) { executor().observe(observer); }
Observer* observer() { return executor().observer; }

void run_blocks(Grid& grid) {
  try {
    executor().work(grid);
  } catch (...) {  // no memory for an executor
    grid.give_up(std::current_exception());
  }
}

void launch(const Launch& given) {
  const Dim3 grid = given.grid, block = given.block;
  if (block.count() == 0 || block.count() > kMaxThreads || grid.count() == 0 || grid.y > 65535 ||
      grid.z > 65535) {
    throw KernelError(fmt::format("{}: cannot launch {} x {} x {} blocks of {} x {} x {} threads",
                                  given.implementation, grid.x, grid.y, grid.z, block.x, block.y, block.z));
  }
  if (given.shared_bytes > kMaxSharedBytes) {
    throw KernelError(fmt::format("{}: {} bytes of dynamic shared memory; a block can have {}",
                                  given.implementation, given.shared_bytes, kMaxSharedBytes));
  }
  if (given.cluster > kMaxCluster || (given.cluster > 0 && grid.x % given.cluster != 0)) {
    throw KernelError(fmt::format("{}: cannot launch {} blocks in clusters of {}; a cluster has 1 to {}",
                                  given.implementation, grid.x, given.cluster, kMaxCluster));
  }
  Launch launch = given;
  LaunchingRank* const rank = rank_of_this_thread();
  if (rank) {
    launch.implementation = fmt::format("rank {}: {}", rank->number, given.implementation);
    launch.rank = rank->number;
    launch.first_block = std::exchange(rank->all.blocks, rank->all.blocks + grid.count());
    if (launch.cluster > 0) throw KernelError(launch.implementation + ": clusters are for one rank alone");
  }
  static std::atomic<std::uint64_t> serial = 0;
  Grid shared{.launch = launch,
              .settings = settings(),
              .ranges = live_memory::snapshot(launch.rank),
              .launcher_stack = stack_of_this_thread(),
              .end = grid.count(),
              .serial = ++serial,
              .observer = executor().observer,
              .turns = nullptr,
              .clusters = {},
              .layout = {},
              .mutex = {},
              .error = nullptr};
  Executor& own = executor();
  if (own.observer) own.observer->launch(launch);
  unsigned threads =
      shared.settings.os_threads ? shared.settings.os_threads : std::thread::hardware_concurrency();
  threads = static_cast<unsigned>(std::min<std::uint64_t>(threads, shared.end));
  static Team team(run_blocks);
  if (rank && launch.together) {
    rank->run(shared);
    own.observer = shared.observer;
  } else if (launch.together || launch.cluster > 0) {  // all blocks at a time, or a cluster
    const bool descending = shared.settings.schedule.order == Schedule::Order::reverse;
    const auto blocks = static_cast<unsigned>(launch.together ? grid.count() : launch.cluster);
    for (std::uint64_t first = 0; first < grid.count() && !shared.error; first += blocks) {
      Turns turns({descending ? Schedule::Order::reverse : Schedule::Order::forward});
      turns.add(first, blocks);
      turns.start();
      shared.next = first;
      shared.end = first + blocks;
      shared.turns = &turns;
      if (launch.cluster > 0)
        shared.clusters.emplace(first, blocks, launch.cluster, static_cast<unsigned>(block.count()));
      team.run(shared, blocks);
    }
    own.observer = shared.observer;
  } else {
    const bool worth_it =
        threads > 1 && !rank && !own.observer && shared.end * block.count() >= kShareThreads;
    if (!worth_it || !team.run(shared, threads)) own.work(shared);
  }
  if (shared.error) std::rethrow_exception(shared.error);
}

int block_barrier(bool predicate, Site site) { return running().block_barrier(predicate, site); }
std::uint64_t warp_meet(WarpCall call, unsigned mask, std::uint64_t value, int argument, int width,
                        Site site) {
  return running().warp_meet(call, mask, value, argument, width, site);
}
void spin(Site site) { running().spin(site); }
void cluster_arrive(Site site) { running().cluster_arrive(site); }
void cluster_wait(Site site) { running().cluster_wait(site); }
unsigned rank_in_cluster() { return running().rank_in_cluster(); }
bool in_cluster() { return running().cluster_size() > 1; }
void* in_block(unsigned rank, const void* own, Site site) { return running().in_block(rank, own, site); }
void fence(Scope scope) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  Executor& e = running();
  if (e.observer) e.observer->fence(e.current(), scope);
}
void fail(std::string text) { running().fail(std::move(text)); }
void outside_array(std::int64_t index, const char* array, const char* file, std::uint32_t line) {
  if (!this_thread || !this_thread->running) std::abort();
  fail(fmt::format("index {} is outside {} at {}:{}", index, array, file_of(std::string_view(file)), line));
}
void* shared_element(SharedArray& array, std::int64_t index, std::int64_t count, std::size_t size) {
  return running().shared_element(array, index, count, size);
}
void outside_tile(std::int64_t row, std::int64_t column, std::int64_t rows, std::int64_t columns) {
  fail(fmt::format("shared memory index [{}][{}] is outside [{}][{}]", row, column, rows, columns));
}
void* dynamic_shared_element(std::int64_t index, std::size_t size) {
  return running().dynamic_shared_element(index, size);
}

void note_access(const void* address, std::size_t bytes, bool write, const void* instruction) {
  Executor* e = this_thread;
  if (!e || !e->running || e->of_no_interest(static_cast<const std::byte*>(address), bytes)) return;
  e->note_access(address, bytes, write ? Kind::store : Kind::load, false, {instruction, nullptr, 0, 0});
}
void note_mbarrier(const void* mbarrier, bool arrived) {
  Executor& e = running();
  if (!e.observer) return;
  if (arrived)
    e.observer->mbarrier_arrived(e.current(), mbarrier);
  else
    e.observer->mbarrier_waited(e.current(), mbarrier);
}
void note_range(const void* address, std::size_t bytes, Kind kind, Site site) {
  running().note_access(address, bytes, kind, false, {nullptr, site.file_name(), site.line(), site.column()});
}
void note_unspecified(const void* address, std::size_t bytes, Site site) {
  running().note_unspecified(address, bytes, {nullptr, site.file_name(), site.line(), site.column()});
}
void note_atomic(const void* address, unsigned bytes, Kind kind, Site site, Scope scope) {
  running().note_access(address, bytes, kind, true, {nullptr, site.file_name(), site.line(), site.column()},
                        scope);
}

}  // namespace tandem::simt

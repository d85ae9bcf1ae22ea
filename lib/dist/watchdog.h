#pragma once
// Notices ranks that others wait for in vain. Each process has one thread for it; the processes of a node share a
// board, on which each says what it calls and that it is alive. It never throws: it ends the process.

#include <poll.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "lib/core/backend.h"
#include "lib/dist/engine.h"
#include "tandem/communicator.h"

namespace tandem {

/// How long a rank that lives is waited for, as TANDEM_TIMEOUT says; 0: any time. InvalidArgument where it is no number.
TANDEM_API int seconds_allowed();

/// Shared memory that has no name: a file descriptor of the process that made it. Nothing of it stays, however processes end.
class SharedMemory {
 public:
  explicit SharedMemory(std::size_t bytes);                      // makes it, zeroed
  SharedMemory(pid_t maker, int descriptor, std::size_t bytes);  // of another process of this machine
  SharedMemory(const SharedMemory&) = delete;
  ~SharedMemory();
  void* data() const { return data_; }            // null where there is none
  int descriptor() const { return descriptor_; }  // −1 where there is none
  /// What is mapped stays; nobody else can map it from now on.
  void close_descriptor();

 private:
  void map();
  std::size_t bytes_;
  int descriptor_;
  void* data_ = nullptr;
};

/// Outside of all calls; inside of one, computing; waiting for a message of other ranks; gone for good; at the end of the
/// program.
enum class RankState : std::int32_t { outside, inside, waiting, left, ending };

/// What a rank says about itself. Zero at the beginning.
struct alignas(64) Slot {
  std::atomic<std::uint32_t> beats;  // ten per second while its process runs
  std::atomic<RankState> state;
  std::atomic<RankCall> call;         // that it is in, or was in last
  std::atomic<std::uint64_t> number;  // of this call
};

/// The ranks of a communicator, as those of one node see them.
class Board {
 public:
  /// pids[r]: of rank r, 0 where it is on another node. memory holds bytes(size). device: of the rank's GPU, where it has one: a
  /// message is under way until its mark is passed.
  Board(std::unique_ptr<SharedMemory> memory, int rank, std::vector<pid_t> pids,
        std::shared_ptr<Backend> device = nullptr);
  Board(const Board&) = delete;
  ~Board();
  static std::size_t bytes(int size) { return sizeof(Slot) * (static_cast<std::size_t>(size) + 1); }

  void enter(RankCall call, std::uint64_t number);
  void leave_call() { mine().state = RankState::outside; }
  void begin_message() {
    ++messages_;
    mine().state = RankState::waiting;
  }
  void end_message() { mine().state = RankState::inside; }
  /// This rank makes no more calls.
  void leave() { mine().state = RankState::left; }
  /// Nor does this process.
  void end() { mine().state = RankState::ending; }

 private:
  friend class Watch;
  struct Member {
    bool elsewhere;     // on another node
    bool gone = false;  // left, and its process has ended
    int ended = -1;     // a descriptor that is readable once the process has ended
    std::uint32_t beats = 0;
    int silent = 0;  // ticks without a beat
  };
  Slot& slot(std::size_t r) const { return static_cast<Slot*>(memory_->data())[r]; }
  Slot& mine() const { return slot(static_cast<std::size_t>(rank_)); }
  /// Whether the caller is the first to report anything. (Behind the ranks' slots.)
  bool first_report() const { return slot(members_.size()).beats.exchange(1) == 0; }
  bool all_here() const;
  bool has_left(std::size_t r) const { return slot(r).state >= RankState::left; }
  /// This rank waits for others, in a call or on its GPU.
  bool waits() const;
  /// Those of this node.
  bool all_left() const;
  /// Those that have not ended before.
  bool all_end() const;

  std::unique_ptr<SharedMemory> memory_;
  int rank_;
  std::vector<Member> members_;
  std::shared_ptr<Backend> device_;
  std::atomic<std::uint64_t> messages_{0};
  std::uint64_t seen_messages_ = 0;  // by the thread that watches
  int waited_ = 0;                   // ticks since the last one began
};

/// The thread of this process, and the boards that it looks at.
class Watch {
 public:
  /// Starts it where it does not run yet.
  static Watch& of_process(const Engine& engine);
  void add(std::shared_ptr<Board> board);

  /// While a communicator is made there is no board: only the limit of TANDEM_TIMEOUT holds.
  class Starting {
   public:
    explicit Starting(Watch& watch) : watch_(watch) { watch_.starting_ = true; }
    Starting(const Starting&) = delete;
    ~Starting() { watch_.starting_ = false; }

   private:
    Watch& watch_;
  };

 private:
  explicit Watch(const Engine& engine);
  [[noreturn]] void run();
  void tick();
  void look(Board& board);
  void look_for_ended(Board& board, const std::vector<pollfd>& ended);
  [[noreturn]] void report(const Board& board, std::size_t rank, const char* what);
  [[noreturn]] void end_all(bool first, const char* line);
  void end_of_program();

  static Watch* running;
  const Engine& engine_;
  int limit_;  // ticks that a rank may be late; 0: any number
  std::atomic<bool> starting_{false}, ending_{false};
  int started_ = 0;  // ticks of starting
  std::mutex boards_are_used_;
  std::vector<std::shared_ptr<Board>> boards_;  // the first stays
};

}  // namespace tandem

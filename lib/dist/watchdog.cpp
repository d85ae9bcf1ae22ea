#include "lib/dist/watchdog.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "tandem/error.h"

namespace tandem {
namespace {

constexpr int kTick = 100;            // milliseconds
constexpr int kTicks = 1000 / kTick;  // in a second
constexpr int kSilent = 5 * kTicks;   // without a beat: the process is stopped
constexpr int kLeft = 2 * kTicks;     // in one message, which a rank that left does not send
constexpr int kLate = 1800;           // seconds, unless TANDEM_TIMEOUT says otherwise
constexpr int kStatus = 75;           // of processes that end because a rank is lost: EX_TEMPFAIL

}  // namespace

int seconds_allowed() {
  const char* text = std::getenv("TANDEM_TIMEOUT");
  if (!text) return kLate;
  char* end;
  const long seconds = std::strtol(text, &end, 10);
  if (end == text || *end || seconds < 0 || seconds > INT_MAX / kTicks)
    throw InvalidArgument(std::string("TANDEM_TIMEOUT is '") + text +
                          "'; it must be a number of seconds, 0 for no limit");
  return static_cast<int>(seconds);
}

namespace {

std::int64_t milliseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

}  // namespace

// --- memory

SharedMemory::SharedMemory(std::size_t bytes)
    : bytes_(bytes), descriptor_(memfd_create("tandem", MFD_CLOEXEC)) {
  if (descriptor_ >= 0 && ftruncate(descriptor_, static_cast<off_t>(bytes)) == 0) map();
}
SharedMemory::SharedMemory(pid_t maker, int descriptor, std::size_t bytes)
    : bytes_(bytes),
      descriptor_(open(("/proc/" + std::to_string(maker) + "/fd/" + std::to_string(descriptor)).c_str(),
                       O_RDWR | O_CLOEXEC)) {
  if (descriptor_ >= 0) map();
}
SharedMemory::~SharedMemory() {
  if (data_) munmap(data_, bytes_);
  close_descriptor();
}
void SharedMemory::close_descriptor() {
  if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
}
void SharedMemory::map() {
  void* memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (memory != MAP_FAILED) data_ = memory;
}

// --- a board

Board::Board(std::unique_ptr<SharedMemory> memory, int rank, std::vector<pid_t> pids,
             std::shared_ptr<Backend> device)
    : memory_(std::move(memory)), rank_(rank), device_(std::move(device)) {
  for (const pid_t pid : pids) {
    members_.push_back({pid == 0});
    if (pid && pid != getpid()) members_.back().ended = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  }
}
Board::~Board() {
  for (const Member& member : members_) {
    if (member.ended >= 0) close(member.ended);
  }
}

void Board::enter(RankCall call, std::uint64_t number) {
  mine().call = call;
  mine().number = number;
  mine().state = RankState::inside;
}

bool Board::waits() const {
  const RankState state = mine().state;
  return state == RankState::waiting || (device_ && state < RankState::left && !device_->is_past_mark());
}

bool Board::all_here() const {
  return std::none_of(members_.begin(), members_.end(),
                      [](const Member& member) { return member.elsewhere; });
}

bool Board::all_left() const {
  for (std::size_t r = 0; r < members_.size(); ++r) {
    if (!members_[r].elsewhere && !has_left(r)) return false;
  }
  return true;
}

bool Board::all_end() const {
  for (std::size_t r = 0; r < members_.size(); ++r) {
    const Member& member = members_[r];
    if (!member.elsewhere && !member.gone && slot(r).state != RankState::ending) return false;
  }
  return true;
}

// --- the thread

Watch* Watch::running = nullptr;

Watch& Watch::of_process(const Engine& engine) {
  static Watch& watch = *new Watch(engine);  // stays until the process ends
  return watch;
}

Watch::Watch(const Engine& engine) : engine_(engine), limit_(seconds_allowed() * kTicks) {
  running = this;
  engine.at_end([] { running->end_of_program(); });
  sigset_t all, before;
  sigfillset(&all);  // signals are the program's
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([this] { run(); }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Watch::add(std::shared_ptr<Board> board) {
  const std::lock_guard lock(boards_are_used_);
  boards_.push_back(std::move(board));
}

void Watch::run() {
  std::int64_t last = milliseconds();
  std::vector<pollfd> ended;
  while (true) {
    ended.clear();
    {
      const std::lock_guard lock(boards_are_used_);
      for (const auto& board : boards_) {
        for (const auto& member : board->members_) {
          if (member.ended >= 0) ended.push_back({member.ended, POLLIN, 0});
        }
      }
    }
    poll(ended.data(), ended.size(), kTick);
    const std::lock_guard lock(boards_are_used_);
    for (const auto& board : boards_) look_for_ended(*board, ended);
    if (milliseconds() - last < kTick) continue;
    last = milliseconds();
    tick();
  }
}

void Watch::look_for_ended(Board& board, const std::vector<pollfd>& ended) {
  for (std::size_t r = 0; r < board.members_.size(); ++r) {
    auto& member = board.members_[r];
    const auto is_it = [&](const pollfd& one) { return one.fd == member.ended && one.revents; };
    if (member.ended < 0 || std::none_of(ended.begin(), ended.end(), is_it)) continue;
    if (!board.has_left(r)) report(board, r, "has ended");
    close(std::exchange(member.ended, -1));
    member.gone = true;
  }
}

void Watch::tick() {
  started_ = starting_ ? started_ + 1 : 0;
  if (limit_ && started_ > limit_) {
    end_all(true, ("tandem: the ranks did not come together within " + std::to_string(limit_ / kTicks) +
                   " s (TANDEM_TIMEOUT) to make a communicator; all ranks end\n")
                      .c_str());
  }
  for (const auto& board : boards_) look(*board);
  if (boards_.size() > 1)
    boards_.erase(std::remove_if(boards_.begin() + 1, boards_.end(),
                                 [](const auto& board) { return board->all_left(); }),
                  boards_.end());
}

// Time is counted in this thread's own ticks, so that a machine which slept, or a job that was stopped as a whole, goes on.
void Watch::look(Board& board) {
  ++board.mine().beats;
  const std::uint64_t messages = board.messages_;
  board.waited_ = messages == board.seen_messages_ ? board.waited_ + 1 : 0;
  board.seen_messages_ = messages;
  const bool waits = board.waits();
  const bool late = waits && limit_ && board.waited_ > limit_;
  for (std::size_t r = 0; r < board.members_.size(); ++r) {
    auto& member = board.members_[r];
    if (member.elsewhere || member.gone || r == static_cast<std::size_t>(board.rank_)) continue;
    const Slot& other = board.slot(r);
    const std::uint32_t beats = other.beats;
    member.silent = beats == member.beats ? member.silent + 1 : 0;
    member.beats = beats;
    if ((waits || ending_) && member.silent >= kSilent) report(board, r, "is stopped");
    if (waits && board.has_left(r) && board.waited_ >= kLeft) report(board, r, "has left");
    if (late && (other.number < board.mine().number || other.state != RankState::waiting))
      report(board, r, "is alive, but elsewhere for longer than TANDEM_TIMEOUT");
  }
  if (late)
    report(board, static_cast<std::size_t>(board.rank_),
           "waits for longer than TANDEM_TIMEOUT, though no rank is missing");
}

void Watch::report(const Board& board, std::size_t rank, const char* what) {
  // The call that waits for it, else its own.
  const Slot& mine = board.mine();
  const bool waits = board.waits() || ending_;
  const Slot& slot = waits ? mine : board.slot(rank);
  const char* where = waits || slot.state != RankState::outside ? "in" : "after";
  char line[256];
  std::snprintf(line, sizeof line,
                "tandem: rank %zu of %zu %s: %s %s, call %llu of its communicator; all ranks end\n", rank,
                board.members_.size(), what, where, name(slot.call),
                static_cast<unsigned long long>(slot.number));
  end_all(boards_.front()->first_report(), line);
}

void Watch::end_all(bool first, const char* line) {
  const auto wait = [](timespec time) { nanosleep(&time, nullptr); };
  if (!first) wait({1, 0});  // the launcher ends all as soon as one has ended, and the line comes before
  // On a line of its own, in one write: a rank that crashed may have left half a line of its stack trace.
  char newline = '\n';
  const iovec parts[] = {{&newline, 1}, {const_cast<char*>(line), std::char_traits<char>::length(line)}};
  [[maybe_unused]] ssize_t written;
  if (first) written = writev(STDERR_FILENO, parts, 2);
  const bool all_here = boards_.empty() || boards_.front()->all_here();
  if (!all_here) {  // ranks on other nodes are not ended by every launcher, but by MPI
    std::thread([this] { engine_.abort(kStatus); }).detach();  // may wait for what does not come
    wait({1, 0});
  }
  _exit(kStatus);
}

// The rest of the program's end is MPI_Finalize, which a rank must not be in while another is lost: Open MPI's mpirun was
// seen to crash, or to wait for ever.
void Watch::end_of_program() {
  ending_ = true;
  std::shared_ptr<Board> first;
  {
    const std::lock_guard lock(boards_are_used_);
    for (const auto& board : boards_) {
      board->enter(RankCall::end, board->mine().number + 1);
      board->end();
    }
    if (!boards_.empty()) first = boards_.front();
  }
  const auto all_end = [&] {
    const std::lock_guard lock(boards_are_used_);
    return first->all_end();
  };
  while (first && !all_end()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

}  // namespace tandem

#include "lib/core/workers.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <thread>  // hardware_concurrency

namespace tandem {
namespace {

// Awake this long a thread finds the next of many short calls at once; longer would take time from others.
constexpr std::chrono::microseconds kAwake{30};

/// Waits awake until `done` or for kAwake.
template <class Done>
void wait_awake(const Done& done) {
  const auto until = std::chrono::steady_clock::now() + kAwake;
  do {
    for (int i = 0; i < 64; ++i) {
      if (done()) return;
#ifdef __SSE2__
      __builtin_ia32_pause();
#endif
    }
  } while (std::chrono::steady_clock::now() < until);
}

std::atomic<bool> forked{false};
[[maybe_unused]] const int registered = pthread_atfork(nullptr, nullptr, [] { forked = true; });

/// One call's loop, on its caller's stack.
struct Job {
  std::int64_t n, size;
  detail::Piece piece;
  const void* body;
  std::atomic<std::int64_t> next{0};  // the first iteration that nobody took
  std::atomic<int> inside{0};         // workers that hold a piece
  std::exception_ptr error{};         // the first one; under the pool's mutex, as what follows
  int came = 0;                       // workers so far
  std::condition_variable left{};
  Job* after = nullptr;  // in the pool's list

  /// The beginning of a piece, or n and more.
  std::int64_t take() { return next.fetch_add(size, std::memory_order_relaxed); }
  bool open() const { return next.load(std::memory_order_relaxed) < n; }

  /// Does the piece from `begin` and all that it can get.
  void work(std::int64_t begin, int worker, std::mutex& mutex) {
    try {
      for (; begin < n; begin = take()) piece(body, begin, std::min(n, begin + size), worker);
    } catch (...) {
      next.store(n, std::memory_order_relaxed);
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
    }
  }
};

class Pool {
 public:
  /// Never destroyed: its threads wait until the program ends.
  static Pool& instance() {
    alignas(Pool) static std::byte memory[sizeof(Pool)];
    static Pool& pool = *new (memory) Pool;
    return pool;
  }

  void run(Job& job) {
    {
      const std::lock_guard lock(mutex_);
      job.after = jobs_;
      jobs_ = &job;
      posted_.fetch_add(1, std::memory_order_release);
      wake_one();
    }
    job.work(job.take(), 0, mutex_);
    wait_awake([&] { return job.inside.load(std::memory_order_acquire) == 0; });
    std::unique_lock lock(mutex_);
    Job** place = &jobs_;
    while (*place != &job) place = &(*place)->after;
    *place = job.after;
    job.left.wait(lock, [&] { return job.inside.load(std::memory_order_relaxed) == 0; });
  }

  static int threads() {
    static const int count = [] {
      for (const char* name : {"TANDEM_THREADS", "OMP_NUM_THREADS"}) {
        const char* text = std::getenv(name);
        int asked = 0;
        if (text && std::from_chars(text, text + std::strlen(text), asked).ec == std::errc{} && asked > 0)
          return std::min(asked, 1024);
      }
      return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    }();
    return count;
  }

 private:
  /// With fewer threads where the system gives no more.
  Pool() {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the program's own threads
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    const auto serve = [](void* pool) -> void* { static_cast<Pool*>(pool)->serve(); };
    pthread_t thread;
    for (int t = 1; t < threads() && pthread_create(&thread, &detached, serve, this) == 0; ++t) {
    }
    pthread_attr_destroy(&detached);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  /// Each that comes wakes the next, so that the caller wakes one alone.
  void wake_one() {
    if (asleep_ > 0) come_.notify_one();
  }

  [[noreturn]] void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      Job* job = jobs_;
      while (job && !job->open()) job = job->after;
      if (!job) {
        const unsigned seen = posted_.load(std::memory_order_relaxed);
        const auto news = [&] { return posted_.load(std::memory_order_acquire) != seen; };
        lock.unlock();
        wait_awake(news);
        lock.lock();
        ++asleep_;
        come_.wait(lock, news);
        --asleep_;
        continue;
      }
      // Taken before the mutex is given back: nobody waits for a thread that holds no piece.
      const std::int64_t begin = job->take();
      if (begin >= job->n) continue;
      const int worker = ++job->came;
      job->inside.fetch_add(1, std::memory_order_relaxed);
      if (job->open()) wake_one();
      lock.unlock();
      job->work(begin, worker, mutex_);
      lock.lock();
      if (job->inside.fetch_sub(1, std::memory_order_release) == 1) job->left.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable come_;
  Job* jobs_ = nullptr;  // those whose caller has not returned
  std::atomic<unsigned> posted_{0};
  int asleep_ = 0;
};

thread_local const PiecesInTurn* in_turn = nullptr;
thread_local bool alone = false;

}  // namespace

int most_workers() { return forked || alone ? 1 : Pool::threads(); }

OneWorker::OneWorker() { alone = true; }
OneWorker::~OneWorker() { alone = false; }

PiecesInTurn::PiecesInTurn(std::function<std::int64_t()> begin, std::function<void(int worker)> end)
    : begin_(std::move(begin)), end_(std::move(end)) {
  in_turn = this;
}
PiecesInTurn::~PiecesInTurn() { in_turn = nullptr; }
void PiecesInTurn::run(std::int64_t n, std::int64_t size, detail::Piece piece, const void* body) const {
  const std::int64_t turns = begin_();
  const std::int64_t pieces = (n + size - 1) / size, in_a_turn = (pieces + turns - 1) / turns;
  int worker = 0;
  for (std::int64_t p = 0; p < pieces; ++p) {
    piece(body, p * size, std::min(n, (p + 1) * size), worker);
    if ((p + 1) % in_a_turn != 0 && p + 1 < pieces) continue;
    end_(worker);
    worker = (worker + 1) % most_workers();
  }
}

namespace detail {
void share_out(std::int64_t n, Pieces pieces, Piece piece, const void* body) {
  if (most_workers() == 1) return piece(body, 0, n, 0);
  constexpr std::int64_t kPiecesEach = 16;  // at least, so that no thread waits long for the last one
  const std::int64_t even = n / (kPiecesEach * most_workers());
  const std::int64_t size = std::clamp(even, pieces.size, std::max(pieces.size, pieces.most));
  if (in_turn) return in_turn->run(n, size, piece, body);
  Job job{n, size, piece, body};
  Pool::instance().run(job);
  if (job.error) std::rethrow_exception(job.error);
}
}  // namespace detail

}  // namespace tandem

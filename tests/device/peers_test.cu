// Kernels that store into the memory of other GPUs, on all GPUs of this machine in one process, without MPI: each GPU is a rank.
// Part of the suite `device`; skipped with fewer than two GPUs that reach each other. The second case prints times.

#include <cuda_runtime.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <deque>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "lib/core/context_impl.h"
#include "lib/dist/peers.h"
#include "tandem/array.h"
#include "tests/support.h"

namespace tandem {
namespace {

constexpr CaseId kF32{Type::f32, OperatorId::plus};
constexpr std::int64_t kPatience = 10'000'000'000;  // nanoseconds: a test that hangs says so

void ok(cudaError_t code) { REQUIRE_MESSAGE(code == cudaSuccess, cudaGetErrorString(code)); }

/// GPUs from 0 on that reach each other, at most 8; 0 where not even two do.
int count_gpus() {
  int count = 0;
  if (!why_no_device().empty() || cudaGetDeviceCount(&count) != cudaSuccess) return 0;
  count = std::min(count, 8);
  for (int a = 0; a < count; ++a) {
    for (int b = 0; b < count; ++b) {
      int can = a == b;
      if (!can && (cudaDeviceCanAccessPeer(&can, a, b) != cudaSuccess || !can)) return 0;
    }
  }
  return count < 2 ? 0 : count;
}
int gpus() {
  static const int count = count_gpus();
  return count;
}

/// What a rank has.
struct Rank {
  explicit Rank(int device) : ctx(Context::device(device)) {}
  Context ctx;
  std::byte* memory = nullptr;
  Peers peers{};
};

/// The first `count` GPUs as ranks. Nobody else may have enabled access between them.
class Ranks {
 public:
  Ranks(int count, std::int64_t half) {
    std::vector<std::byte*> memory;
    for (int r = 0; r < count; ++r) {
      ok(cudaSetDevice(r));
      for (int other = 0; other < count; ++other) {
        if (other == r) continue;
        if (const cudaError_t code = cudaDeviceEnablePeerAccess(other, 0);
            code != cudaErrorPeerAccessAlreadyEnabled)
          ok(code);
        cudaGetLastError();
      }
      ranks_.emplace_back(r);
      const auto bytes = static_cast<std::size_t>(Peers::bytes(half));
      ok(cudaMalloc(reinterpret_cast<void**>(&ranks_.back().memory), bytes));
      ok(cudaMemset(ranks_.back().memory, 0, bytes));
      ok(cudaDeviceSynchronize());
      memory.push_back(ranks_.back().memory);
    }
    for (int r = 0; r < count; ++r) {
      (*this)[r].peers = peers_of(r, memory, half, kMostPeerBlocks);
      (*this)[r].peers.patience = kPatience;
    }
  }
  Ranks(const Ranks&) = delete;
  ~Ranks() {
    for (Rank& rank : ranks_) rank.ctx.synchronize();
    for (Rank& rank : ranks_) cudaFree(rank.memory);
    cudaSetDevice(0);
  }

  Rank& operator[](int r) { return ranks_[static_cast<std::size_t>(r)]; }
  int size() const { return static_cast<int>(ranks_.size()); }

  /// work(r) on an OS thread for each rank, where its GPU is current; the seconds that all of them took.
  double each(const std::function<void(int)>& work) {
    std::barrier start(size() + 1);
    std::vector<std::thread> threads;
    for (int r = 0; r < size(); ++r) {
      threads.emplace_back([&, r] {
        cudaSetDevice(r);
        start.arrive_and_wait();
        work(r);
        (*this)[r].ctx.synchronize();
      });
    }
    start.arrive_and_wait();
    const auto begin = std::chrono::steady_clock::now();
    for (std::thread& thread : threads) thread.join();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  /// The rank that rank r waited for in vain; −1: none.
  int lost(int r) {
    std::uint64_t word = 0;
    ok(cudaMemcpy(&word, (*this)[r].memory + offsetof(PeerHead, lost), sizeof word, cudaMemcpyDefault));
    return static_cast<int>(word) - 1;
  }

 private:
  std::deque<Rank> ranks_;
};

float element(int rank, std::int64_t i, int call) {
  return static_cast<float>(i % 1000 + 1000 * rank + 7 * call);
}

/// One array of each rank, in and out.
struct Arrays {
  Arrays(Ranks& ranks, std::int64_t n) : ranks(ranks), n(n) {
    for (int r = 0; r < ranks.size(); ++r) {
      in.emplace_back(ranks[r].ctx, n);
      out.emplace_back(ranks[r].ctx, n);
    }
  }
  void fill(int call) {
    std::vector<float> values(static_cast<std::size_t>(n));
    for (int r = 0; r < ranks.size(); ++r) {
      for (std::int64_t i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = element(r, i, call);
      in[static_cast<std::size_t>(r)].upload(values);
    }
  }
  /// The number of wrong elements of all ranks.
  std::int64_t wrong(int call) const {
    std::int64_t found = 0;
    for (const Array<float>& of_rank : out) {
      const std::vector<float> is = of_rank.to_vector();
      for (std::int64_t i = 0; i < n; ++i) {
        float total = element(0, i, call);
        for (int r = 1; r < ranks.size(); ++r) total += element(r, i, call);
        found += is[static_cast<std::size_t>(i)] != total;
      }
    }
    return found;
  }
  void call(int r, PeerStep step) {
    const auto at = static_cast<std::size_t>(r);
    all_reduce_by_peers(ranks[r].ctx, ranks[r].peers, step, kF32, in[at].data(), out[at].data(), n);
  }
  Ranks& ranks;
  std::int64_t n;
  std::deque<Array<float>> in, out;
};

constexpr PeerStep kSteps[] = {PeerStep::one_shot, PeerStep::two_shot, PeerStep::flag_in_word};

}  // namespace

TEST_SUITE_BEGIN("device");

TEST_CASE("peers: sums over the GPUs of this machine, call after call, in pieces, in graphs" *
          doctest::skip(gpus() < 2)) {
  Ranks ranks(gpus(), 1 << 20);
  for (const PeerStep step : kSteps) {
    INFO(kPeerSteps[static_cast<std::size_t>(step)]);
    int call = 0;
    for (const std::int64_t n : {1, 3, 1000, 70001, 5, 2'000'003, 256}) {
      INFO("n=", n);
      Arrays arrays(ranks, n);
      for (int repeat = 0; repeat < 3; ++repeat) {
        arrays.fill(++call);
        ranks.each([&](int r) { arrays.call(r, step); });
        CHECK(arrays.wrong(call) == 0);
      }
      std::vector<std::function<void()>> replays(static_cast<std::size_t>(ranks.size()));
      ranks.each([&](int r) {
        replays[static_cast<std::size_t>(r)] = backend(ranks[r].ctx).record([&] {
          for (int k = 0; k < 5; ++k) arrays.call(r, step);
        });
      });
      for (int repeat = 0; repeat < 3; ++repeat) {
        arrays.fill(++call);
        ranks.each([&](int r) { replays[static_cast<std::size_t>(r)](); });
        CHECK(arrays.wrong(call) == 0);
      }
    }
    for (int r = 0; r < ranks.size(); ++r) CHECK(ranks.lost(r) == -1);
  }
}

TEST_CASE("peers: times on two GPUs and on all, chains of 50 calls" * doctest::skip(gpus() < 2)) {
  constexpr int kCalls = 50, kRepeats = 11;
  for (const int count : {2, gpus()}) {
    if (count == 2 && gpus() > 2) std::printf("(two of %d GPUs)\n", gpus());
    Ranks ranks(count, PeerMemory::kHalf);
    std::printf("all_reduce over %d GPUs, f32: median of %d chains of %d calls, microseconds a call\n", count,
                kRepeats, kCalls);
    std::printf("%10s %14s %8s %8s %10s\n", "n", "step", "graph", "stream", "graph GB/s");
    for (const std::int64_t n : {2, 256, 4096, 16384, 65536, 1 << 18, 1 << 20, 1 << 22, 1 << 24}) {
      Arrays arrays(ranks, n);
      arrays.fill(0);
      for (const PeerStep step : kSteps) {
        const auto chain = [&](int r) {
          for (int k = 0; k < kCalls; ++k) arrays.call(r, step);
        };
        ranks.each(chain);
        std::vector<std::function<void()>> replays(static_cast<std::size_t>(count));
        ranks.each([&](int r) {
          replays[static_cast<std::size_t>(r)] = backend(ranks[r].ctx).record([&] { chain(r); });
        });
        const auto median = [&](const std::function<void(int)>& work) {
          std::vector<double> times(kRepeats);
          ranks.each(work);
          for (double& time : times) time = ranks.each(work) / kCalls;
          std::ranges::nth_element(times, times.begin() + kRepeats / 2);
          return times[kRepeats / 2];
        };
        const double graph = median([&](int r) { replays[static_cast<std::size_t>(r)](); }),
                     stream = median(chain);
        std::printf("%10lld %14s %8.2f %8.2f %10.1f\n", static_cast<long long>(n),
                    kPeerSteps[static_cast<std::size_t>(step)], graph * 1e6, stream * 1e6,
                    static_cast<double>(n) * 4e-9 / graph);
        CHECK(arrays.wrong(0) == 0);
      }
    }
    for (int r = 0; r < count; ++r) CHECK(ranks.lost(r) == -1);
    if (gpus() == 2) break;
  }
}

TEST_CASE("peers: a rank that never comes is reported, and nobody hangs" * doctest::skip(gpus() < 2)) {
  for (const PeerStep step : kSteps) {
    Ranks ranks(2, 1 << 20);
    Arrays arrays(ranks, 5000);
    arrays.fill(1);
    ranks[0].peers.patience = 50'000'000;
    ok(cudaSetDevice(0));
    arrays.call(0, step);
    ranks[0].ctx.synchronize();
    CHECK(ranks.lost(0) == 1);
  }
}

TEST_SUITE_END();

}  // namespace tandem

#pragma once
// Rows of lengths without prime factors above 7 by few passes of radices up to 25: the first one loads, the last one stores, and each
// between reads one buffer of shared memory and writes the other.

#include <algorithm>
#include <span>
#include <string>

#include "custom_kernels/fft/detail/mixed.cuh"

namespace tandem {

/// Two factors at least; two buffers fit into a block.
constexpr bool takes_wide(std::int64_t n, std::size_t element_bytes) {
  const bool prime = n == 2 || n == 3 || n == 5 || n == 7;
  return n > 1 && !prime && n <= static_cast<std::int64_t>(40000 / element_bytes) && Fft::is_smooth(n);
}

inline constexpr int kMostWideThreads = 320;  // of a block

/// The passes of a row, two at least. Behind a pass of radix R and stride s, results lie in blocks of R·s, with `pad` free places
/// behind each, so that neighbouring threads use different banks.
struct WidePlan {
  static constexpr int kMost = 16, kRadices[] = {25, 20, 18, 16, 15, 14, 12, 10, 9, 8, 7, 6, 5, 4, 3, 2};
  int n, count = 0, threads = 0;  // of a row
  int radix[kMost], stride[kMost], pad[kMost];
  Divisor by_stride[kMost];

  /// round: places that all banks make.
  WidePlan(std::int64_t length, int round) : n(static_cast<int>(length)) {
    choose(n, 0, kRadices);
    for (int pass = 0, s = 1; pass < count; s *= radix[pass++]) {
      const int block = radix[pass] * s;
      stride[pass] = s, by_stride[pass] = Divisor(s);
      pad[pass] = s == 1 ? 1 - block % 2 : ((s - block) % round + round) % round;
    }
  }
  /// Places of a row in shared memory.
  int places() const {
    int most = 0;
    for (int pass = 0; pass + 1 < count; ++pass)
      most = std::max(most, n + n / (radix[pass] * stride[pass]) * pad[pass]);
    return most;
  }
  /// Buffers of that size that the passes of a row use.
  int buffers() const { return count > 2 ? 2 : 1; }
  /// Which of two, 0 or 1, the last pass does not read.
  TANDEM_HD int free_buffer() const { return count % 2 == 0 ? 1 : 0; }
  int largest() const { return *std::max_element(radix, radix + count); }
  template <class T>
  const Complex<T>* roots(Context& ctx) const {
    return pass_roots<T>(ctx, std::span(radix, static_cast<std::size_t>(count)));
  }

 private:
  int tried_[kMost];
  double least_ = 1e30;

  /// Tries all products of radices, those after the first `chosen` not above *largest, for the cheapest: a thread computes a
  /// butterfly of each pass at a time, which costs as much as its numbers and some more.
  void choose(int rest, int chosen, const int* largest) {
    constexpr int kOfPass = 8;
    for (int i = 0; rest == 1 && chosen > 1 && i < chosen; ++i) {
      const int threads_tried = std::min(n / tried_[i], kMostWideThreads);
      double cost = 0;
      for (int pass = 0; pass < chosen; ++pass) {
        const int turns = (n / tried_[pass] + threads_tried - 1) / threads_tried;
        cost += static_cast<double>(threads_tried) * turns * (tried_[pass] + kOfPass);
      }
      if (cost >= least_) continue;
      least_ = cost, threads = threads_tried, count = chosen;
      std::copy_n(tried_, chosen, radix);
    }
    for (const int* r = largest; r != std::end(kRadices); ++r) {
      if (rest % *r != 0 || chosen == kMost) continue;
      tried_[chosen] = *r;
      choose(rest / *r, chosen + 1, r);
    }
  }
};

/// The plan of a length for numbers of T, made at the first call of it.
template <class T>
const WidePlan& wide_plan(Context& ctx, std::int64_t n) {
  constexpr int kRound = 128 / static_cast<int>(sizeof(Complex<T>));
  return ctx.keep<WidePlan>("fft plan " + std::to_string(kRound) + ' ' + std::to_string(n),
                            [n] { return WidePlan(n, kRound); });
}

/// Calls with.operator()<kMost>(), kMost being the largest radix of those that a kernel for the plan knows.
template <class With>
void with_largest(const WidePlan& plan, const With& with) {
  if (plan.largest() <= 10)
    with.template operator()<10>();
  else if (plan.largest() <= 16)
    with.template operator()<16>();
  else
    with.template operator()<25>();
}

/// Blocks of such a kernel that are to fit into the registers of a multiprocessor.
template <class T, int kMost>
constexpr int kWideBlocks = sizeof(T) == 8 ? 1
                            : kMost == 10  ? 3
                                           : 2;

/// What a block takes: as many rows as fill its warps.
template <class T>
struct WideBlock {
  int rows = 1, threads, places, buffers;
  WideBlock(const WidePlan& plan, std::int64_t batch) : WideBlock(plan, batch, plan.buffers()) {}
  WideBlock(const WidePlan& plan, std::int64_t batch, int buffers) : places(plan.places()), buffers(buffers) {
    constexpr int kLeast = 96, kMostBytes = 56 << 10;
    const auto warps = [&](int of_rows) { return (of_rows * plan.threads + kWarp - 1) / kWarp; };
    double least = 2;
    for (int r = 1; r <= std::min<std::int64_t>(batch, kMostWideThreads / plan.threads); ++r) {
      if (r > 1 && r * row_bytes() > kMostBytes) break;
      const int used = r * plan.threads;
      const double cost = static_cast<double>(warps(r) * kWarp) / used + (used < kLeast ? 1 : used / 4096.0);
      if (cost < least) least = cost, rows = r;
    }
    threads = warps(rows) * kWarp;
  }
  std::size_t shared_bytes() const { return rows * row_bytes(); }

 private:
  std::size_t row_bytes() const { return static_cast<std::size_t>(places * buffers) * sizeof(Complex<T>); }
  static constexpr int kWarp = 32;
};

/// Neighbouring lines of a block, whose numbers begin in different banks.
template <class T>
struct WideLines {
  int lines, across, distance, groups;  // groups: blocks for the lines of a row
  int threads_of_line, threads;
  WideLines(const WidePlan& plan, std::int64_t across_) : across(static_cast<int>(across_)) {
    constexpr int kNumber = static_cast<int>(sizeof(Complex<T>)), kLines = 128 / kNumber, kRoom = 200 << 10;
    distance = plan.places() | 1, threads_of_line = plan.threads;
    const int buffers = plan.buffers();
    lines = std::min({kLines, across, kRoom / (distance * kNumber * buffers)});
    // Threads take more than one butterfly of a pass where lines would have too many.
    threads_of_line = std::min(plan.threads, std::max(1, kMostWideThreads / lines));
    threads = (lines * threads_of_line + 31) / 32 * 32;
    groups = (across + lines - 1) / lines;
    bytes = static_cast<std::size_t>(lines * distance * buffers) * kNumber;
  }
  std::size_t bytes;
};

/// A thread of a row: its number among plan.threads, and where the row's numbers begin in a buffer. Threads that are not `here` only
/// meet the others.
struct WideThread {
  int t, begin;
  bool here;
};

/// The passes of rows: the first one by thread `at`, those behind it by thread `then`, which may be of another row. buffer: numbers
/// from one of the two buffers to the other. load(j), store(k, x): numbers of the row. roots: plan.roots().
template <int kMost, class T, class Load, class Store>
__device__ __forceinline__ void wide_passes(const WidePlan& plan, WideThread at, const WideThread& then,
                                            int buffer, const Complex<T>* roots, const Load& load,
                                            const Store& store) {
  const int n = plan.n, threads = plan.threads;
  SharedPart<T> from{0}, to{at.begin};
  const auto each_butterfly = [&]<int R>(int pass, const auto& read, const auto& write) {
    const int butterflies = n / R, stride = plan.stride[pass];
    for (int j = at.here ? at.t : butterflies; j < butterflies; j += threads) {
      const int block = plan.by_stride[pass].quotient(j), k = j - block * stride;
      Complex<T> v[R];
      read(v, j, block, butterflies);
      if (pass > 0) turn_in_fours<R>(v, [&](int bit) { return roots[bit * stride + k]; });
      butterfly<R>(v);
      write(v, block, k, stride);
    }
    if (pass > 0) roots += powers_of_two_below(R) * stride;
  };
  // A call of it would put all that the lambdas refer to into local memory.
  const auto of_radix = [&](int pass, const auto& read, const auto& write) __attribute__((always_inline)) {
    const auto run = [&]<int R>() {
      if constexpr (R <= kMost) each_butterfly.template operator()<R>(pass, read, write);
    };
    switch (plan.radix[pass]) {
#define TANDEM_RADIX(R) \
  case R:               \
    return run.template operator()<R>();
      TANDEM_RADIX(25)
      TANDEM_RADIX(20)
      TANDEM_RADIX(18)
      TANDEM_RADIX(16)
      TANDEM_RADIX(15)
      TANDEM_RADIX(14)
      TANDEM_RADIX(12)
      TANDEM_RADIX(10)
      TANDEM_RADIX(9)
      TANDEM_RADIX(8)
      TANDEM_RADIX(7)
      TANDEM_RADIX(6)
      TANDEM_RADIX(5)
      TANDEM_RADIX(4)
      TANDEM_RADIX(3)
#undef TANDEM_RADIX
      default:
        return run.template operator()<2>();
    }
  };
  const auto load_numbers = [&]<int R>(Complex<T>(&v)[R], int j, int, int butterflies) {
#pragma unroll
    for (int r = 0; r < R; ++r) v[r] = load(j + r * butterflies);
  };
  const auto store_numbers = [&]<int R>(Complex<T>(&v)[R], int, int k, int stride) {
#pragma unroll
    for (int r = 0; r < R; ++r) store(k + r * stride, v[r]);
  };
  int pass = 0;
  const auto read_buffer = [&]<int R>(Complex<T>(&v)[R], int j, int block, int butterflies) {
    const int pad = plan.pad[pass - 1], step = butterflies + n / (R * plan.stride[pass]) * pad;
#pragma unroll
    for (int r = 0; r < R; ++r) v[r] = from[j + block * pad + r * step];
  };
  const auto write_buffer = [&]<int R>(Complex<T>(&v)[R], int block, int k, int stride) {
    const int begin = block * (R * stride + plan.pad[pass]) + k;
#pragma unroll
    for (int r = 0; r < R; ++r) to[begin + r * stride] = v[r];
  };
  const auto meet = [&] {
    __syncthreads();
    const bool second = pass++ % 2 != 0;
    at = then;
    from = {at.begin + (second ? buffer : 0)}, to = {at.begin + (second ? 0 : buffer)};
  };
  of_radix(pass, load_numbers, write_buffer);
  meet();
  while (pass + 1 < plan.count) {
    of_radix(pass, read_buffer, write_buffer);
    meet();
  }
  of_radix(pass, read_buffer, store_numbers);
}

}  // namespace tandem

#include "bench/measure/bounds.h"

#include <algorithm>
#include <cstring>

#include "lib/core/target_clones.h"

namespace tandem::command {
namespace {

constexpr std::int64_t kHostBytes = 256 << 20, kDeviceBytes = std::int64_t{1} << 30;

std::int64_t words(const Context& ctx) {
  return (ctx.place() == Place::device ? kDeviceBytes : kHostBytes) / std::int64_t{sizeof(std::uint64_t)};
}

// All threads read, each its own part.
std::uint64_t read_on_host(const std::uint64_t* from, std::int64_t count) {
  std::uint64_t sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
  for (std::int64_t i = 0; i < count; ++i) sum += from[i];
  return sum;
}

void copy_on_host(std::uint64_t* to, const std::uint64_t* from, std::int64_t count) {
  constexpr std::int64_t kPart = 1 << 17;  // words: 1 MiB, enough for memcpy to choose its streaming stores
#pragma omp parallel for schedule(static)
  for (std::int64_t part = 0; part < (count + kPart - 1) / kPart; ++part) {
    const std::int64_t first = part * kPart;
    std::memcpy(to + first, from + first,
                static_cast<std::size_t>(std::min(kPart, count - first)) * sizeof *to);
  }
}

// Twelve independent chains of 32-byte vectors, which covers the latency of two multiply-adds per cycle.
constexpr int kChains = 12;
constexpr std::int64_t kSteps = 1 << 20;

template <class T>
TANDEM_CLONES T multiply_adds(T factor, T summand) {
  typedef T V __attribute__((vector_size(32)));
  V chains[kChains];
  for (int c = 0; c < kChains; ++c) chains[c] = V{} + static_cast<T>(c);
  for (std::int64_t step = 0; step < kSteps; ++step) {
#pragma GCC unroll 12
    for (int c = 0; c < kChains; ++c) chains[c] = chains[c] * factor + summand;
  }
  V sum{};
  for (int c = 0; c < kChains; ++c) sum += chains[c];
  return sum[0];
}

}  // namespace

void MultiplyAdds::operator()() {
  if (ctx_.place() == Place::device) {
    multiply_add_on_device(ctx_, type_, out_.data(), true);
    return;
  }
  const double summand = out_.data()[0] * 0 + 0.25;  // not a constant, or the compiler would do the sums
  double total = 0;
#pragma omp parallel reduction(+ : total)
  total += type_ == Type::f32 ? static_cast<double>(multiply_adds(0.5f, static_cast<float>(summand)))
                              : multiply_adds(0.5, summand);
  out_.data()[0] = total;
}

double MultiplyAdds::operations() const {
  if (ctx_.place() == Place::device) return multiply_add_on_device(ctx_, type_, nullptr, false);
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  ++threads;
  return 2.0 * kSteps * kChains * (32.0 / static_cast<double>(size_of(type_))) * threads;
}

Stream::Stream(Context& ctx, Bound bound)
    : ctx_(ctx), bound_(bound), from_(ctx, words(ctx)), to_(ctx, bound == Bound::copy ? words(ctx) : 1) {
  backend(ctx).fill(from_.data(), 0x5A, from_.bytes());
  backend(ctx).fill(to_.data(), 0, to_.bytes());
}

void Stream::operator()() {
  if (ctx_.place() == Place::device) {
    if (bound_ == Bound::copy)
      backend(ctx_).copy(to_.data(), from_.data(), from_.bytes());
    else
      read_on_device(ctx_, from_.data(), from_.size(), to_.data());
  } else if (bound_ == Bound::copy) {
    copy_on_host(to_.data(), from_.data(), from_.size());
  } else {
    *to_.data() = read_on_host(from_.data(), from_.size());
  }
}

double Stream::bytes() const { return static_cast<double>(from_.bytes()) * (bound_ == Bound::copy ? 2 : 1); }

}  // namespace tandem::command

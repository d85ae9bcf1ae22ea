#include "bench/bounds.h"

#include <algorithm>
#include <cstring>

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

}  // namespace

Stream::Stream(Context& ctx, Bound bound)
    : ctx_(ctx), bound_(bound), from_(ctx, words(ctx)), to_(ctx, bound == Bound::copy ? words(ctx) : 1) {
  ctx.backend()->fill(from_.data(), 0x5A, from_.bytes());
  ctx.backend()->fill(to_.data(), 0, to_.bytes());
}

void Stream::operator()() {
  if (ctx_.place() == Place::device) {
    if (bound_ == Bound::copy)
      ctx_.backend()->copy(to_.data(), from_.data(), from_.bytes());
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

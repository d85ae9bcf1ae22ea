#include "bench/measure/bounds.h"

#include <algorithm>
#include <cstring>

#include "bench/measure/device.h"
#include "lib/core/target_clones.h"
#include "lib/core/workers.h"

namespace tandem::command {
namespace {

constexpr double kDeviceBytes = std::int64_t{2} << 30;

/// A stream moves four times as many bytes as the host's caches hold, of which there is one for each eight threads at most:
/// little of them stays there.
double host_bytes(const Context& ctx) {
  constexpr double kLeast = 128 << 20, kMost = 512 << 20;
  constexpr int kThreadsOfCache = 8;
  const int caches = (most_workers() + kThreadsOfCache - 1) / kThreadsOfCache;
  return std::clamp(4.0 * caches * static_cast<double>(backend(ctx).cache_bytes()), kLeast, kMost);
}

TANDEM_CLONES std::uint64_t sum_of(const std::uint64_t* from, std::int64_t count) {
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += from[i];
  return sum;
}

/// `count` words of each array, which begin `words` apart.
TANDEM_CLONES void combine(const std::uint64_t* from, int reads, std::int64_t words, std::uint64_t* to,
                           std::int64_t count) {
  if (reads == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof *to);
  } else if (reads == 2) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = from[i] ^ from[i + words];
  } else if (reads == 3) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = from[i] ^ from[i + words] ^ from[i + 2 * words];
  } else {
    for (std::int64_t i = 0; i < count; ++i)
      to[i] = from[i] ^ from[i + words] ^ from[i + 2 * words] ^ from[i + 3 * words];
  }
}

/// All threads of Tandem's own, which sleep afterwards: what is measured next has the cores to itself.
void stream_on_host(int reads, bool writes, const std::uint64_t* from, std::uint64_t* to,
                    std::int64_t words) {
  constexpr std::int64_t kPiece = 1 << 17;  // words: 1 MiB, enough for memcpy to choose its streaming stores
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(most_workers()));
  parallel_for(words, {kPiece, kPiece, kPiece}, [&](std::int64_t begin, std::int64_t end, int worker) {
    if (writes)
      combine(from + begin, reads, words, to + begin, end - begin);
    else
      sums[static_cast<std::size_t>(worker)] += sum_of(from + begin, end - begin);
  });
  if (!writes) *to = sum_of(sums.data(), static_cast<std::int64_t>(sums.size()));
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

void MultiplyAdds::operator()(bool matrices) {
  if (ctx_.place() == Place::device) {
    multiply_add_on_device(ctx_, type_, matrices, out_.data(), true);
    return;
  }
  const double summand = out_.data()[0] * 0 + 0.25;  // not a constant, or the compiler would do the sums
  double total = 0;
#pragma omp parallel reduction(+ : total)
  total += type_ == Type::f64 ? multiply_adds(0.5, summand)
                              : static_cast<double>(multiply_adds(0.5f, static_cast<float>(summand)));
  out_.data()[0] = total;
}

double MultiplyAdds::operations(bool matrices) const {
  if (ctx_.place() == Place::device) return multiply_add_on_device(ctx_, type_, matrices, nullptr, false);
  if (matrices) return 0;
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  ++threads;
  return 2.0 * kSteps * kChains * (type_ == Type::f64 ? 4 : 8) * threads;
}

namespace {
/// Words of each array, an even number.
std::int64_t words_of(int arrays, double bytes) {
  constexpr double kLeast = 256, kPack = 2 * sizeof(std::uint64_t);
  return 2 * static_cast<std::int64_t>(std::max(bytes, kLeast) / (arrays * kPack));
}
}  // namespace

Stream::Stream(Context& ctx, int reads, bool writes, double bytes)
    : ctx_(ctx),
      reads_(reads),
      writes_(writes),
      words_(words_of(reads + writes, bytes)),
      from_(ctx, reads * words_),
      to_(ctx, writes ? words_ : 2) {
  backend(ctx).fill(from_.data(), 0x5A, from_.bytes());
  backend(ctx).fill(to_.data(), 0, to_.bytes());
}

void Stream::operator()(bool waves) {
  if (ctx_.place() == Place::device)
    stream_on_device(ctx_, reads_, writes_, waves, from_.data(), to_.data(), words_);
  else
    stream_on_host(reads_, writes_, from_.data(), to_.data(), words_);
}

double Stream::bytes() const {
  return static_cast<double>((reads_ + writes_) * words_) * sizeof(std::uint64_t);
}

std::vector<Pass> passes(Context& ctx, Bound bound, Type type, const Work& work) {
  const bool on_device = ctx.place() == Place::device;
  std::vector<Pass> all;
  if (bound == Bound::flops) {
    const auto loop = std::make_shared<MultiplyAdds>(ctx, type);
    for (const bool matrices : {false, true}) {
      if (const double operations = loop->operations(matrices); operations > 0)
        all.push_back({[=] { (*loop)(matrices); }, operations});
    }
    return all;
  }
  const bool copies = bound == Bound::copy;
  const double bytes = std::min(work.bytes, on_device ? kDeviceBytes : host_bytes(ctx));
  const auto stream = std::make_shared<Stream>(ctx, copies ? work.reads : 1, copies, bytes);
  all.push_back({[=] { (*stream)(true); }, stream->bytes()});
  if (on_device) all.push_back({[=] { (*stream)(false); }, stream->bytes()});
  return all;
}

}  // namespace tandem::command

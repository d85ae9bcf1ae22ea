// Runs a fuzz target on variants of its seeds: the seeds as they are, cut off anywhere, with any bit turned, and
// with edge values at any byte; and random mixtures of these and of splices. Variant v of a seed number is the
// same bytes on every machine. What crashes, runs for more than a second, or takes far more
// memory than the input has is said with its variant, and ends the program with status 1.
//
//   fuzz_npy [--seed 1] [--variants 65000] [--variant V] [--write FILE] [--seeds FOLDER]
//
// --variant runs one, --write keeps its bytes; --seeds writes the seeds, for libFuzzer.

#include <fmt/format.h>
#include <malloc.h>
#include <sys/time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <new>

#include "lib/core/random_bits.h"
#include "tests/fuzz/target.h"

extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*)());

namespace {

using tandem::random_bits;

// --- what is watched

volatile std::sig_atomic_t running = 0;  // whether a variant is
std::atomic<std::uint64_t> current = 0;  // the variant
std::uint64_t seed = 1;
std::atomic<std::int64_t> live = 0, peak = 0;  // bytes from operator new

void report(const char* what) {
  char text[160];
  const int length =
      std::snprintf(text, sizeof text, "%s; again with: --seed %llu --variant %llu\n", what,
                    static_cast<unsigned long long>(seed), static_cast<unsigned long long>(current.load()));
  if (write(2, text, static_cast<std::size_t>(length)) < 0) _exit(1);
}
[[noreturn]] void fail(const char* what) {
  report(what);
  _exit(1);
}
void crashed(int signal) {
  if (!running) _exit(1);
  fail(signal == SIGABRT ? "aborted" : "crashed");
}
/// Every half second of the processor's time.
void tick(int) {
  static std::uint64_t last = 0;
  static int ticks = 0;
  ticks = current == last ? ticks + 1 : 0;
  last = current;
  if (running && ticks >= 3) fail("ran for more than a second");
}
void watch() {
  static char stack[1 << 16];  // for signals that tell of a stack that is full
  const stack_t alternate{stack, 0, sizeof stack};
  sigaltstack(&alternate, nullptr);
  struct sigaction action {};
  action.sa_handler = crashed;
  action.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback([] { report("ended by a sanitizer"); });
  std::signal(SIGPROF, tick);
  const itimerval half{{0, 500'000}, {0, 500'000}};
  setitimer(ITIMER_PROF, &half, nullptr);
}

// --- variants

using Bytes = std::string;

/// Numbers that headers and people are wrong about, as little-endian bytes and as digits.
constexpr std::uint64_t kEdges[] = {0,
                                    1,
                                    2,
                                    0x7F,
                                    0x80,
                                    0xFF,
                                    0xFFFF,
                                    0x7FFFFFFF,
                                    0x80000000,
                                    0xFFFFFFFF,
                                    0x100000000,
                                    std::uint64_t{1} << 42,
                                    std::uint64_t{1} << 62,
                                    INT64_MAX,
                                    std::uint64_t{1} << 63,
                                    UINT64_MAX};
constexpr std::size_t kWidths[] = {1, 4, 8};

void put(Bytes& bytes, std::size_t at, std::uint64_t number, std::size_t width) {
  std::memcpy(bytes.data() + at, &number, std::min(width, bytes.size() - at));
}

/// The number of edge values at a byte.
constexpr std::size_t kPuts = std::size(kEdges) * std::size(kWidths);

/// Systematic variants of a seed: as it is, cut off, a bit turned, an edge value put.
std::size_t systematic(const Bytes& of) { return 1 + of.size() * (1 + 8 + kPuts); }
Bytes systematic(Bytes bytes, std::size_t v) {
  const std::size_t size = bytes.size();
  if (v == 0) return bytes;
  if (--v < size) return bytes.substr(0, v);
  v -= size;
  if (v < 8 * size) {
    bytes[v / 8] = static_cast<char>(bytes[v / 8] ^ 1 << v % 8);
    return bytes;
  }
  v -= 8 * size;
  put(bytes, v / kPuts, kEdges[v % kPuts / std::size(kWidths)], kWidths[v % std::size(kWidths)]);
  return bytes;
}

/// Up to six changes at random.
Bytes mixed(const std::vector<Bytes>& seeds, std::uint64_t v) {
  std::uint64_t turn = 0;
  const auto random = [&](std::uint64_t below) {
    return random_bits(random_bits(seed, v), turn++) % std::max<std::uint64_t>(1, below);
  };
  Bytes bytes = seeds[random(seeds.size())];
  for (std::uint64_t change = 0, changes = 1 + random(6); change < changes; ++change) {
    const std::size_t at = random(bytes.size() + 1), length = random(1 + random(bytes.size() - at + 1));
    const Bytes& other = seeds[random(seeds.size())];
    switch (random(8)) {
      case 0:
        bytes.resize(at);
        break;
      case 1:
        if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ 1 << random(8));
        break;
      case 2:
        if (at < bytes.size())
          put(bytes, at, kEdges[random(std::size(kEdges))], kWidths[random(std::size(kWidths))]);
        break;
      case 3: {  // an edge value in the place of digits
        const std::size_t first = std::min(bytes.find_first_of("0123456789", at), bytes.size());
        const std::size_t end = std::min(bytes.find_first_not_of("0123456789", first), bytes.size());
        bytes.replace(first, end - first, std::to_string(kEdges[random(std::size(kEdges))]));
        break;
      }
      case 4:
        bytes.erase(at, length);
        break;
      case 5:
        bytes.insert(at, bytes.substr(at, length));
        break;
      case 6:
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), 1 + random(9),
                     static_cast<char>(random(256)));
        break;
      default:  // the end of another
        bytes = bytes.substr(0, at) + other.substr(random(other.size() + 1));
    }
  }
  return bytes;
}

/// Every second one is systematic: from all over the seeds, and each of them once before any comes again.
Bytes variant(const std::vector<Bytes>& seeds, std::uint64_t v) {
  if (v % 2 == 1) return mixed(seeds, v);
  constexpr std::uint64_t kStep = 1'000'003;  // a prime
  std::uint64_t all = 0;
  for (const Bytes& one : seeds) all += systematic(one);
  std::uint64_t rest = v / 2 * kStep % all;
  std::size_t s = 0;
  while (rest >= systematic(seeds[s])) rest -= systematic(seeds[s++]);
  return systematic(seeds[s], rest);
}

}  // namespace

// AddressSanitizer watches memory by itself and must see all of operator new.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FUZZ_UNCOUNTED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define FUZZ_UNCOUNTED
#endif
#ifndef FUZZ_UNCOUNTED
// Counts what C++ takes, in all libraries of the program.
void* operator new(std::size_t size) {
  void* memory = std::malloc(std::max<std::size_t>(1, size));
  if (!memory) throw std::bad_alloc();
  const std::int64_t now = live += static_cast<std::int64_t>(malloc_usable_size(memory));
  if (now > peak) peak = now;
  return memory;
}
void operator delete(void* memory) noexcept {
  live -= static_cast<std::int64_t>(malloc_usable_size(memory));
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
#endif

int main(int argc, char** argv) {
  std::uint64_t variants = 65000, only = UINT64_MAX;
  std::string write_to, seeds_to;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i], value = argv[i + 1];
    if (option == "--seed")
      seed = std::stoull(value);
    else if (option == "--variants")
      variants = std::stoull(value);
    else if (option == "--variant")
      only = std::stoull(value);
    else if (option == "--write")
      write_to = value;
    else if (option == "--seeds")
      seeds_to = value;
    else {
      fmt::print(stderr, "unknown option {}; tests/fuzz/driver.cpp lists them\n", option);
      return 2;
    }
  }
  const std::vector<Bytes> seeds = tandem::fuzz::seeds();
  if (!seeds_to.empty()) {
    std::filesystem::create_directories(seeds_to);
    for (std::size_t s = 0; s < seeds.size(); ++s)
      std::ofstream(fmt::format("{}/{}", seeds_to, s), std::ios::binary) << seeds[s];
    return 0;
  }
  constexpr std::int64_t kMostMemory = 1 << 20, kMostFactor = 256;  // bytes, and times the input
  watch();
  std::int64_t most = 0;
  double slowest = 0;
  const std::uint64_t first = only == UINT64_MAX ? 0 : only, end = only == UINT64_MAX ? variants : only + 1;
  for (std::uint64_t v = first; v < end; ++v) {
    const Bytes bytes = variant(seeds, v);
    if (!write_to.empty()) std::ofstream(write_to, std::ios::binary) << bytes;
    current = v;
    const std::int64_t before = live;
    peak = before;
    const auto start = std::chrono::steady_clock::now();
    running = 1;
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    running = 0;
    slowest =
        std::max(slowest, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    most = std::max<std::int64_t>(most, peak - before);
    if (peak - before > kMostMemory + kMostFactor * static_cast<std::int64_t>(bytes.size()))
      fail("took far more memory than its input has");
  }
  fmt::print("{} variants of {} seeds executed (seed {}); slowest {:.1f} ms, at most {} kB of memory\n",
             end - first, seeds.size(), seed, slowest * 1e3, most / 1000);
}

// The trace on kernels small enough to count by hand: requests, sectors, bank conflicts, barriers.

#include "lib/simt/trace.h"

#include <doctest/doctest.h>

#include <array>

#include "tests/simt/support.h"

#ifdef TANDEM_INSTRUMENTED

namespace tandem {
namespace {

using simt::Dim3;
using simt::Kind;
using simt::LaunchTraffic;
using simt::Requests;
using simt::Space;

template <class Body>
simt::Trace trace(Dim3 grid, Dim3 block, const Body& body) {
  return simt::trace([&] { simt::launch(grid, block, 0, "test/traced", body); });
}

/// What one kind of access asked for, in the whole launch.
Requests sum(const simt::Trace& trace, Space space, Kind kind) {
  Requests all;
  for (const auto& line : trace.launches.at(0).lines) {
    if (line.space == space && line.kind == kind) all.add(line.counts);
  }
  return all;
}

std::string where(const std::string& mark) { return marked(__FILE__, mark); }

}  // namespace

TEST_SUITE_BEGIN("traffic");

TEST_CASE("requests, sectors and lines of strides, offsets and widths") {
  Memory<float> x(40000);
  const float* data = x.data();
  const auto loads = [&](int stride, int offset, int lanes = 32) {
    return sum(trace(1, 32,
                     [=] {
                       if (static_cast<int>(threadIdx.x) < lanes)
                         static_cast<void>(
                             *static_cast<const volatile float*>(data + offset + stride * threadIdx.x));
                     }),
               Space::global, Kind::load);
  };
  const auto base = reinterpret_cast<std::uintptr_t>(data) % 128 / 4;
  const int aligned = base ? static_cast<int>(32 - base) : 0;
  const struct {
    int stride, offset, lanes;
    std::int64_t sectors, lines, bytes;
  } known[] = {{1, 0, 32, 4, 1, 128}, {1, 1, 32, 5, 2, 128},  {1, 8, 32, 4, 2, 128},
               {2, 0, 32, 8, 2, 128}, {8, 0, 32, 32, 8, 128}, {32, 0, 32, 32, 32, 128},
               {0, 0, 32, 1, 1, 4},   {1, 0, 1, 1, 1, 4},     {1000, 0, 32, 32, 32, 128}};
  for (const auto& k : known) {
    INFO("stride ", k.stride, " offset ", k.offset, " lanes ", k.lanes);
    const Requests r = loads(k.stride, aligned + k.offset, k.lanes);
    CHECK(r.requests == 1);
    CHECK(r.lanes == k.lanes);
    CHECK(r.sectors == k.sectors);
    CHECK(r.lines == k.lines);
    CHECK(r.bytes == k.bytes);
  }
}

TEST_CASE("shuffles and votes stand between loads and stores, in order, and cost no request") {
  Memory<int> x(64);
  int *in = x.data(), *out = in + 32;
  const auto t = trace(1, 32, [=] {
    const int lane = static_cast<int>(threadIdx.x);
    int value = in[lane];
    value += __shfl_down_sync(0xffffffffu, value, 8, 16);
    if (lane < 16) value += __shfl_xor_sync(0xffffu, value, 1);  // half a warp alone
    if (__any_sync(0xffffffffu, value > 0)) value = 1;
    out[lane] = value;
  });
  const auto& rounds = t.launches.at(0).rounds;
  REQUIRE(rounds.size() == 5);
  const Kind kinds[] = {Kind::load, Kind::shuffle, Kind::shuffle, Kind::vote, Kind::store};
  for (std::size_t r = 0; r < 5; ++r) CHECK(rounds[r].kind == kinds[r]);
  CHECK(rounds[1].mask == 0xffffffffu);
  CHECK(rounds[1].address[0] == 8);
  CHECK(rounds[1].address[8] == 8);  // its own: 16 is in the next segment
  CHECK(rounds[2].mask == 0xffffu);
  CHECK(rounds[2].address[6] == 7);
  CHECK(rounds[1].line.file.ends_with("traffic_test.cpp"));
  CHECK(t.launches[0].global.requests == 2);
  CHECK(t.launches[0].lines.size() == 2);
}

TEST_CASE("a pack of 16 bytes is one request of 16 sectors") {
  Memory<Pack<float>> x(64);
  Pack<float>*data = x.data(), *out = data + 32;
  const auto t = trace(1, 32, [=] { out[threadIdx.x] = data[threadIdx.x]; });
  for (const Kind kind : {Kind::load, Kind::store}) {
    const Requests r = sum(t, Space::global, kind);
    CHECK(r.requests == 1);
    CHECK(r.bytes == 512);
    CHECK(r.least_sectors == 16);
  }
}

// Three ways to transpose a tile of 32 × 32.
TEST_CASE("transposes: scattered stores, conflicts of 32 ways, none") {
  constexpr int kSide = 64;
  Memory<float> in(kSide * kSide + 64), out(kSide * kSide + 64);
  const auto aligned = [](Memory<float>& m) {
    return m.data() + (256 - reinterpret_cast<std::uintptr_t>(m.data()) % 256) % 256 / 4;
  };
  float *x = aligned(in), *y = aligned(out);
  for (int i = 0; i < kSide * kSide; ++i) x[i] = static_cast<float>(i);
  const auto transposed = [&] {
    for (int i = 0; i < kSide * kSide; ++i) {
      if (y[i] != static_cast<float>(i % kSide * kSide + i / kSide)) return false;
    }
    return true;
  };
  const Dim3 grid(2, 2), block(32, 32);

  const auto naive = trace(grid, block, [=] {
    const unsigned column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    y[column * kSide + row] = x[row * kSide + column];
  });
  CHECK(transposed());
  CHECK(sum(naive, Space::global, Kind::load).sectors == 4 * sum(naive, Space::global, Kind::load).requests);
  CHECK(sum(naive, Space::global, Kind::store).sectors ==
        32 * sum(naive, Space::global, Kind::store).requests);

  std::fill(out.begin(), out.end(), 0.f);
  const auto through_tile = [&](auto columns) {
    return trace(grid, block, [=] {
      __shared__ Shared<float, 32, decltype(columns)::value> tile;
      const unsigned tx = threadIdx.x, ty = threadIdx.y;
      tile[ty][tx] = x[(blockIdx.y * 32 + ty) * kSide + blockIdx.x * 32 + tx];
      __syncthreads();
      y[(blockIdx.x * 32 + ty) * kSide + blockIdx.y * 32 + tx] = tile[tx][ty];
    });
  };
  const auto plain = through_tile(std::integral_constant<int, 32>{});
  CHECK(transposed());
  CHECK(sum(plain, Space::global, Kind::store).sectors == 4 * 128);
  CHECK(sum(plain, Space::shared, Kind::store).ways == 1);
  CHECK(sum(plain, Space::shared, Kind::load).ways == 32);
  CHECK(sum(plain, Space::shared, Kind::load).extra_wavefronts() == 31 * 128);
  CHECK(plain.launches[0].barriers == 4);

  std::fill(out.begin(), out.end(), 0.f);
  const auto padded = through_tile(std::integral_constant<int, 33>{});
  CHECK(transposed());
  CHECK(sum(padded, Space::shared, Kind::load).ways == 1);
  CHECK(sum(padded, Space::shared, Kind::load).extra_wavefronts() == 0);
  CHECK(padded.races.empty());
}

TEST_CASE("banks: broadcast, wide elements half a warp at a time, packs a quarter") {
  const auto ways = [](auto element, int stride) {
    using T = decltype(element);
    return sum(
        trace(1, 32,
              [=] {
                __shared__ Shared<T, 1024> tile;
                for (int i = threadIdx.x; i < 1024; i += 32) tile[i] = T{};
                __syncwarp();
                const T value = tile[stride * threadIdx.x];
                static_cast<void>(*const_cast<const volatile char*>(reinterpret_cast<const char*>(&value)));
              }),
        Space::shared, Kind::load);
  };
  CHECK(ways(float{}, 0).ways == 1);
  CHECK(ways(float{}, 1).ways == 1);
  CHECK(ways(float{}, 2).ways == 2);
  CHECK(ways(float{}, 31).ways == 1);
  CHECK(ways(float{}, 32).ways == 32);
  CHECK(ways(char{}, 1).ways == 1);
  CHECK(ways(double{}, 1).ways == 1);
  CHECK(ways(double{}, 1).wavefronts == 2);
  CHECK(ways(double{}, 1).extra_wavefronts() == 0);
  CHECK(ways(double{}, 2).ways == 2);
  CHECK(ways(Pack<float>{}, 1).wavefronts == 4);
  CHECK(ways(Pack<float>{}, 1).extra_wavefronts() == 0);
  CHECK(ways(Pack<float>{}, 2).ways == 2);
}

TEST_CASE("elements of 12 bytes") {
  std::array<std::uint64_t, 32> address{};
  for (unsigned lane = 0; lane < 32; ++lane) address[lane] = 12 * lane;
  const auto use = simt::bank_use(0xffffffffu, 12, address);
  CHECK(use.least == 4);
  CHECK(use.wavefronts == 4);
}

TEST_CASE("lanes that diverge: each side is a request of its own, iterations line up") {
  Memory<int> x(4096);
  int* data = x.data();
  const auto t = trace(1, 64, [=] {
    const int i = threadIdx.x;
    if (i % 2)
      data[i] = 1;
    else
      data[i] = 2;
    for (int k = 0; k < i % 32 / 8; ++k) data[64 + 64 * k + i] = k;  // 0 … 3 rounds
  });
  const Requests stores = sum(t, Space::global, Kind::store);
  CHECK(stores.requests == 2 * (2 + 3));
  CHECK(stores.lanes == 64 + 2 * (24 + 16 + 8));
}

TEST_CASE("a lane that runs far ahead waits for its warp") {
  Memory<int> x(32);
  int* data = x.data();
  const auto t = trace(2, 32, [=] {
    for (int k = 0; k < 30000; ++k) data[threadIdx.x] = k;
  });
  const Requests stores = sum(t, Space::global, Kind::store);
  CHECK(stores.requests == 2 * 30000);
  CHECK(stores.lane_use() == 1);
  CHECK(!t.races.empty());  // the two blocks
}

TEST_CASE("a load waits for those before it where a store or an atomic operation stands between them") {
  Memory<int> x(4096);
  int* data = x.data();
  const auto far = [&](const auto& body) { return trace(1, 32, body).launches.at(0).waits.far; };
  const auto load = [](const int* from) { return *static_cast<const volatile int*>(from + threadIdx.x); };
  CHECK(far([=] { data[1024 + threadIdx.x] = load(data) + load(data + 256); }) == 1);
  CHECK(far([=] {
          data[1024 + threadIdx.x] = load(data);
          data[2048 + threadIdx.x] = load(data + 256);
        }) == 2);
  CHECK(far([=] {  // the store waits for nothing
          data[1024 + threadIdx.x] = 1;
          data[2048 + threadIdx.x] = load(data);
        }) == 1);
  CHECK(far([=] {
          atomicAdd(data + 1024 + threadIdx.x, load(data));
          atomicAdd(data + 1024 + threadIdx.x, load(data + 256));
          atomicAdd(data + 1024 + threadIdx.x, load(data + 512));
        }) == 3);
  CHECK(far([=] {  // may be moved over the ballot
          const unsigned votes = __ballot_sync(~0u, load(data) > 0);
          data[1024 + threadIdx.x] = load(data + 256) + int(votes);
        }) == 1);
  CHECK(far([=] {
          const int first = __shfl_sync(~0u, load(data), 0);
          data[1024 + threadIdx.x] = load(data + 256) + first;
        }) == 2);
}

TEST_CASE("atomic operations meet in lines, and matches issue for each value") {
  Memory<int> x(4096);
  const auto base = reinterpret_cast<std::uintptr_t>(x.data()) % 128 / 4;
  int* const data = x.data() + (base ? 32 - base : 0);  // begins a line
  const auto contended = [&](unsigned stride) {
    return trace(2, 64, [=] { atomicAdd(data + stride * threadIdx.x, 1); }).launches.at(0).contended;
  };
  CHECK(contended(0) == 4);   // a request of each of four warps
  CHECK(contended(1) == 8);   // two warps for a line, of four sectors each
  CHECK(contended(8) == 8);   // the same, a lane for each sector
  CHECK(contended(32) == 2);  // a line for each thread of a block
  CHECK(trace(1, 64, [=] { __match_any_sync(~0u, int(threadIdx.x % 5)); }).launches.at(0).matched == 10);
}

TEST_CASE("one site per source line: barriers and calls, loads and stores") {
  Memory<int> x(64);
  int* data = x.data();
  const auto t = trace(1, 64, [=] {
    for (int round = 0; round < 3; ++round) {
      data[threadIdx.x] += 1;  // @add
      __syncthreads();
    }
  });
  REQUIRE(t.launches[0].lines.size() == 2);
  for (const auto& line : t.launches[0].lines) {
    CHECK(line.line.file == "tests/simt/traffic_test.cpp");
    CHECK(where("add") == "traffic_test.cpp:" + std::to_string(line.line.line));
    CHECK(line.counts.requests == 6);
  }
  CHECK(t.launches[0].barriers == 3);
}

TEST_SUITE_END();

}  // namespace tandem

#endif

// Calls with functors and operators of users, for device_faults_test.cpp: each function of functors.cuh, by each of its kernels.
// Such a program compiles its kernels itself; here a library does, for that it gets the runtime of cuda_faults.cpp, where
// tandem_tests has a real one in it. Nothing is computed, so results are not looked at.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tandem/functors.cuh"
#include "tandem/ranks.h"
#include "tests/preload/functor_calls.h"

namespace tandem {
namespace {

constexpr std::int64_t kFew = 1000, kMany = 40'000;

struct Sum {  // with an identity, of accumulators like the elements
  TANDEM_HD float identity() const { return 0; }
  TANDEM_HD float operator()(float a, float b) const { return a + b; }
};
struct Found {
  float value;
  std::int64_t i;
};
struct Greatest {  // without one, of wider accumulators
  TANDEM_HD Found lift(float x, std::int64_t i) const { return {x, i}; }
  TANDEM_HD Found operator()(Found a, Found b) const { return b.value > a.value ? b : a; }
};
struct Mixed {
  __device__ double operator()(std::int8_t a, float b, double c) const { return a + b + c; }
};
struct Rgb {  // of which there are no packs
  std::uint8_t r, g, b;
};
struct IsGreen {
  TANDEM_HD bool operator()(Rgb c) const { return c.g > c.r; }
};
struct SameGreen {
  TANDEM_HD bool operator()(Rgb a, Rgb b) const { return a.g == b.g; }
};
struct Green {
  TANDEM_HD int operator()(Rgb c) const { return c.g; }
};
struct Above {
  float least;
  TANDEM_HD bool operator()(float x) const { return x > least; }
};
struct Descending {
  TANDEM_HD bool operator()(float a, float b) const { return a > b; }
};
struct Hundreds {
  TANDEM_HD int operator()(float x) const { return static_cast<int>(x / 100); }
};
template <class T>
struct Stencil {
  __device__ TridiagonalRow<T> operator()(std::int64_t, std::int64_t) const { return {-1, 4, -1, 1}; }
};

template <class T>
std::shared_ptr<Array<T>> array(Context& data, std::int64_t size = kMany) {
  return std::make_shared<Array<T>>(data, size);
}
/// The first elements; and others, where no pack begins.
template <class T>
View<T> few(const std::shared_ptr<Array<T>>& x, std::int64_t size = kFew) {
  return {x->data(), size};
}
template <class T>
View<T> unaligned(const std::shared_ptr<Array<T>>& x) {
  return {x->data() + 1, kFew};
}

struct Calls {
  Context& data;
  std::vector<FunctorCall>& all;

  void add(std::string name, std::function<void(Context&)> run) {
    all.push_back({std::move(name), std::move(run)});
  }
  void transforms();
  template <class T>
  void tridiagonals();
  void reductions();
  void scans();
  void segments();
  void by_keys();
  void selections();
  void sorts();
  void histograms();
  void over_ranks();
};

void Calls::transforms() {
  const auto x = array<float>(data), y = array<float>(data), z = array<float>(data);
  const auto a = array<std::int8_t>(data);
  const auto b = array<double>(data);
  add("transform", [=](Context& ctx) { transform(ctx, Sum{}, *x, *y, *z); });
  add("transform of three", [=](Context& ctx) { transform(ctx, Sum{}, few(x, 3), few(y, 3), few(z, 3)); });
  add("transform, unaligned", [=](Context& ctx) { transform(ctx, Sum{}, unaligned(x), few(y), few(z)); });
  add("transform in place", [=](Context& ctx) { transform(ctx, Sum{}, *x, *y, *y); });
  add("transform of other types", [=](Context& ctx) { transform(ctx, Mixed{}, zip(*a, *x, *b), *b); });
  add("transform of nothing", [=](Context& ctx) { transform(ctx, Sum{}, few(x, 0), few(y, 0), few(z, 0)); });
}

template <class T>
void Calls::tridiagonals() {
  const auto x = array<T>(data);
  // By warps with 8, 16 and 32 rows of a thread; by blocks with 8 and 16, in registers and in shared memory.
  for (const Systems& systems :
       {contiguous(40, 5), contiguous(400, 5), contiguous(1000, 5), contiguous(2000, 5), interleaved(100, 5),
        interleaved(200, 5), interleaved(2000, 5)})
    add(std::string(name(type_of<T>)) + (systems.row == 1 ? " contiguous" : " interleaved") +
            " tridiagonal of " + std::to_string(systems.n),
        [=](Context& ctx) { tridiagonal(ctx, Stencil<T>{}, *x, systems); });
}

void Calls::reductions() {
  const auto x = array<float>(data), sum = array<float>(data, 1);
  const auto place = array<Found>(data, 1);
  const Found init{0, -1};
  add("reduce", [=](Context& ctx) { reduce(ctx, *x, Greatest{}); });
  add("reduce of three", [=](Context& ctx) { reduce(ctx, few(x, 3), Greatest{}); });
  add("reduce, unaligned", [=](Context& ctx) { reduce(ctx, unaligned(x), Greatest{}); });
  add("reduce from a value", [=](Context& ctx) { reduce(ctx, *x, Greatest{}, init); });
  add("reduce of nothing", [=](Context& ctx) { reduce(ctx, few(x, 0), Greatest{}, init); });
  add("reduce from an identity", [=](Context& ctx) { reduce(ctx, *x, Sum{}); });
  add("reduce, twice", [=](Context& ctx) {  // the second one finds the state of the first
    reduce(ctx, *x, Sum{});
    reduce(ctx, *x, Greatest{});
  });
  add("reduce_into", [=](Context& ctx) { reduce_into(ctx, *x, *place, Greatest{}); });
  add("reduce_into, unaligned", [=](Context& ctx) { reduce_into(ctx, unaligned(x), *place, Greatest{}); });
  add("reduce_into from a value", [=](Context& ctx) { reduce_into(ctx, *x, *place, Greatest{}, init); });
  add("reduce_into from an identity", [=](Context& ctx) { reduce_into(ctx, *x, *sum, Sum{}); });
}

void Calls::scans() {
  const auto x = array<float>(data), sums = array<float>(data);
  const auto places = array<Found>(data);
  const Found init{0, -1};
  add("inclusive_scan", [=](Context& ctx) { inclusive_scan(ctx, *x, *places, Greatest{}); });
  add("inclusive_scan, unaligned",
      [=](Context& ctx) { inclusive_scan(ctx, unaligned(x), few(sums), Sum{}); });
  add("inclusive_scan in place", [=](Context& ctx) { inclusive_scan(ctx, *x, *x, Sum{}); });
  add("inclusive_scan from a value",
      [=](Context& ctx) { inclusive_scan(ctx, *x, *places, Greatest{}, init); });
  add("inclusive_scan of few and of many", [=](Context& ctx) {  // the state of the first is too small
    inclusive_scan(ctx, few(x), few(places), Greatest{});
    inclusive_scan(ctx, *x, *places, Greatest{});
  });
  add("inclusive_scan of nothing",
      [=](Context& ctx) { inclusive_scan(ctx, few(x, 0), few(sums, 0), Sum{}); });
  add("exclusive_scan from a value",
      [=](Context& ctx) { exclusive_scan(ctx, *x, *places, Greatest{}, init); });
  add("exclusive_scan from an identity", [=](Context& ctx) { exclusive_scan(ctx, *x, *sums, Sum{}); });
}

void Calls::segments() {
  const auto x = array<float>(data), sums = array<float>(data);
  const auto places = array<Found>(data);
  const Found init{0, -1};
  const auto offsets = std::make_shared<Segments>(data, std::vector<std::int64_t>{0, 0, 3, kFew});
  add("segmented_reduce by offsets",
      [=](Context& ctx) { segmented_reduce(ctx, few(x), *offsets, few(sums, offsets->count()), Sum{}); });
  // None; a warp for each, a block, several blocks.
  for (const std::pair<int, int>& segments :
       {std::pair(0, 40), std::pair(1000, 40), std::pair(10, 4000), std::pair(1, 40'000)})
    add("segmented_reduce to " + std::to_string(segments.first), [=](Context& ctx) {
      const Segments equal = Segments::equal(segments.first, segments.second);
      segmented_reduce(ctx, *x, equal, few(places, equal.count()), Greatest{}, init);
    });
  // Rows, in parts where there are few; columns.
  for (const std::pair<int, int>& lines : {std::pair(1000, 40), std::pair(1, 40'000)}) {
    for (const int axis : {0, 1})
      add("reduce_axis " + std::to_string(axis) + " of " + std::to_string(lines.first), [=](Context& ctx) {
        const std::int64_t results = axis == 0 ? lines.second : lines.first;
        reduce_axis(ctx, matrix(*x, lines.first, lines.second), axis, few(places, results), Greatest{}, init);
      });
  }
  add("segmented_inclusive_scan by offsets",
      [=](Context& ctx) { segmented_inclusive_scan(ctx, few(x), *offsets, few(sums), Sum{}); });
  add("segmented_exclusive_scan of one length", [=](Context& ctx) {
    segmented_exclusive_scan(ctx, *x, Segments::equal(1000, 40), *places, Greatest{}, init);
  });
}

void Calls::by_keys() {
  const auto keys = array<float>(data), x = array<float>(data), first = array<float>(data),
             sums = array<float>(data);
  const auto places = array<Found>(data);
  const auto count = array<std::int64_t>(data, 1);
  const Found init{0, -1};
  add("inclusive_scan_by_key",
      [=](Context& ctx) { inclusive_scan_by_key(ctx, *keys, *x, *places, Greatest{}); });
  add("exclusive_scan_by_key",
      [=](Context& ctx) { exclusive_scan_by_key(ctx, *keys, *x, *places, Greatest{}, init); });
  add("reduce_by_key", [=](Context& ctx) { reduce_by_key(ctx, *keys, *x, *first, *sums, Sum{}); });
  add("reduce_by_key of nothing",
      [=](Context& ctx) { reduce_by_key(ctx, few(keys, 0), few(x, 0), few(first, 0), few(sums, 0), Sum{}); });
  add("reduce_by_key_into",
      [=](Context& ctx) { reduce_by_key_into(ctx, *keys, *x, *first, *places, *count, Greatest{}, init); });
}

void Calls::selections() {
  const auto x = array<float>(data), y = array<float>(data);
  const auto c = array<Rgb>(data), d = array<Rgb>(data);
  const auto count = array<std::int64_t>(data, 1);
  const Above above{5};
  add("select", [=](Context& ctx) { select(ctx, *x, above, *y); });
  add("select, unaligned", [=](Context& ctx) { select(ctx, unaligned(x), above, few(y)); });
  add("select of few and of many", [=](Context& ctx) {  // the state of the first is too small
    select(ctx, few(x), above, few(y));
    select(ctx, *x, above, *y);
  });
  add("select of nothing", [=](Context& ctx) { select(ctx, few(x, 0), above, few(y, 0)); });
  add("select_into", [=](Context& ctx) { select_into(ctx, *c, IsGreen{}, *d, *count); });
  add("select_into of nothing", [=](Context& ctx) { select_into(ctx, few(x, 0), above, few(y, 0), *count); });
  add("partition", [=](Context& ctx) { partition(ctx, *x, above, *y); });
  add("partition of nothing", [=](Context& ctx) { partition(ctx, few(x, 0), above, few(y, 0)); });
  add("partition_into", [=](Context& ctx) { partition_into(ctx, *c, IsGreen{}, *d, *count); });
  add("unique", [=](Context& ctx) { unique(ctx, *c, *d, SameGreen{}); });
  add("unique_into", [=](Context& ctx) { unique_into(ctx, *c, *d, *count, SameGreen{}); });
}

void Calls::sorts() {
  const auto x = array<float>(data), y = array<float>(data);
  const auto c = array<Rgb>(data);
  // A tile; tiles that are merged once, and twice.
  for (const std::int64_t size : {0, 1000, 2000, 4000})
    add("sort_into of " + std::to_string(size),
        [=](Context& ctx) { sort_into(ctx, few(x, size), few(y, size), Descending{}); });
  add("sort_into, unaligned", [=](Context& ctx) { sort_into(ctx, unaligned(x), few(y), Descending{}); });
  add("sort", [=](Context& ctx) { sort(ctx, *x, Descending{}); });
  add("sort by a key", [=](Context& ctx) { sort(ctx, *c, by(Green{})); });
  add("sort_by_key", [=](Context& ctx) { sort_by_key(ctx, *x, *y, Descending{}); });
  // Rounds of tiles; all.
  for (const std::int64_t k : {100, 1000})
    add("top_k of " + std::to_string(k), [=](Context& ctx) { top_k(ctx, *x, few(y, k), Descending{}); });
}

void Calls::histograms() {
  const auto x = array<float>(data);
  const auto c = array<Rgb>(data);
  const auto counts = array<std::int64_t>(data);
  add("histogram", [=](Context& ctx) { histogram(ctx, *x, Hundreds{}, few(counts)); });
  add("histogram, unaligned", [=](Context& ctx) { histogram(ctx, unaligned(x), Hundreds{}, few(counts)); });
  add("histogram of many bins", [=](Context& ctx) { histogram(ctx, *x, Hundreds{}, *counts); });
  add("histogram of 3 bytes", [=](Context& ctx) { histogram(ctx, *c, Green{}, few(counts)); });
  add("histogram of nothing", [=](Context& ctx) { histogram(ctx, few(x, 0), Hundreds{}, few(counts)); });
}

/// By the MPI and the NCCL of one_rank.cpp. Nobody can hear of what fails while a communicator ends, so it outlives the calls, and has
/// a context of its own.
void Calls::over_ranks() {
  struct Ranks {
    Context ctx = Context::device();
    Communicator all = Communicator::mpi(ctx);
    std::vector<Communicator> others{};
  };
  const auto ranks = std::make_shared<Ranks>();
  const auto x = array<float>(data), y = array<float>(data);
  const auto places = array<Found>(data);
  const Found init{0, -1};
  const auto on_ranks = [&](const std::string& name, auto run) {
    add(name + " over ranks", [=](Context&) {
      run(ranks->all);
      ranks->ctx.synchronize();
    });
  };
  on_ranks("start", [=](Communicator&) { ranks->others.push_back(Communicator::mpi(ranks->ctx)); });
  on_ranks("reduce", [=](Communicator& all) { reduce(all, *x, Greatest{}); });
  on_ranks("reduce from a value", [=](Communicator& all) { reduce(all, *x, Greatest{}, init); });
  on_ranks("inclusive_scan", [=](Communicator& all) { inclusive_scan(all, *x, *places, Greatest{}); });
  on_ranks("inclusive_scan from a value",
           [=](Communicator& all) { inclusive_scan(all, *x, *places, Greatest{}, init); });
  on_ranks("exclusive_scan", [=](Communicator& all) { exclusive_scan(all, *x, *y, Sum{}); });
  on_ranks("exclusive_scan from a value",
           [=](Communicator& all) { exclusive_scan(all, *x, *places, Greatest{}, init); });
  for (const char* path : {"custom/gather", "custom/two_shot"})
    on_ranks(std::string("all_reduce by ") + path,
             [=](Communicator& all) { all_reduce(all, *x, *y, Sum{}, {.use = path}); });
}

}  // namespace
}  // namespace tandem

extern "C" TANDEM_API void tandem_functor_calls(tandem::Context& data,
                                                std::vector<tandem::FunctorCall>& calls) {
  tandem::Calls made{data, calls};
  made.transforms();
  made.tridiagonals<float>();
  made.tridiagonals<double>();
  made.reductions();
  made.scans();
  made.segments();
  made.by_keys();
  made.selections();
  made.sorts();
  made.histograms();
  made.over_ranks();
}

#pragma once
// Calls over ranks, as `tandem check`, `compare` and `audit` see them under mpirun: shapes, data, paths, and what is right.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lib/harness/rank_shares.h"
#include "lib/harness/test_data.h"
#include "tandem/parallel_for.h"
#include "tandem/ranks.h"

namespace tandem::command {

/// A way to make a call.
struct RanksPath {
  std::string name = "automatic";  // or what `use` names, or "portable bits"
  Options options = {};            // `use` points into ranks_paths()
  bool is_vendor() const { return name.find("/vendor/") != std::string::npos; }
};

/// A call over ranks with its data, on this rank, in the memory of the ranks' context.
class RanksTrial {
 public:
  virtual ~RanksTrial() = default;
  /// Makes the call, together with all ranks. Unavailable where the path does not take it, on all of them.
  virtual void call(const RanksPath& path) = 0;
  /// How far off this rank's part of the last call's result is, ÷ what is allowed; above 1 it is wrong.
  virtual double error(const RanksPath& path) = 0;
  /// The call of one rank on the whole. Of all_reduce there is none: arrays are no parts.
  virtual void alone() = 0;
  virtual bool has_whole() const { return true; }
  /// The least that this rank has to send.
  virtual double bytes_sent() const = 0;
};

struct RanksCase {
  Type type;
  std::vector<std::int64_t> shape;  // of the whole
  Shares shares = Shares::even;
  std::uint64_t seed = 1;

  std::string str() const;  // "f32 1000x20, growing parts"
};

struct RanksOperation {
  std::string name;
  std::vector<std::string> extents;                       // of a shape
  std::vector<Type> types;                                // the first is the default
  std::vector<RanksPath> paths;                           // the first is the automatic choice
  std::vector<std::vector<std::int64_t>> checked, timed, timed_on_gpus;  // shapes
  std::int64_t largest;  // product of the extents of a shape that audit draws
  std::function<std::unique_ptr<RanksTrial>(Communicator&, const RanksCase&)> make;
};
const std::vector<RanksOperation>& ranks_operations();

RanksOperation ranks_all_reduce();
RanksOperation ranks_reduce();
RanksOperation ranks_scan();
RanksOperation ranks_transpose();
RanksOperation ranks_gemm();
RanksOperation ranks_tridiagonal();
RanksOperation ranks_intersect();

/// The automatic choice, then ranks_paths(call), then portable bits where a call has them.
std::vector<RanksPath> paths_of(RankCall call, bool portable_bits = false);

/// A trial of the type that a case names: make.operator()<T>().
template <class... Ts, class Make>
std::unique_ptr<RanksTrial> of_type(Type type, const Make& make) {
  std::unique_ptr<RanksTrial> trial;
  ((type == type_of<Ts> ? static_cast<void>(trial = make.template operator()<Ts>()) : void()), ...);
  return trial;
}

template <class T, class Number>
std::vector<T> numbers(std::int64_t n, const Number& number) {
  std::vector<T> all(static_cast<std::size_t>(n));
  parallel_for(n, {.size = 1 << 16}, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) all[static_cast<std::size_t>(i)] = number(static_cast<std::uint64_t>(i));
  });
  return all;
}
/// Small whole numbers of both signs: sums, and sums of products, are exact in any order.
template <class T>
std::vector<T> whole_numbers(std::int64_t n, std::uint64_t seed) {
  return numbers<T>(n, [=](std::uint64_t i) {
    return static_cast<T>(static_cast<int>(random_bits(seed, i) % 7) - 3);
  });
}
/// Numbers in [−1, 1), whose sums round.
template <class T>
std::vector<T> real_numbers(std::int64_t n, std::uint64_t seed) {
  return numbers<T>(n, [=](std::uint64_t i) {
    return static_cast<T>(static_cast<double>(random_bits(seed, i) >> 11) * 0x1p-52 - 1);
  });
}

/// Elements from `begin` on of an array.
template <class T>
View<T> piece(Array<T>& all, std::int64_t begin, std::int64_t size) {
  return {all.data() + begin, size};
}
/// The same, in the memory of the host.
template <class T>
std::vector<T> on_host(Context& ctx, const T* data, std::int64_t size) {
  std::vector<T> values(static_cast<std::size_t>(size));
  ctx.copy(values.data(), data, values.size() * sizeof(T));
  ctx.synchronize();
  return values;
}

/// 0 where both have the same bits, else infinity.
template <class T>
double unlike(const std::vector<T>& a, const std::vector<T>& b) {
  const bool same =
      a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
  return same ? 0 : std::numeric_limits<double>::infinity();
}

}  // namespace tandem::command

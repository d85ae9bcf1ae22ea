#pragma once
// What the tests of reduce and scan share: their input, what is right, and the calls that both refuse.

#include <span>
#include <string>
#include <vector>

#include "lib/core/backend.h"
#include "lib/harness/test_data.h"
#include "tandem/array.h"
#include "tandem/operators.h"
#include "tandem/options.h"
#include "tests/host_rows.h"
#include "tests/support.h"

namespace tandem {

template <class T>
std::vector<T> small_numbers(std::size_t n) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<T>(static_cast<int>(random_bits(3, i) % 7) - 3);
  return values;
}
/// Small numbers, or signs alone where they are multiplied.
template <class T, class Op>
std::vector<T> small_operands(std::size_t n, Op) {
  return Op::id == OperatorId::multiplies ? std::vector<T>(n, T(-1)) : small_numbers<T>(n);
}

template <class F>
void for_each_operator(F f) {
  f(plus), f(multiplies), f(minimum), f(maximum), f(logical_and), f(logical_or);
}

/// The scan by its definition, each result rounded or wrapped once.
template <class T, class Op>
std::vector<T> scanned(const std::vector<T>& x, Op op, bool exclusive, T init) {
  using Acc = accumulator_t<T>;
  std::vector<T> y;
  Acc running = Op::lift(static_cast<Acc>(init));
  for (const T& element : x) {
    const Acc next = op(running, Op::lift(static_cast<Acc>(element)));
    y.push_back(static_cast<T>(exclusive ? running : next));
    running = next;
  }
  return y;
}

/// Counts what is odd but legal, and checks each.
struct LegalCalls {
  int count = 0;
  void operator()(bool right) {
    CHECK(right);
    ++count;
  }
};

/// Bad calls of one form, each in a context of its own; they are counted.
template <class T>
struct BadCalls {
  std::string operation;  // "scan"
  void (*call)(Context& ctx, View<const T> in, View<T> out, const Options& options);
  bool has_out;
  int& count;
  std::vector<T> x = std::vector<T>(64, T(1)), y = std::vector<T>(64, T(-7));
  View<const T> in{x.data(), 32};
  View<T> out{y.data(), 32};

  BadCalls(std::string of, decltype(call) make, bool writes_out, int& counter)
      : operation(std::move(of)), call(make), has_out(writes_out), count(counter) {}
  BadCalls(const BadCalls&) = delete;

  template <class Exception = InvalidArgument>
  void expect(View<const T> i, View<T> o, const std::vector<std::string>& parts,
              const Options& options = {}) {
    ++count;
    Context ctx = Context::host();
    expect_refused<Exception>(
        y, [&] { call(ctx, i, o, options); }, parts);
  }

  /// What every form refuses: null pointers, impossible sizes, bad alignment, unknown and unavailable
  /// implementations. `out_follows`: out must have the size of in.
  void expect_common(bool out_follows) {
    const std::string op = operation + ": ";
    for (const std::int64_t n : {1, 32, 1 << 30}) {
      expect({nullptr, n}, {y.data(), n}, {op, "'in' is null, but its size is " + std::to_string(n)});
      if (has_out) expect(in, {nullptr, out_follows ? 32 : n}, {op, "'out' is null, but its size is "});
    }
    for (const std::int64_t n : {std::int64_t{-1}, std::int64_t{-1000000007}, INT64_MIN}) {
      expect({x.data(), n}, {y.data(), n}, {op, "size of 'in' is " + std::to_string(n), "at least 0"});
      if (has_out) expect(in, {y.data(), n}, {op, "size of 'out' is " + std::to_string(n), "at least 0"});
    }
    if constexpr (sizeof(T) > 1) {  // any size counts fewer than 2^63 elements
      for (const std::int64_t n : {INT64_MAX, INT64_MAX / std::int64_t{sizeof(T)} + 1}) {
        expect({x.data(), n}, {y.data(), n},
               {op, "size of 'in' is " + std::to_string(n), "overflow 2^63 bytes"});
        if (has_out)
          expect(in, {y.data(), n}, {op, "size of 'out' is " + std::to_string(n), "overflow 2^63 bytes"});
      }
    }
    for (int bytes = 1; bytes < static_cast<int>(sizeof(T)); ++bytes) {
      expect({shifted(x.data(), bytes), 8}, {y.data(), 8},
             {op, "'in' starts at 0x", "not a multiple of its element size"});
      if (has_out)
        expect({x.data(), 8}, {shifted(y.data(), bytes), 8}, {op, "'out' starts at 0x", "not a multiple"});
    }
    for (const char* use : {"nothing", "custom/nothing", "reduce/custom", "scan", "gemm/custom/serial",
                            "serial@simt", "*", "/"})
      expect(in, out, {op + "unknown implementation '" + use + "'", "known: custom/serial"}, {.use = use});
    if (why_no_device().empty()) return;
    for (const Implementation& i : implementations()) {
      if (i.place != Place::device || i.operation != operation) continue;
      expect<Unavailable>(in, out, {i.name, "needs a GPU"}, {.use = i.name});
    }
  }
};

}  // namespace tandem

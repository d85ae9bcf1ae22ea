// Every device implementation that does not synchronise can be captured in a CUDA graph, and the graph stays
// right when a larger call of the same context comes in between. Compiled in device builds alone; part of the
// suite `device`.

#include <cuda_runtime.h>

#include <vector>

#include "lib/harness/operation.h"
#include "tandem/tandem.h"
#include "tests/support.h"

namespace tandem {
namespace {

bool no_device() { return !why_no_device().empty(); }

void ok(cudaError_t code) { REQUIRE_MESSAGE(code == cudaSuccess, cudaGetErrorString(code)); }

// The caller's stream, on which a context computes.
struct Stream {
  Stream() { ok(cudaStreamCreate(&stream)); }
  ~Stream() { cudaStreamDestroy(stream); }
  cudaStream_t stream;
};

std::vector<std::int32_t> numbers(std::int64_t n, int seed) {
  std::vector<std::int32_t> values(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<std::int32_t>(i * 7 + seed * 13) % 101 - 50;
  return values;
}

// Captures call(n), makes a larger one, and replays three times with new input. check() reads what a replay
// left.
template <class Call, class Check>
void captured(const Implementation& i, Context& ctx, cudaStream_t stream, std::int64_t n, Call call,
              Check check) {
  INFO(i.name, " n=", n);
  try {
    call(n);
  } catch (const Unavailable&) {  // refuses this size, with its reason
    return;
  }
  const std::size_t after_first = ctx.allocations();
  ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  call(n);
  cudaGraph_t graph = nullptr;
  ok(cudaStreamEndCapture(stream, &graph));
  CHECK(ctx.allocations() == after_first);
  cudaGraphExec_t replay = nullptr;
  ok(cudaGraphInstantiate(&replay, graph, 0));
  const auto larger = [&] {  // outgrows the workspace that the graph holds
    try {
      call(n * 40);
    } catch (const Unavailable&) {  // no such size, so nothing to outgrow
    }
  };
  larger();
  for (int round = 1; round <= 3; ++round) check(round, [&] { ok(cudaGraphLaunch(replay, stream)); });
  larger();
  check(4, [&] { ok(cudaGraphLaunch(replay, stream)); });
  cudaGraphExecDestroy(replay);
  cudaGraphDestroy(graph);
}

}  // namespace

TEST_SUITE_BEGIN("device");

TEST_CASE("captured, outgrown, replayed with new input" * doctest::skip(no_device())) {
  int rows = 0;
  for (const Implementation& i : implementations()) {
    if (i.place != Place::device || !i.unavailable().empty() || i.synchronises) continue;
    if (i.operation != "reduce" && i.operation != "scan") continue;  // all others: tests/device_test.cpp
    ++rows;
    for (const std::int64_t n : {1, 1000, 50001}) {
      const Trial larger = operation(i.operation).benchmarks({Type::i32, OperatorId::plus}, n * 40, 1).at(0);
      if (!i.refusal(operation(i.operation).shape(larger), {Type::i32, OperatorId::plus}).empty()) continue;
      const Stream user;
      Context ctx = Context::device(0, user.stream);
      Array<std::int32_t> in(ctx, n * 40), out(ctx, n * 40);
      in.upload(numbers(n * 40, 0));
      const auto part = [&](std::int64_t count) { return View<const std::int32_t>{in.data(), count}; };
      const auto call = [&](std::int64_t count) {
        if (i.operation == "reduce")
          reduce_into(ctx, part(count), View<std::int32_t>{out.data(), 1}, plus, {.use = i.name});
        else
          inclusive_scan(ctx, part(count), View<std::int32_t>{out.data(), count}, plus, {.use = i.name});
      };
      captured(i, ctx, user.stream, n, call, [&](int round, auto replay) {
        const std::vector<std::int32_t> x = numbers(n, round);
        in.upload(x);
        ok(cudaMemsetAsync(out.data(), 0xFF, out.bytes(), user.stream));
        replay();
        const std::vector<std::int32_t> got = out.to_vector();
        std::int32_t sum = 0;
        bool right = true;
        for (std::size_t k = 0; k < x.size(); ++k) {
          sum += x[k];
          if (i.operation == "scan") right = right && got[k] == sum;
        }
        if (i.operation == "reduce") right = got[0] == sum;
        CHECK_MESSAGE(right, "round ", round);
      });
    }
  }
  MESSAGE(rows, " implementations captured");
  CHECK(rows > 0);
}

TEST_CASE("transform: captured, outgrown, replayed with new input" * doctest::skip(no_device())) {
  int rows = 0;
  for (const Implementation& i : implementations()) {
    if (i.operation != "transform" || i.place != Place::device || !i.unavailable().empty()) continue;
    ++rows;
    for (const std::int64_t n : {1, 1000, 50001}) {
      const Stream user;
      Context ctx = Context::device(0, user.stream);
      Array<std::int32_t> x(ctx, n * 40), y(ctx, n * 40), z(ctx, n * 40);
      x.upload(numbers(n * 40, 0));
      y.upload(numbers(n * 40, 1));
      const auto call = [&](std::int64_t count) {
        transform(ctx, axpy(3), View<const std::int32_t>{x.data(), count},
                  View<const std::int32_t>{y.data(), count}, View<std::int32_t>{z.data(), count},
                  {.use = i.name});
      };
      captured(i, ctx, user.stream, n, call, [&](int round, auto replay) {
        const std::vector<std::int32_t> a = numbers(n, round), b = numbers(n, round + 7);
        x.upload(a);
        y.upload(b);
        ok(cudaMemsetAsync(z.data(), 0xFF, z.bytes(), user.stream));
        replay();
        const std::vector<std::int32_t> got = z.to_vector();
        bool right = true;
        for (std::size_t k = 0; k < a.size(); ++k) right = right && got[k] == 3 * a[k] + b[k];
        CHECK_MESSAGE(right, "round ", round);
      });
    }
  }
  CHECK(rows > 0);
}

TEST_CASE("the caller's current device and stream are respected" * doctest::skip(no_device())) {
  int before = -1, after = -2;
  ok(cudaGetDevice(&before));
  const Stream user;
  Context ctx = Context::device(0, user.stream);
  CHECK(ctx.stream() == user.stream);
  Array<float> x(ctx, std::vector<float>(1000, 1));
  CHECK(reduce(ctx, x) == 1000);
  ok(cudaGetDevice(&after));
  CHECK(before == after);
}

TEST_SUITE_END();

}  // namespace tandem

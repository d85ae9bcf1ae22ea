// Contexts: memory that is reused, kept, failed to get and given back.

#include "lib/core/context_impl.h"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <set>
#include <thread>

#include "lib/harness/operation.h"
#include "tandem/tandem.h"
#include "tests/allocations.h"
#include "tests/host_rows.h"
#include "tests/support.h"

namespace tandem {
namespace {

// An f32 plus call through the public API; false when this implementation does not take it.
bool call(Context& ctx, const Implementation& i, const std::vector<float>& x, std::vector<float>& y) {
  try {
    if (i.operation == "reduce") y[0] = reduce(ctx, x, plus, {.use = i.name});
    if (i.operation == "scan") inclusive_scan(ctx, x, y, plus, {.use = i.name});
    return true;
  } catch (const Unavailable&) {
    return false;
  }
}

}  // namespace

TEST_SUITE_BEGIN("context");

TEST_CASE("scratch: distinct, aligned, reused") {
  Context ctx = Context::host();
  std::vector<void*> first;
  for (int round = 0; round < 3; ++round) {
    ctx.impl().begin_call({"test", ""}, Place::host);
    std::vector<void*> now;
    for (const std::int64_t count : {1, 1000, 0, 77, 100000, 3}) {
      auto* memory = ctx.scratch<double>(count);
      CHECK(reinterpret_cast<std::uintptr_t>(memory) % 256 == 0);
      std::memset(memory, round, static_cast<std::size_t>(count) * sizeof(double));
      now.push_back(memory);
    }
    ctx.impl().end_call();
    if (round == 0) first = now;
    CHECK(std::set<void*>(now.begin(), now.end()).size() == now.size());
    CHECK(now == first);
  }
  CHECK(ctx.allocations() <= 6);
}

TEST_CASE("scratch: what grew stays, and alternating shapes allocate no more") {
  Context ctx = Context::host();
  const auto use = [&](std::int64_t n) {
    ctx.impl().begin_call({"test", ""}, Place::host);
    float* a = ctx.scratch<float>(n);
    float* b = ctx.scratch<float>(n / 2);
    std::memset(a, 1, static_cast<std::size_t>(n) * 4);
    std::memset(b, 2, static_cast<std::size_t>(n / 2) * 4);
    CHECK((n == 0 || reinterpret_cast<unsigned char*>(a)[n * 4 - 1] == 1));
    ctx.impl().end_call();
  };
  for (const int n : {100, 1000000, 5000, 0}) use(n);
  const std::size_t after_first = ctx.allocations();
  for (const int n : {5000, 100, 1000000, 0, 1000000, 100}) use(n);
  CHECK(ctx.allocations() == after_first);
}

TEST_CASE("scratch is poisoned when asked for") {
  Context ctx = Context::host();
  ctx.impl().poison_scratch = true;
  for (int round = 0; round < 2; ++round) {
    ctx.impl().begin_call({"test", ""}, Place::host);
    auto* memory = ctx.scratch<unsigned char>(1000);
    CHECK(std::all_of(memory, memory + 1000, [](unsigned char c) { return c == 0xFF; }));
    std::memset(memory, 0, 1000);
    ctx.impl().end_call();
  }
}

TEST_CASE("state: zeroed once, kept, never shared") {
  Context ctx = Context::host();
  ctx.impl().begin_call({"test", ""}, Place::host);
  int* counter = ctx.state<int>("counter");
  int* other = ctx.state<int>("other", 10);
  CHECK(*counter == 0);
  *counter = 5;
  int* scratch = ctx.scratch<int>(1000);
  CHECK((counter != other && counter != scratch && other != scratch));
  std::memset(scratch, 0xFF, 4000);
  ctx.impl().end_call();

  ctx.impl().begin_call({"test", ""}, Place::host);
  CHECK(ctx.scratch<int>(1000) == scratch);
  CHECK(ctx.state<int>("counter") == counter);
  CHECK(*counter == 5);
  int* larger = ctx.state<int>("counter", 10000);  // a graph may still hold the old block
  CHECK(larger != counter);
  CHECK(std::all_of(larger, larger + 10000, [](int x) { return x == 0; }));
  CHECK(*counter == 5);
  larger[0] = 6;
  CHECK(ctx.state<int>("counter", 10000) == larger);
  ctx.impl().end_call();

  Context second = Context::host();
  CHECK(*second.state<int>("counter") == 0);
}

TEST_CASE("impossible sizes are refused") {
  Context ctx = Context::host();
  for (const std::int64_t count : {std::int64_t{-1}, INT64_MIN, INT64_MAX}) {
    CHECK(contains(thrown<InvalidArgument>([&] { ctx.scratch<double>(count); }), std::to_string(count)));
    CHECK(contains(thrown<InvalidArgument>([&] { ctx.state<double>("x", count); }), std::to_string(count)));
  }
  CHECK(ctx.allocations() == 0);
}

TEST_CASE("no implementation allocates after its first call of a shape") {
  int calls = 0;
  for (const auto& op : operations()) {
    for (std::size_t c = 0; c < op->cases.size(); c += 5) {
      const std::vector<Trial> quick = op->tests(op->cases[c], Coverage::quick, 1),
                               brief = op->tests(op->cases[c], Coverage::brief, 1);
      for (const Implementation* i : host_rows(op->name)) {
        // The executor takes long for large products: more of the small ones.
        const bool simt = i->place == Place::simt;
        const std::vector<Trial>& trials = simt ? brief : quick;
        const std::size_t sample = simt ? 4 : 29;
        Context ctx = Context::host();
        std::size_t after_first = 0;
        for (int round = 0; round < 2; ++round) {
          for (std::size_t t = 0; t < trials.size(); t += sample) {
            if (!i->refusal(op->shape(trials[t]), op->cases[c]).empty()) continue;
            const auto problem = op->make(ctx, static_cast<int>(c), trials[t]);
            problem->reset();
            run(*i, static_cast<int>(c), problem->args(), ctx, "test");
            if (round == 0)
              after_first = ctx.allocations();
            else
              CHECK_MESSAGE(ctx.allocations() == after_first, i->name, " ", trials[t].str());
            ++calls;
          }
        }
      }
    }
  }
  MESSAGE(calls, " calls");
  CHECK(calls > 50);
}

TEST_CASE("the public API allocates nothing after the first call of a shape") {
  for (const Implementation* i : host_rows()) {
    Context ctx = Context::host();
    std::size_t after_first = 0;
    for (int round = 0; round < 3; ++round) {
      for (const std::size_t n : {1u, 1000u, 20000u, 300u}) {
        const std::vector<float> x(n, 1);
        std::vector<float> y(n);
        call(ctx, *i, x, y);
      }
      if (round == 0) after_first = ctx.allocations();
      CHECK_MESSAGE(ctx.allocations() == after_first, i->name);
    }
  }
}

TEST_CASE("the allocator hook gets everything and everything comes back") {
  Ledger ledger;
  {
    Context ctx = Context::host(&ledger);
    Array<float> x(ctx, std::vector<float>(5000, 1)), y(ctx, 5000), empty(ctx, 0);  // two allocations
    CHECK(ledger.allocations == 2);
    std::vector<float> result(5000);
    for (const Implementation* i : host_rows()) call(ctx, *i, x.to_vector(), result);
    CHECK(ledger.live.size() == 2 + ctx.allocations());
    Array<float> moved = std::move(x);
    CHECK(moved.size() == 5000);
    CHECK(x.size() == 0);
    x = std::move(moved);
    CHECK(x.to_vector()[4999] == 1);
  }
  CHECK(ledger.live.empty());
  CHECK(ledger.mismatches == 0);
}

TEST_CASE("an array outlives its context") {
  Ledger ledger;
  auto ctx = std::make_unique<Context>(Context::host(&ledger));
  {
    Array<int> x(*ctx, std::vector<int>{1, 2, 3});
    ctx.reset();
    CHECK(x.to_vector() == std::vector<int>{1, 2, 3});
  }
  CHECK(ledger.live.empty());
}

TEST_CASE("arrays fail as contexts do") {
  Ledger ledger;
  ledger.fail_at = 0;
  Context ctx = Context::host(&ledger);
  thrown<OutOfMemory>([&] { Array<float>(ctx, 100); });
  thrown<InvalidArgument>([&] { Array<float>(ctx, -1); });
  thrown<InvalidArgument>([&] { Array<double>(ctx, INT64_MAX); });
  CHECK(Array<float>(ctx, 100).size() == 100);
  CHECK(ledger.live.empty());
}

TEST_CASE("contexts move") {
  Ledger ledger;
  {
    Context a = Context::host(&ledger);
    const std::vector<float> x(3000, 2);
    CHECK(reduce(a, x) == 6000);
    const std::size_t blocks = a.allocations();
    Context b = std::move(a);
    CHECK(b.allocations() == blocks);
    CHECK(reduce(b, x) == 6000);
    CHECK(b.allocations() == blocks);
    Context c = Context::host();
    c = std::move(b);
    CHECK(reduce(c, x) == 6000);
    CHECK(c.allocations() == blocks);
    a = Context::host();  // a moved-from context takes a new value
    CHECK(reduce(a, x) == 6000);
    Context& alias = c;
    c = std::move(alias);
    CHECK(reduce(c, x) == 6000);
  }
  CHECK(ledger.live.empty());
}

TEST_CASE("a context that was moved from says so") {
  Context a = Context::host();
  const Context b = std::move(a);
  const std::vector<float> x{1, 2};
  std::vector<float> y(2);
  const auto refused = [](auto call) {
    CHECK(contains(thrown<InvalidArgument>(call), "Context: was moved from; assign it a new one"));
  };
  refused([&] { reduce(a, x); });
  refused([&] { inclusive_scan(a, x, y); });
  refused([&] { transform(a, negate, x, y); });
  refused([&] { Array<float>(a, 10); });
  refused([&] { a.synchronize(); });
  refused([&] { static_cast<void>(a.place()); });
  refused([&] { static_cast<void>(a.description()); });
  refused([&] { static_cast<void>(a.last()); });
  refused([&] { static_cast<void>(a.stream()); });
  refused([&] { static_cast<void>(a.multiprocessors()); });
  refused([&] { static_cast<void>(a.allocations()); });
  refused([&] { a.scratch<int>(1); });
  refused([&] { a.state<int>("key"); });
  refused([&] { a.keep<int>("key", [] { return 1; }); });
  refused([&] { a.copy(y.data(), x.data(), 4); });
  refused([&] { a.fill(y.data(), 0, 4); });
  refused([&] { CallScope(a, "test", Place::host); });
}

TEST_CASE("many arrays end in linear time") {
  Context ctx = Context::host();
  std::vector<Array<int>> arrays;
  for (int i = 0; i < 200'000; ++i) arrays.emplace_back(ctx, 1);
  const auto start = std::chrono::steady_clock::now();
  arrays.clear();
  // A search through those that are left took 12 s.
  CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < 2);
}

#ifndef TANDEM_THREADS_ALONE  // ThreadSanitizer does not go on in the child of a program with threads
TEST_CASE("the child of a fork computes, on one thread") {
  Context ctx = Context::host();
  const std::int64_t n = 1 << 20;
  const std::vector<float> x(n, 1);
  std::vector<float> y(n), z(n);
  const auto all_right = [&](Context& in) {
    bool right = reduce(in, x) == static_cast<float>(n);
    inclusive_scan(in, x, y);
    right &= y[n - 1] == static_cast<float>(n);
    transform(in, plus, x, y, z);
    right &= z[7] == 9;
    transpose(in, matrix(y, 1024, 1024), matrix(z, 1024, 1024));
    right &= z[1] == y[1024];
    gemm(in, 1.0f, matrix(x, 1024, 256), matrix(x, 256, 1024), 0.0f, matrix(z, 1024, 1024));
    right &= z[5] == 256;
    const std::vector<float> four(n, 4), zero(n, 0);
    tridiagonal(in, zero, four, zero, x, z, contiguous(1024, 1024));
    return right && z[3] == 0.25f;
  };
  CHECK(all_right(ctx));  // OpenMP has its threads
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(20);
    Context own = Context::host();
    _exit(all_right(ctx) && all_right(own) ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK_MESSAGE(status == 0, "child ended with ", status);  // 14: it hung
  CHECK(all_right(ctx));
}
#endif

TEST_CASE("last() tells what ran and why") {
  Context ctx = Context::host();
  CHECK(ctx.last().implementation.empty());
  const std::vector<int> x{1, 2, 3};
  reduce(ctx, x, plus, {.use = "serial"});
  CHECK(ctx.last().implementation == "reduce/custom/serial");
  CHECK(ctx.last().why == "asked for with .use");
  reduce(ctx, x);
  CHECK(ctx.last().implementation.starts_with("reduce/"));
  CHECK_FALSE(ctx.last().why.empty());
}

TEST_CASE("one context per thread") {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&wrong, t] {
      Context ctx = Context::host();
      for (int n = 1; n < 200; ++n) {
        const std::vector<std::int64_t> x(static_cast<std::size_t>(n) * 37, static_cast<std::int64_t>(t) + 1);
        std::vector<std::int64_t> y(x.size());
        inclusive_scan(ctx, x, y);
        wrong[t] +=
            reduce(ctx, x) != n * 37 * (static_cast<std::int64_t>(t) + 1) || y.back() != reduce(ctx, x);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4));
}

TEST_CASE("10,000 contexts leak nothing") {
  Ledger ledger;
  const std::vector<float> x(100, 1);
  for (int i = 0; i < 10000; ++i) {
    Context ctx = Context::host(&ledger);
    if (reduce(ctx, x, plus, {.use = "serial"}) != 100) FAIL("wrong sum");
  }
  CHECK(ledger.live.empty());
  CHECK(ledger.allocations >= 10000);
}

TEST_SUITE_END();

}  // namespace tandem

// Memory that runs out at every allocation of every call, once and for ever, in the context's allocator and in
// operator new: the call throws OutOfMemory, nothing leaks, and the next call is right.

#include <fmt/format.h>
#include <cmath>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "lib/core/workers.h"
#include "lib/harness/first_error.h"
#include "tandem/file.h"
#include "tandem/tandem.h"
#include "tests/allocations.h"
#include "tests/host_rows.h"
#include "tests/known_calls.h"
#include "tests/support.h"

namespace tandem {
namespace {

/// What is made to fail.
struct Subject {
  std::string name;
  std::function<void(Context& ctx)> run;
  std::function<bool()> right;
};

enum class Outcome { right, wrong, out_of_memory, other };

// Calls nothing that allocates, but what it is there to call.
Outcome outcome_of(const Subject& subject, Context& ctx, std::string* other = nullptr) {
  try {
    subject.run(ctx);
    return Outcome::right;
  } catch (const OutOfMemory&) {
    return Outcome::out_of_memory;
  } catch (const std::exception& error) {
    if (other) *other = error.what();
    return Outcome::other;
  }
}

class Faults {
 public:
  long failures = 0;

  /// hooked_alone: in the context's allocator, not in operator new.
  void at_every_allocation(const Subject& subject, bool hooked_alone = false) {
    {
      Context ctx = Context::host();
      REQUIRE_MESSAGE(good(subject, ctx), subject.name);  // what is made once for the program is made,
      Ledger empty;
      empty.fail_at = 0;
      Context poor = Context::host(&empty);
      outcome_of(subject, poor);  // and once for all failures
      subject.right();
    }
    for (const bool hook : {true, false}) {
      if (hooked_alone && !hook) continue;
      for (const bool for_ever : {false, true}) {
        for (std::int64_t index = 0; fails_at(subject, hook, index, for_ever); ++index) ++failures;
      }
    }
  }

 private:
  static bool good(const Subject& subject, Context& ctx) {
    std::string what;
    const Outcome outcome = outcome_of(subject, ctx, &what);
    CHECK_MESSAGE(outcome == Outcome::right, subject.name, ": a good call failed: ", what);
    return outcome == Outcome::right && subject.right();
  }

  /// False where there is no such allocation: the call came through. A leak is there again in every attempt; what a thread
  /// makes once, when it takes part for the first time, is not.
  static bool fails_at(const Subject& subject, bool hook, std::int64_t index, bool for_ever) {
    for (int attempt = 0;; ++attempt) {
      const std::int64_t live = operator_new.live;
      const bool failed = attempt_at(subject, hook, index, for_ever);
      const std::int64_t leaked = operator_new.live - live;
      if (leaked != 0 && attempt < 3) continue;
      CHECK_MESSAGE(leaked == 0, place(subject, hook, index, for_ever), " leaks ", leaked, " blocks");
      return failed;
    }
  }
  static std::string place(const Subject& subject, bool hook, std::int64_t index, bool for_ever) {
    return fmt::format("{}: {} {}{}", subject.name, hook ? "allocation" : "operator new", index,
                       for_ever ? " and all later ones" : "");
  }
  static bool attempt_at(const Subject& subject, bool hook, std::int64_t index, bool for_ever) {
    Ledger ledger;
    const auto where = [&] { return place(subject, hook, index, for_ever); };
    bool failed;
    {
      Context ctx = Context::host(&ledger);
      if (hook) {
        ledger.fail_at = ledger.allocations + static_cast<std::size_t>(index);
        ledger.for_ever = for_ever;
      } else {
        operator_new.fail_at(index, for_ever);
      }
      const Outcome outcome = outcome_of(subject, ctx);
      operator_new.recover();
      failed = hook ? ledger.allocations > ledger.fail_at : operator_new.failures > 0;
      ledger.fail_at = SIZE_MAX;
      // Where an allocation can be done without, the result is right.
      if (outcome == Outcome::right)
        CHECK_MESSAGE(subject.right(), where());
      else
        CHECK_MESSAGE(outcome == Outcome::out_of_memory, where());
      for (int again = 0; failed && again < 2; ++again) CHECK_MESSAGE(good(subject, ctx), where());
    }
    CHECK_MESSAGE(ledger.live.empty(), subject.name, ": not given back to the allocator");
    CHECK(ledger.mismatches == 0);
    return failed;
  }
};

/// One launch on the executor in each thread: what a thread makes for its first launch would look like a leak where it comes
/// late, on a busy machine.
void make_executors() {
  const auto executed = std::ranges::find_if(implementations(), [](const Implementation& i) {
    return i.place == Place::simt && i.operation == "reduce" && i.path == "custom";
  });
  if (executed == implementations().end()) return;
  const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  std::atomic<int> here = 0, right = 0;
  parallel_for(most_workers(), {}, [&](std::int64_t, std::int64_t, int) {
    for (++here; here < most_workers() && std::chrono::steady_clock::now() < late;) std::this_thread::yield();
    Context ctx = Context::host();
    right += reduce(ctx, std::vector<float>(64, 1), plus, {.use = executed->name}) == 64;
  });
  CHECK(right == most_workers());
}

}  // namespace

TEST_SUITE_BEGIN("faults");

TEST_CASE("memory runs out in any call of any operation") {
  make_executors();
  Context data = Context::host();
  const std::vector<KnownCall> calls = known_calls(data);
  Faults faults;
  for (const Implementation* i : host_rows()) {
    int taken = 0;
    for (const KnownCall& call : calls) {
      if (call.operation != i->operation) continue;
      try {
        Context ctx = Context::host();
        call.run(ctx, i->name);
        call.right();
      } catch (const Unavailable&) {
        continue;
      }
      ++taken;
      // The executor itself is no part of a user's program, and its threads end with it where memory does.
      faults.at_every_allocation({i->name, [&](Context& ctx) { call.run(ctx, i->name); }, call.right},
                                 i->place == Place::simt);
      if (i->place == Place::simt) break;  // one is enough where calls take long
    }
    // Whose numbers are others (random/vendor) could not be told right from wrong.
    CHECK_MESSAGE((taken > 0 || std::isinf(i->depth(1))), i->name, " takes none of the calls");
  }
  for (const KnownCall& call : calls) {
    faults.at_every_allocation({fmt::format("{}, the automatic choice", call.operation),
                                [&](Context& ctx) { call.run(ctx, ""); }, call.right});
  }
  fmt::print("{} failed allocations in calls of operations\n", faults.failures);
  CHECK(faults.failures > 1600);
}

TEST_CASE("memory runs out in contexts, arrays, indices and files") {
  const TemporaryDirectory directory;
  const std::string npy = directory / "x.npy", lists = directory / "lists",
                    queries_file = directory / "queries", text = directory / "text",
                    nowhere = directory / "a folder that is not there/and a name";
  const std::vector<float> values(1000, 3);
  const std::vector<std::int64_t> shape{10, 100};
  const std::vector<std::vector<std::uint32_t>> of_lists{{1, 2, 3, 900}, {}, {2, 3}};
  const Index index(of_lists);
  Queries queries;
  queries.add({0, 2});
  write_npy(npy, Type::f32, shape, std::as_bytes(std::span(values)));
  write_index(lists, index);
  write_queries(queries_file, queries);

  bool seen = false;  // what the subject looked at was right
  const auto always = [&] { return std::exchange(seen, false); };
  const Subject subjects[] = {
      {"Context::host", [&](Context&) { seen = Context::host().place() == Place::host; }, always},
      {"Context", [&](Context&) { seen = Context().allocations() == 0; }, always},
      {"Context::description", [&](Context& ctx) { seen = !ctx.description().empty(); }, always},
      {"Context::scratch and state",
       [&](Context& ctx) {
         ctx.scratch<int>(1000)[999] = 1;
         seen = ctx.state<int>("a name that is longer than a small string", 100)[99] == 0;
       },
       always},
      {"Context::keep",
       [&](Context& ctx) {
         seen = ctx.keep<std::vector<int>>("kept", [] { return std::vector<int>(100, 4); })[99] == 4;
       },
       always},
      {"Array",
       [&](Context& ctx) {
         const Array<float> x(ctx, values);
         seen = x.to_vector() == values;
       },
       always},
      {"Index", [&](Context&) { seen = Index(of_lists).ids() == 6; }, always},
      {"a copy of an Index", [&](Context&) { seen = Index(index).ids() == 6; }, always},
      {"IndexBuilder",
       [&](Context&) {
         IndexBuilder builder(2);
         builder.append(2)[0] = 5;
         builder.end_list();
         seen = builder.finish().lists() == 1;
       },
       always},
      {"PackedIndex", [&](Context&) { seen = PackedIndex(index).unpack(0).size() == 4; }, always},
      {"Queries",
       [&](Context&) {
         Queries made = detail::translated([&] { return queries; });
         try {
           made.add({1, 2});
         } catch (const OutOfMemory&) {  // as before
           seen = made.size() == 1 && made.lists.size() == 2;
           if (seen) throw;
         }
         seen = made.size() == 2 && made[1].size() == 2;
       },
       always},
      {"implementation_names", [&](Context& ctx) { seen = !implementation_names("scan", ctx).empty(); },
       always},
      {"read_npy", [&](Context&) { seen = read_npy(npy).size() == 1000; }, always},
      {"write_npy",
       [&](Context&) {
         write_npy(npy, Type::f32, shape, std::as_bytes(std::span(values)));
         seen = true;
       },
       always},
      {"read_index", [&](Context&) { seen = read_index(lists).ids() == 6; }, always},
      {"write_index",
       [&](Context&) {
         write_index(lists, index);
         seen = true;
       },
       always},
      {"read_queries", [&](Context&) { seen = read_queries(queries_file, index).size() == 1; }, always},
      {"file::write_file and read_file",
       [&](Context&) {
         file::require_writable(text);
         file::write_file(text, "some text");
         seen = file::read_file(text, "a text") == "some text";
       },
       always},
      {"a file that cannot be read or written",
       [&](Context&) {
         try {
           file::read_file(nowhere, "a text");
         } catch (const BadFile&) {
           try {
             file::write_file(nowhere, "some text");
           } catch (const BadFile&) {
             seen = true;
           }
         }
       },
       always},
      {"write_queries",
       [&](Context&) {
         write_queries(queries_file, queries);
         seen = true;
       },
       always},
      {"a refused call",
       [&](Context& ctx) {
         try {
           reduce(ctx, values, plus, {"no such implementation, and a long name"});
         } catch (const InvalidArgument&) {
           seen = true;
         }
       },
       always},
  };
  Faults faults;
  for (const Subject& subject : subjects) {
    seen = false;
    faults.at_every_allocation(subject);
  }
  CHECK(directory.count() == 4);  // no temporary file stays
  fmt::print("{} failed allocations elsewhere\n", faults.failures);
}

TEST_CASE("an exception in a parallel loop arrives behind it") {
  FirstError error;
  int done = 0;
#pragma omp parallel for
  for (int i = 0; i < 100; ++i) {
    error.keep([&] {
      if (i == 50) throw InvalidArgument("fifty");
#pragma omp atomic
      ++done;
    });
  }
  CHECK(thrown<InvalidArgument>([&] { error.rethrow(); }) == "fifty");
  CHECK(done == 99);
  error.rethrow();  // once
}

TEST_SUITE_END();

}  // namespace tandem

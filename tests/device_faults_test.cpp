// Every CUDA call of every device row, and of calls with functors of users, made to fail in turn: a DeviceError or
// OutOfMemory that names it, nothing leaks, and the next call works. Needs the CUDA runtime of preload/cuda_faults.cpp,
// and no GPU; without it all is skipped. Results are not looked at, since kernels do not run there.

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "lib/core/context_impl.h"
#include "lib/core/registry.h"
#include "lib/harness/operation.h"
#include "tests/known_calls.h"
#include "tests/preload/cuda_faults.h"
#include "tests/preload/functor_calls.h"
#include "tests/support.h"

namespace tandem {
namespace {

CudaFaults* runtime() {
  static CudaFaults* const instance = [] {
    auto* const find = reinterpret_cast<CudaFaults* (*)()>(dlsym(RTLD_DEFAULT, "tandem_cuda_faults"));
    return find ? find() : nullptr;
  }();
  return instance;
}

/// One device path from the making of its context to its end.
using Path = std::function<void()>;

struct Tally {
  std::int64_t calls = 0, thrown = 0, unheard = 0, kept = 0;
  std::map<std::string, std::int64_t> names, launches_lost;  // by CUDA call; by row
};

/// Whether a message tells of the call: by its name, or by the implementation and what it called ("launch",
/// "cub::DeviceScan").
bool tells(const std::string& message) {
  return contains(message, runtime()->failed()) || contains(message, "/custom/") ||
         contains(message, "/vendor/") || contains(message, "out of memory on the GPU");
}

/// Calls that a library makes and whose failure it keeps to itself, so that its row cannot report it either:
/// Thrust forgets the error of a launch of set_intersection, of reduce_by_key and of unique_copy before it looks for
/// it, and never looks at the result of the synchronisation that fetches a value (CCCL 3.0). These rows run only where
/// they are asked for.
bool kept_by_library(const std::string& name, std::string_view call) {
  const bool launches = name == "intersect/vendor/thrust" || name == "segmented_reduce/vendor/thrust" ||
                        name == "reduce_by_key/vendor/thrust" || name == "select/vendor/thrust";
  return (launches && call == "cudaLaunchKernel") ||
         ((launches || name == "reduce/vendor/thrust") && call == "cudaStreamSynchronize");
}

/// CUB, and Thrust upon it, ask once for the program what they need to know of the device, keep the answer, and where
/// it was an error, that (CCCL 3.0).
bool keeps_first_answer(std::string_view name) {
  const auto is = [&](std::string_view library) { return name.find(library) != name.npos; };
  return is("/vendor/thrust") || (is("/vendor/cub") && !is("/vendor/cublas"));
}

void fail_every_call(const std::string& name, const Path& path, Tally& tally) {
  CudaFaults& cuda = *runtime();
  path();  // what is asked once for the program is known
  cuda.fail_at(-1);
  path();
  const std::int64_t calls = cuda.calls(), live = cuda.live();
  for (std::int64_t index = 0; index < calls; ++index) {
    std::optional<std::string> message;
    bool right_type = true;
    cuda.fail_at(index);
    try {
      path();
    } catch (const DeviceError& error) {
      message = error.what();
    } catch (const OutOfMemory& error) {
      message = error.what();
      right_type = std::string_view(cuda.failed()).starts_with("cudaMalloc");
    } catch (const std::exception& error) {
      message = error.what();
      right_type = false;
    }
    cuda.recover();
    CHECK_MESSAGE(cuda.failed(), name, ": call ", index, " was not made");
    if (!cuda.failed()) continue;
    const std::string where = fmt::format("{}: call {}, {}", name, index, cuda.failed());
    ++tally.calls;
    ++tally.names[cuda.failed()];
    if (message) {
      ++tally.thrown;
      CHECK_MESSAGE(right_type, where, ": ", *message);
      CHECK_MESSAGE(tells(*message), where, ": ", *message);
      CHECK_MESSAGE(message->find('\n') == std::string::npos, where);
    } else if (kept_by_library(name, cuda.failed())) {
      ++tally.kept;
      tally.launches_lost[name] += std::string_view(cuda.failed()) == "cudaLaunchKernel";
    } else {
      ++tally.unheard;
      // Nor can it be said that the caller's device is not current again.
      const bool silent =
          cuda.failed_while_giving_back() || std::string_view(cuda.failed()) == "cudaSetDevice";
      CHECK_MESSAGE(silent, where, ": nobody heard of it");
    }
    CHECK_MESSAGE(cuda.live() <= live, where, ": leaks ", cuda.live() - live);
    CHECK(cuda.mismatches() == 0);
    CHECK_MESSAGE(cuda.error_left() == 0, where, ": its error is left for the caller's next check");
    cuda.fail_at(-1);
    try {
      path();
    } catch (const std::exception& error) {
      FAIL_CHECK(where, ": the next call fails too: ", error.what());
    }
  }
}

/// Runs f in a child of this program, as it stands.
template <class F>
void in_child(const F& f) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    try {
      f();
    } catch (...) {  // what it should have said in its result is missing
    }
    _exit(0);
  }
  waitpid(child, nullptr, 0);
}

/// What children tell of a row.
struct FirstCalls {
  std::int64_t calls = -1, again = -1;  // CUDA calls of the first run of a call and of the next one
  bool heard = false;
  std::int64_t tried = 0, unheard = 0, stuck = 0;
};

/// A call in a context of its own.
Path in_context(std::function<void(Context&)> call) {
  return [call = std::move(call)] {
    Context ctx = Context::device(1);
    call(ctx);
    ctx.synchronize();
  };
}

/// For each type of a row's elements that it takes, a call by its arguments: f(path).
template <class F>
void for_each_type(const Implementation& row, Context& data, F f) {
  const Operation& op = operation(row.operation);
  std::set<Type> seen;
  for (std::size_t c = 0; c < op.cases.size(); ++c) {
    for (const Trial& trial : op.benchmarks(op.cases[c], op.extents.empty() ? 1000 : 40, 1)) {
      if (seen.contains(op.cases[c].type) || !row.refusal(op.shape(trial), op.cases[c]).empty()) continue;
      seen.insert(op.cases[c].type);
      const auto problem = op.make(data, static_cast<int>(c), trial);
      const void* const args = problem->args();
      problem->reset();
      f(in_context([&row, c, args](Context& ctx) { run(row, static_cast<int>(c), args, ctx, "failing"); }));
    }
  }
}

/// In a child in which a row, or another call, has not run yet: its first run, in which the CUDA call of this index fails
/// (−1: none), and another one.
void run_first(const std::string& name, const Path& path, std::int64_t index, FirstCalls& result) {
  result.calls = result.again = -1;
  result.heard = false;
  in_child([&] {
    CudaFaults& cuda = *runtime();
    cuda.fail_at(index);
    try {
      path();
      result.heard = !cuda.failed() || cuda.failed_while_giving_back() ||
                     std::string_view(cuda.failed()) == "cudaSetDevice" ||
                     kept_by_library(name, cuda.failed());
    } catch (const Unavailable&) {
      return;  // the row does not take this call
    } catch (const DeviceError& error) {
      result.heard = tells(error.what());
    } catch (const OutOfMemory& error) {
      result.heard = tells(error.what());
    }
    result.calls = cuda.calls();
    cuda.recover();
    cuda.fail_at(-1);
    path();
    result.again = cuda.calls();
  });
}

/// The CUDA calls of a path, if it makes some of them once for the program: each fails in turn. False where the row does
/// not take the call.
bool fail_first_calls(const std::string& name, const Path& path, FirstCalls& result) {
  run_first(name, path, -1, result);
  if (result.calls < 0) return false;
  const std::int64_t calls = result.calls == result.again ? 0 : result.calls;
  for (std::int64_t index = 0; index < calls; ++index) {
    run_first(name, path, index, result);
    ++result.tried;
    result.unheard += !result.heard;
    result.stuck += result.again < 0;
  }
  return true;
}

/// Memory in which children tell of their calls.
class SharedFirstCalls {
 public:
  SharedFirstCalls() { REQUIRE(result_ != MAP_FAILED); }
  SharedFirstCalls(const SharedFirstCalls&) = delete;
  ~SharedFirstCalls() { munmap(result_, sizeof(FirstCalls)); }

  /// How many CUDA calls fail(result) made to fail; all of them must be heard of.
  template <class Fail>
  std::int64_t check(const std::string& name, const Fail& fail) {
    FirstCalls& result = *static_cast<FirstCalls*>(result_);
    result = {};
    fail(result);
    CHECK_MESSAGE(result.unheard == 0, name, ": nobody heard of ", result.unheard);
    CHECK_MESSAGE(result.stuck == 0, name, ": after ", result.stuck, " the next call fails too");
    return result.tried;
  }

 private:
  void* const result_ =
      mmap(nullptr, sizeof(FirstCalls), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
};

/// Of the first known call that the row takes, and of a call for each type of elements.
void fail_first_calls(const Implementation& row, FirstCalls& result) {
  in_child([&] {
    runtime()->fail_at(-1);
    if (!row.unavailable().empty()) return;
    Context data = Context::device();
    for (const KnownCall& call : known_calls(data)) {
      if (call.operation != row.operation) continue;
      if (fail_first_calls(row.name, in_context([&](Context& ctx) { call.run(ctx, row.name); }), result))
        break;
    }
    for_each_type(row, data, [&](const Path& path) { fail_first_calls(row.name, path, result); });
  });
}

}  // namespace

TEST_SUITE_BEGIN("device_faults");

// Before all others: what is asked once for the program has not been asked yet.
TEST_CASE("every CUDA call of the first call of a program" * doctest::skip(!runtime())) {
  SharedFirstCalls shared;
  std::int64_t tried = 0;
  for (const Implementation& i : implementations()) {
    if (i.place != Place::device || keeps_first_answer(i.name)) continue;
    tried += shared.check(i.name, [&](FirstCalls& result) { fail_first_calls(i, result); });
  }
  fmt::print("{} CUDA calls of first runs made to fail\n", tried);
  CHECK(tried > 20);
}

TEST_CASE("a driver that fails once is asked again" * doctest::skip(!runtime())) {
  for (const std::int64_t index : {0, 1}) {
    runtime()->fail_at(index);
    CHECK(why_no_device() == "needs a GPU (made to fail)");
  }
  runtime()->fail_at(-1);
  CHECK(why_no_device().empty());
}

TEST_CASE("every CUDA call of every device row" * doctest::skip(!runtime())) {
  Tally tally;
  int rows = 0;
  {
    Context data = Context::device();
    const std::vector<KnownCall> calls = known_calls(data);
    for (const Implementation& i : implementations()) {
      if (i.place != Place::device || !i.unavailable().empty()) continue;
      int taken = 0;
      for (const KnownCall& call : calls) {
        if (call.operation != i.operation) continue;
        const Path path = in_context([&](Context& ctx) { call.run(ctx, i.name); });
        try {
          path();
        } catch (const Unavailable&) {
          continue;
        }
        ++taken;
        fail_every_call(i.name, path, tally);
      }
      for_each_type(i, data, [&](const Path& path) {
        fail_every_call(i.name, path, tally);
        ++taken;
      });
      CHECK_MESSAGE(taken > 0, i.name, " takes none of the calls");
      ++rows;
    }
  }
  fmt::print(
      "{} rows: {} CUDA calls of {} kinds made to fail, {} reported, {} while giving back, {} kept by "
      "Thrust\n",
      rows, tally.calls, tally.names.size(), tally.thrown, tally.unheard, tally.kept);
  CHECK(rows > 30);
  CHECK(tally.launches_lost["select/vendor/thrust"] == 2);  // those of unique_copy; copy_if reports its own
}

TEST_CASE("every CUDA call of contexts, arrays and graphs" * doctest::skip(!runtime())) {
  Tally tally;
  const std::vector<float> values(1000, 2);
  fail_every_call(
      "Context::device", [] { Context::device(); }, tally);
  fail_every_call(
      "Context::managed", [] { Context::managed(1); }, tally);
  for (Context (*make)() : {+[] { return Context::device(); }, +[] { return Context::managed(); }}) {
    fail_every_call(
        "Array",
        [&] {
          Context ctx = make();
          Array<float> x(ctx, values);
          x.upload(values);
          x.to_vector();
        },
        tally);
    fail_every_call(
        "state and scratch",
        [&] {
          Context ctx = make();
          ctx.state<int>("state", 100);
          ctx.scratch<int>(100);
        },
        tally);
  }
  fail_every_call(
      "a recorded graph",
      [&] {
        Context ctx = Context::device();
        Array<float> x(ctx, values), y(ctx, 1);
        reduce_into(ctx, x, y);
        const auto replay = backend(ctx).record([&] { reduce_into(ctx, x, y); });
        replay();
        ctx.synchronize();
      },
      tally);
  fail_every_call(
      "portable bits",
      [&] {
        Context ctx = Context::device();
        Array<float> x(ctx, values), y(ctx, 1);
        reduce_into(ctx, x, y, {.bits = portable});
        ctx.synchronize();
      },
      tally);
  const std::vector<std::int64_t> offsets{0, 1, 3};
  const std::vector<std::int32_t> columns{0, 0, 1};
  const std::vector<float> elements{1, 2, 4};
  fail_every_call(
      "analyses and conversions of sparse matrices",
      [&] {
        Context ctx = Context::device();
        const Array<std::int64_t> begins(ctx, offsets);
        const Array<std::int32_t> places(ctx, columns);
        const Array<float> stored(ctx, elements);
        const CsrMatrix<float> a(ctx, 2, 2, begins, places, stored);
        analyse(ctx, a);
        analyse_triangular(ctx, a);
        transposed(ctx, a);
      },
      tally);
  fail_every_call(
      "time",
      [&] {
        Context ctx = Context::device();
        backend(ctx).seconds([] {});
      },
      tally);
  fmt::print("{} more, {} reported, {} while giving back\n", tally.calls, tally.thrown, tally.unheard);
}

TEST_CASE("every CUDA call of functors and own operators" * doctest::skip(!runtime())) {
  const auto find =
      reinterpret_cast<decltype(&tandem_functor_calls)>(dlsym(RTLD_DEFAULT, "tandem_functor_calls"));
  const auto communicators =
      reinterpret_cast<decltype(&tandem_communicators)>(dlsym(RTLD_DEFAULT, "tandem_communicators"));
  REQUIRE((find && communicators));
  Tally tally;
  SharedFirstCalls shared;
  Context data = Context::device();
  std::vector<FunctorCall> calls;
  find(data, calls);
  std::int64_t tried = 0;
  for (const FunctorCall& call : calls) {
    const Path path = in_context(call.run);
    tried += shared.check(call.name, [&](FirstCalls& result) {
      CHECK_MESSAGE(fail_first_calls(call.name, path, result), call.name, " fails by itself");
    });
    fail_every_call(call.name, path, tally);
    // The context in which it failed serves the next call, too.
    Context stays = Context::device(1);
    fail_every_call(
        call.name + " again", [&] { call.run(stays), stays.synchronize(); }, tally);
  }
  fmt::print(
      "{} calls: {} CUDA calls of {} kinds made to fail, {} reported, {} while giving back; {} of first "
      "runs\n",
      calls.size(), tally.calls, tally.names.size(), tally.thrown, tally.unheard, tried);
  CHECK(communicators() > 0);
  calls.clear();
  CHECK_MESSAGE(communicators() == 0, "a communicator of NCCL is left behind");
  CHECK(tally.names["cudaLaunchKernelExC"] > 100);  // theirs are launched there, too
  CHECK(tried > 20);
}

TEST_SUITE_END();

}  // namespace tandem

#include "lib/harness/operation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <optional>
#include <span>

#include "lib/core/names.h"
#include "lib/core/type_table.h"
#include "lib/core/workers.h"
#include "tandem/error.h"

namespace tandem {
namespace {

std::vector<std::unique_ptr<Operation>>& store() {
  static std::vector<std::unique_ptr<Operation>> instance;
  return instance;
}

}  // namespace

std::string Trial::str() const {
  return fmt::format("{}{}{} {} offset={} seed={}", extents.empty() ? fmt::format("n={}", n) : extents,
                     variant.empty() ? "" : " ", variant, name(inputs.values), inputs.offset, inputs.seed);
}

Type Operation::default_type() const {
  const bool f32 = std::any_of(cases.begin(), cases.end(), [](CaseId id) { return id.type == Type::f32; });
  return f32 ? Type::f32 : cases.at(0).type;
}

void Operation::require_memory(CaseId id, const Trial& trial, Place place) const {
  if (trial.inputs.closed_form && place == Place::device) return;  // made and compared there
  require_host_memory(fmt::format("{} {} {}", name, id.str(),
                                  trial.extents.empty() ? fmt::format("n={}", trial.n) : trial.extents),
                      memory(id, trial) / (place == Place::device ? 2 : 1));
}

Drawn Operation::draw(std::uint64_t number, std::int64_t largest) const {
  std::vector<int> named;
  const std::vector<Type> types = all_types();
  for (std::size_t c = 0; c < cases.size(); ++c) {
    if (std::find(types.begin(), types.end(), cases[c].type) != types.end())
      named.push_back(static_cast<int>(c));
  }
  Draws draws(number);
  const int c = named[static_cast<std::size_t>(draws.below(static_cast<std::int64_t>(named.size())))];
  return {c, draw_case(cases[static_cast<std::size_t>(c)], draws, largest)};
}

int draw_offset(CaseId id, Draws& draws) {
  if (draws.one_in(2)) return 0;
  return static_cast<int>(
      draws.below(std::max<std::int64_t>(2, 16 / static_cast<std::int64_t>(size_of(id.type)))));
}

const std::vector<std::unique_ptr<Operation>>& operations() { return store(); }

const Operation& operation(std::string_view name) {
  std::vector<std::string> known;
  for (const auto& op : operations()) {
    if (op->name == name) return *op;
    known.push_back(op->name);
  }
  throw InvalidArgument(unknown_name("operation", name, known));
}

Coverage parse_coverage(std::string_view text) {
  constexpr std::array<std::string_view, 4> kNames = {"brief", "quick", "full", "huge"};
  const auto found = std::find(kNames.begin(), kNames.end(), text);
  if (found == kNames.end()) {
    throw InvalidArgument(fmt::format("unknown coverage '{}'; known: {}", text, fmt::join(kNames, ", ")));
  }
  return static_cast<Coverage>(found - kNames.begin());
}

std::string why_not(const Operation& op, const Implementation& implementation, CaseId id,
                    const Trial& trial) {
  constexpr double kUnsuitedBytes = 1 << 23, kExecutorBytes = 1 << 30;
  const void* shape = op.shape(trial);
  std::string reason = implementation.refusal(shape, id);
  if (reason.empty() && !implementation.suited(shape) && op.work(id, trial).bytes > kUnsuitedBytes)
    reason = "does not suit this shape: checked on smaller ones, of no more than 8 MiB";
  if (reason.empty() && implementation.place == Place::simt && op.work(id, trial).bytes > kExecutorBytes)
    reason = "would take hours on the executor: checked there on shapes of no more than 1 GiB";
  return reason;
}

namespace {
/// Whether two workers of a loop write to the same scratch, which would show at times only, when they are at work at once.
/// While one lives, pieces are done in turn: what a piece changes is its worker's.
class ScratchWatch {
 public:
  explicit ScratchWatch(Context& ctx)
      : ctx_(ctx), turns_([this] { return begin(); }, [this](int worker) { look(worker); }) {}
  bool any_loop = false, shared = false;

 private:
  static constexpr std::size_t kMost = 1 << 22;
  /// A loop's scratch as it is before, and in how many turns it can be looked through: 1 GiB in all.
  std::int64_t begin() {
    constexpr std::size_t kInAll = 1 << 30;
    any_loop = true;
    before_.clear();
    for (const auto part : ctx_.impl().scratch_contents(kMost))
      before_.insert(before_.end(), part.begin(), part.end());
    owners_.assign(before_.size(), -1);
    return static_cast<std::int64_t>(kInAll / std::max<std::size_t>(before_.size(), 1));
  }
  void look(int worker) {
    constexpr std::size_t kBlock = 1024;  // most of the scratch has not changed
    std::size_t at = 0;
    for (const auto part : ctx_.impl().scratch_contents(kMost)) {
      const std::size_t size = std::min(part.size(), before_.size() - at);
      for (std::size_t begin = 0; begin < size; begin += kBlock) {
        const std::size_t end = std::min(begin + kBlock, size);
        if (std::memcmp(&part[begin], &before_[at + begin], end - begin) == 0) continue;
        for (std::size_t i = begin; i < end; ++i) {
          if (part[i] != before_[at + i]) note(at + i, part[i], worker);
        }
      }
      at += size;
    }
  }
  void note(std::size_t at, std::byte now, int worker) {
    shared |= owners_[at] >= 0 && owners_[at] != worker;
    owners_[at] = worker;
    before_[at] = now;
  }
  Context& ctx_;
  std::vector<std::byte> before_;
  std::vector<int> owners_;
  PiecesInTurn turns_;
};

/// Scratch that threads share by mistake; empty where there is none. Runs the implementation, and on the host again: with threads where
/// it has loops for them; else with scratch for one, so that a write behind it does not end in that of others.
std::string run_watched(const Implementation& implementation, int case_index, Problem& problem,
                        Context& ctx) {
  const auto run_it = [&] { run(implementation, case_index, problem.args(), ctx, "checked"); };
  if (implementation.place != Place::host) return run_it(), "";
  std::optional<ScratchWatch> watch(ctx);
  run_it();
  const bool any_loop = watch->any_loop, shared = watch->shared;
  watch.reset();
  if (implementation.place == Place::host || any_loop) {
    problem.reset();
    std::optional<OneWorker> one;
    if (!any_loop) one.emplace();
    run_it();
  }
  return shared ? "two threads of a loop write to the same scratch" : "";
}
}  // namespace

Verdict check(const Implementation& implementation, int case_index, Problem& problem, Context& ctx,
              std::int64_t n) {
  bool& poison = ctx.impl().poison_scratch;
  try {
    problem.reset();
    poison = true;
    const std::string sharing = run_watched(implementation, case_index, problem, ctx);
    poison = false;
    ctx.synchronize();
    const std::string damage = sharing.empty() ? ctx.impl().scratch_damage() : sharing;
    Verdict verdict = problem.check(implementation.depth(n));
    if (!damage.empty()) verdict.include(Verdict::wrong(damage));
    return verdict;
  } catch (const std::bad_alloc&) {  // says nothing about the implementation
    poison = false;
    throw;
  } catch (const OutOfMemory&) {
    poison = false;
    throw;
  } catch (const std::exception& error) {
    poison = false;
    return Verdict::wrong(error.what());
  }
}

namespace {
// Whether `word` is one of the blank-separated words of `list`.
bool lists(std::string_view list, std::string_view word) {
  for (std::size_t at = 0; !word.empty() && (at = list.find(word, at)) != list.npos; ++at) {
    const std::size_t end = at + word.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}
}  // namespace

bool outside_promise(const Implementation& i, const Trial& trial, const Verdict& verdict) {
  return verdict.digits_alone && lists(i.loses_digits_on, *verdict.input ? verdict.input : trial.input);
}

void for_each_trial(const Operation& op, int case_index, const std::vector<Trial>& trials,
                    std::span<const Implementation* const> implementations, Context& ctx, const Judge& judge,
                    const std::function<bool(const Outcome&)>& visit) {
  const CaseId id = op.cases[static_cast<std::size_t>(case_index)];
  for (const Trial& trial : trials) {
    std::unique_ptr<Problem> problem;  // shared by all implementations
    for (const Implementation* i : implementations) {
      Outcome outcome{*i, id, trial, why_not(op, *i, id, trial), {}, false, 0};
      try {
        if (outcome.refusal.empty()) op.require_memory(id, trial, ctx.place());
      } catch (const OutOfMemory& error) {
        outcome.refusal = error.what();
      }
      if (outcome.refusal.empty()) {
        try {
          if (!problem) problem = op.make(ctx, case_index, trial);
          const auto start = std::chrono::steady_clock::now();
          outcome.verdict = judge(*i, case_index, *problem, ctx, trial.n);
          outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        } catch (const OutOfMemory& error) {
          if (!trial.inputs.closed_form) throw;
          outcome.refusal = error.what();  // the operands alone fill most of the memory, or more
        }
        outcome.outside_promise = outside_promise(*i, trial, outcome.verdict);
      }
      if (!visit(outcome)) return;
    }
  }
}

std::vector<std::string> names(const std::vector<CaseId>& ids) {
  std::vector<std::string> all;
  for (const CaseId id : ids) all.push_back(id.str());
  return all;
}
std::vector<std::string> value_names(int count) {
  std::vector<std::string> all;
  for (int v = 0; v < count; ++v) all.emplace_back(name(static_cast<Values>(v)));
  return all;
}
std::vector<std::string> offset_names() {
  std::vector<std::string> all;
  for (const int offset : kOffsets) all.push_back(std::to_string(offset));
  return all;
}

std::vector<std::int64_t> test_sizes(Coverage coverage) {
  switch (coverage) {
    case Coverage::brief:
      return {1, 1000, 4097, 33007};  // quadratic steps run here, too
    case Coverage::quick:
      return {0,    1,    2,    3,    31,   32,   33,    63,    64,    65,     127,    128,    255,
              256,  257,  511,  512,  513,  1000, 1023,  1024,  1025,  2047,   2048,   2049,   4095,
              4096, 4097, 6007, 8191, 8192, 8193, 10007, 16384, 33013, 131072, 262147, 2097191};
    case Coverage::full:
      return {0,     1,      2,      3,      4,       5,       7,       8,       31,      32,    33,
              63,    64,     65,     127,    128,     129,     255,     256,     257,     511,   512,
              513,   1000,   1023,   1024,   1025,    2047,    2048,    2049,    4095,    4096,  4097,
              6007,  8191,   8192,   8193,   10007,   16383,   16384,   16385,   65535,   65536, 65537,
              99991, 262143, 262144, 262145, 1048575, 1048576, 1048577, 4194301, 16777259};
    default:  // past 2^31 and 2^32
      return {(std::int64_t{1} << 31) + 3, (std::int64_t{1} << 32) + 7};
  }
}

namespace detail {
void require_extents(const Operation& operation, std::span<const std::int64_t> given) {
  if (given.size() != operation.each_extent.size()) {
    throw InvalidArgument(fmt::format("{}: a shape of {} extents; it must be {}", operation.name,
                                      given.size(),
                                      operation.extents.empty() ? "one number" : operation.extents));
  }
  constexpr std::int64_t kMost = std::int64_t{1} << 62;
  std::int64_t product = 1;
  for (std::size_t e = 0; e < given.size(); ++e) {
    const Extent& extent = operation.each_extent[e];
    if (given[e] < extent.least) {
      throw InvalidArgument(fmt::format("{}: {} is {}; it must be at least {}", operation.name, extent.name,
                                        given[e], extent.least));
    }
    if (__builtin_mul_overflow(product, std::max<std::int64_t>(1, given[e]), &product) || product > kMost) {
      throw InvalidArgument(fmt::format("{}: a shape of {}; the product of its extents must be at most 2^62",
                                        operation.name, fmt::join(given, "x")));
    }
  }
}

bool add(std::unique_ptr<Operation> operation) {
  store().push_back(std::move(operation));
  std::sort(store().begin(), store().end(), [](const auto& a, const auto& b) { return a->name < b->name; });
  return true;
}
}  // namespace detail

}  // namespace tandem

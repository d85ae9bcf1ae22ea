#pragma once
// Every implementation, by name. A file joins by ending in REGISTER(...); nothing else in the tree names it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/cases.h"
#include "lib/core/test_elements.h"
#include "tandem/options.h"

namespace tandem {

/// What a file may say about its implementation besides the code. All optional.
template <class Contract>
struct Facts {
  const char* note = "";     // one line for tables: what this step does
  std::string version = {};  // of the library that a vendor path calls
  /// The longest chain of roundings on the way to one result of n elements; the error bound follows from it.
  double (*depth)(std::int64_t n) = [](std::int64_t n) { return static_cast<double>(n); };
  /// Why this path cannot take a call; empty when it can. Where it is left out, the contract's own `refuses`,
  /// if any.
  std::string (*refuses)(const typename Contract::Shape&, CaseId) = nullptr;
  /// The shapes, among those that are taken, for which this path is a sensible automatic choice. All where it
  /// is left out.
  bool (*suits)(const typename Contract::Shape&) = nullptr;
  /// Test inputs on which results are less accurate than the operation promises, by their names, separated by
  /// blanks. `tandem list` shows them, `tandem check` still runs them.
  const char* loses_digits_on = "";
  /// The form of input that it reads where an operation has several; empty: the usual one.
  const char* reads = "";
  bool synchronises = false;  // returns to the host: never captured in a graph, never the automatic choice
  /// Other than full: computes in less than the element type promises (.depth says how much), is shown beside
  /// the others, but is no rival of theirs, and the automatic choice only of callers who allow it.
  Precision precision = Precision::full;
  /// Run again on one machine, with one number of threads, a call gives the same bits.
  bool repeats = true;
  /// Why the automatic choice never takes it, though it is as fast as it may be: it runs where it is asked for by name, and in
  /// comparisons.
  const char* by_name_only = "";
  /// What a library does otherwise than the operation promises. `tandem list` and docs/promises.md show it.
  const char* deviates = "";
};

/// A function of a contract's Shape that is called with a pointer to one. (std::function would cost each file of a
/// ladder a tenth of a second to compile.)
template <class Result, class... More>
class OfShape {
  using Erased = void (*)();

 public:
  OfShape() = default;
  template <class Shape>
  OfShape(Result (*function)(const Shape&, More...))
      : function_(reinterpret_cast<Erased>(function)),
        call_([](Erased erased, const void* shape, More... more) {
          const auto typed = reinterpret_cast<Result (*)(const Shape&, More...)>(erased);
          return typed(*static_cast<const Shape*>(shape), more...);
        }) {}
  explicit operator bool() const { return function_; }
  Result operator()(const void* shape, More... more) const { return call_(function_, shape, more...); }

 private:
  Erased function_ = nullptr;
  Result (*call_)(Erased, const void*, More...) = nullptr;
};

struct Implementation {
  std::string name;       // "scan/custom/blelloch"; "@simt" behind it on the executor
  std::string operation;  // "scan"
  std::string path;       // "custom" or "vendor" (planted wrong kernels: "wrong")
  Place place = Place::host;
  int step = 0;      // position in the ladder, from the file's name
  std::string file;  // relative to the root of the tree
  std::string note;
  int architecture = 0;  // the only GPU architecture it is compiled for (.sm90.cu); 0: any
  std::string left_out;  // why this build does not hold it; empty when it does
  std::string loses_digits_on, reads, by_name_only, deviates;
  bool synchronises = false, repeats = true;
  Precision precision = Precision::full;
  double (*depth)(std::int64_t n) = nullptr;
  OfShape<std::string, CaseId> refuses;
  OfShape<bool> suits;
  using Launcher = void (*)(const void* args, Context& ctx);
  std::vector<Launcher> launchers;  // by case index of the contract; null where it does not take the case
  std::vector<CaseId> not_taken;    // those cases
  Launcher counting = nullptr;      // for the contract's counting case, where there is one (test_elements.h)

  bool reduced_precision() const { return precision != Precision::full; }
  /// Whether the automatic choice may take it for any shape.
  bool ever_chosen() const {
    return !synchronises && by_name_only.empty() && (repeats || place == Place::device);
  }
  /// Why it cannot run on this machine at all; empty when it can.
  TANDEM_API std::string unavailable() const;
  /// Whether it is a sensible choice for this shape.
  bool suited(const void* shape) const { return !suits || suits(shape); }
  /// Why it cannot take this call; empty when it can.
  TANDEM_API std::string refusal(const void* shape, CaseId id) const;
};

/// All implementations, those that this build left out included, ordered by operation, path, step and name.
TANDEM_API const std::vector<Implementation>& implementations();

/// Those of this full name, its @simt row included; where there are none, those whose name begins with `pattern`; where
/// there are none, those whose name contains it.
TANDEM_API std::vector<const Implementation*> matching(std::string_view pattern);

/// Runs one case of an implementation in a context, as a call of its own (scratch starts anew).
TANDEM_API void run(const Implementation& implementation, int case_index, const void* args, Context& ctx,
                    std::string_view why);
/// The same for the contract's counting case.
TANDEM_API void run_counting(const Implementation& implementation, const void* args, Context& ctx);

namespace detail {
/// Name, step, operation and path from a file's path, e.g. ".../custom_kernels/scan/05_blelloch.cu".
TANDEM_API Implementation from_file(std::string_view file, Place place);
TANDEM_API bool add(Implementation implementation);
TANDEM_API std::string version(const char* library, int major, int minor);

/// The cases whose launcher is null.
template <class Contract>
std::vector<CaseId> cases_left_out(const std::vector<Implementation::Launcher>& launchers) {
  std::vector<CaseId> out;
  auto launcher = launchers.begin();
  Contract::Cases::for_each([&]<class C>() {
    if (!*launcher++) out.push_back(C::id);
  });
  return out;
}

template <class Contract>
bool add_file(const char* file, Place place, Facts<Contract> facts,
              std::vector<Implementation::Launcher> launchers, Implementation::Launcher counting) {
  Implementation entry = from_file(file, place);
  entry.note = facts.note;
  if (!facts.version.empty()) entry.note += ", " + facts.version;
  entry.depth = facts.depth;
  entry.loses_digits_on = facts.loses_digits_on;
  entry.reads = facts.reads;
  entry.synchronises = facts.synchronises;
  entry.precision = facts.precision;
  entry.repeats = facts.repeats;
  entry.by_name_only = facts.by_name_only;
  entry.deviates = facts.deviates;
  if constexpr (requires { Contract::refuses; }) {
    if (!facts.refuses) facts.refuses = &Contract::refuses;
  }
  entry.refuses = facts.refuses;
  entry.suits = facts.suits;
  entry.not_taken = cases_left_out<Contract>(launchers);
  entry.launchers = std::move(launchers);
  entry.counting = counting;
  return add(std::move(entry));
}

template <class Contract, class C, class Launch>
void launch_case(const void* erased, Context& ctx) {
  const auto& args = *static_cast<const typename C::Args*>(erased);
  if (!Contract::template done_without_work<C>(args, ctx)) Launch{}.template operator()<C>(args, ctx);
}
/// Whether the constraints of an implementation admit a case.
template <class Launch, class C>
concept Takes = requires(const Launch& launch, const typename C::Args& args, Context& ctx) {
  launch.template operator()<C>(args, ctx);
};
/// One for each case; null for those that the implementation's constraints leave out.
template <class Contract, class Launch>
std::vector<Implementation::Launcher> launchers() {
  std::vector<Implementation::Launcher> all;
  Contract::Cases::for_each([&]<class C>() {
    if constexpr (Takes<Launch, C>)
      all.push_back(launch_case<Contract, C, Launch>);
    else
      all.push_back(nullptr);
  });
  return all;
}
/// Only what the host compiler compiles can count, and only hand-written steps.
template <class Contract, class Launch, bool kByHand>
Implementation::Launcher counting() {
#ifndef __CUDACC__
  if constexpr (kByHand && requires { typename Contract::Counting; })
    return launch_case<Contract, typename Contract::Counting, Launch>;
#endif
  return nullptr;
}
constexpr bool by_hand(std::string_view file) { return file.find("custom_kernels/") != file.npos; }
}  // namespace detail

#if defined(__CUDACC__)
#define TANDEM_PLACE ::tandem::Place::device
#elif defined(TANDEM_SIMT)
#define TANDEM_PLACE ::tandem::Place::simt
#else
#define TANDEM_PLACE ::tandem::Place::host
#endif

/// "Thrust 3.0" from LIBRARY_VERSION(Thrust, THRUST), for .version.
#define LIBRARY_VERSION(name, MACRO) \
  ::tandem::detail::version(name, MACRO##_MAJOR_VERSION, MACRO##_MINOR_VERSION)

/// REGISTER(Scan, blelloch, .note = "…") instantiates `blelloch<C>(args, ctx)` for every case C of the
/// contract that the function's constraints admit (`template <class C> requires …`); of others the path says
/// that it does not take the type. Tunings include the files of steps for their code alone
/// (lib/harness/tuning_point.h).
#ifdef TANDEM_TUNING
#define REGISTER(...)
#else
#define REGISTER(Contract, function, ...)                                                                   \
  struct function##_launch {                                                                                \
    template <class C>                                                                                      \
    requires requires(const typename C::Args& args, ::tandem::Context& ctx) { function<C>(args, ctx); }     \
    void operator()(const typename C::Args& args, ::tandem::Context& ctx) const { function<C>(args, ctx); } \
  };                                                                                                        \
  [[maybe_unused]] const bool function##_registered = ::tandem::detail::add_file<Contract>(                 \
      __FILE__, TANDEM_PLACE, ::tandem::Facts<Contract>{__VA_ARGS__},                                       \
      ::tandem::detail::launchers<Contract, function##_launch>(),                                           \
      ::tandem::detail::counting<Contract, function##_launch, ::tandem::detail::by_hand(__FILE__)>());
#endif

}  // namespace tandem

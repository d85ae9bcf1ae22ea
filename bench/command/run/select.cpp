// tandem run select

#include <array>
#include <optional>

#include "bench/command/run/run.h"
#include "lib/ops/select/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, out, use, where, flags;
  bool unique = false, partition = false;
};

/// Calls f(predicate) for "<0.5", "<=0.5", ">0.5", ">=0.5", "==0.5" or "!=0.5".
template <class T, class F>
std::int64_t with_predicate(const std::string& where, F&& f) {
  constexpr std::array<std::string_view, 6> kComparisons = {"<=", ">=", "==", "!=", "<", ">"};
  std::size_t c = 0;
  while (c < kComparisons.size() && !where.starts_with(kComparisons[c])) ++c;
  if (c == kComparisons.size()) {
    throw InvalidArgument(
        fmt::format("--where is '{}'; it must begin with {}", where, fmt::join(kComparisons, ", ")));
  }
  const T value = parse_element<T>(where.substr(kComparisons[c].size()), "--where");
  switch (c) {
    case 0:
      return f(less_equal{value});
    case 1:
      return f(greater_equal{value});
    case 2:
      return f(equal{value});
    case 3:
      return f(not_equal{value});
    case 4:
      return f(less{value});
    default:
      return f(greater{value});
  }
}

void run_select(const Options& options) {
  if (options.unique + !options.where.empty() + !options.flags.empty() != 1)
    throw InvalidArgument("one of --where, --flags and --unique says what is kept");
  if (options.where.empty() && options.partition) throw InvalidArgument("--partition needs --where");
  const InputArray in = read_array(options.in, 1);
  std::optional<InputArray> flags;
  if (!options.flags.empty()) {
    flags = read_array(options.flags, 1);
    if (flags->type != Type::u8)
      throw InvalidArgument(fmt::format("{}: holds {}; flags are u8", flags->file, name(flags->type)));
  }
  Context ctx = context_for(options.use);
  std::int64_t kept = 0;
  for_case_of<Select>(in.file, in.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    const Array<T> x(ctx, in.as<T>());
    Array<T> y(ctx, x.size());
    if (options.unique) {
      kept = unique(ctx, x, y, {options.use});
    } else if (flags) {
      kept = select_flagged(ctx, x, Array<std::uint8_t>(ctx, flags->as<std::uint8_t>()), y, {options.use});
    } else {
      kept = with_predicate<T>(options.where, [&](auto predicate) {
        return options.partition ? partition(ctx, x, predicate, y, {options.use})
                                 : select(ctx, x, predicate, y, {options.use});
      });
    }
    std::vector<T> result = y.to_vector();
    if (!options.partition) result.resize(static_cast<std::size_t>(kept));
    write_result(options.out, in.format, std::vector{static_cast<std::int64_t>(result.size())}, result);
  });
  const std::string what = options.unique ? "unique" : flags ? "flagged" : options.where;
  say_done(ctx, fmt::format("select {}, {} kept", what, kept), in.str(), options.out);
}

void add_select(Command run) {
  static Options options;
  const auto sub = run.subcommand("select", Select::meaning);
  add_file(sub, "--in", options.in, "Array of rank 1 (.npy; - is standard input)").required();
  add_file(sub, "--out", options.out, "Where the result goes (.npy; - is standard output)").required();
  sub.option("--where", options.where, "What is kept: <, <=, >, >=, == or !=, and a number (\">0.5\")")
      .check(not_empty);
  add_file(
      sub, "--flags", options.flags,
      "What is kept: the elements whose flag in this array is not 0 (.npy of uint8; - is standard input)");
  sub.flag("--unique", options.unique, "Keep the first of each run of equal elements instead");
  sub.flag("--partition", options.partition, "Put the others behind those that are kept");
  add_use(sub, options.use);
  sub.footer("Example: tandem run select --in x.npy --where '>0.5' --out y.npy");
  sub.callback([] { run_select(options); });
}

const bool added = add_run_command(add_select);

}  // namespace
}  // namespace tandem::command

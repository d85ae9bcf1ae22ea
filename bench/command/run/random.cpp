// tandem run random

#include "bench/command/run/run.h"
#include "lib/ops/random/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string n, out, type = "f32", distribution = "uniform", generator = "philox", scrambling = "none", use;
  double low = 0, high = 1, mean = 0, deviation = 1;
  RandomKey key;
};

using Kind = Random::Kind;
const std::vector<std::string> kDistributions = {"uniform", "normal", "log-normal", "poisson"};
const std::vector<std::string> kGenerators = {"philox", "sobol"};
const std::vector<std::string> kScramblings = {"none", "shift", "owen"};

template <class Enum>
Enum one_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<Enum>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// What the parameters of a distribution say; one that it does not have must not be given.
detail::DistributionOf distribution_of(const Options& options, bool real, bool limits, bool mean,
                                       bool deviation) {
  const auto kind = one_of<Kind>(kDistributions, options.distribution);
  const auto refuse = [&](const char* option, const char* of) {
    throw InvalidArgument(fmt::format("{} is a parameter of {}", option, of));
  };
  if (limits && (kind != Kind::uniform || !real)) refuse("--low, --high", "uniform numbers of f32 and f64");
  if (mean && kind == Kind::uniform) refuse("--mean", "normal, log-normal and Poisson numbers");
  if (deviation && kind != Kind::normal && kind != Kind::log_normal)
    refuse("--deviation", "normal and log-normal numbers");
  if (kind == Kind::uniform) return {kind, options.low, options.high};
  if (kind == Kind::poisson) return {kind, mean ? options.mean : 1, 0};
  return {kind, options.mean, options.deviation};
}

void run_random(Options options, bool limits, bool mean, bool deviation) {
  const Type type = parse_type(options.type);
  const detail::DistributionOf distribution =
      distribution_of(options, is_floating(type), limits, mean, deviation);
  options.key.generator = one_of<Generator>(kGenerators, options.generator);
  options.key.scrambling = one_of<Scrambling>(kScramblings, options.scrambling);
  const std::int64_t n = parse_size(options.n, "--n");
  Context ctx = context_for(options.use);
  const bool known = for_case<Random>({type, OperatorId::none}, [&]<class C>() {
    using T = typename C::T;
    Array<T> x(ctx, n);
    detail::random(ctx, type, detail::memory(x), distribution, options.key, {options.use});
    write_result(options.out, {}, std::vector{n}, x);
  });
  if (!known)
    throw InvalidArgument(
        fmt::format("random has no numbers of type {}; it has f32, f64, u32, u64", name(type)));
  say_done(ctx, fmt::format("random {}", options.distribution), fmt::format("seed {}", options.key.seed),
           options.out);
}

void add_random(Command run) {
  static Options options;
  const auto sub = run.subcommand("random", Random::meaning);
  sub.option("--n", options.n, "How many numbers (K, M, G: powers of 1,024)").required().check(not_empty);
  add_file(sub, "--out", options.out, "Where they go (.npy; - is standard output)").required();
  sub.option("--type", options.type, "f32, f64, u32 or u64").type_name(kType).show_default();
  sub.option("--distribution", options.distribution,
             "Of the numbers; Poisson's are u32 or u64, normal ones f32 or f64")
      .one_of(kDistributions)
      .show_default();
  const Option low = sub.number("--low", options.low, "Of uniform numbers the least");
  const Option high = sub.number("--high", options.high, "Of uniform numbers what all are below");
  const Option mean = sub.number("--mean", options.mean,
                                 "Of normal numbers and of log-normal ones' logarithms, and, 1 "
                                 "unless given, of Poisson numbers");
  const Option deviation = sub.number("--deviation", options.deviation,
                                      "The standard deviation of normal numbers, and of log-normal ones' "
                                      "logarithms");
  sub.number("--seed", options.key.seed, "Says all numbers");
  sub.number("--offset", options.key.offset, "The place of the first one in the sequence of the seed");
  sub.option("--generator", options.generator, "Where their bits come from")
      .one_of(kGenerators)
      .show_default();
  sub.number("--dimensions", options.key.dimensions, "Of Sobol's points, whose coordinates lie side by side",
             1, Sobol::kDimensions);
  sub.option("--scrambling", options.scrambling, "Of Sobol's points, by the seed")
      .one_of(kScramblings)
      .show_default();
  add_use(sub, options.use);
  sub.footer("Example: tandem run random --n 1M --distribution normal --seed 7 --out x.npy");
  sub.callback(
      [=] { run_random(options, low.count() + high.count() > 0, mean.count() > 0, deviation.count() > 0); });
}

const bool added = add_run_command(add_random);

}  // namespace
}  // namespace tandem::command

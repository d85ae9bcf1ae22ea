// tandem run histogram

#include "bench/command/run/run.h"
#include "lib/ops/histogram/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, out, lower, upper, edges, use;
  std::int64_t bins = 256;
};

/// The edges in a file, in the type that elements of type T have theirs in.
template <class T>
BinEdges<T> edges_in(Context& ctx, const std::string& file) {
  using Edge = bin_edge_t<T>;
  const InputArray in = read_array(file, 1);
  if (in.type != type_of<Edge>) {
    throw BadFile(in.file, fmt::format("holds {}; edges for {} must be {}", name(in.type),
                                       TypeTraits<T>::name, TypeTraits<Edge>::name));
  }
  return BinEdges<T>(ctx, in.as<Edge>());
}

void run_histogram(const Options& options) {
  const bool even = !options.lower.empty() && !options.upper.empty();
  if (even != options.edges.empty() || options.lower.empty() != options.upper.empty())
    throw InvalidArgument("either --lower and --upper or --edges say where the bins are");
  const InputArray in = read_array(options.in);
  Context ctx = context_for(options.use);
  for_case_of<Histogram>(in.file, in.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    const Array<T> x(ctx, in.as<T>());
    std::vector<std::int64_t> result;
    if (even) {
      Array<std::int64_t> counts(ctx, options.bins);
      histogram(ctx, x, parse_number<bin_edge_t<T>>(options.lower, "--lower"),
                parse_number<bin_edge_t<T>>(options.upper, "--upper"), counts, {options.use});
      result = counts.to_vector();
    } else {
      const BinEdges<T> edges = edges_in<T>(ctx, options.edges);
      Array<std::int64_t> counts(ctx, edges.bins());
      histogram(ctx, x, edges, counts, {options.use});
      result = counts.to_vector();
    }
    write_result(options.out, in.format, std::vector{static_cast<std::int64_t>(result.size())}, result);
    say_done(ctx, fmt::format("histogram of {} bins", result.size()), in.str(), options.out);
  });
}

void add_histogram(Command run) {
  static Options options;
  const auto sub = run.subcommand("histogram", Histogram::meaning);
  add_file(sub, "--in", options.in, "Array of any rank (.npy; - is standard input)").required();
  add_file(sub, "--out", options.out, "Where the counts go, i64 (.npy; - is standard output)").required();
  sub.option("--lower", options.lower, "Where the first of even bins begins").check(not_empty);
  sub.option("--upper", options.upper, "Where the last one ends: this number is in none").check(not_empty);
  sub.number("--bins", options.bins, "How many even bins there are", 1, kMostBins).show_default();
  add_file(sub, "--edges", options.edges,
           "Bins between edges instead (.npy): bin b from edges[b] to below edges[b+1]; i64 for integers, "
           "else of the type of the array");
  add_use(sub, options.use);
  sub.footer("Example: tandem run histogram --in image.npy --lower 0 --upper 256 --out counts.npy");
  sub.callback([] { run_histogram(options); });
}

const bool added = add_run_command(add_histogram);

}  // namespace
}  // namespace tandem::command

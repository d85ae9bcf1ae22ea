// tandem run top_k

#include <limits>

#include "bench/command/run/run.h"
#include "lib/ops/top_k/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, out, positions_out, use;
  std::int64_t k = 0;
  bool ascending = false;
};

void run_top_k(const Options& options) {
  if (options.out.empty() && options.positions_out.empty())
    throw InvalidArgument("give --out, --positions-out or both");
  const InputArray in = read_array(options.in, 1);
  if (const auto n = static_cast<std::int64_t>(in.data.size() / size_of(in.type)); options.k > n) {
    throw InvalidArgument(
        fmt::format("--k is {}; it must be at most {}, the keys of {}", options.k, n, in.file));
  }
  Context ctx = context_for(options.use);
  const Order order = options.ascending ? Order::ascending : Order::descending;
  for_case_of<TopK>(in.file, in.type, OperatorId::none, [&]<class C>() {
    const Array<typename C::T> keys(ctx, in.as<typename C::T>());
    Array<typename C::T> first(ctx, options.out.empty() ? 0 : options.k);
    Array<std::int64_t> positions(ctx, options.positions_out.empty() ? 0 : options.k);
    if (options.positions_out.empty())
      top_k(ctx, keys, first, order, {options.use});
    else if (options.out.empty())
      top_k_positions(ctx, keys, positions, order, {options.use});
    else
      top_k(ctx, keys, first, positions, order, {options.use});
    const std::int64_t shape[] = {options.k};
    if (!options.out.empty()) write_result(options.out, in.format, shape, first);
    if (!options.positions_out.empty()) write_result(options.positions_out, in.format, shape, positions);
  });
  say_done(ctx, fmt::format("top_k {} {}", options.ascending ? "ascending" : "descending", options.k),
           in.str(), options.out.empty() ? options.positions_out : options.out);
}

void add_top_k(Command run) {
  static Options options;
  const auto sub = run.subcommand("top_k", TopK::meaning);
  add_file(sub, "--in", options.in, "Keys, an array of rank 1 (.npy; - is standard input)").required();
  sub.number("--k", options.k, "How many of them", 0, std::numeric_limits<std::int64_t>::max()).required();
  add_file(sub, "--out", options.out, "Where the keys go, in order (.npy; - is standard output)");
  add_file(sub, "--positions-out", options.positions_out, "Where their positions go (.npy)");
  sub.flag("--ascending", options.ascending, "The smallest keys");
  add_use(sub, options.use);
  sub.footer("Example: tandem run top_k --in x.npy --k 10 --out y.npy --positions-out p.npy");
  sub.callback([] { run_top_k(options); });
}

const bool added = add_run_command(add_top_k);

}  // namespace
}  // namespace tandem::command

// tandem run segmented_scan

#include "bench/command/run/run_keys.h"
#include "bench/command/run/segments.h"
#include "lib/ops/segmented_scan/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, keys, out, init, op = "plus", use;
  SegmentOptions segments;
  bool exclusive = false;
};

/// Results take the place of the elements.
template <class T, class Op>
void scan_by_keys(Context& ctx, const Options& options, Array<T>& x, Op op, const T* init) {
  const InputArray file = read_array(options.keys, 1);
  with_keys_of(file, [&]<class Key>() {
    const Array<Key> keys(ctx, file.as<Key>());
    detail::scan_by_key(ctx, keys, x, x, op, options.exclusive, init, {.use = options.use});
  });
}

void run_segmented_scan(const Options& options) {
  if (!options.segments.offsets.empty() + !options.keys.empty() + (options.segments.length != 0) != 1)
    throw InvalidArgument("one of --offsets, --length and --keys says where segments lie");
  const InputArray in = read_array(options.in, 1);
  Context ctx = context_for(options.use);
  for_case_of<SegmentedScan>(in.file, in.type, parse_operator(options.op), [&]<class C>() {
    if constexpr (C::id.type != kBicyclic) {
      using T = typename C::T;
      const typename C::Op op;
      const bool has_init = !options.init.empty();
      const T given = has_init ? parse_element<T>(options.init, "--init") : T{};
      const T* const init = has_init ? &given : nullptr;
      Array<T> x(ctx, in.as<T>());
      if (options.keys.empty()) {
        detail::segmented_scan(ctx, x, options.segments.of(ctx, x.size(), in.file), x, op, options.exclusive,
                               init, {.use = options.use});
      } else {
        scan_by_keys(ctx, options, x, op, init);
      }
      write_result(options.out, in.format, in.shape, x);
    }
  });
  say_done(ctx, fmt::format("segmented_scan {}", options.op), in.str(), options.out);
}

void add_segmented_scan(Command run) {
  static Options options;
  const auto sub = run.subcommand("segmented_scan", SegmentedScan::meaning);
  add_file(sub, "--in", options.in, "Array of rank 1 (.npy; - is standard input)").required();
  add_file(sub, "--out", options.out, "Where the results go (.npy; - is standard output)").required();
  options.segments.add(
      sub, "Segment s is elements offsets[s] … offsets[s+1] - 1; others stay as they are (.npy, i64)");
  add_file(sub, "--keys", options.keys, "Segments are runs of equal keys, one for each element (.npy)");
  sub.option("--op", options.op, "plus, minimum or maximum").show_default();
  sub.flag("--exclusive", options.exclusive, "Leave each element out of its own result");
  sub.option("--init", options.init,
             "What each segment of an exclusive scan begins with; the identity unless given")
      .check(not_empty);
  add_use(sub, options.use);
  sub.footer(
      "Example: tandem run segmented_scan --in x.npy --offsets o.npy --out y.npy\n"
      "Example: tandem run segmented_scan --in x.npy --keys k.npy --op maximum --exclusive --out y.npy");
  sub.callback([] { run_segmented_scan(options); });
}

const bool added = add_run_command(add_segmented_scan);

}  // namespace
}  // namespace tandem::command

// tandem run segmented_reduce

#include "bench/command/run/run.h"
#include "lib/ops/segmented_reduce/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, offsets, out, op = "plus", use;
  std::int64_t length = -1;
};

// By offsets, which the call checks, or of one length, of which the last segment may have less.
Segments segments_of(Context& ctx, const Options& options, std::int64_t n) {
  if (options.offsets.empty()) {
    if (n % options.length != 0) {
      throw InvalidArgument(fmt::format("--length is {}; it must divide {}, the number of elements of {}",
                                        options.length, n, options.in));
    }
    return Segments::equal(n / options.length, options.length);
  }
  const InputArray file = read_array(options.offsets, 1);
  if (file.type != Type::i64)
    throw BadFile(file.file, fmt::format("holds {}; offsets are i64", name(file.type)));
  return {ctx, file.as<std::int64_t>()};
}

void run_segmented_reduce(const Options& options) {
  const InputArray in = read_array(options.in, 1);
  Context ctx = context_for(options.use);
  for_case_of<SegmentedReduce>(in.file, in.type, parse_operator(options.op), [&]<class C>() {
    using T = typename C::T;
    const Array<T> x(ctx, in.as<T>());
    const Segments segments = segments_of(ctx, options, x.size());
    Array<T> y(ctx, segments.count());
    segmented_reduce_into(ctx, x, segments, y, typename C::Op{}, {options.use});
    write_result(options.out, in.format, std::vector{segments.count()}, y);
  });
  say_done(ctx, fmt::format("segmented_reduce {}", options.op), in.str(), options.out);
}

void add_segmented_reduce(CLI::App& run) {
  static Options options;
  auto* sub = run.add_subcommand("segmented_reduce", SegmentedReduce::meaning);
  add_file(sub, "--in", options.in, "Array of rank 1 (.npy; - is standard input)")->required();
  auto* segments = sub->add_option_group("segments");
  add_file(segments, "--offsets", options.offsets,
           "Segment s is elements offsets[s] … offsets[s+1] - 1 (.npy, i64)");
  segments
      ->add_option("--length", options.length,
                   "Segments of this length, which divides the number of elements")
      ->check(CLI::PositiveNumber);
  segments->require_option(1);
  sub->add_option("--op", options.op, "plus, minimum or maximum")->capture_default_str();
  add_file(sub, "--out", options.out, "Where the results go (.npy; - is standard output)")->required();
  add_use(sub, options.use);
  sub->footer(
      "Example: tandem run segmented_reduce --in x.npy --offsets o.npy --out y.npy\n"
      "Example: tandem run segmented_reduce --in x.npy --length 32 --op maximum --out y.npy");
  sub->callback([] { run_segmented_reduce(options); });
}

const bool added = add_run_command(add_segmented_reduce);

}  // namespace
}  // namespace tandem::command

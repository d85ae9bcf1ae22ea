// tandem run sort

#include "bench/command/run/run.h"
#include "lib/ops/sort/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, out, values, values_out, use;
  SortOrder order;
};

void run_sort(const Options& options) {
  if (options.values.empty() != options.values_out.empty()) {
    throw InvalidArgument(options.values.empty() ? "--values-out is given, but --values is not"
                                                 : "--values is given, but --values-out is not");
  }
  if (options.out == options.values_out)
    throw InvalidArgument(fmt::format("--out and --values-out are both '{}'", options.out));
  const InputArray in = read_array(options.in, 1);
  Context ctx = context_for(options.use);
  for_case_of<Sort>(in.file, in.type, OperatorId::none, [&]<class C>() {
    Array<typename C::T> keys(ctx, in.as<typename C::T>());
    if (options.values.empty()) {
      sort(ctx, keys, options.order, {options.use});
      write_result(options.out, in.format, in.shape, keys);
      return;
    }
    const InputArray given = read_array(options.values, 1);
    const auto with_values = [&]<class Value>() {
      const auto* bits = reinterpret_cast<const Value*>(given.data.data());  // of any type of this size
      Array<Value> values(ctx, std::span<const Value>(bits, given.data.size() / sizeof(Value)));
      sort_by_key(ctx, keys, values, options.order, {options.use});
      write_result(options.out, in.format, in.shape, keys);
      const std::vector<Value> moved = values.to_vector();
      write_result(options.values_out, given.format, given.type, given.shape,
                   std::as_bytes(std::span(moved)));
    };
    if (size_of(given.type) == 4)
      with_values.template operator()<std::uint32_t>();
    else if (size_of(given.type) == 8)
      with_values.template operator()<std::uint64_t>();
    else
      throw BadFile(given.file, fmt::format("holds {}; values have 4 or 8 bytes", name(given.type)));
  });
  say_done(ctx, options.order.descending ? "sort descending" : "sort", in.str(), options.out);
}

void add_sort(Command run) {
  static Options options;
  const auto sub = run.subcommand("sort", Sort::meaning);
  add_file(sub, "--in", options.in, "Keys, an array of rank 1 (.npy; - is standard input)").required();
  add_file(sub, "--out", options.out, "Where the keys go (.npy; - is standard output)").required();
  add_file(sub, "--values", options.values, "Values of 4 or 8 bytes, one for each key (.npy)");
  add_file(sub, "--values-out", options.values_out, "Where the values go (.npy)");
  sub.flag("--descending", options.order.descending, "The largest key first");
  sub.number("--begin-bit", options.order.begin_bit, "The first bit of the keys' codes that counts");
  sub.number("--end-bit", options.order.end_bit, "The bit behind the last one that counts; -1: all");
  add_use(sub, options.use);
  sub.footer(
      "Example: tandem run sort --in x.npy --out y.npy --values v.npy --values-out w.npy --descending");
  sub.callback([] { run_sort(options); });
}

const bool added = add_run_command(add_sort);

}  // namespace
}  // namespace tandem::command

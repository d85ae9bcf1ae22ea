// tandem run reduce_by_key

#include "bench/command/run/run_keys.h"
#include "lib/ops/reduce_by_key/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, keys, out, keys_out, op = "plus", use;
};

void run_reduce_by_key(const Options& options) {
  const InputArray in = read_array(options.in, 1), keys_in = read_array(options.keys, 1);
  Context ctx = context_for(options.use);
  for_case_of<ReduceByKey>(in.file, in.type, parse_operator(options.op), [&]<class C>() {
    using T = typename C::T;
    with_keys_of(keys_in, [&]<class Key>() {
      const Array<T> x(ctx, in.as<T>());
      const Array<Key> keys(ctx, keys_in.as<Key>());
      Array<typename C::Acc> y(ctx, x.size());
      Array<Key> found(ctx, x.size());
      const std::int64_t runs = reduce_by_key(ctx, keys, x, found, y, typename C::Op{}, {.use = options.use});
      const auto write = [&](const std::string& path, const InputArray& from, auto values) {
        values.resize(static_cast<std::size_t>(runs));
        write_result(path, from.format, std::vector{runs}, values);
      };
      write(options.out, in, y.to_vector());
      if (!options.keys_out.empty()) write(options.keys_out, keys_in, found.to_vector());
    });
  });
  say_done(ctx, fmt::format("reduce_by_key {}", options.op), in.str(), options.out);
}

void add_reduce_by_key(Command run) {
  static Options options;
  const auto sub = run.subcommand("reduce_by_key", ReduceByKey::meaning);
  add_file(sub, "--in", options.in, "Elements, an array of rank 1 (.npy; - is standard input)").required();
  add_file(sub, "--keys", options.keys, "As many keys, of which runs of equal ones count (.npy)").required();
  add_file(sub, "--out", options.out, "Where the values of the runs go (.npy; - is standard output)")
      .required();
  add_file(sub, "--keys-out", options.keys_out, "Where their keys go (.npy)");
  sub.option("--op", options.op, "plus, minimum or maximum").show_default();
  add_use(sub, options.use);
  sub.footer("Example: tandem run reduce_by_key --in x.npy --keys k.npy --out y.npy --keys-out found.npy");
  sub.callback([] { run_reduce_by_key(options); });
}

const bool added = add_run_command(add_reduce_by_key);

}  // namespace
}  // namespace tandem::command

// tandem run transform

#include "bench/command/run/run.h"
#include "lib/ops/transform/contract.h"

namespace tandem::command {
namespace {

struct Options {
  std::vector<std::string> inputs;
  std::string f, alpha, out, use;
};

// The function itself, axpy's with its scalar.
template <class C>
typename C::F function_of(const Options& options) {
  const bool wants_alpha = C::id.op == OperatorId::axpy;
  if (wants_alpha == options.alpha.empty()) {
    throw InvalidArgument(fmt::format(
        "--alpha {}", wants_alpha ? "is missing; axpy needs it" : "is given, but only axpy takes it"));
  }
  if constexpr (C::id.op == OperatorId::axpy)
    return {parse_number<typename C::T>(options.alpha, "--alpha")};
  else
    return {};
}

void run_transform(const Options& options) {
  std::vector<NpyArray> in;
  for (const std::string& file : options.inputs) {
    in.push_back(read_vector(file));
    if (in.back().type != in[0].type) {
      throw BadFile(file, fmt::format("holds {}, but {} holds {}; all inputs need one type",
                                      name(in.back().type), options.inputs[0], name(in[0].type)));
    }
  }
  Context ctx = context_for(options.use);
  for_case_of<Transform>(options.inputs[0], in[0].type, parse_operator(options.f), [&]<class C>() {
    using T = typename C::T;
    if (in.size() != C::kInputs) {
      throw InvalidArgument(
          fmt::format("--in is given {} times; {} takes {} inputs", in.size(), options.f, C::kInputs));
    }
    std::vector<Array<T>> x;
    for (const NpyArray& array : in) x.emplace_back(ctx, array.as<T>());
    Array<T> z(ctx, x[0].size());
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      transform(ctx, function_of<C>(options), zip(x[k]...), z, {options.use});
    }
    (std::make_index_sequence<C::kInputs>{});
    write_result(options.out, in[0].shape, z);
  });
}

void add_transform(CLI::App& run) {
  static Options options;
  auto* sub = run.add_subcommand("transform", Transform::meaning);
  sub->add_option("--in", options.inputs, "Array of rank 1 (.npy), once for each input of the function")
      ->required();
  sub->add_option("--f", options.f, "negate, square, plus, axpy, multiply_add, dot2")->required();
  sub->add_option("--alpha", options.alpha, "Scalar of axpy")->check(not_empty);
  sub->add_option("--out", options.out, "Where the result goes (.npy)")->required();
  add_use(sub, options.use);
  sub->footer("Example: tandem run transform --f axpy --alpha 2 --in x.npy --in y.npy --out z.npy");
  sub->callback([] { run_transform(options); });
}

const bool added = add_run_command(add_transform);

}  // namespace
}  // namespace tandem::command

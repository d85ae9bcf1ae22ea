// tandem run: one operation on real files.

#include <fmt/format.h>

#include "bench/command.h"
#include "lib/tandem.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, out, op = "plus", init, use, f, alpha;
  std::vector<std::string> inputs;
  bool exclusive = false;
};

// A value as typed by the user; it must be one of the file's type.
template <class T>
T parse_value(const char* argument, const std::string& text) {
  try {
    std::size_t used = 0;
    T value;
    if constexpr (std::is_floating_point_v<T>)
      value = static_cast<T>(std::stod(text, &used));
    else
      value = static_cast<T>(std::stoll(text, &used));
    const bool fits = std::is_floating_point_v<T> ||
                      std::to_string(static_cast<long long>(value)) == std::to_string(std::stoll(text));
    if (used == text.size() && fits) return value;
  } catch (const std::exception&) {
  }
  throw InvalidArgument(
      fmt::format("{} is '{}'; it must be a value of type {}", argument, text, name(type_of<T>)));
}

// Calls f.operator()<C>() for the contract's case of this type and operator.
template <class Contract, class F>
void for_case(const std::string& file, Type type, const std::string& op, F&& f) {
  const CaseId wanted{type, parse_operator(op)};
  bool found = false;
  Contract::Cases::for_each([&]<class C>() {
    if (C::id == wanted) {
      found = true;
      f.template operator()<C>();
    }
  });
  if (!found) {
    throw BadFile(file,
                  fmt::format("holds {}, which {} does not take with {}", name(type), Contract::name, op));
  }
}

// With --use …@simt the data stays on the host, where the executor computes.
Context context_for(const std::string& use) {
  const auto found = use.empty() ? std::vector<const Implementation*>{} : matching(use);
  const bool host = std::any_of(found.begin(), found.end(), [&](const auto* i) {
    return i->place != Place::device && i->name.ends_with(use);
  });
  return host ? Context::host() : Context();
}

void run_reduce(const Options& options) {
  const NpyArray in = read_vector(options.in);
  Context ctx = context_for(options.use);
  for_case<Reduce>(options.in, in.type, options.op, [&]<class C>() {
    const Array<typename C::T> x(ctx, in.as<typename C::T>());
    const auto value = reduce(ctx, x, typename C::Op{}, {options.use});
    if (options.out.empty())
      fmt::print("{}\n", value);
    else
      write_npy(options.out, type_of<typename C::Acc>, {}, std::as_bytes(std::span(&value, 1)));
  });
}

void run_scan(const Options& options) {
  const NpyArray in = read_vector(options.in);
  Context ctx = context_for(options.use);
  for_case<Scan>(options.in, in.type, options.op, [&]<class C>() {
    using T = typename C::T;
    if constexpr (!std::is_same_v<T, Bicyclic>) {
      const T init =
          options.init.empty() ? C::Op::template identity<T>() : parse_value<T>("--init", options.init);
      Array<T> x(ctx, in.as<T>());
      if (options.exclusive)
        exclusive_scan(ctx, x, x, typename C::Op{}, init, {options.use});
      else
        inclusive_scan(ctx, x, x, typename C::Op{}, init, {options.use});
      const std::vector<T> result = x.to_vector();
      write_npy(options.out, in.type, in.shape, std::as_bytes(std::span<const T>(result)));
    }
  });
}

// The function itself, axpy's with its scalar.
template <class C>
typename C::F function_of(const Options& options) {
  const bool wants_alpha = C::id.op == OperatorId::axpy;
  if (wants_alpha == options.alpha.empty()) {
    throw InvalidArgument(fmt::format(
        "--alpha {}", wants_alpha ? "is missing; axpy needs it" : "is given, but only axpy takes it"));
  }
  if constexpr (C::id.op == OperatorId::axpy)
    return {parse_value<typename C::T>("--alpha", options.alpha)};
  else
    return {};
}

void run_transform(const Options& options) {
  std::vector<NpyArray> in;
  for (const std::string& file : options.inputs) {
    in.push_back(read_vector(file));
    if (in.back().type != in[0].type) {
      throw BadFile(file,
                    fmt::format("holds {}, but {} holds {}; all inputs need one type", name(in.back().type),
                                options.inputs[0], name(in[0].type)));
    }
  }
  Context ctx = context_for(options.use);
  for_case<Transform>(options.inputs[0], in[0].type, options.f, [&]<class C>() {
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
    const std::vector<T> result = z.to_vector();
    write_npy(options.out, in[0].type, in[0].shape, std::as_bytes(std::span<const T>(result)));
  });
}

}  // namespace

void add_run(CLI::App& app) {
  auto* sub = app.add_subcommand("run", "One operation on .npy files");
  sub->require_subcommand(1);
  sub->footer(
      "Example: tandem run scan --in x.npy --out y.npy --op maximum --exclusive --use custom/blelloch@simt");
  static Options options;
  const auto use = [](CLI::App* op) {
    op->add_option("--use", options.use, "Implementation by its full or partial name; see: tandem list");
  };
  const auto common = [&](CLI::App* op) {
    op->add_option("--in", options.in, "Array of rank 1 (.npy)")->required();
    op->add_option("--op", options.op, "plus, multiplies, minimum, maximum, logical_and, logical_or")
        ->capture_default_str();
    use(op);
  };
  auto* reduce = sub->add_subcommand("reduce", Reduce::meaning);
  common(reduce);
  reduce->add_option("--out", options.out, "Write the value here (.npy) instead of printing it");
  reduce->footer("Example: tandem run reduce --in x.npy --op maximum");
  reduce->callback([] { run_reduce(options); });

  auto* scan = sub->add_subcommand("scan", Scan::meaning);
  common(scan);
  scan->add_option("--out", options.out, "Where the result goes (.npy)")->required();
  scan->add_flag("--exclusive", options.exclusive, "Leave x[i] out of out[i]");
  scan->add_option("--init", options.init, "Initial value; the operator's identity unless given");
  scan->footer(
      "Example: tandem run scan --in x.npy --out y.npy --op maximum --exclusive --use custom/blelloch@simt");
  scan->callback([] { run_scan(options); });

  auto* transform = sub->add_subcommand("transform", Transform::meaning);
  transform->add_option("--in", options.inputs, "Array of rank 1 (.npy), once for each input of the function")
      ->required();
  transform->add_option("--f", options.f, "negate, square, plus, axpy, multiply_add, dot2")->required();
  transform->add_option("--alpha", options.alpha, "Scalar of axpy");
  transform->add_option("--out", options.out, "Where the result goes (.npy)")->required();
  use(transform);
  transform->footer("Example: tandem run transform --f axpy --alpha 2 --in x.npy --in y.npy --out z.npy");
  transform->callback([] { run_transform(options); });
}

}  // namespace tandem::command

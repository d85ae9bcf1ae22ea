// tandem run: one operation on real files.

#include <fmt/format.h>

#include "bench/command/command.h"
#include "examples/common/terminal.h"
#include "tandem/tandem.h"

namespace tandem::command {
namespace {

struct Options {
  std::string in, out, op = "plus", init, use, f, alpha;
  std::vector<std::string> inputs;
  bool exclusive = false;
  std::string a, b, c;
  double beta = 0;
  std::string lower, diag, upper, rhs, layout = "contiguous", offsets;
  bool pivot = false;
  std::string index, format = "ExpIndex", queries;
  bool count = false, packed = false;
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
void for_case(const std::string& file, Type type, OperatorId op, F&& f) {
  const CaseId wanted{type, op};
  bool found = false;
  Contract::Cases::for_each([&]<class C>() {
    if (C::id == wanted) {
      found = true;
      f.template operator()<C>();
    }
  });
  if (!found) {
    throw BadFile(file, fmt::format("holds {}, which {} does not take{}", name(type), Contract::name,
                                    op == OperatorId::none ? "" : fmt::format(" with {}", name(op))));
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
  for_case<Reduce>(options.in, in.type, parse_operator(options.op), [&]<class C>() {
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
  for_case<Scan>(options.in, in.type, parse_operator(options.op), [&]<class C>() {
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
      throw BadFile(file, fmt::format("holds {}, but {} holds {}; all inputs need one type",
                                      name(in.back().type), options.inputs[0], name(in[0].type)));
    }
  }
  Context ctx = context_for(options.use);
  for_case<Transform>(options.inputs[0], in[0].type, parse_operator(options.f), [&]<class C>() {
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

template <class T>
void write_matrix(const std::string& path, const Array<T>& values, std::int64_t rows, std::int64_t cols) {
  const std::vector<T> host = values.to_vector();
  write_npy(path, type_of<T>, std::vector{rows, cols}, std::as_bytes(std::span<const T>(host)));
}

void run_transpose(const Options& options) {
  const NpyArray in = read_matrix(options.in);
  const std::int64_t rows = in.shape[0], cols = in.shape[1];
  Context ctx = context_for(options.use);
  for_case<Transpose>(options.in, in.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    const Array<T> x(ctx, in.as<T>());
    Array<T> y(ctx, rows * cols);
    transpose(ctx, matrix(x, rows, cols), matrix(y, cols, rows), {options.use});
    write_matrix(options.out, y, cols, rows);
  });
}

void run_gemm(const Options& options) {
  const NpyArray a = read_matrix(options.a), b = read_matrix(options.b);
  if (options.c.empty() && options.beta != 0)
    throw InvalidArgument(
        fmt::format("--beta is {}, so the matrix that it scales is needed: --c FILE", options.beta));
  const NpyArray c =
      options.c.empty() ? NpyArray{a.type, {a.shape[0], b.shape[1]}, {}} : read_matrix(options.c);
  for (const auto& [file, other] : {std::pair{&options.b, &b}, {&options.c, &c}}) {
    if (other->type != a.type) {
      throw BadFile(*file, fmt::format("holds {}; it must hold {}, as {} does", name(other->type),
                                       name(a.type), options.a));
    }
  }
  Context ctx = context_for(options.use);
  for_case<Gemm>(options.a, a.type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    const Array<T> left(ctx, a.as<T>()), right(ctx, b.as<T>());
    Array<T> result(ctx, c.shape[0] * c.shape[1]);
    if (!options.c.empty()) result.upload(c.as<T>());
    gemm(ctx, options.alpha.empty() ? T(1) : parse_value<T>("--alpha", options.alpha),
         matrix(left, a.shape[0], a.shape[1]), matrix(right, b.shape[0], b.shape[1]),
         static_cast<T>(options.beta), matrix(result, c.shape[0], c.shape[1]), {options.use});
    write_matrix(options.out, result, c.shape[0], c.shape[1]);
  });
}

// Ascending from 0 or more, up to `rows`: a device is not told of others in time.
std::vector<std::int64_t> offsets_of(const std::string& path, std::int64_t rows) {
  const NpyArray file = read_vector(path);
  if (file.type != Type::i64) throw BadFile(path, fmt::format("holds {}; offsets are i64", name(file.type)));
  const auto offsets = file.as<std::int64_t>();
  std::int64_t least = 0;
  for (std::size_t s = 0; s < offsets.size(); ++s) {
    if (offsets[s] < least || offsets[s] > rows) {
      throw BadFile(path, fmt::format("offset {} is {}; it must be from {} to {}, as each system has a row",
                                      s, offsets[s], least, rows));
    }
    least = offsets[s] + 1;
  }
  return {offsets.begin(), offsets.end()};
}

// The arrays are matrices: a row per system (contiguous), or a column per system (interleaved). Vectors are one system, or
// with offsets a list of systems of different lengths.
void run_tridiagonal(const Options& options) {
  const std::string* files[] = {&options.lower, &options.diag, &options.upper, &options.rhs};
  std::vector<NpyArray> in;
  for (const std::string* file : files) {
    in.push_back(read_npy(*file));
    const NpyArray& first = in[0];
    if (in.back().shape != first.shape || in.back().type != first.type || first.shape.empty() ||
        first.shape.size() > 2) {
      throw BadFile(*file,
                    fmt::format("holds {} of shape ({}); all four arrays must have one type and one shape of "
                                "rank 1 or 2, here {} of shape ({})",
                                name(in.back().type), fmt::join(in.back().shape, ", "), name(first.type),
                                fmt::join(first.shape, ", ")));
    }
  }
  if (!options.offsets.empty() && in[0].shape.size() != 1) {
    throw BadFile(options.lower,
                  fmt::format("holds an array of shape ({}); with --offsets its rank must be 1",
                              fmt::join(in[0].shape, ", ")));
  }
  const std::int64_t rows = in[0].shape.size() == 2 ? in[0].shape[0] : 1, cols = in[0].shape.back();
  Systems systems = options.layout == "interleaved" ? interleaved(rows, cols) : contiguous(cols, rows);
  if (in[0].shape.size() == 1) systems = contiguous(cols, 1);
  systems.pivot = options.pivot;
  Context ctx = context_for(options.use);
  for_case<Tridiagonal>(options.lower, in[0].type, OperatorId::none, [&]<class C>() {
    using T = typename C::T;
    std::vector<Array<T>> arrays;
    for (const NpyArray& array : in) arrays.emplace_back(ctx, array.as<T>());
    const auto solve = [&](const auto& batch) {
      tridiagonal(ctx, arrays[0], arrays[1], arrays[2], arrays[3], arrays[3], batch, {options.use});
    };
    if (options.offsets.empty()) {
      solve(systems);
    } else {
      const Array<std::int64_t> offsets(ctx, offsets_of(options.offsets, cols));
      SystemList list = system_list(offsets);
      list.pivot = options.pivot;
      solve(list);
    }
    const std::vector<T> x = arrays[3].to_vector();
    write_npy(options.out, in[0].type, in[0].shape, std::as_bytes(std::span<const T>(x)));
  });
}

// One line per query: its ids, or how many they are.
void run_intersect(const Options& options) {
  require_writable(options.out);
  const Index index =
      read_index(options.index, options.format == "docs" ? IndexFormat::pisa_docs : IndexFormat::exp_index);
  const Queries queries = read_queries(options.queries, index);
  Context ctx = context_for(options.use);
  AnyIndex lists = index;
  if (options.packed) {
    const PackedIndex packed(index);
    fmt::print(stderr, "{} lists of {} ids: {:.1f} MB plain, {:.1f} MB packed, {:.1f} bits for an id\n",
               index.lists(), index.ids(), static_cast<double>(index.bytes()) * 1e-6,
               static_cast<double>(packed.bytes()) * 1e-6,
               static_cast<double>(packed.bytes()) * 8 /
                   static_cast<double>(std::max<std::int64_t>(1, index.ids())));
    lists = packed;
  }
  std::string text;
  if (options.count) {
    for (const std::uint64_t count : intersect_count(ctx, lists, queries, {options.use}))
      fmt::format_to(std::back_inserter(text), "{}\n", count);
  } else {
    intersect_each(ctx, lists, queries,
                   [&](std::int64_t, std::span<const std::uint32_t> ids) {
                     fmt::format_to(std::back_inserter(text), "{}\n", fmt::join(ids, " "));
                   },
                   {options.use});
  }
  write_file(options.out, text);
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

  auto* transpose = sub->add_subcommand("transpose", Transpose::meaning);
  transpose->add_option("--in", options.in, "Matrix (.npy)")->required();
  transpose->add_option("--out", options.out, "Where the result goes (.npy)")->required();
  use(transpose);
  transpose->footer("Example: tandem run transpose --in a.npy --out t.npy");
  transpose->callback([] { run_transpose(options); });

  auto* gemm = sub->add_subcommand("gemm", Gemm::meaning);
  gemm->add_option("--a", options.a, "m x k matrix (.npy)")->required();
  gemm->add_option("--b", options.b, "k x n matrix (.npy)")->required();
  gemm->add_option("--c", options.c, "m x n matrix (.npy); needed unless beta is 0");
  gemm->add_option("--alpha", options.alpha, "Factor of the product; 1 unless given");
  gemm->add_option("--beta", options.beta, "Factor of C")->capture_default_str();
  gemm->add_option("--out", options.out, "Where the result goes (.npy)")->required();
  use(gemm);
  gemm->footer("Example: tandem run gemm --a A.npy --b B.npy --c C.npy --alpha 2 --beta 1 --out D.npy");
  gemm->callback([] { run_gemm(options); });

  auto* tridiagonal = sub->add_subcommand("tridiagonal", Tridiagonal::meaning);
  tridiagonal
      ->add_option("--lower", options.lower, "Lower diagonals (.npy); the first of each system is not read")
      ->required();
  tridiagonal->add_option("--diag", options.diag, "Diagonals, of the same shape")->required();
  tridiagonal->add_option("--upper", options.upper, "Upper diagonals; the last of each system is not read")
      ->required();
  tridiagonal->add_option("--rhs", options.rhs, "Right-hand sides")->required();
  tridiagonal
      ->add_option("--layout", options.layout,
                   "contiguous: a row per system; interleaved: a column per system")
      ->check(CLI::IsMember({"contiguous", "interleaved"}))
      ->capture_default_str();
  tridiagonal->add_option("--offsets", options.offsets,
                          "Systems of different lengths, in arrays of rank 1: system s has rows offsets[s] … "
                          "offsets[s+1] - 1 (.npy, i64)");
  tridiagonal->add_flag("--pivot", options.pivot, "Rows may have to be exchanged");
  tridiagonal->add_option("--out", options.out, "Where the solutions go (.npy)")->required();
  use(tridiagonal);
  tridiagonal->footer(
      "Example: tandem run tridiagonal --lower a.npy --diag b.npy --upper c.npy --rhs d.npy --layout "
      "interleaved --out "
      "x.npy");
  tridiagonal->callback([] { run_tridiagonal(options); });

  auto* intersect = sub->add_subcommand("intersect", Intersect::meaning);
  intersect->add_option("--index", options.index, "Posting lists")->required();
  intersect
      ->add_option("--format", options.format,
                   "Of --index. ExpIndex: for each list its length and its ids, 32-bit words; docs: PISA's "
                   "and ds2i's, "
                   "the same behind the number of documents")
      ->check(CLI::IsMember({"ExpIndex", "docs"}))
      ->capture_default_str();
  intersect
      ->add_option("--queries", options.queries,
                   "One query per line: list numbers from 0, separated by blanks")
      ->required();
  intersect->add_flag("--packed", options.packed,
                      "Pack the lists first, say how large they are, and answer from the packed ones");
  intersect->add_flag("--count", options.count, "Write how many ids each query has instead of the ids");
  intersect->add_option("--out", options.out, "Where the results go: a line of text for each query")
      ->required();
  use(intersect);
  intersect->footer(
      "Example: tandem run intersect --index ExpIndex --queries ExpQuery --count --out counts.txt");
  intersect->callback([] { run_intersect(options); });
}

}  // namespace tandem::command

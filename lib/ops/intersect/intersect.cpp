#include "lib/ops/intersect/contract.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "lib/harness/guarded.h"
#include "lib/ops/intersect/posting_random.h"

namespace tandem {
namespace {

using Pattern = Intersect::Pattern;
using Ids = std::vector<std::uint32_t>;

/// All but the lists and where the results go.
template <class T>
typename Intersect::Case<T>::Args arguments(const QueryPlan& plan, const std::uint64_t* words) {
  return {.ids = nullptr,
          .starts = nullptr,
          .packed = {},
          .lists = 0,
          .first_term = plan.first_term(words),
          .first_candidate = plan.first_candidate(words),
          .first_piece = plan.first_piece(words),
          .terms = plan.lists(words),
          .queries = plan.queries,
          .term_count = plan.terms,
          .candidates = plan.candidates,
          .pieces = plan.pieces,
          .longest = plan.longest,
          .most_terms = plan.most_terms,
          .piece = plan.piece,
          .offsets = nullptr,
          .out = nullptr,
          .counts = nullptr,
          .host_starts = nullptr,
          .host_words = plan.words.data(),
          .serial = 0};
}

/// Of lists that lie plainly in `memory`.
template <class Args>
void add_lists(Args& a, const Index& index, Index::Memory memory) {
  a.ids = memory.ids;
  a.starts = memory.starts;
  a.lists = index.lists();
  a.host_starts = index.starts().data();
  a.serial = index.serial();
}

// --- test data

const char* name(Pattern pattern) {
  constexpr const char* kNames[] = {"zipf",   "random",      "dense", "equal", "disjoint",
                                    "nested", "alternating", "high",  "odd"};
  return kNames[static_cast<int>(pattern)];
}

/// A collection of documents whose lists have this average length, in the proportions of the lab's.
Collection collection(const Intersect::Shape& s) {
  Collection like = Collection::lab(s.seed);
  like.documents = std::max<std::int64_t>(2 * s.length, s.length * like.documents / like.length);
  like.length = s.length;
  like.lists = 2 * s.queries;
  like.queries = s.queries;
  like.most_terms = s.lists;
  like.least_terms = std::min(like.least_terms, s.lists);
  return like;
}

/// Of list t of a query.
std::int64_t length(const Intersect::Shape& s, std::int64_t t) {
  if (s.pattern == Pattern::equal || s.lists == 1) return s.length;
  return s.length + (s.length * s.skew - s.length) * t / (s.lists - 1);
}

/// List t of query q.
Ids make_list(const Intersect::Shape& s, std::int64_t q, std::int64_t t) {
  const std::int64_t n = length(s, t), longest = length(s, s.lists - 1);
  const auto random = [&](std::int64_t stream, std::int64_t i) {
    return static_cast<std::int64_t>(
        random_bits(s.seed + static_cast<std::uint64_t>(q * 1000 + stream), static_cast<std::uint64_t>(i)) >>
        1);
  };
  // One id in each of n parts of `documents`, evenly cut.
  const auto spread = [&](std::int64_t documents, std::int64_t i) {
    const auto begin = [&](std::int64_t k) {
      return static_cast<std::int64_t>(static_cast<__int128>(k) * documents / n);
    };
    return begin(i) + random(t, i) % (begin(i + 1) - begin(i));
  };
  Ids ids;
  for (std::int64_t i = 0; i < n; ++i) {
    std::int64_t id = 0;
    switch (s.pattern) {
      case Pattern::dense:
        id = spread(n * 3 / 2 + 1, i);
        break;
      case Pattern::equal:
        id = 5 * i + random(0, i) % 5;
        break;
      case Pattern::disjoint:
        id = spread(3 * longest, i) * s.lists + t;
        break;
      case Pattern::alternating:
        id = 2 * i + (t % 2 == 0 || i % 97 == 0);
        break;
      case Pattern::high:
        id = i == 0       ? 0
             : i + 1 == n ? std::int64_t{0xFFFFFFFF}
                          : (std::int64_t{1} << 31) - 2 * n + spread(4 * n, i);
        break;
      default:
        id = spread(3 * longest, i);
    }
    ids.push_back(static_cast<std::uint32_t>(id));
  }
  return ids;
}

/// Each list is the same long one without the elements above a threshold of its own.
Ids make_nested(const Intersect::Shape& s, std::int64_t q, std::int64_t t) {
  const auto longest = static_cast<std::uint64_t>(length(s, s.lists - 1));
  Ids ids;
  for (std::uint64_t i = 0; i < longest; ++i) {
    const std::uint64_t bits = random_bits(s.seed + static_cast<std::uint64_t>(q), i);
    if (bits % longest < static_cast<std::uint64_t>(length(s, t)))
      ids.push_back(static_cast<std::uint32_t>(3 * i + (bits >> 60) % 3));
  }
  return ids;
}

struct Made {
  Index index;
  Queries queries;
};
Made make(const Intersect::Shape& s) {
  if (s.pattern == Pattern::zipf) {
    const Collection like = collection(s);
    return {like.index(), like.random_queries()};
  }
  std::vector<Ids> lists(static_cast<std::size_t>(s.queries * s.lists));
#pragma omp parallel for schedule(dynamic) if (s.queries * s.lists * s.length > 100000)
  for (std::int64_t l = 0; l < s.queries * s.lists; ++l) {
    const std::int64_t q = l / s.lists, t = l % s.lists;
    lists[static_cast<std::size_t>(l)] =
        s.pattern == Pattern::nested ? make_nested(s, q, t) : make_list(s, q, t);
  }
  Queries queries;
  std::vector<std::uint32_t> query;
  for (std::int64_t q = 0; q < s.queries; ++q) {
    query.clear();
    for (std::int64_t t = 0; t < s.lists; ++t)
      query.push_back(static_cast<std::uint32_t>(q * s.lists + (t + q) % s.lists));
    if (s.pattern == Pattern::odd && q % 6 != 0) {
      const auto first = static_cast<std::uint32_t>(q * s.lists);
      const auto empty = static_cast<std::uint32_t>(lists.size());
      if (q % 6 == 1) query = {first};
      if (q % 6 == 2) query = {};
      if (q % 6 == 3) query = {first, empty};
      if (q % 6 == 4) query = {first, first, first + 1, first};
      if (q % 6 == 5) query.assign(40, first + 1), query.push_back(0), query.push_back(first);
    }
    queries.add(query);
  }
  lists.emplace_back();
  return {Index(lists), queries};
}

/// Results by looking every candidate up in the other lists.
Intersections reference(const Index& index, const Queries& queries) {
  std::vector<Ids> results(static_cast<std::size_t>(queries.size()));
#pragma omp parallel for schedule(dynamic)
  for (std::size_t q = 0; q < results.size(); ++q) {
    const auto query = queries[static_cast<std::int64_t>(q)];
    if (query.empty()) continue;
    const auto shortest = std::min_element(query.begin(), query.end(), [&](std::uint32_t a, std::uint32_t b) {
      return index[a].size() < index[b].size();
    });
    for (const std::uint32_t id : index[*shortest]) {
      const bool all = std::all_of(query.begin(), query.end(), [&](std::uint32_t l) {
        return std::binary_search(index[l].begin(), index[l].end(), id);
      });
      if (all) results[q].push_back(id);
    }
  }
  Intersections joined{{0}, {}};
  for (const Ids& ids : results) {
    joined.ids.insert(joined.ids.end(), ids.begin(), ids.end());
    joined.offsets.push_back(joined.ids.size());
  }
  return joined;
}

template <class C>
class IntersectData {
  using T = typename C::T;

 public:
  IntersectData(Context& ctx, const Intersect::Shape& shape, const Inputs& inputs)
      : shape_(shape),
        made_(make(shape)),
        packed_(made_.index),
        plan_(made_.index.starts(), made_.queries),
        want_(reference(made_.index, made_.queries)),
        ids_(ctx, made_.index.ids(), inputs.offset),
        starts_(ctx, made_.index.lists() + 1, inputs.offset),
        packed_lists_(ctx, std::ssize(packed_.arrays().lists), inputs.offset),
        packed_blocks_(ctx, std::ssize(packed_.arrays().blocks), inputs.offset),
        packed_quads_(ctx, std::ssize(packed_.arrays().quads), 0),
        words_(ctx, static_cast<std::int64_t>(plan_.words.size()), inputs.offset),
        out_(ctx, shape.count_only ? 0 : plan_.candidates, inputs.offset),
        sizes_(ctx, plan_.queries + !shape.count_only, inputs.offset) {}

  typename C::Args args() {
    auto a = arguments<T>(plan_, words_.data());
    add_lists(a, made_.index, {starts_.data(), ids_.data()});
    a.packed = packed_.view(packed_lists_.data(), packed_blocks_.data(), packed_quads_.data());
    (shape_.count_only ? a.counts : a.offsets) = sizes_.data();
    if (!shape_.count_only) a.out = out_.data();
    return a;
  }
  void reset() {
    ids_.upload(host_ids());
    starts_.upload(made_.index.starts());
    packed_lists_.upload(packed_.arrays().lists);
    packed_blocks_.upload(packed_.arrays().blocks);
    packed_quads_.upload(packed_.arrays().quads);
    words_.upload(plan_.words);
    out_.poison();
    sizes_.poison();
  }

  Verdict check(double) {
    Verdict verdict = check_results();
    for (const std::string& damage :
         {ids_.damage(), starts_.damage(), packed_lists_.damage(), packed_blocks_.damage(),
          packed_quads_.damage(), words_.damage(), out_.damage(), sizes_.damage()}) {
      if (!damage.empty()) verdict.include(Verdict::wrong(damage));
    }
    const auto same = [](auto& now, const auto& was) { return std::ranges::equal(now.download(), was); };
    if (!same(ids_, host_ids()) || !same(starts_, made_.index.starts()) || !same(words_, plan_.words) ||
        !same(packed_lists_, packed_.arrays().lists) || !same(packed_blocks_, packed_.arrays().blocks) ||
        !same(packed_quads_, packed_.arrays().quads))
      verdict.include(Verdict::wrong("changed its input"));
    return verdict;
  }

 private:
  std::span<const T> host_ids() const {
    return {made_.index.data(), static_cast<std::size_t>(made_.index.ids())};
  }

  Verdict check_results() {
    const std::vector<std::uint64_t> sizes = sizes_.download();
    for (std::size_t q = 0; q + 1 < want_.offsets.size(); ++q) {
      const std::uint64_t right = want_.offsets[q + 1] - want_.offsets[q];
      const std::uint64_t got = shape_.count_only ? sizes[q] : sizes[q + 1] - sizes[q];
      if (got != right || (!shape_.count_only && sizes[q] != want_.offsets[q])) {
        return Verdict::wrong(
            fmt::format("query {} has {} ids{}; {} are right", q, static_cast<std::int64_t>(got),
                        shape_.count_only ? "" : fmt::format(" from offset {} on", sizes[q]), right),
            static_cast<std::int64_t>(q));
      }
    }
    if (shape_.count_only) return {};
    if (sizes[0] != 0) return Verdict::wrong(fmt::format("the first offset is {}", sizes[0]), 0);
    const std::vector<T> got = out_.download();
    const auto [a, b] = std::ranges::mismatch(want_.ids, got);
    if (a == want_.ids.end()) return {};
    const auto at = a - want_.ids.begin();
    const auto query =
        std::upper_bound(want_.offsets.begin(), want_.offsets.end(), static_cast<std::uint64_t>(at)) -
        want_.offsets.begin() - 1;
    return Verdict::wrong(
        fmt::format("id {} of query {} is {}; {} is right",
                    at - static_cast<std::int64_t>(want_.offsets[static_cast<std::size_t>(query)]), query, *b,
                    *a),
        at);
  }

  Intersect::Shape shape_;
  Made made_;
  PackedIndex packed_;
  QueryPlan plan_;
  Intersections want_;
  GuardedBuffer<T> ids_;
  GuardedBuffer<std::uint64_t> starts_, packed_lists_;
  GuardedBuffer<std::uint32_t> packed_blocks_;
  GuardedBuffer<Quad> packed_quads_;
  GuardedBuffer<std::uint64_t> words_;
  GuardedBuffer<T> out_;
  GuardedBuffer<std::uint64_t> sizes_;
};

Trial trial(const Intersect::Shape& s, int offset = 0) {
  const bool zipf = s.pattern == Pattern::zipf;
  return {s,
          {Values::exact, s.seed, offset},
          s.scale(),
          fmt::format("{}{}", s.count_only ? "count" : "ids",
                      zipf || s.pattern == Pattern::random ? "" : fmt::format(" {}", name(s.pattern))),
          fmt::format("{}x{}x{}x{}", s.queries, s.lists, s.length, s.skew)};
}

/// Both things that can be asked for.
std::vector<Trial> both(Intersect::Shape s) {
  std::vector<Trial> trials{trial(s)};
  s.count_only = true;
  trials.push_back(trial(s));
  return trials;
}

}  // namespace

std::vector<Trial> Intersect::tests(CaseId, Extent extent, std::uint64_t seed) {
  constexpr int kOffsets[] = {0, 1, 3, 4, 7};
  constexpr Pattern kPatterns[] = {Pattern::random, Pattern::dense,       Pattern::equal, Pattern::disjoint,
                                   Pattern::nested, Pattern::alternating, Pattern::high};
  std::vector<Trial> trials;
  if (extent == Extent::huge) return trials;
  std::uint64_t turn = random_bits(seed, 0) % 1000;
  const auto add = [&](std::int64_t queries, std::int64_t lists, std::int64_t length, std::int64_t skew,
                       Pattern pattern) {
    Shape s{queries, lists, length, skew, pattern, turn % 3 == 2, seed + turn};
    trials.push_back(trial(s, kOffsets[turn % 5]));
    ++turn;
  };
  const auto next = [&] { return kPatterns[turn % std::size(kPatterns)]; };
  add(0, 2, 5, 1, Pattern::random);
  add(12, 3, 40, 2, Pattern::odd);
  add(13, 2, 300, 1, Pattern::odd);
  add(20, 5, 33, 0, Pattern::zipf);
  add(9, 5, 300, 0, Pattern::zipf);
  if (extent == Extent::brief) {
    for (const Pattern pattern : kPatterns) add(3, 3, 200, 2, pattern);
    add(2, 2, 513, 3, Pattern::random), add(1, 2, 5, 1000, Pattern::random);
    return trials;
  }
  // Every pattern, few and many queries of 1 to 6 lists.
  for (const Pattern pattern : kPatterns) {
    for (const std::int64_t lists : {1, 2, 3, 6})
      add(1 + static_cast<std::int64_t>(turn % 5), lists, 90, 2, pattern);
  }
  // Both sides of warps, blocks and pieces, on the short side.
  for (const std::int64_t n : {1, 2, 3, 31, 32, 33, 63, 64, 65, 255, 256, 257, 511, 512, 513, 1023, 1025}) {
    add(2, 2, n, 1, next());
    add(1, 3, n, 4, next());
  }
  // Long pieces.
  add(1, 2, 8193, 1, next());
  // Skew.
  for (const std::int64_t skew : {10, 100, 1000, 10000})
    add(1, 2, 3, skew, Pattern::random), add(2, 3, 5, skew, next());
  add(1, 2, 1, 100000, Pattern::random);
  add(200, 2, 3, 3, Pattern::random);
  if (extent == Extent::full) {
    for (const Pattern pattern : kPatterns) {
      for (const std::int64_t n : {2047, 2048, 2049, 4097, 16383, 40000, 100003}) {
        add(3, 2, n, 1, pattern), add(2, 5, n, 3, pattern), add(20, 3, n / 20, 9, pattern);
      }
      add(3, 2, 1, 1000000, pattern), add(1, 4, 1000, 1000, pattern), add(1, 2, 3'000'000, 1, pattern);
    }
    add(1000, 5, 2000, 0, Pattern::zipf), add(1000, 5, 2000, 0, Pattern::zipf),
        add(1000, 5, 2000, 0, Pattern::zipf);
    add(5000, 4, 60, 7, Pattern::random), add(70000, 2, 3, 3, Pattern::random);
  }
  return trials;
}

std::vector<Trial> Intersect::benchmarks(CaseId, std::span<const std::int64_t> extents, std::uint64_t seed) {
  for (const std::size_t e : {0, 1, 2}) {
    constexpr const char* kNames[] = {"queries", "lists", "length"};
    if (extents[e] < 1)
      throw InvalidArgument(fmt::format("intersect: {} is {}; it must be at least 1", kNames[e], extents[e]));
  }
  if (extents[3] < 0)
    throw InvalidArgument(
        fmt::format("intersect: skew is {}; it must be at least 1, or 0 for Zipf's law", extents[3]));
  return both({extents[0], extents[1], extents[2], extents[3],
               extents[3] == 0 ? Pattern::zipf : Pattern::random, false, seed});
}

std::vector<Trial> Intersect::benchmarks(CaseId id, std::int64_t n, std::uint64_t seed) {
  return benchmarks(
      id, std::vector{std::clamp<std::int64_t>(n / 8, 1, 1000), std::int64_t{5}, n, std::int64_t{0}}, seed);
}

Work Intersect::work(CaseId id, const Shape& s) {
  // The shortest list comes in whole; of the others no more than a sector for each of its ids.
  constexpr double kSector = 32;
  Work work{0, 0};
  const auto add = [&](std::vector<std::uint64_t>& lengths) {
    if (lengths.empty()) return;
    std::sort(lengths.begin(), lengths.end());
    const auto bytes = [&](std::uint64_t n) { return static_cast<double>(n * size_of(id.type)); };
    work.bytes += bytes(lengths[0]);
    for (std::size_t t = 1; t < lengths.size(); ++t)
      work.bytes += std::min(bytes(lengths[t]), kSector * static_cast<double>(lengths[0]));
    for (const std::uint64_t n : lengths) work.operations += static_cast<double>(n);
  };
  std::vector<std::uint64_t> lengths;
  if (s.pattern == Pattern::zipf) {
    const Collection like = collection(s);
    const std::vector<std::uint64_t> all = like.lengths();
    const Queries queries = like.random_queries();
    for (std::int64_t q = 0; q < queries.size(); ++q) {
      lengths.clear();
      for (const std::uint32_t l : queries[q]) lengths.push_back(all[l]);
      add(lengths);
    }
    return work;
  }
  for (std::int64_t t = 0; t < s.lists; ++t) lengths.push_back(static_cast<std::uint64_t>(length(s, t)));
  add(lengths);
  return {work.bytes * static_cast<double>(s.queries), work.operations * static_cast<double>(s.queries)};
}

bool Intersect::reads_packed(const Implementation& implementation) {
  if (implementation.operation != name) return false;
  Shape plain{};
  plain.form = Form::plain;
  return !implementation.refusal(&plain, Case<std::uint32_t>::id).empty();
}

AnyIndex lists_for(std::string_view use, const Index& index) {
  if (use.empty()) return index;
  const auto found = matching(use);
  const auto first =
      std::find_if(found.begin(), found.end(), [](const auto* i) { return i->operation == Intersect::name; });
  if (first != found.end() && Intersect::reads_packed(**first)) return PackedIndex(index);
  return index;
}

REGISTER_OPERATION(Intersect, IntersectData)

// --- the calls

namespace {

using C = Intersect::Case<std::uint32_t>;

std::span<const std::uint64_t> starts_of(const AnyIndex& index) {
  return std::visit([](const auto& lists) { return lists.starts(); }, index);
}

C::Args arguments(Context& ctx, const AnyIndex& index, const QueryPlan& plan, const std::uint64_t* words) {
  C::Args a = arguments<std::uint32_t>(plan, words);
  const auto lend = [&](const auto* memory, auto count) {
    ctx.lend(memory, static_cast<std::size_t>(count) * sizeof *memory);
  };
  lend(words, plan.words.size());
  if (const auto* plain = std::get_if<Index>(&index)) {
    add_lists(a, *plain, plain->in(ctx));
    lend(a.ids, plain->ids());
    lend(a.starts, plain->lists() + 1);
  } else {
    const auto& packed = std::get<PackedIndex>(index);
    a.packed = packed.in(ctx);
    a.starts = a.packed.starts;
    a.lists = packed.lists();
    a.host_starts = packed.starts().data();
    lend(a.packed.starts, packed.arrays().lists.size());
    lend(a.packed.lasts, packed.arrays().blocks.size());
    lend(a.packed.quads, packed.arrays().quads.size());
  }
  return a;
}

void call(Context& ctx, const C::Args& a, const QueryPlan& plan, const AnyIndex& index,
          const Options& options) {
  const auto ids = static_cast<std::int64_t>(starts_of(index).back());
  const Intersect::Shape shape{
      plan.queries,
      plan.most_terms,
      ids / std::max<std::int64_t>(1, a.lists),
      1,
      Pattern::random,
      a.counts != nullptr,
      0,
      std::holds_alternative<Index>(index) ? Intersect::Form::plain : Intersect::Form::packed};
  detail::call<Intersect, C>(ctx, a, shape, options);
}

/// A plan and room for results in memory that the context keeps, so that calls of a known size allocate nothing there.
struct Call {
  QueryPlan plan;
  C::Args a;
  Call(Context& ctx, const AnyIndex& index, const Queries& queries) : plan(starts_of(index), queries) {
    auto* words = ctx.state<std::uint64_t>("intersect plan", static_cast<std::int64_t>(plan.words.size()));
    ctx.backend()->copy(words, plan.words.data(), plan.words.size() * sizeof plan.words[0]);
    a = arguments(ctx, index, plan, words);
  }
};

template <class T>
std::vector<T> fetch(Context& ctx, const T* from, std::uint64_t size) {
  std::vector<T> values(size);
  ctx.backend()->copy(values.data(), from, size * sizeof(T));
  ctx.synchronize();
  return values;
}

void require_batch(Context& ctx, const QueryBatch& batch) {
  require::array(ctx, Intersect::name, "batch", batch.words(),
                 static_cast<std::int64_t>(batch.plan().words.size()), sizeof(std::uint64_t));
}
void require_size(const char* argument, std::int64_t size, std::int64_t least) {
  if (size >= least) return;
  throw InvalidArgument(
      fmt::format("{}: size of '{}' is {}; it must be at least {}", Intersect::name, argument, size, least));
}

}  // namespace

QueryBatch::QueryBatch(Context& ctx, const AnyIndex& index, const Queries& queries)
    : index_(index), plan_(starts_of(index), queries), words_(ctx, plan_.words) {}

void intersect_into(Context& ctx, const QueryBatch& batch, View<std::uint64_t> offsets,
                    View<std::uint32_t> ids, const Options& options) {
  require_size("offsets", offsets.size, batch.queries() + 1);
  require_size("ids", ids.size, batch.most());
  require_batch(ctx, batch);
  require::array(ctx, Intersect::name, "offsets", offsets.data, batch.queries() + 1, sizeof *offsets.data);
  require::array(ctx, Intersect::name, "ids", ids.data, batch.most(), sizeof *ids.data);
  require::overlap(Intersect::name, offsets.data,
                   static_cast<std::size_t>(batch.queries() + 1) * sizeof *offsets.data, ids.data,
                   static_cast<std::size_t>(batch.most()) * sizeof *ids.data, false, "offsets", "ids");
  C::Args a = arguments(ctx, batch.index(), batch.plan(), batch.words());
  a.offsets = offsets.data;
  a.out = ids.data;
  call(ctx, a, batch.plan(), batch.index(), options);
}

void intersect_count_into(Context& ctx, const QueryBatch& batch, View<std::uint64_t> counts,
                          const Options& options) {
  require_size("counts", counts.size, batch.queries());
  require_batch(ctx, batch);
  require::array(ctx, Intersect::name, "counts", counts.data, batch.queries(), sizeof *counts.data);
  C::Args a = arguments(ctx, batch.index(), batch.plan(), batch.words());
  a.counts = counts.data;
  call(ctx, a, batch.plan(), batch.index(), options);
}

Intersections intersect(Context& ctx, const AnyIndex& index, const Queries& queries, const Options& options) {
  Call c(ctx, index, queries);
  c.a.offsets = ctx.state<std::uint64_t>("intersect sizes", c.plan.queries + 1);
  c.a.out = ctx.state<std::uint32_t>("intersect ids", c.plan.candidates);
  call(ctx, c.a, c.plan, index, options);
  Intersections result;
  result.offsets = fetch(ctx, c.a.offsets, static_cast<std::uint64_t>(c.plan.queries) + 1);
  result.ids = fetch(ctx, c.a.out, result.offsets.back());
  return result;
}

std::vector<std::uint64_t> intersect_count(Context& ctx, const AnyIndex& index, const Queries& queries,
                                           const Options& options) {
  Call c(ctx, index, queries);
  c.a.counts = ctx.state<std::uint64_t>("intersect sizes", c.plan.queries);
  call(ctx, c.a, c.plan, index, options);
  return fetch(ctx, c.a.counts, static_cast<std::uint64_t>(c.plan.queries));
}

void intersect_each(Context& ctx, const AnyIndex& index, const Queries& queries,
                    const std::function<void(std::int64_t query, std::span<const std::uint32_t> ids)>& result,
                    const Options& options) {
  const Intersections all = intersect(ctx, index, queries, options);
  for (std::int64_t q = 0; q < queries.size(); ++q) result(q, all[q]);
}

}  // namespace tandem

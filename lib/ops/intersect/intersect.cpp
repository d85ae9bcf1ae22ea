#include "tandem/intersect.h"

#include <fmt/format.h>

#include <algorithm>

#include "lib/core/call.h"
#include "lib/core/owner.h"
#include "lib/ops/intersect/contract.h"
#include "lib/ops/intersect/index_memory.h"
#include "lib/ops/intersect/kept_bits.h"

namespace tandem {

struct QueryBatch::State {
  AnyIndex index;
  QueryPlan plan;
  Array<std::uint64_t> words;
};

namespace {

using C = Intersect::Case<std::uint32_t>;

std::span<const std::uint64_t> starts(const AnyIndex& index) {
  return std::visit([](const auto& lists) { return lists.starts(); }, index);
}

/// Everything but where the results go. words: the plan's, in the memory of the context.
C::Args arguments(Context& ctx, const AnyIndex& index, const QueryPlan& plan, const std::uint64_t* words) {
  C::Args a{};
  static_cast<PlanView&>(a) = plan.at(words);
  a.host = plan.host();
  a.host_starts = starts(index).data();
  a.lists = static_cast<std::int64_t>(starts(index).size()) - 1;
  const auto lend = [&](const auto* memory, auto count) {
    ctx.impl().lend(memory, static_cast<std::size_t>(count) * sizeof *memory);
  };
  lend(words, plan.words().size());
  if (const auto* plain = std::get_if<Index>(&index)) {
    const IndexMemory lists = memory(*plain, ctx);
    a.ids = lists.ids;
    a.starts = lists.starts;
    a.serial = serial(*plain);
    a.index = plain;
    lend(a.ids, plain->ids());
    lend(a.starts, plain->lists() + 1);
  } else {
    const auto& packed = std::get<PackedIndex>(index);
    a.packed = packed_lists(packed, ctx);
    a.starts = a.packed.starts;
    lend(a.packed.starts, arrays(packed).lists.size());
    lend(a.packed.lasts, arrays(packed).blocks.size());
    lend(a.packed.quads, arrays(packed).quads.size());
  }
  return a;
}

void intersect(Context& ctx, const C::Args& a, const AnyIndex& index, const Options& options) {
  using Form = Intersect::Form;
  const auto* plain = std::get_if<Index>(&index);
  call<Intersect, C>(
      ctx, a,
      {a.queries, a.most_terms, a.term_ids / std::max<std::int64_t>(1, a.term_count), a.candidates,
       a.counts != nullptr, plain ? Form::plain : Form::packed, plain && has_dense_lists(*plain)},
      options);
}

/// A plan and room for results in memory that the context keeps, so that calls of a known size allocate
/// nothing there.
struct Call {
  QueryPlan plan;
  C::Args a;
  Call(Context& ctx, const AnyIndex& index, const Queries& queries) : plan(starts(index), queries) {
    auto* words = ctx.state<std::uint64_t>("intersect plan", static_cast<std::int64_t>(plan.words().size()));
    ctx.copy(words, plan.words().data(), plan.words().size() * sizeof plan.words()[0]);
    a = arguments(ctx, index, plan, words);
  }
};

template <class T>
std::vector<T> fetch(Context& ctx, const T* from, std::uint64_t size) {
  std::vector<T> values(size);
  ctx.copy(values.data(), from, size * sizeof(T));
  ctx.synchronize();
  return values;
}

void require_batch(Context& ctx, const QueryBatch& batch) {
  require::array(ctx, Intersect::name, "batch", batch.state().words.data(),
                 static_cast<std::int64_t>(batch.state().plan.words().size()), sizeof(std::uint64_t));
}
void require_size(const char* argument, std::int64_t size, std::int64_t least) {
  if (size >= least) return;
  throw InvalidArgument(
      fmt::format("{}: size of '{}' is {}; it must be at least {}", Intersect::name, argument, size, least));
}

}  // namespace

AnyIndex lists_for(std::string_view use, const Index& index) {
  return detail::translated([&]() -> AnyIndex {
    for (const Implementation* i : matching(use)) {
      if (!use.empty() && i->operation == Intersect::name && i->reads == "packed") return PackedIndex(index);
      if (i->operation == Intersect::name) break;
    }
    return index;
  });
}

QueryBatch::QueryBatch(Context& ctx, const AnyIndex& index, const Queries& queries)
    : state_(detail::translated([&] {
        QueryPlan plan(starts(index), queries);
        Array<std::uint64_t> words(ctx, plan.words());
        return detail::make_handle(std::make_shared<State>(State{index, std::move(plan), std::move(words)}));
      })) {}
std::int64_t QueryBatch::queries() const { return state().plan.host().queries; }
std::int64_t QueryBatch::most() const { return state().plan.host().candidates; }

void intersect_into(Context& ctx, const QueryBatch& batch, View<std::uint64_t> offsets,
                    View<std::uint32_t> ids, const Options& options) {
  public_call(ctx, [&] {
    require_size("offsets", offsets.size, batch.queries() + 1);
    require_size("ids", ids.size, batch.most());
    require_batch(ctx, batch);
    require::array(ctx, Intersect::name, "offsets", offsets.data, batch.queries() + 1, sizeof *offsets.data);
    require::array(ctx, Intersect::name, "ids", ids.data, batch.most(), sizeof *ids.data);
    require::overlap(Intersect::name, offsets.data,
                     static_cast<std::size_t>(batch.queries() + 1) * sizeof *offsets.data, ids.data,
                     static_cast<std::size_t>(batch.most()) * sizeof *ids.data, false, "offsets", "ids");
    C::Args a = arguments(ctx, batch.state().index, batch.state().plan, batch.state().words.data());
    a.offsets = offsets.data;
    a.out = ids.data;
    intersect(ctx, a, batch.state().index, options);
  });
}

void intersect_count_into(Context& ctx, const QueryBatch& batch, View<std::uint64_t> counts,
                          const Options& options) {
  public_call(ctx, [&] {
    require_size("counts", counts.size, batch.queries());
    require_batch(ctx, batch);
    require::array(ctx, Intersect::name, "counts", counts.data, batch.queries(), sizeof *counts.data);
    C::Args a = arguments(ctx, batch.state().index, batch.state().plan, batch.state().words.data());
    a.counts = counts.data;
    intersect(ctx, a, batch.state().index, options);
  });
}

Intersections intersect(Context& ctx, const AnyIndex& index, const Queries& queries, const Options& options) {
  return public_call(ctx, [&] {
    Call c(ctx, index, queries);
    c.a.offsets = ctx.state<std::uint64_t>("intersect sizes", c.a.queries + 1);
    c.a.out = ctx.state<std::uint32_t>("intersect ids", c.a.candidates);
    intersect(ctx, c.a, index, options);
    Intersections result;
    result.offsets = fetch(ctx, c.a.offsets, static_cast<std::uint64_t>(c.a.queries) + 1);
    result.ids = fetch(ctx, c.a.out, result.offsets.back());
    return result;
  });
}

std::vector<std::uint64_t> intersect_count(Context& ctx, const AnyIndex& index, const Queries& queries,
                                           const Options& options) {
  return public_call(ctx, [&] {
    Call c(ctx, index, queries);
    c.a.counts = ctx.state<std::uint64_t>("intersect sizes", c.a.queries);
    intersect(ctx, c.a, index, options);
    return fetch(ctx, c.a.counts, static_cast<std::uint64_t>(c.a.queries));
  });
}

}  // namespace tandem

#include "tandem/tridiagonal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lib/core/call.h"
#include "lib/core/pivot_status.h"
#include "lib/ops/tridiagonal/contract.h"

namespace tandem {

Systems sweep(int axis, std::int64_t nx, std::int64_t ny, std::int64_t nz) {
  std::int64_t plane, elements;
  for (const auto& [what, extent] : {std::pair{"nx", nx}, {"ny", ny}, {"nz", nz}}) {
    if (extent < 1)
      throw InvalidArgument(fmt::format("sweep: {} is {}; it must be at least 1", what, extent));
  }
  if (__builtin_mul_overflow(nx, ny, &plane) || __builtin_mul_overflow(plane, nz, &elements))
    throw InvalidArgument(fmt::format("sweep: {} x {} x {} elements overflow 2^63", nx, ny, nz));
  switch (axis) {
    case 0:
      return contiguous(nx, ny * nz);
    case 1:
      return {ny, nx, nz, nx, 1, plane};
    case 2:
      return interleaved(nz, plane);
    default:
      throw InvalidArgument(fmt::format("sweep: axis is {}; it must be 0 (x), 1 (y) or 2 (z)", axis));
  }
}

namespace {

constexpr const char* op = Tridiagonal::name;
constexpr const char* kNames[] = {"lower", "diag", "upper", "rhs", "x"};

struct Dimension {
  const char* of;
  std::int64_t extent, stride;
};
std::array<Dimension, 3> dimensions(const Systems& s) {
  return {{{"row", s.n, s.row}, {"system", s.inner, s.system}, {"block", s.outer, s.block}}};
}

}  // namespace

std::int64_t storage_size(const Systems& s) {
  std::int64_t last = 0;
  for (const Dimension& d : dimensions(s)) {
    std::int64_t distance;
    if (__builtin_mul_overflow(d.extent - 1, d.stride, &distance) ||
        __builtin_add_overflow(last, distance, &last))
      return -1;
  }
  return last + 1;
}

namespace detail {
namespace {

/// Elements from the first to the last of the batch.
std::int64_t require_layout(const Systems& systems, std::size_t element_bytes) {
  for (const auto& [what, value] :
       {std::pair{"n", systems.n}, {"inner", systems.inner}, {"outer", systems.outer}}) {
    if (value < 1) throw InvalidArgument(fmt::format("{}: {} is {}; it must be at least 1", op, what, value));
  }
  const std::int64_t span = storage_size(systems);
  auto sorted = dimensions(systems);
  std::sort(sorted.begin(), sorted.end(),
            [](const Dimension& a, const Dimension& b) { return a.stride < b.stride; });
  std::int64_t reach = 1;  // elements that the dimensions of smaller strides cover
  for (const Dimension& d : sorted) {
    if (d.extent == 1) continue;
    if (d.stride < reach) {
      throw InvalidArgument(
          fmt::format("{}: stride of the {}s is {}; it must be at least {}, or unknowns meet", op, d.of,
                      d.stride, reach));
    }
    if (span < 0) break;
    reach += (d.extent - 1) * d.stride;
  }
  if (span < 0 || static_cast<std::uint64_t>(span) > INT64_MAX / element_bytes) {
    throw InvalidArgument(
        fmt::format("{}: {} unknowns in {} x {} systems with strides {}, {}, {} overflow 2^63 bytes", op,
                    systems.n, systems.inner, systems.outer, systems.row, systems.system, systems.block));
  }
  return span;
}

void require_array(Context& ctx, const char* name, ConstMemory array, std::int64_t needed,
                   std::size_t element_bytes) {
  if (array.size < needed) {
    throw InvalidArgument(
        fmt::format("{}: size of '{}' is {}; it must be at least {}", op, name, array.size, needed));
  }
  require::array(ctx, op, name, array.data, needed, element_bytes);
}

/// Offsets that ascend and end within the arrays, as far as the host can see them; arrays of one size and
/// apart. Returns a length that no system exceeds.
std::int64_t check_list(Context& ctx, const SystemList& systems, const ConstMemory (&arrays)[5],
                        std::size_t element_bytes) {
  const auto [offsets, size] = systems.offsets;
  if (size < 2) {
    throw InvalidArgument(fmt::format(
        "{}: size of 'offsets' is {}; it must be at least 2, one more than the systems", op, size));
  }
  require::array(ctx, op, "offsets", offsets, size, sizeof *offsets);
  const std::int64_t rows = arrays[4].size;
  for (int i = 0; i < 5; ++i) {
    require::same_size(op, rows, arrays[i].size, "x", kNames[i]);
    require::array(ctx, op, kNames[i], arrays[i].data, rows, element_bytes);
  }
  const auto bytes = static_cast<std::size_t>(rows) * element_bytes;
  for (int i = 0; i < 4; ++i)
    require::overlap(op, arrays[i].data, bytes, arrays[4].data, bytes, i == 3, kNames[i], "x");
  require::overlap(op, offsets, static_cast<std::size_t>(size) * sizeof *offsets, arrays[4].data, bytes,
                   false, "offsets", "x");
  if (ctx.place() == Place::device) return rows;
  std::int64_t longest = 0;
  for (std::int64_t s = 0; s < size; ++s) {
    const std::int64_t least = s == 0 ? 0 : offsets[s - 1] + 1;
    if (offsets[s] < least || offsets[s] > rows) {
      throw InvalidArgument(
          offsets[s] > rows
              ? fmt::format("{}: offsets[{}] is {}; it must be at most {}, the size of 'x'", op, s,
                            offsets[s], rows)
              : fmt::format("{}: offsets[{}] is {}; it must be at least {}, as each system has a row", op, s,
                            offsets[s], least));
    }
    if (s > 0) longest = std::max(longest, offsets[s] - offsets[s - 1]);
  }
  return longest;
}

/// args<C>(lower, diag, upper, rhs, x) of a checked call.
template <class MakeArgs>
void solve(Context& ctx, Type type, const ConstMemory (&arrays)[5], Tridiagonal::Shape shape,
           const Options& options, MakeArgs args) {
  shape.in_place = arrays[3].data == arrays[4].data;
  for_case<Tridiagonal>({type, OperatorId::none}, [&]<class C>() {
    using T = typename C::T;
    const auto in = [&](int i) { return static_cast<const T*>(arrays[i].data); };
    call<Tridiagonal, C>(ctx, args.template operator()<C>(in(0), in(1), in(2), in(3), const_cast<T*>(in(4))),
                         shape, options);
  });
  if (ctx.place() != Place::device) ctx.synchronize();
}

}  // namespace

void check_tridiagonal(Context& ctx, const Systems& systems, const ConstMemory (&arrays)[5],
                       std::size_t element_bytes) {
  const std::int64_t span = require_layout(systems, element_bytes);
  const auto needed = [&](int i) { return i < 3 && systems.shared_matrix ? systems.n : span; };
  const auto bytes = [&](int i) { return static_cast<std::size_t>(needed(i)) * element_bytes; };
  for (int i = 0; i < 5; ++i) require_array(ctx, kNames[i], arrays[i], needed(i), element_bytes);
  for (int i = 0; i < 4; ++i)
    require::overlap(op, arrays[i].data, bytes(i), arrays[4].data, bytes(4), i == 3, kNames[i], "x");
}

void check_tridiagonal(Context& ctx, const Systems& systems, ConstMemory x, std::size_t element_bytes) {
  translated([&] { require_array(ctx, "x", x, require_layout(systems, element_bytes), element_bytes); });
}

void tridiagonal(Context& ctx, Type type, const ConstMemory (&in)[4], Memory x, const Systems& systems,
                 const Options& options) {
  public_call(ctx, [&] {
    const ConstMemory arrays[] = {in[0], in[1], in[2], in[3], {x.data, x.size}};
    check_tridiagonal(ctx, systems, arrays, size_of(type));
    solve(ctx, type, arrays, {systems, false}, options,
          [&]<class C>(auto... pointers) { return C::args(pointers..., systems, tridiagonal_status(ctx)); });
  });
}

void tridiagonal(Context& ctx, Type type, const ConstMemory (&in)[4], Memory x, const SystemList& systems,
                 const Options& options) {
  public_call(ctx, [&] {
    const ConstMemory arrays[] = {in[0], in[1], in[2], in[3], {x.data, x.size}};
    const std::int64_t longest = check_list(ctx, systems, arrays, size_of(type));
    const std::int64_t count = systems.offsets.size - 1;
    const Systems as_systems{longest, count, 1, 1, longest, 0, false, systems.pivot};
    solve(ctx, type, arrays, {as_systems, true}, options, [&]<class C>(auto... pointers) {
      return C::args(pointers..., systems.offsets.data, count, longest, x.size, tridiagonal_status(ctx));
    });
  });
}

std::uint64_t* tridiagonal_status(Context& ctx) {
  return pivot_status(ctx, "tridiagonal status",
                      [](std::int64_t system, std::int64_t row) { return SingularSystem(system, row); });
}

}  // namespace detail
}  // namespace tandem

#pragma once
// Column numbers by their type: what takes those of either type, and what is compiled for each.

#include <cstdint>
#include <type_traits>

#include "tandem/sparse.h"

namespace tandem {

/// use(data) with a pointer of the type that they have.
template <class Use>
decltype(auto) with_type(IndexNumbers columns, const Use& use) {
  return columns.type() == Type::i64 ? use(columns.as<std::int64_t>()) : use(columns.as<std::int32_t>());
}

/// What Args hold: of a case for column numbers of one type a pointer, of one for both (void) what knows their type.
template <class Column>
using ColumnsOf = std::conditional_t<std::is_void_v<Column>, IndexNumbers, const Column*>;

/// run<K>(args) where K is case C for the type that the column numbers of the call have. Kernels that are not compiled for a type
/// read each number by a branch.
template <class C, class Run>
void with_columns(const typename C::Args& a, const Run& run) {
  with_type(a.columns, [&]<class Column>(const Column* columns) {
    using K = typename C::template Of<Column>;
    run.template operator()<K>(K::args(a, columns));
  });
}

}  // namespace tandem

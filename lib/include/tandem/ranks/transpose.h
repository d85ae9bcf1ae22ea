#pragma once
// transpose over ranks: the rows of both matrices are shared out.

#include "tandem/communicator.h"
#include "tandem/transpose.h"

namespace tandem {

namespace detail {
TANDEM_API void transpose(Communicator& all, Type type, const MatrixView<const std::byte>& in,
                          const MatrixView<const std::byte>& out, const Options& options);
}  // namespace detail

/// out = inᵀ of a matrix whose rows are shared out over the ranks, in rank order; the rows of the result likewise.
///
/// in: this rank's rows of the whole m × n matrix, out: its rows of the n × m one, any number of them, 0 included. Layouts may
/// be any, and differ. in.cols is the sum of the ranks' out.rows, out.cols that of in.rows. Elements as of transpose(ctx, in,
/// out), moved bit for bit; options.use names the path that transposes blocks in this rank's memory. in and out may not
/// overlap. A rank sends each of its elements once; the communicator keeps as much memory as in and out take together. Throws
/// as transpose(ctx, in, out) where an argument is bad, InvalidArgument where the ranks' rows do not add up, RanksDiffer where
/// their columns or types differ, RankFailed, OutOfMemory, CommunicationError.
template <class In, class T>
void transpose(Communicator& all, const MatrixView<In>& in, const MatrixView<T>& out,
               const Options& options = {}) {
  static_assert(std::is_same_v<std::remove_const_t<In>, T>, "transpose: out must hold the type of in");
  static_assert(detail::transposes<T>,
                "transpose takes elements of 1, 2, 4 or 8 bytes that can be copied byte by byte");
  detail::transpose(all, detail::moved_as<T>(), detail::untyped(in), detail::untyped(out), options);
}

}  // namespace tandem

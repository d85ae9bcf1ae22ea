#pragma once
// The library's own call within a vendor row. Around it may stand copies that a caller has to make, because the
// library overwrites its inputs or wants another layout: `tandem compare` shows the time with and without them.

#include <functional>
#include <utility>

#include "tandem/context.h"

namespace tandem {

/// One for each context.
struct LibraryCall {
  std::int64_t made = 0;  // how often call_library() came by
  /// Runs what it is given, and takes its time; empty unless somebody measures.
  std::function<void(const std::function<void()>&)> timer;
};

inline LibraryCall& library_call(Context& ctx) {
  return ctx.keep<LibraryCall>("library call", [] { return LibraryCall(); });
}

/// call(), the library's own call of a row that also copies.
template <class Call>
void call_library(Context& ctx, Call&& call) {
  LibraryCall& own = library_call(ctx);
  ++own.made;
  if (own.timer)
    own.timer(std::forward<Call>(call));
  else
    call();
}

}  // namespace tandem

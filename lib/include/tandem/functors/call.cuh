#pragma once
// What every call with a functor of the user's own has in common.

#include <string>

#include "tandem/context.h"
#include "tandem/error.h"

namespace tandem::detail {

/// A call in progress: `implementation` is what Context::last() and errors name. Throws Unavailable for a
/// context that cannot run the functor.
class FunctorCall {
 public:
  FunctorCall(Context& ctx, const char* implementation) : ctx_(ctx) {
#ifndef TANDEM_SIMT
    if (ctx.place() != Place::device) {
      throw Unavailable(std::string(implementation) +
                        ": a functor of your own runs on the device, but the context computes on the " +
                        std::string(name(ctx.place())));
    }
#endif
    ctx.begin_call({implementation, "for functors of users"});
  }
  FunctorCall(const FunctorCall&) = delete;
  ~FunctorCall() { ctx_.end_call(); }

 private:
  Context& ctx_;
};

}  // namespace tandem::detail

// std::reverse_copy of the C++ standard library.

#include <algorithm>

#include "lib/ops/reverse/contract.h"

namespace tandem {
namespace {

template <class C>
void std_reverse(const typename C::Args& a, Context&) {
  std::reverse_copy(a.in, a.in + a.n, a.out);
}

REGISTER(Reverse, std_reverse, .note = "std::reverse_copy",
         .version = "libstdc++ " + std::to_string(_GLIBCXX_RELEASE))

}  // namespace
}  // namespace tandem

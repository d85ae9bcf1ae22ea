// Wrong:   nothing is done at all.
// Caught:  any result.

#include "tests/wrong/all_reduce/detail/one_shot.cuh"

namespace tandem {
namespace {

template <class C>
void idle(const typename C::Args&, Context&) {}

REGISTER(AllReduce, idle, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem

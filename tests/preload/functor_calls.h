#pragma once
// What device_faults_test.cpp asks of the library in functor_calls.cu and one_rank.cpp.

#include <functional>
#include <string>
#include <vector>

#include "tandem/context.h"

namespace tandem {

struct FunctorCall {
  std::string name;
  std::function<void(Context& ctx)> run;
};

}  // namespace tandem

/// Found by dlsym where that library is loaded. Adds the calls, whose arrays lie in the memory of `data`.
extern "C" void tandem_functor_calls(tandem::Context& data, std::vector<tandem::FunctorCall>& calls);
/// NCCL's communicators that nobody has destroyed.
extern "C" int tandem_communicators();

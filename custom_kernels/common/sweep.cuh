#pragma once
// What a file of a sweep starts from (lib/core/sweep.h). It includes the file of a ladder's step to take its kernel with
// other constants; so that the step is not registered a second time, REGISTER does nothing from here on.

#include "custom_kernels/common/kernel.cuh"
#include "lib/core/sweep.h"

#undef REGISTER
#define REGISTER(...)

namespace tandem {

/// Resources of a kernel that is launched with so many threads and no dynamic shared memory.
template <auto kernel, int kThreads>
Resources resources_of([[maybe_unused]] Context& ctx) {
#ifdef TANDEM_SIMT
  return {};
#else
  cudaFuncAttributes attributes;
  detail::check(cudaFuncGetAttributes(&attributes, kernel), ctx, "cudaFuncGetAttributes");
  constexpr int kWarp = 32;
  return {attributes.numRegs, attributes.localSizeBytes,
          blocks_per_multiprocessor(ctx, kThreads, 0, kernel) * kThreads / kWarp};
#endif
}

/// A point that runs `launcher` for case C of the contract and refuses the other cases.
template <class Contract, class C, auto launcher, auto kernel, int kThreads>
bool add_point(SweepPoint point) {
  Implementation& i = point.implementation;
  i.operation = Contract::name;
  i.path = "sweep";
  i.place = TANDEM_PLACE;
  i.name = i.operation + "/" + point.sweep + "/" + i.name + (i.place == Place::simt ? "@simt" : "");
  i.depth = Facts<Contract>{}.depth;
  i.refuses = [](const void*, CaseId id) {
    return id == C::id ? std::string() : "is compiled for " + C::id.str() + " alone";
  };
  Contract::Cases::for_each([&]<class Other>() {
    i.launchers.push_back([](const void* args, Context& ctx) {
      const auto& given = *static_cast<const typename C::Args*>(args);
      if (!Contract::template done_without_work<C>(given, ctx)) launcher(given, ctx);
    });
  });
  if (i.place == Place::device) point.resources = resources_of<kernel, kThreads>;
  return detail::add(std::move(point));
}

}  // namespace tandem

#pragma once
// What a file of custom_kernels/<operation>/tuning starts from; where it launches kernels, from
// tuning_point.cuh. It includes the file of a ladder's step to take its code with other constants, and is
// compiled with TANDEM_TUNING, with which REGISTER does nothing.

#include "lib/harness/tuning.h"

namespace tandem {

/// A point that runs `launcher` for case C of the contract and refuses the other cases.
template <class Contract, class C, auto launcher>
bool add_point(TuningPoint point) {
  Implementation& i = point.implementation;
  i.operation = Contract::name;
  i.path = "tuning";
  i.place = TANDEM_PLACE;
  i.name = i.operation + "/" + point.tuning + "/" + i.name + (i.place == Place::simt ? "@simt" : "");
  i.depth = Facts<Contract>{}.depth;
  i.refuses = +[](const typename Contract::Shape&, CaseId id) {
    return id == C::id ? std::string() : "is compiled for " + C::id.str() + " alone";
  };
  Contract::Cases::for_each([&]<class Other>() {
    i.launchers.push_back([](const void* args, Context& ctx) {
      const auto& given = *static_cast<const typename C::Args*>(args);
      if (!Contract::template done_without_work<C>(given, ctx)) launcher(given, ctx);
    });
  });
  return detail::add(std::move(point));
}

}  // namespace tandem

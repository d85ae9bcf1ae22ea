#pragma once
// thrust::copy_if, unique_copy and stable_partition_copy, by the policy of any of its systems.

#include <thrust/copy.h>
#include <thrust/partition.h>
#include <thrust/unique.h>
#include <thrust/version.h>

#include "lib/ops/select/contract.h"

namespace tandem {
namespace {

struct NotZero {
  TANDEM_HD bool operator()(std::uint8_t flag) const { return flag != 0; }
};

/// Returns how many elements are kept. `room`: n elements for the others of a partition, which then follow.
template <class Args, class Policy, class T>
std::int64_t thrust_kept(const Policy& policy, const Args& a, T* room) {
  switch (a.kind) {
    case Select::Kind::flags:
      return thrust::copy_if(policy, a.in, a.in + a.n, a.flags, a.out, NotZero{}) - a.out;
    case Select::Kind::unique:
      return thrust::unique_copy(policy, a.in, a.in + a.n, a.out) - a.out;
    case Select::Kind::partition: {
      const auto ends = thrust::stable_partition_copy(policy, a.in, a.in + a.n, a.out, room, a.range);
      thrust::copy(policy, room, ends.second, ends.first);
      return ends.first - a.out;
    }
    default:
      return thrust::copy_if(policy, a.in, a.in + a.n, a.out, a.range) - a.out;
  }
}

}  // namespace
}  // namespace tandem

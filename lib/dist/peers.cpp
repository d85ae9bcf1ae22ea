#include "lib/dist/peers.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <limits>
#include <string>

#include "lib/core/context_impl.h"
#include "lib/core/rank_registry.h"
#include "lib/dist/communicator_impl.h"
#include "lib/dist/peer_device.h"

namespace tandem {
namespace {

constexpr const char* kName = "all_reduce between GPUs of one node";

/// What a rank tells the others of its memory.
struct Told {
  bool has_memory = false;
  int blocks = 0;  // that its GPU can run at once
  peer_device::Gpu gpu{};
  peer_device::Handle handle{};
};

std::int64_t patience() {
  const int seconds = seconds_allowed();
  return seconds == 0 ? std::numeric_limits<std::int64_t>::max() : std::int64_t{seconds} * 1'000'000'000;
}

const Implementation& step_for(Context& ctx, PeerStep step) {
  const std::string name = fmt::format("all_reduce/custom/{}{}", kPeerSteps[static_cast<std::size_t>(step)],
                                       ctx.place() == Place::device ? "" : "@simt");
  const auto found = std::ranges::find(rank_implementations(), name, &Implementation::name);
  if (found == rank_implementations().end()) throw Unavailable(name + ": this program does not hold it");
  if (const std::string why = found->unavailable(); !why.empty()) throw Unavailable(name + ": " + why);
  return *found;
}

}  // namespace

Peers peers_of(int rank, const std::vector<std::byte*>& memory, std::int64_t half, int blocks) {
  Peers peers{rank, static_cast<int>(memory.size()), blocks, half, patience(), {}};
  std::ranges::copy(memory, peers.memory);
  return peers;
}

bool has_peer_kernel(CaseId id) {
  return for_case<AllReduce>(id, []<class C>() {});
}

void all_reduce_by_peers(Context& ctx, const Peers& peers, PeerStep step, CaseId id, const void* x, void* y,
                         std::int64_t n) {
  const Implementation& implementation = step_for(ctx, step);
  const bool known = for_case<AllReduce>(id, [&]<class C>() {
    const typename C::Args args{peers, static_cast<const typename C::T*>(x), static_cast<typename C::T*>(y),
                                n};
    run(implementation, case_index<AllReduce, C>(), &args, ctx, "between GPUs of one node");
  });
  if (!known) throw Unavailable(fmt::format("{}: does not take {}", implementation.name, id.str()));
}

PeerMemory::PeerMemory(Communicator::Impl& all, Context& ctx, std::int64_t half) : ctx_(ctx), half_(half) {
  const auto ranks = static_cast<std::size_t>(all.size);
  std::string why;
  Told mine;
  try {
    if (ranks > kMostPeers)
      throw Unavailable(fmt::format("{} ranks; it takes at most {}", ranks, kMostPeers));
    if (std::ranges::find(all.pids, 0) != all.pids.end()) throw Unavailable("the ranks are on several nodes");
    mine.gpu = peer_device::gpu(ctx);
    mine.blocks = std::min(kMostPeerBlocks, ctx.multiprocessors());
    own_ = peer_device::take(ctx, Peers::bytes(half), mine.handle);
    mine.has_memory = true;
  } catch (const Error& e) {
    why = e.what();
  }
  const std::vector<Told> told = all.gathered(RankCall::all_reduce, mine);
  const bool all_have = std::ranges::all_of(told, &Told::has_memory);
  std::vector<std::byte*> memory;
  try {
    for (std::size_t r = 0; r < ranks && all_have; ++r) {
      if (r == static_cast<std::size_t>(all.rank)) {
        memory.push_back(own_);
        continue;
      }
      if (told[r].gpu == mine.gpu)
        throw Unavailable(fmt::format("ranks {} and {} compute on one GPU", all.rank, r));
      opened_.push_back(peer_device::open(ctx, told[r].handle));
      memory.push_back(opened_.back());
    }
  } catch (const Error& e) {
    why = e.what();
  }
  const auto reach = all.gathered(RankCall::all_reduce, all_have && why.empty() ? 1 : 0);
  if (const auto lacks = std::ranges::find(reach, 0); lacks != reach.end()) {
    peer_device::give_back(ctx, own_, Peers::bytes(half), opened_);
    if (why.empty()) why = fmt::format("rank {} cannot", lacks - reach.begin());
    throw Unavailable(fmt::format("{}: {}", kName, why));
  }
  const auto fewest = std::ranges::min(told, {}, &Told::blocks).blocks;
  peers_ = peers_of(all.rank, memory, half, fewest);
  Backend* const place = &backend(ctx);
  place->after_waiting(fmt::format("peers {}", fmt::ptr(own_)).c_str(), [place, own = own_] {
    std::uint64_t lost = 0;
    place->copy(&lost, own + offsetof(PeerHead, lost), sizeof lost);
    place->wait();
    if (lost) throw CommunicationError(0, fmt::format("{}: rank {} did not come in time", kName, lost - 1));
  });
}

PeerMemory::~PeerMemory() { peer_device::give_back(ctx_, own_, Peers::bytes(half_), opened_); }

}  // namespace tandem

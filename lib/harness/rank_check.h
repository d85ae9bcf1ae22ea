#pragma once
// all_reduce by kernels that store into the memory of other ranks, on the executor: several ranks in one process, each with
// its own context, call after call without anything that makes them wait in between.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <iterator>
#include <string>
#include <vector>

#include "lib/core/live_memory.h"
#include "lib/dist/peers.h"
#include "lib/harness/compare.h"
#include "lib/harness/operation.h"
#include "lib/harness/test_data.h"
#include "lib/simt/ranks.h"
#include "lib/simt/trace.h"
#include "tandem/array.h"

namespace tandem {

struct RanksTrial {
  CaseId id;
  int ranks;
  std::vector<std::int64_t> n;  // elements of a rank, call by call
  Values values = Values::exact;
  std::uint64_t seed = 1;
  std::int64_t half = 64 << 10;  // bytes of room
  int blocks = 4;
  int offset = 0;              // elements between an aligned address and the first
  std::uint64_t schedule = 0;  // the seed of a random one; 0: as the executor is set

  std::string str() const {
    return fmt::format("{}, {} ranks, n {}{}, {} data, seed {}{}", id.str(), ranks, fmt::join(n, " then "),
                       offset ? fmt::format(", offset {}", offset) : "", name(values), seed,
                       schedule ? fmt::format(", schedule random:{}", schedule) : "");
  }
};

/// Trials of a case: sizes around tile and piece edges, uneven shares, calls that need other numbers of blocks than the one before,
/// one that needs several launches, and one of more elements than a signed number of 16 bits counts in the first of two.
inline std::vector<RanksTrial> rank_trials(CaseId id, std::uint64_t seed) {
  std::vector<RanksTrial> all;
  for (int ranks = 1; ranks <= 4; ++ranks) {
    all.push_back({id, ranks, {1, 1, 7, 1000, 3, 0, 2049}, Values::exact, seed});
    all.push_back({id, ranks, {3001, 5, 600}, Values::exact, seed, 8 << 10, 3, 1});
  }
  all.push_back({id, 3, {501, 501, 501}, Values::real, seed});
  all.push_back({id, 2, {41'000}, Values::exact, seed, 640 << 10});
  return all;
}
/// What another element type or operator may change.
inline std::vector<RanksTrial> short_rank_trials(CaseId id, std::uint64_t seed) {
  return {{id, 2, {100}, Values::nan, seed},
          {id, 3, {0, 33, 1}, Values::exact, seed, 64 << 10, 4, 1},
          {id, 5, {130, 7}, Values::extreme, seed}};
}
/// Calls whose ranks overtake each other in other ways in each: words that wait for each other race in no way that is watched.
inline std::vector<RanksTrial> scheduled_rank_trials(CaseId id, std::uint64_t seed) {
  std::vector<RanksTrial> all;
  for (std::uint64_t schedule = 1; schedule <= 8; ++schedule) {
    const int ranks = 2 + static_cast<int>(schedule % 3);
    all.push_back({id, ranks, {900, 20, 600, 600}, Values::exact, seed, 64 << 10, 4, 0, schedule});
  }
  return all;
}
/// What is checked of an implementation. Brief: the short trials of each case; quick: also all trials of float and plus; full: also
/// all of each other case.
inline std::vector<RanksTrial> rank_trials(Coverage coverage, std::uint64_t seed) {
  std::vector<RanksTrial> all;
  AllReduce::Cases::for_each([&]<class C>() {
    const bool whole = coverage == Coverage::full ||
                       (coverage == Coverage::quick && C::id == CaseId{Type::f32, OperatorId::plus});
    if (whole) {
      std::ranges::copy(rank_trials(C::id, seed), std::back_inserter(all));
      std::ranges::copy(scheduled_rank_trials(C::id, seed), std::back_inserter(all));
    }
    std::ranges::copy(short_rank_trials(C::id, seed), std::back_inserter(all));
  });
  return all;
}

/// The arrays of all ranks for one trial.
template <class C>
class RanksProblem {
  using T = typename C::T;

 public:
  explicit RanksProblem(const RanksTrial& trial) : trial_(trial) {
    std::vector<std::byte*> memory;
    for (int r = 0; r < trial.ranks; ++r) {
      ranks_.emplace_back();
      Rank& rank = ranks_.back();
      rank.memory = Array<std::byte>(rank.ctx, Peers::bytes(trial.half));
      std::memset(rank.memory.data(), 0, kPeerHeadBytes);
      // Poison in place of zeros: no call has this number, either.
      std::memset(rank.memory.data() + kPeerHeadBytes, 0xff, 2 * static_cast<std::size_t>(trial.half));
      memory.push_back(rank.memory.data());
      const live_memory::OfRank own(r);  // others see its `memory` alone
      for (std::size_t call = 0; call < trial.n.size(); ++call) {
        const std::int64_t n = trial.n[call] + trial.offset;
        rank.in.emplace_back(rank.ctx, n);
        rank.out.emplace_back(rank.ctx, n);
        fill_random(std::span(rank.in[call].data(), static_cast<std::size_t>(n)), trial.id.op, trial.values,
                    random_bits(trial.seed, call * kMostPeers + static_cast<std::uint64_t>(r)));
        std::memset(rank.out[call].data(), 0xff, static_cast<std::size_t>(n) * sizeof(T));
      }
    }
    for (int r = 0; r < trial.ranks; ++r)
      ranks_[static_cast<std::size_t>(r)].peers = peers_of(r, memory, trial.half, trial.blocks);
  }

  /// All calls of one rank.
  void run(const Implementation& implementation, int r) {
    Rank& rank = ranks_[static_cast<std::size_t>(r)];
    for (std::size_t call = 0; call < trial_.n.size(); ++call) {
      const typename C::Args args{rank.peers, rank.in[call].data() + trial_.offset,
                                  rank.out[call].data() + trial_.offset, trial_.n[call]};
      tandem::run(implementation, case_index<AllReduce, C>(), &args, rank.ctx, "checked");
    }
  }

  /// Each element added up in rank order, bit by bit; only which NaN a result is, is not compared. Empty where all are right.
  std::string wrong() const {
    for (std::size_t call = 0; call < trial_.n.size(); ++call) {
      for (std::int64_t i = trial_.offset; i < trial_.offset + trial_.n[call]; ++i) {
        auto total = C::load(ranks_[0].in[call].data()[i]);
        for (std::size_t r = 1; r < ranks_.size(); ++r)
          total = typename C::Op{}(total, C::load(ranks_[r].in[call].data()[i]));
        const T expected = static_cast<T>(total);
        for (std::size_t r = 0; r < ranks_.size(); ++r) {
          const T& is = ranks_[r].out[call].data()[i];
          if (std::memcmp(&is, &expected, sizeof is) != 0 && !(is != is && expected != expected))
            return fmt::format("call {}, rank {}, element {}: {}, not {}", call + 1, r, i - trial_.offset,
                               static_cast<double>(is), static_cast<double>(expected));
        }
      }
    }
    return {};
  }

 private:
  struct Rank {
    Context ctx = Context::host();
    Array<std::byte> memory{ctx, 0};
    std::vector<Array<T>> in, out;
    Peers peers{};
  };
  RanksTrial trial_;
  std::deque<Rank> ranks_;
};

/// What rank 0 asks of its memory system, and the races of all ranks. Throws InvalidArgument for a case that there is not.
inline simt::Trace trace_ranks(const Implementation& implementation, const RanksTrial& trial) {
  simt::Trace trace;
  const bool known = for_case<AllReduce>(trial.id, [&]<class C>() {
    const auto all_ranks = [&] {
      RanksProblem<C> problem(trial);
      simt::over_ranks(trial.ranks, [&](int rank) { problem.run(implementation, rank); });
    };
    trace = simt::trace(all_ranks);
    trace.races = simt::races(all_ranks);
  });
  if (!known) throw InvalidArgument(fmt::format("{} has no case {}", implementation.name, trial.id.str()));
  return trace;
}

/// What is wrong with an implementation for the executor on a trial: an error of a kernel, a race, results. Empty where nothing is.
inline std::string check_ranks(const Implementation& implementation, const RanksTrial& trial) {
  std::string found;
  const simt::Schedule set = simt::settings().schedule;
  if (trial.schedule) simt::set_schedule({simt::Schedule::Order::random, trial.schedule});
  for_case<AllReduce>(trial.id, [&]<class C>() {
    RanksProblem<C> problem(trial);
    try {
      const auto races = simt::races(
          [&] { simt::over_ranks(trial.ranks, [&](int rank) { problem.run(implementation, rank); }); });
      found = races.empty() ? problem.wrong() : races.front().str();
    } catch (const Error& e) {
      found = e.what();
    }
  });
  simt::set_schedule(set);
  return found;
}

}  // namespace tandem

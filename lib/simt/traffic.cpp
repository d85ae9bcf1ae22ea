#include "lib/simt/traffic.h"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "lib/core/live_memory.h"

namespace tandem::simt {
namespace {

constexpr unsigned kWarp = 32;
constexpr std::size_t kLaneEvents = 8192;  // a lane that is so far ahead waits for its warp
constexpr unsigned kBanks = 32;            // of shared memory, one 4-byte word wide each
constexpr std::uint32_t kMostOfThread =
    16;  // bytes that a thread's own instruction moves; a bulk copy moves more

struct Event {
  std::uint64_t address;
  std::uint32_t site;  // and the space in its lowest bit
  std::uint32_t bytes;
  Kind kind;
  bool relaxed;
};

struct Lanes {
  unsigned mask = 0;
  std::uint32_t site = 0, bytes = 0;
  Kind kind{};
  bool relaxed = false;
  std::size_t position = 0;  // of the first lane's access in its sequence
  std::array<std::uint64_t, kWarp> address;
};

// Sectors and lines of one global request.
Requests count_global(const Lanes& request) {
  std::array<std::uint64_t, kWarp> sorted;
  unsigned lanes = 0;
  for (unsigned rest = request.mask; rest; rest &= rest - 1)
    sorted[lanes++] = request.address[static_cast<unsigned>(std::countr_zero(rest))];
  std::sort(sorted.begin(), sorted.begin() + lanes);
  Requests counts;
  counts.requests = 1;
  counts.lanes = request.bytes > kMostOfThread ? kWarp : lanes;  // one thread starts what needs no other
  std::uint64_t covered = 0, sector = 0, line = 0;               // everything below is counted
  for (unsigned l = 0; l < lanes; ++l) {
    const std::uint64_t begin = sorted[l], end = begin + request.bytes;
    counts.bytes += static_cast<std::int64_t>(end - std::clamp(covered, begin, end));
    const auto pieces = [&](std::uint64_t size, std::uint64_t& below) {
      const std::uint64_t first = std::max(begin / size, below), last = (end - 1) / size + 1;
      const auto more = static_cast<std::int64_t>(last > first ? last - first : 0);
      below = std::max(below, last);
      return more;
    };
    counts.sectors += pieces(32, sector);
    counts.lines += pieces(128, line);
    covered = std::max(covered, end);
  }
  counts.least_sectors = (counts.bytes + 31) / 32;
  counts.sure_passes = std::max((counts.bytes + 127) / 128, (counts.lines + 3) / 4);
  return counts;
}

Requests count_shared(const Lanes& request) {
  if (request.bytes > kMostOfThread) {  // the copy engine moves whole lines
    const std::int64_t bytes = std::int64_t{std::popcount(request.mask)} * request.bytes;
    const std::int64_t passes = (bytes + 127) / 128;
    return {.requests = 1,
            .lanes = kWarp,
            .bytes = bytes,
            .wavefronts = passes,
            .least_wavefronts = passes,
            .ways = 1};
  }
  const BankUse use = bank_use(request.mask, request.bytes, request.address);
  Requests counts;
  counts.requests = 1;
  counts.lanes = std::popcount(request.mask);
  counts.bytes = counts.lanes * request.bytes;
  counts.wavefronts = use.wavefronts;
  counts.least_wavefronts = use.least;
  counts.sure_passes = use.sure;
  counts.ways = *std::max_element(use.ways.begin(), use.ways.end());
  return counts;
}

Space space_of(std::uint32_t site) { return site & 1 ? Space::shared : Space::global; }

/// Which sectors of global memory a launch loads and stores, and the last block that loaded each.
class Sectors {
 public:
  void begin_launch(const std::vector<live_memory::Range>& ranges) {
    pieces_.clear();
    for (const auto& range : ranges) {
      const auto begin = reinterpret_cast<std::uint64_t>(range.begin) / 32;
      const auto end = (reinterpret_cast<std::uint64_t>(range.end) + 31) / 32;
      pieces_.push_back({begin, std::vector<std::uint32_t>(end - begin)});
    }
    last_ = 0;
  }
  /// Notes the sectors of a request; true when it loads one that the block had not loaded.
  bool touch(const Lanes& request, std::uint64_t block, LaunchTraffic& launch) {
    const bool stores = request.kind != Kind::load;
    const auto mine = static_cast<std::uint32_t>(block + 1) << 2;
    bool any = false;
    std::uint64_t before = 0;
    for (unsigned rest = request.mask; rest; rest &= rest - 1) {
      const std::uint64_t address = request.address[static_cast<unsigned>(std::countr_zero(rest))];
      for (std::uint64_t s = address / 32; s <= (address + request.bytes - 1) / 32; ++s) {
        if (s == before) continue;
        before = s;
        std::uint32_t* state = find(s);
        if (!state) continue;
        if (stores) {
          launch.stored_sectors += !(*state & kStored);
          *state |= kStored;
        } else {
          launch.loaded_sectors += !(*state & kLoaded);
          any |= (*state & ~(kLoaded | kStored)) != mine;
          *state = mine | (*state & kStored) | kLoaded;
        }
      }
    }
    return any;
  }

 private:
  static constexpr std::uint32_t kLoaded = 1, kStored = 2;
  struct Piece {
    std::uint64_t first;
    std::vector<std::uint32_t> states;  // the last block to load it + 1, kStored, kLoaded
  };
  std::uint32_t* find(std::uint64_t sector) {
    const auto holds = [&](const Piece& p) { return sector - p.first < p.states.size(); };
    if (last_ >= pieces_.size() || !holds(pieces_[last_])) {
      const auto behind = std::upper_bound(pieces_.begin(), pieces_.end(), sector,
                                           [](std::uint64_t s, const Piece& p) { return s < p.first; });
      if (behind == pieces_.begin() || !holds(*(behind - 1))) return nullptr;
      last_ = static_cast<std::size_t>(behind - 1 - pieces_.begin());
    }
    return &pieces_[last_].states[sector - pieces_[last_].first];
  }

  std::vector<Piece> pieces_;
  std::size_t last_ = 0;  // the piece that was found last
};

}  // namespace

Waits& Waits::operator+=(const Waits& other) {
  far += other.far;
  near += other.near;
  barriers += other.barriers;
  return *this;
}

BankUse bank_use(unsigned mask, unsigned bytes, const std::array<std::uint64_t, 32>& address) {
  using Words = std::array<std::vector<std::uint64_t>, kBanks>;  // different ones, by bank
  const auto add = [&](Words& words, unsigned lane) {
    for (std::uint64_t word = address[lane] / 4; word <= (address[lane] + bytes - 1) / 4; ++word) {
      auto& bank = words[word % kBanks];
      if (std::find(bank.begin(), bank.end(), word) == bank.end()) bank.push_back(word);
    }
  };
  const auto most = [](const Words& words) {
    std::size_t most = 0;
    for (const auto& bank : words) most = std::max(most, bank.size());
    return static_cast<int>(most);
  };
  const unsigned group = kWarp * 4 / std::bit_ceil(std::clamp(bytes, 4u, 128u));
  BankUse use;
  Words all;
  for (unsigned first = 0; first < kWarp; first += group) {
    Words words;
    for (unsigned lane = first; lane < first + group; ++lane) {
      if (!(mask >> lane & 1)) continue;
      add(words, lane);
      if (group < kWarp) add(all, lane);
    }
    use.wavefronts += most(words);
    use.least += most(words) > 0;
    for (unsigned lane = first; lane < first + group; ++lane) {
      if (mask >> lane & 1) use.ways[lane] = static_cast<int>(words[address[lane] / 4 % kBanks].size());
    }
  }
  use.sure = group < kWarp ? most(all) : use.wavefronts;
  return use;
}

void Requests::add(const Requests& other) {
  requests += other.requests;
  lanes += other.lanes;
  least_requests += other.least_requests;
  bytes += other.bytes;
  sectors += other.sectors;
  least_sectors += other.least_sectors;
  lines += other.lines;
  wavefronts += other.wavefronts;
  least_wavefronts += other.least_wavefronts;
  sure_passes += other.sure_passes;
  ways = std::max(ways, other.ways);
}

// The lanes of a warp run one after another, so their accesses arrive as one sequence per lane. Two accesses
// belong to one request when they are the k-th execution of the same instruction since the lanes last met.
struct Traffic::State {
  struct PerSite {
    Kind kind{};
    Requests counts;
    // For assemble(): the requests of this site in the order in which they were executed.
    std::vector<std::uint32_t> requests;
    std::uint32_t seen = 0;  // executions of the lane in hand
  };
  // What a warp has waited for since the last block barrier, and loads since it last met.
  struct WarpWaits {
    Waits waits;
    bool far = false, near = false, fence = false;
    std::array<bool, 2> changed{};  // by space: what may have been, behind these loads
    void meet() {
      waits.far += far + fence;
      waits.near += !far && near;
      far = near = fence = false;
      changed = {};
    }
    void load(Space space, bool is_far) {
      if (changed[static_cast<std::size_t>(space)]) meet();
      (is_far ? far : near) = true;
    }
    void change(Space space, Kind kind) {
      if (!far && !near) return;
      changed[static_cast<std::size_t>(space)] = true;
      if (kind == Kind::atomic) changed = {true, true};
    }
  };
  /// Of a block that has begun and not ended.
  struct Block {
    std::vector<std::array<std::vector<Event>, kWarp>> warps;
    std::vector<std::uint32_t> meetings;  // of each warp since the last block barrier
    unsigned threads = 0;
    std::int64_t barriers = 0;
    std::vector<WarpWaits> waiting;
    Waits waits;
    // Lanes that executed a site since the last block barrier, by site, meeting of the warp and execution.
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::size_t>, std::int64_t> together;
  };

  std::vector<LaunchTraffic> launches;
  std::vector<live_memory::Range> ranges;
  Sectors sectors;
  std::unordered_map<std::uint64_t, std::int64_t> atomics;  // sectors of requests by line
  std::vector<PerSite> sites;
  std::uint64_t block = 0;  // the one that runs
  std::map<std::uint64_t, Block> blocks;
  Block* here = nullptr;
  std::vector<Lanes> requests;
  std::vector<std::uint32_t> touched;

  LaunchTraffic& launch() { return launches.back(); }
  bool pictured(unsigned warp) { return block == 0 && warp == 0 && launch().rounds.size() < kMostRounds; }

  void assemble(unsigned warp) {
    auto& lanes = here->warps[warp];
    requests.clear();
    touched.clear();
    for (unsigned lane = 0; lane < kWarp; ++lane) {
      const std::size_t known = touched.size();
      for (std::size_t s = 0; s < known; ++s) sites[touched[s]].seen = 0;
      for (std::size_t e = 0; e < lanes[lane].size(); ++e) {
        const Event& event = lanes[lane][e];
        if (event.site >= sites.size()) sites.resize(event.site + 1);
        PerSite& site = sites[event.site];
        if (site.requests.empty()) {
          touched.push_back(event.site);
          site.seen = 0;
          site.kind = event.kind;
        }
        if (site.seen == site.requests.size()) {
          site.requests.push_back(static_cast<std::uint32_t>(requests.size()));
          requests.push_back({0, event.site, event.bytes, event.kind, event.relaxed, e, {}});
        }
        Lanes& request = requests[site.requests[site.seen++]];
        request.mask |= 1u << lane;
        request.address[lane] = event.address;
      }
      lanes[lane].clear();
    }
    for (const std::uint32_t s : touched) {
      for (std::size_t k = 0; k < sites[s].requests.size(); ++k)
        here->together[{s, here->meetings[warp], k}] += std::popcount(requests[sites[s].requests[k]].mask);
      sites[s].requests.clear();
    }
    ++here->meetings[warp];
    const auto earlier = [](const Lanes& a, const Lanes& b) { return a.position < b.position; };
    if (!std::is_sorted(requests.begin(), requests.end(), earlier))
      std::stable_sort(requests.begin(), requests.end(), earlier);
    for (const Lanes& request : requests) {
      const Requests counts = request.kind >= Kind::shuffle             ? Requests{}
                              : space_of(request.site) == Space::shared ? count_shared(request)
                                                                        : count_global(request);
      sites[request.site].counts.add(counts);
      if (pictured(warp)) picture(request, counts);
      if (request.kind < Kind::shuffle) wait(request, here->waiting[warp]);
    }
  }

  void wait(const Lanes& request, WarpWaits& warp) {
    ++launch().issued;
    const bool global = space_of(request.site) == Space::global;
    const bool is_new = global && sectors.touch(request, block, launch());
    // What other blocks may have written in the meantime is not taken from a multiprocessor's own cache.
    const Space space = space_of(request.site);
    if (request.kind == Kind::load)
      warp.load(space, is_new || (global && request.relaxed));
    else
      warp.change(space, request.kind);
    if (!global || request.kind != Kind::atomic) return;
    std::array<std::uint64_t, kWarp> wanted;  // sectors
    unsigned count = 0;
    for (unsigned rest = request.mask; rest; rest &= rest - 1)
      wanted[count++] = request.address[static_cast<unsigned>(std::countr_zero(rest))] / 32;
    std::sort(wanted.begin(), wanted.begin() + count);
    const auto* end = std::unique(wanted.begin(), wanted.begin() + count);
    for (const auto* sector = wanted.begin(); sector != end; ++sector)
      launch().contended = std::max(launch().contended, ++atomics[*sector / 4]);
  }

  /// All warps have come to a barrier or the end of the block.
  void wait_for_warps() {
    Waits longest;
    for (WarpWaits& warp : here->waiting) {
      warp.meet();
      longest = std::max(longest, std::exchange(warp.waits, {}));
    }
    here->waits += longest;
  }

  void picture(const Lanes& request, const Requests& counts) {
    Round round{{},           request.site >> 1, space_of(request.site),
                request.kind, here->barriers,    request.bytes,
                request.mask, request.address,   counts};
    if (round.space == Space::global && round.kind < Kind::shuffle) {
      const std::uint64_t any = request.address[static_cast<unsigned>(std::countr_zero(request.mask))];
      for (const auto& range : ranges) {
        const auto begin = reinterpret_cast<std::uint64_t>(range.begin);
        if (any < begin || any >= reinterpret_cast<std::uint64_t>(range.end)) continue;
        for (std::uint64_t& address : round.address) address -= begin;
      }
    }
    launch().rounds.push_back(round);
  }

  void assemble_all() {
    for (unsigned w = 0; w < here->warps.size(); ++w) assemble(w);
    for (const auto& [when, lanes] : here->together)
      sites[std::get<0>(when)].counts.least_requests += (lanes + kWarp - 1) / kWarp;
    here->together.clear();
    std::fill(here->meetings.begin(), here->meetings.end(), 0);
  }

  // Closes the running launch: sums up its sites by source line.
  void close() {
    if (launches.empty()) return;
    std::map<std::tuple<std::string, unsigned, Space, Kind>, Requests> lines;
    for (std::uint32_t s = 0; s < sites.size(); ++s) {
      if (sites[s].counts.requests == 0) continue;
      const SourceLine line = source_line(code_site(s >> 1));
      lines[{line.file, line.line, space_of(s), sites[s].kind}].add(sites[s].counts);
      (space_of(s) == Space::shared ? launch().shared : launch().global).add(sites[s].counts);
    }
    for (const auto& [key, counts] : lines) {
      const auto& [file, line, space, kind] = key;
      launch().lines.push_back({{file, line}, space, kind, counts});
    }
    for (Round& round : launch().rounds) round.line = source_line(code_site(round.site));
    sites.clear();
  }
};

Traffic::Traffic() : state_(std::make_unique<State>()) {}
Traffic::~Traffic() = default;

void Traffic::launch(const Launch& launch) {
  state_->close();
  state_->ranges = live_memory::snapshot();
  state_->sectors.begin_launch(state_->ranges);
  state_->atomics.clear();
  LaunchTraffic traffic{};
  traffic.kernel = function_name(launch.kernel);
  traffic.grid = launch.grid;
  traffic.block = launch.block;
  traffic.shared_bytes = launch.shared_bytes;
  traffic.early = launch.early;
  state_->launches.push_back(std::move(traffic));
}

void Traffic::block(std::uint64_t index, unsigned threads) {
  block_again(index);
  State::Block& here = *state_->here;
  here.threads = threads;
  here.warps.resize((threads + kWarp - 1) / kWarp);
  here.meetings.resize(here.warps.size());
  here.waiting.resize(here.warps.size());
}
void Traffic::block_again(std::uint64_t index) {
  state_->block = index;
  state_->here = &state_->blocks[index];
}
void Traffic::block_end() {
  state_->assemble_all();
  state_->wait_for_warps();
  LaunchTraffic& launch = state_->launch();
  launch.waits += state_->here->waits;
  launch.longest_waits = std::max(launch.longest_waits, state_->here->waits);
  state_->blocks.erase(state_->block);
}

bool Traffic::access(const Access& access) {
  auto& lane = state_->here->warps[access.thread / kWarp][access.thread % kWarp];
  lane.push_back({access.address, access.site << 1 | (access.space == Space::shared), access.bytes,
                  access.kind, access.relaxed});
  return lane.size() >= kLaneEvents;
}
void Traffic::caught_up(unsigned warp) { state_->assemble(warp); }

void Traffic::block_barrier() {
  state_->assemble_all();
  state_->wait_for_warps();
  ++state_->here->waits.barriers;
  ++state_->here->barriers;
  ++state_->launch().barriers;
  state_->launch().issued += static_cast<std::int64_t>(state_->here->warps.size());
}
void Traffic::fence(unsigned thread, Scope scope) {
  const auto& lane = state_->here->warps[thread / kWarp][thread % kWarp];
  const auto stores = [](const Event& e) {
    return e.kind == Kind::store && space_of(e.site) == Space::global;
  };
  if (scope != Scope::block && std::any_of(lane.begin(), lane.end(), stores))
    state_->here->waiting[thread / kWarp].fence = true;
}
void Traffic::warp_call(const WarpMeeting& meeting) {
  const auto [warp, mask, call, place, source] = meeting;
  if (state_->pictured(warp) && call != WarpCall::barrier) {
    const Kind kind = call == WarpCall::ballot || call == WarpCall::match ? Kind::vote : Kind::shuffle;
    const std::uint32_t site = site_number(place) << 1;
    for (unsigned rest = mask; rest; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      state_->here->warps[warp][lane].push_back(
          {kind == Kind::vote ? 0u : source[lane], site, 0, kind, false});
    }
  }
  const unsigned lanes = std::min(kWarp, state_->here->threads - warp * kWarp);
  if (call != WarpCall::barrier) ++state_->launch().issued;
  if (call == WarpCall::match) {
    for (unsigned rest = mask; rest; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      state_->launch().matched += source[lane] == lane;
    }
  }
  if (std::popcount(mask) != static_cast<int>(lanes)) return;
  state_->assemble(warp);
  // Compilers move loads over a ballot: select/ballots takes less time than if they did not.
  if (call != WarpCall::ballot) state_->here->waiting[warp].meet();
}

std::vector<LaunchTraffic> Traffic::take() {
  state_->close();
  return std::move(state_->launches);
}

}  // namespace tandem::simt

#include "lib/core/choice.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <mutex>
#include <tuple>

#include "lib/core/context_impl.h"
#include "lib/core/names.h"
#include "lib/core/recorded_choices.h"
#include "tandem/error.h"
#include "tandem/options.h"

namespace tandem {
namespace {

using namespace std::string_view_literals;

struct Measured {
  std::string_view operation, variant;
  Place place;
  std::string_view machine, type;
  Features from;
  std::string_view implementations;  // fastest first
};
// Written by tools/report.py from bench/results/. See ChoiceRow for the columns.
constexpr Measured kMeasured[] = {
#include "lib/core/choice_table.inc"
    {"", "", Place::host, "", "", {}, ""}};

/// Multiprocessors of the GPUs in that table.
struct Gpu {
  std::string_view name;
  int multiprocessors;
};
constexpr Gpu kGpus[] = {{"NVIDIA H200", 132}, {"NVIDIA H100 80GB HBM3", 132}};

static_assert(std::all_of(std::begin(kMeasured), std::end(kMeasured),
                          [](const Measured& row) {
                            return row.place == Place::host ||
                                   std::any_of(std::begin(kGpus), std::end(kGpus),
                                               [&](const Gpu& gpu) { return gpu.name == row.machine; });
                          }),
              "a GPU of the table is missing from kGpus");

/// Of the GPUs on which an operation was measured the one with most nearly as many multiprocessors; null where there is none.
const Gpu* nearest_gpu(std::string_view operation, int multiprocessors) {
  const auto measured = [&](const Gpu& gpu) {
    return std::any_of(std::begin(kMeasured), std::end(kMeasured), [&](const Measured& row) {
      return row.operation == operation && row.machine == gpu.name;
    });
  };
  const auto distance = [&](const Gpu& gpu) {
    return std::abs(std::log(static_cast<double>(gpu.multiprocessors) / std::max(1, multiprocessors)));
  };
  const Gpu* nearest = nullptr;
  for (const Gpu& gpu : kGpus) {
    if (measured(gpu) && (!nearest || distance(gpu) < distance(*nearest))) nearest = &gpu;
  }
  return nearest;
}

/// The user's rows, read once. A table that cannot be used is said to be one, and ignored.
const std::vector<ChoiceRow>& users_rows() {
  static const std::vector<ChoiceRow> rows = [] {
    const std::string path = choice_file();
    const bool asked_for = secure_getenv("TANDEM_CHOICE");
    if (path.empty() || (!asked_for && access(path.c_str(), F_OK) != 0)) return std::vector<ChoiceRow>();
    try {
      return read_choices(path);
    } catch (const BadFile& error) {
      std::clog << "tandem: choice table ignored: " << error.what() << "; tandem tune writes a new one\n";
      return std::vector<ChoiceRow>();
    }
  }();
  return rows;
}

bool can_run_in(Place implementation, Place context) {
  return (implementation == Place::device) == (context == Place::device);
}

// "blelloch" and "custom/blelloch" name scan/custom/blelloch, but not blelloch_padded.
bool names(std::string_view use, const Implementation& i) {
  const std::string_view full = i.name;
  return full == use ||
         (full.size() > use.size() && full.ends_with(use) && full[full.size() - use.size() - 1] == '/');
}

// TANDEM_USE=scan/vendor/cub concerns scan alone; vendor/cub and cub concern every operation.
std::string_view forced_for(std::string_view operation, std::string_view forced) {
  if (std::count(forced.begin(), forced.end(), '/') < 2) return forced;
  const std::string_view concerned = forced.substr(0, forced.find('/'));
  const auto& all = implementations();
  if (std::none_of(all.begin(), all.end(),
                   [&](const Implementation& i) { return i.operation == concerned; })) {
    std::vector<std::string> known;
    for (const Implementation& i : all) known.push_back(i.operation);
    throw InvalidArgument("TANDEM_USE is '" + std::string(forced) + "', but there is no operation '" +
                          std::string(concerned) + "'" + did_you_mean(concerned, known));
  }
  return concerned == operation ? forced : "";
}

const Implementation& by_name(const CallSite& site, const void* shape, const Context& ctx,
                              std::string_view use) {
  std::vector<std::string> known;
  for (const Implementation& i : implementations()) {
    if (i.operation != site.operation) continue;
    if (names(use, i)) {
      if (std::string reason = i.unavailable(); !reason.empty()) {
        const bool simt = i.place == Place::device && !matching(i.name + "@simt").empty();
        throw Unavailable(i.name + ": " + reason +
                          (simt ? "; " + i.name + "@simt runs the same file on the CPU" : ""));
      }
      if (!can_run_in(i.place, ctx.place())) {
        throw InvalidArgument(i.name + " computes on the " + (i.place == Place::device ? "device" : "host") +
                              ", but the context on the " + name(ctx.place()));
      }
      if (std::string reason = i.refusal(shape, site.id); !reason.empty())
        throw Unavailable(i.name + ": " + reason);
      return i;
    }
    known.push_back(i.name.substr(i.operation.size() + 1));
  }
  throw InvalidArgument(std::string(site.operation) + ": " + unknown_name("implementation", use, known));
}

}  // namespace

std::vector<ChoiceRow> recorded_choices(std::string_view operation, Place place, std::string_view machine) {
  std::vector<ChoiceRow> rows;
  for (const Measured& row : kMeasured) {
    if (row.operation != operation || row.place != place || row.machine != machine) continue;
    rows.push_back({std::string(row.operation), std::string(row.variant), row.place, std::string(row.machine),
                    std::string(row.type), row.from, std::string(row.implementations)});
  }
  return rows;
}

/// How the implementations rank for one site on one machine.
class Ranking {
 public:
  Ranking(const CallSite& site, const Machine& at) {
    const auto available = [&](const Implementation& i) {
      return i.operation == site.operation && i.place == at.place && i.path != "wrong" && i.ever_chosen() &&
             (!at.here || i.unavailable().empty());
    };
    std::string_view variant = site.variant;
    const auto add = [&](const auto& row, auto speaks_for_type) {
      if (row.operation != site.operation || row.place != at.place || !speaks_for_type(row.type))
        return false;
      if (row.variant != variant && !row.variant.empty()) return false;
      Region region{row.from, {}, row.implementations};
      for (const std::string_view name : implementations_of(row.implementations)) {
        for (const Implementation& i : implementations()) {
          if (i.name == name && available(i) && !i.reduced_precision()) region.implementations.push_back(&i);
        }
      }
      if (region.implementations.empty()) return false;
      measured_.push_back(std::move(region));
      return true;
    };
    const bool this_machine = std::any_of(
        std::begin(kMeasured), std::end(kMeasured),
        [&](const Measured& row) { return row.operation == site.operation && row.machine == at.name; });
    const Gpu* nearest = nearest_gpu(site.operation, at.multiprocessors);
    std::string_view from = at.name;
    const auto add_all = [&](auto speaks_for_type) {
      if (at.here) {
        for (const ChoiceRow& row : users_rows()) {
          if (row.machine == at.name) add(row, speaks_for_type);
        }
      }
      if (!measured_.empty()) {
        why_measured_ = "fastest that takes the call in tandem tune's measurements on " + at.name;
        return;
      }
      for (const Measured& row : kMeasured) {
        // One CPU resembles another more than any guess does, and one GPU that of most nearly its size.
        if (row.machine != at.name &&
            (this_machine || (at.place == Place::device && (!nearest || row.machine != nearest->name))))
          continue;
        if (add(row, speaks_for_type)) from = row.machine;
      }
    };
    // What was not measured moves as a type of its size does (on a GPU else as the narrowest that was), and a special
    // kind of a variant ("NN, unaligned") as the others of it.
    const auto look_up = [&] {
      const auto add_size = [&](std::size_t size) {
        if (measured_.empty())
          add_all([&](std::string_view type) { return size_of(parse_type(type)) == size; });
      };
      add_all([&](std::string_view type) { return type == name(site.id.type); });
      add_size(size_of(site.id.type));
      if (at.place == Place::device) {
        for (std::size_t size = 1; size <= sizeof(std::int64_t); size *= 2) add_size(size);
      }
    };
    look_up();
    for (std::size_t end; measured_.empty() && (end = variant.rfind(", ")) != variant.npos; look_up())
      variant = variant.substr(0, end);
    std::stable_sort(measured_.begin(), measured_.end(),
                     [](const Region& a, const Region& b) { return a.from < b.from; });
    if (why_measured_.empty()) {
      why_measured_ = "fastest that takes the call in the measurements on " + std::string(from);
      if (from != at.name) why_measured_ += at.place == Place::device ? ", not this GPU" : ", not this CPU";
    }
    // What keeps a GPU busy is the work of each multiprocessor, where size alone tells shapes apart.
    const bool size_alone = std::all_of(measured_.begin(), measured_.end(),
                                        [](const Region& r) { return r.from[1] + r.from[2] == 0; });
    if (at.place == Place::device && from != at.name && size_alone && nearest)
      scale_ = static_cast<double>(nearest->multiprocessors) / std::max(1, at.multiprocessors);

    for (const Implementation& i : implementations()) {
      if (available(i)) (i.reduced_precision() ? reduced_ : safe_).push_back(&i);
    }
    std::stable_sort(reduced_.begin(), reduced_.end(),
                     [](auto* a, auto* b) { return a->precision > b->precision; });
    // Where no measurement covers a call, a device gets the library, the host the last step of the ladder.
    std::stable_sort(safe_.begin(), safe_.end(), [&](auto* a, auto* b) {
      const bool a_vendor = a->path == "vendor", b_vendor = b->path == "vendor";
      if (a_vendor != b_vendor) return (at.place == Place::device) == a_vendor;
      return !a_vendor && a->step > b->step;
    });
    if (at.place == Place::host) {
      const auto serial = std::find_if(safe_.begin(), safe_.end(),
                                       [](auto* i) { return i->path == "custom" && i->step == 0; });
      if (serial != safe_.end()) serial_ = *serial;
    }
    why_safe_ = std::string("no measurement of ") + std::string(site.operation) + " on " + at.name +
                " covers this call; " +
                (at.place == Place::device ? "a library first" : "the last step that takes it");
  }

  Choice pick(const CallSite& site, const void* shape, const Features& features, Place place,
              Precision allowed) const {
    for (const Implementation* i : reduced_) {
      if (i->precision <= allowed && takes(*i, shape, site.id)) return {i, kWhyReduced};
    }
    const auto size = static_cast<std::int64_t>(static_cast<double>(features[0]) * scale_);
    auto region = std::upper_bound(measured_.begin(), measured_.end(), size,
                                   [](std::int64_t n, const Region& r) { return n < r.from[0]; });
    while (region != measured_.begin()) {
      --region;
      if (region->from[1] > features[1] || region->from[2] > features[2]) continue;
      for (const Implementation* i : region->implementations) {
        if (takes(*i, shape, site.id)) return {i, why_measured_, region->row};
      }
    }
    if (serial_ && tiny(features) && takes(*serial_, shape, site.id)) return {serial_, kWhyTiny};
    for (const Implementation* i : safe_) {
      if (takes(*i, shape, site.id)) return {i, why_safe_};
    }
    for (const Implementation* i : safe_) {  // what suits a shape badly is better than nothing
      if (!i->refuses || i->refusal(shape, site.id).empty()) return {i, why_safe_};
    }
    throw Unavailable(std::string(site.operation) + " " + site.id.str() +
                      ": no implementation takes this call on the " + name(place));
  }

 private:
  struct Region {
    Features from;
    std::vector<const Implementation*> implementations;  // fastest first
    std::string_view row;
  };
  static constexpr std::string_view kWhyReduced = "the least precise that suits the call and that it allows";
  static constexpr std::string_view kWhyTiny = "nothing was measured, and a tiny input is for one thread";
  /// Whether the features that there are multiply to little.
  static bool tiny(const Features& features) {
    constexpr std::int64_t kTiny = 1024;
    std::int64_t product = 1;
    for (const std::int64_t f : features) {
      if (f > kTiny) return false;
      product *= std::max<std::int64_t>(1, f);
    }
    return product <= kTiny;
  }
  static bool takes(const Implementation& i, const void* shape, CaseId id) {
    return i.suited(shape) && i.refusal(shape, id).empty();
  }

  std::vector<Region> measured_;  // ascending; of equal ones the last is tried first
  double scale_ = 1;              // of a call's size, to that of the machine that was measured
  std::vector<const Implementation*> safe_;
  std::vector<const Implementation*> reduced_;  // in precision, the least first; a path's `suits` ranks it
  const Implementation* serial_ = nullptr;      // the first step of the ladder, on the host
  std::string why_measured_, why_safe_;
};

namespace {

// Rankings live as long as the program: `why` points into them.
const Ranking& ranking(const CallSite& site, const Context& ctx) {
  static std::mutex mutex;
  static std::map<std::tuple<int, Place, std::string>, Ranking> all;
  const Machine machine{ctx.place(), ctx.description(), ctx.multiprocessors(), true};
  const std::lock_guard lock(mutex);
  const auto key = std::tuple(site.slot, machine.place, machine.name);
  const auto found = all.find(key);
  if (found != all.end()) return found->second;
  return all.emplace(key, Ranking(site, machine)).first->second;
}

}  // namespace

std::vector<std::string> implementation_names(std::string_view operation, const Context& ctx) {
  return detail::translated([&] {
    std::vector<std::string> names;
    for (const Implementation& i : implementations()) {
      if (i.operation == operation && i.place == ctx.place() && i.unavailable().empty())
        names.push_back(i.name);
    }
    return names;
  });
}

int reserve_slots(int count) {
  static std::atomic<int> next = 0;
  return next.fetch_add(count);
}

std::string_view name(Precision precision) {
  constexpr std::string_view kNames[] = {"full", "split", "tf32"};
  return kNames[static_cast<std::size_t>(precision)];
}
Precision parse_precision(std::string_view text, const std::string& what) {
  for (const Precision p : {Precision::full, Precision::split, Precision::tf32}) {
    if (text == name(p)) return p;
  }
  throw InvalidArgument(what + " is '" + std::string(text) + "'; it must be 'full', 'split' or 'tf32'");
}

Choice choose(const CallSite& site, const void* shape, const Features& features, const Context& ctx,
              const Options& options) {
  if (!options.use.empty()) return {&by_name(site, shape, ctx, options.use), "asked for with .use"};
  Context::Impl& impl = ctx.impl();
  if (!impl.forced.empty()) {
    if (const std::string_view forced = forced_for(site.operation, impl.forced); !forced.empty())
      return {&by_name(site, shape, ctx, forced), "forced by TANDEM_USE"};
  }
  const auto slot = static_cast<std::size_t>(site.slot);
  if (slot >= impl.rankings.size()) impl.rankings.resize(slot + 1);
  if (!impl.rankings[slot]) impl.rankings[slot] = &ranking(site, ctx);
  return impl.rankings[slot]->pick(site, shape, features, ctx.place(), options.precision);
}

std::string choose_elsewhere(const Machine& machine, const CallSite& site, const void* shape,
                             const Features& features, Precision allowed) {
  return Ranking(site, machine).pick(site, shape, features, machine.place, allowed).implementation->name;
}

}  // namespace tandem

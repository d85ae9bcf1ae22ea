#include "lib/harness/end_to_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace tandem {
namespace {

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

EndToEnd::EndToEnd(Context& ctx, Problem& problem, const HostMemory& host_memory) : ctx_(ctx) {
  problem.reset();
  for (const Transfer& transfer : problem.transfers()) {
    all_.push_back({transfer, host_memory(transfer.bytes)});
    ctx.copy(all_.back().here.get(), transfer.there, transfer.bytes);
  }
  ctx.synchronize();
}

void EndToEnd::there() {
  for (const Copied& c : all_) {
    if (c.transfer.in) ctx_.copy(c.transfer.there, c.here.get(), c.transfer.bytes);
  }
}

void EndToEnd::back() {
  for (const Copied& c : all_) {
    if (c.transfer.out) ctx_.copy(c.here.get(), c.transfer.there, c.transfer.bytes);
  }
}

double EndToEnd::seconds(const std::function<void()>& call) {
  return seconds_of([&] {
    there();
    call();
    back();
    ctx_.synchronize();
  });
}

Phases EndToEnd::phases(const std::function<void()>& call) {
  const auto waited = [&](auto&& part) {
    return seconds_of([&] {
      part();
      ctx_.synchronize();
    });
  };
  Phases phases;
  phases.there = waited([&] { there(); });
  phases.call = waited(call);
  phases.back = waited([&] { back(); });
  return phases;
}

std::string crossing(std::span<const BothPlaces> sizes) {
  const auto slower = [](const BothPlaces& at) { return at.device >= at.host; };
  const auto first_faster = std::find_if(sizes.rbegin(), sizes.rend(), slower).base();
  const BothPlaces& last = sizes.back();
  const std::string where = first_faster == sizes.end() ? "the CPU is faster up to " + last.size
                            : first_faster == sizes.begin()
                                ? "the GPU is faster from " + sizes.front().size + " on"
                                : "the GPU overtakes the CPU at " + first_faster->size;
  return fmt::format("{}; GPU {:.2f} x as fast at {}", where, last.host / last.device, last.size);
}

}  // namespace tandem

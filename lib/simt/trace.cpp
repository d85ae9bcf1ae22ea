#include "lib/simt/trace.h"

namespace tandem::simt {
namespace {

/// Tells the two observers of a trace.
class Both : public Observer {
 public:
  Both(Traffic& traffic, Races& races) : traffic_(traffic), races_(races) {}
  void launch(const Launch& launch) override {
    traffic_.launch(launch);
    races_.launch(launch);
  }
  void block(std::uint64_t index, unsigned threads) override {
    traffic_.block(index, threads);
    races_.block(index, threads);
  }
  void block_again(std::uint64_t index) override {
    traffic_.block_again(index);
    races_.block_again(index);
  }
  void block_end() override {
    traffic_.block_end();
    races_.block_end();
  }
  bool access(const Access& access) override {
    races_.access(access);
    return traffic_.access(access);
  }
  void caught_up(unsigned warp) override { traffic_.caught_up(warp); }
  void block_barrier() override {
    traffic_.block_barrier();
    races_.block_barrier();
  }
  void warp_call(const WarpMeeting& meeting) override {
    traffic_.warp_call(meeting);
    races_.warp_call(meeting);
  }
  void unspecified(const Access& range) override { races_.unspecified(range); }
  void fence(unsigned thread, Scope scope) override {
    traffic_.fence(thread, scope);
    races_.fence(thread, scope);
  }
  void mbarrier_arrived(unsigned thread, const void* mbarrier) override {
    races_.mbarrier_arrived(thread, mbarrier);
  }
  void mbarrier_waited(unsigned thread, const void* mbarrier) override {
    races_.mbarrier_waited(thread, mbarrier);
  }
  void cluster_arrived(unsigned thread) override { races_.cluster_arrived(thread); }
  void cluster_waited(unsigned thread) override { races_.cluster_waited(thread); }

 private:
  Traffic& traffic_;
  Races& races_;
};

void watched(Observer& observer, const std::function<void()>& work) {
  struct Scope {
    explicit Scope(Observer& observer) { observe(&observer); }
    ~Scope() { observe(nullptr); }
  } scope(observer);
  work();
}

}  // namespace

Trace trace(const std::function<void()>& work) {
  Traffic traffic;
  Races races;
  Both both(traffic, races);
  watched(both, work);
  return {traffic.take(), races.take()};
}

LineTotals busiest_line(const LaunchTraffic& launch, Space space) {
  const LineTraffic* most = nullptr;
  for (const LineTraffic& line : launch.lines) {
    if (line.kind == Kind::store && line.space == space &&
        (!most || line.counts.requests > most->counts.requests))
      most = &line;
  }
  if (!most) return {};
  LineTotals totals{{}, most->counts};
  for (const LineTraffic& line : launch.lines) {
    if (line.line == most->line && line.space == space) totals.all.add(line.counts);
  }
  return totals;
}

ThreadAccesses thread_accesses(const LaunchTraffic& launch) {
  ThreadAccesses all;
  for (const LineTraffic& line : launch.lines) {
    if (line.space == Space::global) (line.kind == Kind::load ? all.reads : all.writes) += line.counts.lanes;
  }
  return all;
}

std::vector<Race> races(const std::function<void()>& work, std::uint64_t most_accesses) {
  Races races(most_accesses);
  watched(races, work);
  return races.take();
}

}  // namespace tandem::simt

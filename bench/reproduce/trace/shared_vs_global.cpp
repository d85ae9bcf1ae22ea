// The course's question: how much less does a reduction read and write when its tree lies in shared memory?
// One block sums 1,024 elements; counted by the executor, thread by thread.

#include "bench/reproduce/trace/counts.h"

namespace tandem::command {
namespace {

constexpr std::int64_t kElements = 1024;

/// Loads and stores of global memory by single threads, of the launch that sums.
Line line(const char* row, const char* implementation, int threads, double reads, double writes,
          const char* published, Reproduction& result) {
  const auto accesses = thread_accesses(traced(implementation, kElements, threads, result).back());
  const auto loads = static_cast<double>(accesses.reads), stores = static_cast<double>(accesses.writes);
  return {row,
          {count(loads, reads), count(stores, writes), count(loads + stores, reads + writes)},
          published,
          ""};
}

Reproduction shared_vs_global(Experiment&) {
  Reproduction result;
  result.method = "counted in a trace: a read or write is that of one thread";
  Section section{
      fmt::format("{} elements, one block", kElements), {{"reads", ""}, {"writes", ""}, {"both", ""}}, {}};
  section.lines.push_back(line("tree in global memory", "reduce/custom/global_convergent", kElements / 2,
                               2 * kElements - 1, kElements - 1,
                               "1024 + 512 + … + 1 reads, 512 + 256 + … + 1 writes", result));
  section.lines.back().note = "one write more here: the result, which goes to an array of its own";
  section.lines.push_back(line("tree in shared memory", "reduce/custom/reduce3_sequential", kElements,
                               kElements, 1, "1024 reads, 1 write", result));
  Claim traffic = claim("the tree in global memory moves about three times as much",
                        {quotient(section.lines[0].cells[2], section.lines[1].cells[2])});
  traffic.least = 2.5, traffic.most = 3.5;
  result.claims = {traffic};
  result.sections = {std::move(section)};
  return result;
}

const bool added = add_table({"shared-vs-global",
                              "Reads and writes of a sum with its tree in global or shared memory, counted",
                              "the course on scan and reduce", shared_vs_global});

}  // namespace
}  // namespace tandem::command

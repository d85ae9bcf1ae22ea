// What four scans cost: applications of the operator (work) and the longest chain of them (steps), counted for
// n = 16 … 4,096, and the growth that fits.

#include <algorithm>
#include <cmath>

#include "bench/reproduce/trace/counts.h"

namespace tandem::command {
namespace {

constexpr int kFirstLog = 4, kLastLog = 12;  // of n

struct Growth {
  const char* name;
  double (*of)(double n);
};
constexpr Growth kGrowths[] = {{"log n", [](double n) { return std::log2(n); }},
                               {"n", [](double n) { return n; }},
                               {"n log n", [](double n) { return n * std::log2(n); }},
                               {"n²", [](double n) { return n * n; }}};

/// A scan, and how the sources say that its cost grows.
struct Algorithm {
  const char* column;
  const char* implementation;
  int per_thread;  // elements of its tile; 0: it has none
  const char *work, *steps;
  const char* published;
};
constexpr Algorithm kAlgorithms[] = {
    {"serial", "scan/custom/serial", 0, "n", "n", "O(n) work, O(n) steps"},
    {"naive", "scan/custom/naive_tree", 0, "n²", "log n", "O(n²) work, O(log n) steps"},
    {"Hillis–Steele", "scan/custom/hillis_steele", 1, "n log n", "log n", "O(n log n) work, log n steps"},
    {"Blelloch", "scan/custom/blelloch", 2, "n", "log n", "O(n) work, 2 log n steps"}};

/// Counts at n = 2^kFirstLog … 2^kLastLog.
using Counts = std::vector<double>;

/// How far count ÷ growth is from constant: its standard deviation in powers of 2. `factor`: its mean.
double misfit(const Counts& counts, const Growth& growth, double& factor) {
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double quotient = std::log2(counts[i] / growth.of(std::exp2(kFirstLog + static_cast<int>(i))));
    sum += quotient, squares += quotient * quotient;
  }
  const double mean = sum / static_cast<double>(counts.size());
  factor = std::exp2(mean);
  return std::sqrt(std::max(0.0, squares / static_cast<double>(counts.size()) - mean * mean));
}

/// The growth that fits best, as "1.99 n". `claim` gets how many times better the source's fits than the best of
/// the others.
std::string fitted(const Counts& counts, const char* source, Claim& claim) {
  constexpr double kExact = 1e-3;  // a fit that is better still says no more
  std::string text;
  double best = 0, of_source = 0, of_others = 0;
  for (const Growth& growth : kGrowths) {
    double factor;
    const double off = std::max(kExact, misfit(counts, growth, factor));
    if (text.empty() || off < best) best = off, text = fmt::format("{:.3g} {}", factor, growth.name);
    if (std::string(growth.name) == source)
      of_source = off;
    else if (of_others == 0 || off < of_others)
      of_others = off;
  }
  claim.here.push_back(of_others / of_source);
  return text;
}

Reproduction complexity(Experiment&) {
  Reproduction result;
  result.method =
      "counted, initial values and identities included, tiles as large as blocks allow; the growth of log n, "
      "n, n log n, n² whose quotient with the counts varies least; the numbers behind a claim say how many "
      "times less than with the next best";
  Section work{"work", {}, {}}, steps{"steps", {}, {}},
      fits{"growth", {{"work at 4096", ""}, {"steps at 4096", ""}}, {}};
  for (int log = kFirstLog; log <= kLastLog; ++log) {
    for (Section* section : {&work, &steps})
      section->lines.push_back({fmt::format("n = {}", 1 << log), {}, "", ""});
  }
  for (const Algorithm& a : kAlgorithms) {
    Counts worked, stepped;
    for (int log = kFirstLog; log <= kLastLog; ++log) {
      const std::int64_t n = std::int64_t{1} << log;
      const int block =
          a.per_thread == 0 ? 0 : static_cast<int>(std::min<std::int64_t>(n / a.per_thread, 1024));
      const Complexity cost = counted(a.implementation, n, block);
      worked.push_back(static_cast<double>(cost.work));
      stepped.push_back(static_cast<double>(cost.steps));
      work.lines[worked.size() - 1].cells.push_back(count(worked.back()));
      steps.lines[stepped.size() - 1].cells.push_back(count(stepped.back()));
    }
    for (Section* section : {&work, &steps}) section->columns.push_back({a.column, ""});
    Claim claim{fmt::format("{}: {}", a.column, a.published)};
    const std::string of_work = fitted(worked, a.work, claim), of_steps = fitted(stepped, a.steps, claim);
    fits.lines.push_back({a.column,
                          {count(worked.back()), count(stepped.back())},
                          a.published,
                          fmt::format("fits {} work, {} steps", of_work, of_steps)});
    result.claims.push_back(std::move(claim));
  }
  result.sections = {std::move(work), std::move(steps), std::move(fits)};
  return result;
}

const bool added = add_table({"complexity", "Work and steps of four scans, counted, and how they grow",
                              "the course on scan and reduce, and the prefix-sum lab", complexity});

}  // namespace
}  // namespace tandem::command

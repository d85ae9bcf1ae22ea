#include "lib/core/operation.h"
#include <fmt/format.h>
#include "lib/tandem.h"
int main(){ using namespace tandem;
 for (auto& i : implementations()) fmt::print("{} {} {}\n", i.name, i.note, i.unavailable());
 Context ctx = Context::host();
 for (auto& op : operations()) for (auto& i : implementations()) { if (i.operation!=op->name || !i.unavailable().empty()) continue;
   int cases=0, wrong=0; double worst=0;
   for (size_t c=0;c<op->cases.size();++c) for (auto& t : op->tests(op->cases[c], Extent::quick, 1)) {
     auto p = op->make(ctx, int(c), t); auto v = check(i, int(c), *p, ctx, t.n); ++cases; if(!v.correct){ if(!wrong++) fmt::print("{} {} {}: {}\n", i.name, op->cases[c].str(), t.str(), v.text);} worst=std::max(worst,v.worst);}
   fmt::print("{}: {} cases {} wrong, worst {}\n", i.name, cases, wrong, worst);
 }
 std::vector<float> x{1,2,3}; fmt::print("{}\n", reduce(ctx, x));
}

// 9. Over ranks: processes that compute together, each on its part of a whole. mpirun -n 4 build/basics/ranks

#include <tandem/ranks.h>
#include <tandem/tandem.h>

#include <iostream>
#include <numeric>
#include <vector>

int main() {
  tandem::Context ctx = tandem::Context::host();
  try {
    tandem::Communicator all = tandem::Communicator::mpi(ctx);

    // The whole is 1, 2, …, 1000; this rank has the numbers from `begin` on.
    const int begin = 1000 * all.rank() / all.size(), end = 1000 * (all.rank() + 1) / all.size();
    std::vector<double> x(end - begin), running(x.size());
    std::iota(x.begin(), x.end(), begin + 1);

    const double sum =
        tandem::reduce(all, x, {.bits = tandem::portable});  // the same bits on any number of ranks
    tandem::inclusive_scan(all, x, running);                 // goes on where the rank before ends
    const double last = tandem::reduce(all, running, tandem::maximum);

    const std::vector<int> mine{1, all.rank(), all.rank() * all.rank()};  // of every rank as many
    std::vector<int> sums(mine.size());
    tandem::all_reduce(all, mine, sums);  // element by element

    if (all.rank() == 0) {
      std::cout << "ranks: " << all.size() << "\nsum " << sum << ", last running sum " << last
                << "\nsums of 1, r, r²:";
      for (const int value : sums) std::cout << ' ' << value;
      std::cout << '\n';
    }
  } catch (const tandem::Unavailable& error) {
    std::cout << "skipped: " << error.what() << '\n';
    return 77;
  }
}

// A program over ranks, of which one comes to grief: faulty KIND MOMENT RANK FILE. FILE is made at that moment.

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>

#include "tandem/ranks.h"

namespace {

struct Fault {
  std::string kind, moment;
  int rank;
  const char* file;

  bool comes(const std::string& now, int here) const { return moment == now && rank == here; }
  void come() const {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // the others are in their next call by then
    close(open(file, O_CREAT | O_WRONLY, 0600));
    if (kind == "kill") raise(SIGKILL);
    if (kind == "stop") raise(SIGSTOP);
    if (kind == "segv") raise(SIGSEGV);
    if (kind == "throw") throw std::runtime_error("thrown on purpose");
    if (kind == "exit") std::exit(1);
    if (kind == "exit_at_once") _exit(0);
    if (kind == "busy") std::this_thread::sleep_for(std::chrono::seconds(7));
  }
};

struct Add {
  const Fault* fault;  // null: none
  double operator()(double a, double b) const {
    if (fault) fault->come();
    return a + b;
  }
};

/// In the second pass of a scan of two elements, when nobody waits for this rank any more.
struct AddLate {
  const Fault* fault;
  double operator()(double a, double b) const {
    static int calls = 0;
    if (++calls == 3 && fault) fault->come();
    return a + b;
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const Fault fault{argv[1], argv[2], std::atoi(argv[3]), argv[4]};
  // Before there is a communicator only mpirun knows the rank.
  const char* number = std::getenv("OMPI_COMM_WORLD_RANK");
  if (number && fault.comes("start", std::atoi(number))) fault.come();
  tandem::Context ctx = tandem::Context::host();
  {
    tandem::Communicator all = tandem::Communicator::mpi(ctx);
    const std::vector<double> x(2, 1.0);
    std::vector<double> y(x.size()), many(300'000), sums(many.size());
    tandem::reduce(all, x);
    tandem::all_reduce(all, many, sums);
    all.barrier();
    // Whether this rank is to leave before this call.
    const auto leaves_before = [&](const char* call) {
      if (!fault.comes(call, all.rank())) return false;
      fault.come();
      return fault.kind == "leave";
    };
    if (leaves_before("between")) return 0;
    tandem::inclusive_scan(all, x, y);
    tandem::reduce(all, x, Add{fault.comes("inside", all.rank()) ? &fault : nullptr});
    tandem::inclusive_scan(all, x, y, AddLate{fault.comes("late", all.rank()) ? &fault : nullptr});
    const std::int64_t ranks = all.size();
    std::vector<double> a(static_cast<std::size_t>(ranks)), b(a.size());
    if (leaves_before("transpose")) return 0;
    tandem::transpose(all, tandem::matrix(a, 1, ranks), tandem::matrix(b, 1, ranks));
    if (leaves_before("gemm")) return 0;
    tandem::gemm(all, 1.0, tandem::matrix(a, 1, ranks), tandem::matrix(a, 1, ranks), 0.0,
                 tandem::matrix(b, 1, ranks));
    if (leaves_before("tridiagonal")) return 0;
    const std::vector<double> beside(2, -1.0), diag(2, 4.0);
    tandem::tridiagonal(all, beside, diag, beside, x, y, tandem::contiguous(2, 1));
    if (leaves_before("intersect")) return 0;
    const tandem::Index index(
        std::vector<std::vector<std::uint32_t>>{{static_cast<std::uint32_t>(all.rank())}});
    tandem::Queries queries;
    queries.add({0});
    tandem::intersect(all, index, queries);
    if (leaves_before("halos")) return 0;
    tandem::halos(all, 10, tandem::Ends::periodic, many, sums);
    if (fault.comes("last", all.rank())) fault.come();
  }
  if (number && fault.comes("end", std::atoi(number))) fault.come();
  return 0;
}

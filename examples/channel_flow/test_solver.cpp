// The solver: known solutions at small sizes, its kernels on the executor, flows that it refuses.

#include <cstdlib>
#include <limits>

#include "test_support.h"
#include "verify.h"
#ifdef CHANNEL_FLOW_EXECUTOR
#include "lib/simt/races.h"
#endif

namespace channel {

using tandem::InvalidArgument;

#ifdef CHANNEL_FLOW_EXECUTOR
template <class T>
TANDEM_API std::unique_ptr<Loops<T>> make_executor_loops(tandem::Context& ctx);
#endif

TEST_SUITE_BEGIN("channel_flow");

TEST_CASE("known solutions are met, with the order that is expected") {
  tandem::Context ctx = tandem::Context::host();
  for (const Check& check : checks(false)) {
    for (const Result& result : check.run(ctx)) {
      CAPTURE(result.name);
      CAPTURE(result.errors.back());
      CHECK(result.passed());
    }
  }
}

TEST_CASE("a result that is wrong does not pass") {
  Result order{"", {8, 16, 32}, {1, 0.5, 0.25}, 0, 1.9, 2.1};
  CHECK(!order.passed());
  order.errors = {1, 0.25, std::nan("")};
  CHECK(!order.passed());
  Result limit{"", {8}, {2e-9}, 1e-9};
  CHECK(!limit.passed());
  limit.errors = {std::nan("")};
  CHECK(!limit.passed());
}

TEST_CASE("between walls no mass is lost") {
  tandem::Context ctx = tandem::Context::host();
  Flow flow = duct(9, 8, 7);
  flow.faces[0] = {Face::wall, Face::symmetry};
  flow.tolerance = 1e-13;
  Solver<double> solver(ctx, flow, {}, [](double x, double y, double z, double t) {
    Values values = lively(x, y, z, t);
    for (int axis = 0; axis < 3; ++axis) values[static_cast<std::size_t>(kU + axis)] *= x * (1 - x);
    return values;
  });
  const auto mass = [&] {
    const Fields<double> q = solver.fields();
    double sum = 0;
    for (std::int64_t i = 0, c = 0; i < 9; ++i) {
      for (std::int64_t j = 0; j < 8; ++j) {
        for (std::int64_t k = 0; k < 7; ++k, ++c) {
          const double share = (i % 8 ? 1 : 0.5) * (j % 7 ? 1 : 0.5) * (k % 6 ? 1 : 0.5);
          sum += share * q[kRho][static_cast<std::size_t>(c)];
        }
      }
    }
    return sum;
  };
  const double before = mass();
  for (int i = 0; i < 20; ++i) solver.step();
  CHECK(mass() == doctest::Approx(before).epsilon(1e-13));
}

/// Counts allocations.
class Counter : public tandem::Allocator {
 public:
  int taken = 0;
  void* allocate(std::size_t bytes) override {
    ++taken;
    return std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  }
  void release(void* memory, std::size_t) noexcept override { std::free(memory); }
};

TEST_CASE("after the first step nothing is allocated") {
  for (const auto& [name, z] :
       {std::pair<const char*, const char*>{"", "naive"}, {"", "transposed"}, {"fused", "naive"}}) {
    Counter counter;
    tandem::Context ctx = tandem::Context::host(&counter);
    Solver<float> solver(ctx, duct(12, 10, 8), parse_sweeps(name, z), lively);
    solver.step();
    const int first = counter.taken;
    for (int i = 0; i < 3; ++i) solver.step();
    CHECK(counter.taken == first);
  }
}

#ifdef CHANNEL_FLOW_EXECUTOR
TEST_CASE_TEMPLATE("the kernels compute what the loops of the CPU compute", T, float, double) {
  tandem::Context ctx = tandem::Context::host();
  struct Grid {
    std::int64_t nx, ny, nz;
    int local;
  };
  const char* schedules[] = {"forward", "reverse", "random:7"};
  int turn = 0;
  for (const auto& [nx, ny, nz, local] : {Grid{6, 5, 40, 1}, {3, 7, 9, 2}, {5, 4, 33, 1}}) {
    for (const auto& [name, splitting] : {std::pair{"fused", Splitting::factored},
                                          {"custom/serial", Splitting::factored},
                                          {"custom/serial", Splitting::lecture}}) {
      Flow flow = duct(nx, ny, nz);
      flow.faces[2] = {Face::wall, Face::symmetry};
      flow.local_iterations = local;
      Sweeps sweeps = parse_sweeps(name, "naive");
      sweeps.splitting = splitting;
      Solver<T> kernels(ctx, flow, sweeps, lively, make_executor_loops<T>(ctx));
      Solver<T> loops(ctx, flow, sweeps, lively);
      tandem::simt::set_schedule(tandem::simt::parse_schedule(schedules[turn++ % 3]));
      tandem::simt::Races races;
      tandem::simt::observe(&races);
      const int iterations = kernels.step().iterations;
      tandem::simt::observe(nullptr);
      CHECK(iterations == loops.step().iterations);
      for (const auto& race : races.take()) FAIL_CHECK(race.str());
      const Fields<T> a = kernels.fields(), b = loops.fields();
      double worst = 0;
      for (std::size_t q = 0; q < kUnknowns; ++q) {
        for (std::size_t c = 0; c < a[q].size(); ++c) {
          const double d = std::fabs(static_cast<double>(a[q][c]) - static_cast<double>(b[q][c]));
          if (!(d <= worst)) worst = d;
        }
      }
      CHECK(worst <= 64 * static_cast<double>(std::numeric_limits<T>::epsilon()));
    }
  }
}
#endif

TEST_CASE("a flow that the scheme cannot take is refused by name") {
  tandem::Context ctx = tandem::Context::host();
  const auto says = [&](auto&& change, const char* what) {
    Flow flow;
    change(flow);
    const std::string text = thrown<InvalidArgument>([&] { Solver<float>(ctx, flow, {}, lively); });
    CHECK_MESSAGE(contains(text, what), text);
  };
  const double nan = std::nan(""), infinite = std::numeric_limits<double>::infinity();
  says([](Flow& f) { f.n[1] = 2; }, "the grid has 2 nodes along y; the scheme takes 3");
  says([](Flow& f) { f.n[2] = -1; }, "-1 nodes along z");
  says([](Flow& f) { f.n[0] = std::int64_t{1} << 40; }, "nodes along x");
  for (const double bad : {0.0, -1.0, nan, infinite}) {
    says([&](Flow& f) { f.dt = bad; }, "dt is ");
    says([&](Flow& f) { f.re = bad; }, "Re is ");
    says([&](Flow& f) { f.pr = bad; }, "Pr is ");
    says([&](Flow& f) { f.mach = bad; }, "Mach is ");
    says([&](Flow& f) { f.length[0] = bad; }, "the length along x is ");
    says([&](Flow& f) { f.tolerance = bad; }, "the tolerance is ");
  }
  says([](Flow& f) { f.gamma = 1; }, "gamma is 1; it must be above 1");
  says([](Flow& f) { f.theta = 0.4; }, "theta is 0.4");
  says([&](Flow& f) { f.force = nan; }, "the force is ");
  says([](Flow& f) { f.most_iterations = 1; }, "global iterations is 1");
  says([](Flow& f) { f.local_iterations = 0; }, "local iterations is 0");
  says([](Flow& f) { f.faces[1][1] = Face::outflow; }, "only at the upper x face");
  CHECK(contains(thrown<InvalidArgument>([] { parse_sweeps("a,b", "naive"); }),
                 "'a,b'; it takes one name, or three"));
  CHECK(contains(thrown<InvalidArgument>([] { parse_sweeps("", "turned"); }), "--z is 'turned'"));
  CHECK(contains(thrown<InvalidArgument>([] { parse_splitting("thirds"); }), "--splitting is 'thirds'"));
  CHECK(contains(thrown<InvalidArgument>([] { parse_sweeps("fused", "transposed"); }),
                 "fused transposes nothing"));
}

TEST_CASE("a step that does not converge, or blows up, says so") {
  tandem::Context ctx = tandem::Context::host();
  Flow flow = duct(8, 8, 8);
  flow.most_iterations = 2;
  flow.tolerance = 1e-12;
  Solver<double> slow(ctx, flow, {}, lively);
  CHECK(contains(thrown<tandem::Error>([&] { slow.step(); }), "after 2 iterations"));
  flow = duct(8, 8, 8);
  Solver<double> broken(ctx, flow, {}, [](double, double, double, double) { return Values{0, 1, 0, 0, 1}; });
  CHECK(contains(thrown<tandem::Error>([&] { broken.step(); }), "not finite"));
}

TEST_SUITE_END();
TEST_SUITE_BEGIN("device");

TEST_CASE("on the GPU: known solutions, and the same fields by every way" *
          doctest::skip(!tandem::why_no_device().empty())) {
  tandem::Context ctx = tandem::Context::device();
  for (const Check& check : checks(false)) {
    for (const Result& result : check.run(ctx)) {
      CAPTURE(result.name);
      CAPTURE(result.errors.back());
      CHECK(result.passed());
    }
  }
}

TEST_SUITE_END();

}  // namespace channel

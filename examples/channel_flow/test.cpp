// The channel-flow solver: known solutions at small sizes, its kernels on the executor, files, interruptions, bad input.

#include <fcntl.h>
#include <sys/wait.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <thread>

#include "checkpoint.h"
#include "tests/support.h"
#include "verify.h"
#include "vti.h"
#ifdef CHANNEL_FLOW_EXECUTOR
#include "lib/simt/races.h"
#endif

namespace channel {
namespace {

using tandem::contains;
using tandem::InvalidArgument;
using tandem::TemporaryDirectory;
using tandem::thrown;

#ifdef CHANNEL_FLOW_EXECUTOR
}  // namespace
template <class T>
TANDEM_API std::unique_ptr<Loops<T>> make_executor_loops(tandem::Context& ctx);
namespace {
#endif

Flow duct(std::int64_t nx, std::int64_t ny, std::int64_t nz) {
  Flow flow;
  flow.n = {nx, ny, nz};
  flow.length = {1, 1, 1};
  flow.re = 50;
  flow.mach = 0.5;
  flow.dt = flow.suggested_dt();
  flow.tolerance = 1e-5;
  return flow;
}
Values lively(double x, double y, double z, double) {
  const double bump = 16 * y * (1 - y) * z * (1 - z);
  return {1 + 0.05 * bump * std::cos(3 * x), bump, 0.1 * bump * x, -0.1 * bump,
          1 + 0.1 * bump * std::sin(3 * x)};
}

std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void spill(const std::string& path, std::string_view content) {
  std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
}

/// The command with these arguments in a process of its own; its output goes to `output`.
class Process {
 public:
  Process(const std::vector<std::string>& arguments, const std::string& output) {
    std::vector<std::string> words{CHANNEL_FLOW_COMMAND};
    words.insert(words.end(), arguments.begin(), arguments.end());
    id_ = fork();
    if (id_ == 0) {
      std::vector<char*> argv;
      for (std::string& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
      if (file < 0 || dup2(file, 1) < 0 || dup2(file, 2) < 0) _exit(99);
      execv(argv[0], argv.data());
      _exit(98);
    }
  }
  void kill(int signal) { ::kill(id_, signal); }
  /// The exit status; 1000 + signal where one ended it.
  int wait() {
    int status = 0;
    waitpid(id_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }

 private:
  pid_t id_;
};

int command(const std::vector<std::string>& arguments, const std::string& output) {
  return Process(arguments, output).wait();
}

}  // namespace

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

TEST_CASE("after the first step nothing is allocated") {
  for (const auto& [name, z] :
       {std::pair<const char*, const char*>{"", "naive"}, {"", "transposed"}, {"fused", "naive"}}) {
    int taken = 0;
    tandem::Context ctx = tandem::Context::host({[&](std::size_t bytes) {
                                                   ++taken;
                                                   return std::aligned_alloc(256, (bytes + 255) / 256 * 256);
                                                 },
                                                 [](void* memory, std::size_t) { std::free(memory); }});
    Solver<float> solver(ctx, duct(12, 10, 8), parse_sweeps(name, z), lively);
    solver.step();
    const int first = taken;
    for (int i = 0; i < 3; ++i) solver.step();
    CHECK(taken == first);
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
    for (const char* name : {"fused", "custom/serial"}) {
      Flow flow = duct(nx, ny, nz);
      flow.faces[2] = {Face::wall, Face::symmetry};
      flow.local_iterations = local;
      Solver<T> kernels(ctx, flow, parse_sweeps(name, "naive"), lively, make_executor_loops<T>(ctx));
      Solver<T> loops(ctx, flow, parse_sweeps(name, "naive"), lively);
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
  CHECK(contains(thrown<InvalidArgument>([] { parse_sweeps("a,b", "naive"); }), "2 names"));
  CHECK(contains(thrown<InvalidArgument>([] { parse_sweeps("", "turned"); }), "--z is 'turned'"));
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

TEST_CASE_TEMPLATE("checkpoints: what is written is read again, and nothing else", T, float, double) {
  const TemporaryDirectory directory;
  const std::string path = directory / "flow.cfc";
  const Flow flow = duct(5, 4, 3);
  const Fields<T> fields = sample<T>(flow, lively, 0);
  write_checkpoint(path, flow, fields, 17);
  CHECK(directory.count() == 1);
  Fields<T> read;
  CHECK(read_checkpoint<T>(path, flow, read) == 17);
  CHECK(read == fields);

  const std::string content = slurp(path);
  const auto refused = [&](std::string_view bytes, const Flow& wanted, const char* what) {
    spill(path, bytes);
    Fields<T> untouched = fields;
    const std::string text = thrown<tandem::BadFile>([&] { read_checkpoint<T>(path, wanted, untouched); });
    CHECK_MESSAGE(contains(text, what), text);
    CHECK(contains(text, path));
    CHECK(untouched == fields);
    CHECK(slurp(path) == bytes);
  };
  for (std::size_t part = 0; part < 64; ++part)
    refused(content.substr(0, content.size() * part / 64), flow, "");
  refused(content.substr(0, content.size() - 1), flow, "bytes; a checkpoint of this grid has");
  refused(content + "x", flow, "bytes; a checkpoint of this grid has");
  const std::size_t header = content.size() - kUnknowns * fields[0].size() * sizeof(T);
  for (std::size_t bit = 0; bit < 8 * header; ++bit) {
    std::string flipped = content;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
    refused(flipped, flow, bit < 64 ? "is no checkpoint" : "damaged header");
  }
  for (std::size_t at = header; at < content.size(); at += 7) {
    std::string flipped = content;
    flipped[at] = static_cast<char>(flipped[at] ^ 4);
    refused(flipped, flow, "damaged data");
  }
  refused(content, duct(5, 3, 4), "nodes along y is 4 in it and 3 in this run");
  Flow other = flow;
  other.re = 51;
  refused(content, other, "Re is 50 in it and 51 in this run");
  other = flow;
  other.faces[2][1] = Face::symmetry;
  refused(content, other, "upper z face");
  using Other = std::conditional_t<sizeof(T) == 4, double, float>;
  Fields<Other> others;
  CHECK(contains(thrown<tandem::BadFile>([&] { read_checkpoint<Other>(path, flow, others); }),
                 "and this run computes in"));
}

TEST_CASE("VTK image data: offsets, sizes and order are those of its header") {
  const TemporaryDirectory directory;
  const std::string path = directory / "flow.vti";
  const Flow flow = duct(5, 4, 3);
  const Fields<double> fields = sample<double>(flow, lively, 0);
  write_vti(path, flow, fields, 0.5);
  const std::string content = slurp(path);
  CHECK(contains(content, "WholeExtent=\"0 4 0 3 0 2\""));
  CHECK(contains(content, "Spacing=\"0.25 0.3333333333333333 0.5\""));
  const std::string mark = "<AppendedData encoding=\"raw\">\n_";
  const std::size_t data = content.find(mark) + mark.size();
  const auto array = [&](const char* name, std::size_t components) {
    const std::size_t line = content.find("Name=\"" + std::string(name) + "\"");
    const std::size_t offset = std::stoul(content.substr(content.find("offset=\"", line) + 8));
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, content.data() + data + offset, sizeof bytes);
    CHECK(bytes == components * 60 * sizeof(double));
    std::vector<double> values(bytes / sizeof(double));
    std::memcpy(values.data(), content.data() + data + offset + sizeof bytes, bytes);
    return values;
  };
  const auto rho = array("density", 1), temperature = array("temperature", 1),
             pressure = array("pressure", 1), velocity = array("velocity", 3);
  for (std::size_t k = 0, to = 0; k < 3; ++k) {
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t i = 0; i < 5; ++i, ++to) {
        const std::size_t c = (i * 4 + j) * 3 + k;
        CHECK(rho[to] == fields[kRho][c]);
        CHECK(temperature[to] == fields[kT][c]);
        CHECK(pressure[to] == doctest::Approx(flow.gas() * fields[kRho][c] * fields[kT][c]));
        for (std::size_t a = 0; a < 3; ++a) CHECK(velocity[3 * to + a] == fields[kU + a][c]);
      }
    }
  }
  CHECK(content.substr(data + 8 * 4 + 6 * 60 * sizeof(double)) == "\n</AppendedData>\n</VTKFile>\n");
  CHECK(directory.count() == 1);
  thrown<tandem::BadFile>([&] { write_vti(directory / "missing/flow.vti", flow, fields, 0); });
}

TEST_CASE("a run that is killed at any moment goes on and gives the same fields, bit for bit") {
  const TemporaryDirectory directory;
  const std::string log = directory / "log", checkpoint = directory / "flow.cfc";
  const std::vector<std::string> flow{"run", "--nodes", "24x12x10", "--steps", "300", "--on", "cpu"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), flow.begin(), flow.end());
    return more;
  };
  REQUIRE(command(with({"--vti", directory / "whole.vti"}), log) == 0);
  const std::vector<std::string> saving{
      "--checkpoint", checkpoint, "--checkpoint-every", "1", "--vti", directory / "parts.vti"};
  std::vector<std::string> arguments = with(saving);
  int kills = 0, status = -1;
  for (int round = 0; round < 200 && status != 0; ++round) {
    Process process(arguments, log);
    std::this_thread::sleep_for(std::chrono::milliseconds(40 + 13 * round));
    process.kill(SIGKILL);
    status = process.wait();
    kills += status == 1000 + SIGKILL;
    if (std::ifstream(checkpoint) && arguments.size() == flow.size() + saving.size()) {
      arguments.push_back("--resume");
      arguments.push_back(checkpoint);
    }
    if (status != 0) REQUIRE_MESSAGE(status == 1000 + SIGKILL, slurp(log));
  }
  CHECK(kills > 0);
  CHECK(status == 0);
  CHECK(slurp(directory / "parts.vti") == slurp(directory / "whole.vti"));
}

TEST_CASE("Ctrl-C leaves a checkpoint, and a bad call leaves everything as it was") {
  const TemporaryDirectory directory;
  const std::string log = directory / "log", checkpoint = directory / "flow.cfc";
  Process process(
      {"run", "--nodes", "24x12x10", "--steps", "1000000", "--on", "cpu", "--checkpoint", checkpoint}, log);
  while (!contains(slurp(log), " 3 ")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  process.kill(SIGINT);
  CHECK(process.wait() == 130);
  CHECK(contains(slurp(log), "go on with --resume"));
  const std::string saved = slurp(checkpoint);
  CHECK(!saved.empty());

  CHECK(command(
            {"run", "--nodes", "24x12x11", "--on", "cpu", "--checkpoint", checkpoint, "--resume", checkpoint},
            log) == 2);
  CHECK(contains(slurp(log), "nodes along z is 10 in it and 11 in this run"));
  CHECK(command({"run", "--nodes", "24x12x10", "--on", "cpu", "--re", "0", "--checkpoint", checkpoint},
                log) == 2);
  CHECK(contains(slurp(log), "Re is 0; it must be positive"));
  CHECK(command({"run", "--on", "cpu", "--steps", "1", "--checkpoint", checkpoint}, log) == 2);
  CHECK(contains(slurp(log), "is already there"));
  CHECK(slurp(checkpoint) == saved);
  CHECK(command({"run", "--vti", directory / "no/where.vti"}, log) == 2);
  CHECK(command({"run", "--nodes", "8x8"}, log) == 2);
  CHECK(command({"run", "--solver", "nothing", "--steps", "1"}, log) == 2);
  CHECK(command({"bench", "nothing"}, log) == 2);
  CHECK(command({"--help"}, log) == 0);
  CHECK(contains(slurp(log), "Example: channel_flow run"));
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

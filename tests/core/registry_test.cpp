// The registry: every file of the tree is in it, under the name that its path gives, and nothing else is.

#include "lib/core/choice.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "lib/core/names.h"
#include "lib/core/rank_registry.h"
#include "lib/core/type_table.h"
#include "lib/harness/operation.h"
#include "tandem/tandem.h"
#include "tests/support.h"

namespace tandem {
namespace {

namespace fs = std::filesystem;

struct Expected {
  std::set<std::string> names;       // one per file
  std::set<std::string> simt_names;  // one more per kernel that the executor can run
};

bool runs_on_executor(const fs::path& file) {
  std::ifstream in(file);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  return std::ranges::none_of(std::array{"tensor_copies.cuh", "wgmma.cuh"}, [&](const char* header) {
    return text.find(std::string("\"tandem/device/") + header) != text.npos;
  });
}

Expected from_tree() {
  Expected expected;
  for (const char* kind : {"custom_kernels", "vendor_wrappers"}) {
    for (const auto& folder : fs::directory_iterator(fs::path(TANDEM_SOURCE_DIR) / kind)) {
      if (!folder.is_directory()) continue;
      for (const auto& file : fs::directory_iterator(folder)) {
        std::smatch part;
        const std::string leaf = file.path().filename().string();
        if (!std::regex_match(leaf, part, std::regex(R"((?:\d+_)?(\w+)(\.sm\d+)?\.(cpp|cu))"))) continue;
        const std::string path = std::string(kind) == "custom_kernels" ? "custom" : "vendor";
        const std::string name = folder.path().filename().string() + "/" + path + "/" + part[1].str();
        CHECK_MESSAGE(expected.names.insert(name).second, "two files give the name ", name);
        if (path == "custom" && part[3] == "cu" && runs_on_executor(file.path()))
          expected.simt_names.insert(name + "@simt");
      }
    }
  }
  return expected;
}

// A context that was made while TANDEM_USE had this value.
Context forced(const char* value) {
  setenv("TANDEM_USE", value, 1);
  Context ctx = Context::host();
  unsetenv("TANDEM_USE");
  return ctx;
}
// A site of its own for each call, so that nothing is remembered.
CallSite site(const std::string& operation, CaseId id, const std::string& variant = "") {
  return {operation, id, variant, reserve_slots(1)};
}

const std::vector<float> kOnes(1000, 1);

}  // namespace

TEST_SUITE_BEGIN("registry");

TEST_CASE("as many entries as files, named by their paths") {
  const Expected expected = from_tree();
  std::set<std::string> names, simt_names;
  for (const Implementation& i : implementations()) {
    if (i.path == "wrong") continue;  // planted, in this program alone
    CHECK_MESSAGE((i.place == Place::simt ? simt_names : names).insert(i.name).second, i.name,
                  " is there twice");
    CHECK(fs::exists(fs::path(TANDEM_SOURCE_DIR) / i.file));
    CHECK(i.name.starts_with(i.operation + "/" + i.path + "/"));
    CHECK_MESSAGE((!i.note.empty() || !i.left_out.empty()), i.name, " has no note");
    CHECK((i.place == Place::host) == i.file.ends_with(".cpp"));
    if (i.left_out.empty()) {
      CHECK(i.launchers.size() == operation(i.operation).cases.size());
      CHECK(i.depth(1) >= 0);
      CHECK(i.depth(1 << 20) >= i.depth(10));
    }
  }
  for (const Implementation& i : rank_implementations())  // over ranks, which no context chooses from
    CHECK_MESSAGE((i.place == Place::simt ? simt_names : names).insert(i.name).second, i.name,
                  " is there twice");
  CHECK(names == expected.names);
#if !defined(TANDEM_HAS_SIMT)
  CHECK(simt_names.empty());
#elif !defined(TANDEM_HAS_ONLY_SOME)
  CHECK(simt_names == expected.simt_names);
#else
  CHECK(std::includes(expected.simt_names.begin(), expected.simt_names.end(), simt_names.begin(),
                      simt_names.end()));
#endif
  CHECK(names.size() >= 5);
  MESSAGE(names.size(), " files, ", simt_names.size(), " of them on the executor");
}

TEST_CASE("names come from paths") {
  const Implementation blelloch = detail::from_file("/a/b/custom_kernels/scan/05_blelloch.cu", Place::simt);
  CHECK(blelloch.name == "scan/custom/blelloch@simt");
  CHECK(blelloch.operation == "scan");
  CHECK(blelloch.path == "custom");
  CHECK(blelloch.step == 5);
  CHECK(blelloch.file == "custom_kernels/scan/05_blelloch.cu");
  CHECK(detail::from_file("vendor_wrappers/gemm/cublas.cu", Place::device).name == "gemm/vendor/cublas");
  CHECK(detail::from_file("/x/custom_kernels/gemm/12_wgmma.sm90.cu", Place::device).name ==
        "gemm/custom/wgmma");
  CHECK(detail::from_file("/x/tests/wrong/reduce/01_idle.cu", Place::simt).name == "reduce/wrong/idle@simt");
}

TEST_CASE("rows are ordered as ladders") {
  const auto& all = implementations();
  for (std::size_t i = 1; i < all.size(); ++i) {
    const bool same = all[i - 1].operation == all[i].operation && all[i - 1].path == all[i].path;
    CHECK(all[i - 1].operation <= all[i].operation);
    if (same) CHECK(all[i - 1].step <= all[i].step);
  }
}

TEST_CASE("patterns find rows") {
  CHECK(matching("").size() == implementations().size());
  CHECK(matching("reduce/custom/serial").size() == 1);
  for (const Implementation* i : matching("reduce/custom"))
    CHECK(i->operation == "reduce");  // not segmented_reduce
  for (const Implementation* i : matching("transpose"))
    CHECK(i->operation == "transpose");  // not thomas_transposed
  CHECK(matching("no such thing").empty());
}

TEST_CASE("full and partial names") {
  Context ctx = Context::host();
  for (const char* use : {"reduce/custom/serial", "custom/serial", "serial"}) {
    CHECK(reduce(ctx, kOnes, plus, {.use = use}) == 1000);
    CHECK(ctx.last().implementation == "reduce/custom/serial");
  }
  for (const char* use : {"seria", "erial", "reduce/custom", "/serial", "custom/", "scan/custom/serial",
                          " serial", "Serial", "serial ", "reduce"}) {
    const std::string message = thrown<InvalidArgument>([&] { reduce(ctx, kOnes, plus, {.use = use}); });
    CHECK(contains(message, std::string("reduce: unknown implementation '") + use + "'; known: "));
    CHECK(contains(message, "custom/serial"));
    CHECK(contains(message, "vendor/cub"));
  }
}

TEST_CASE("TANDEM_USE forces a choice for contexts made while it is set, .use wins over it") {
  std::vector<float> out(kOnes.size());
  {
    Context ctx = forced("reduce/custom/serial");
    reduce(ctx, kOnes);
    CHECK(ctx.last().implementation == "reduce/custom/serial");
    CHECK(ctx.last().why == "forced by TANDEM_USE");
    inclusive_scan(ctx, kOnes, out);  // not meant by it
    CHECK(ctx.last().implementation.starts_with("scan/"));
    CHECK(ctx.last().why != "forced by TANDEM_USE");
    inclusive_scan(ctx, kOnes, out, plus, {.use = "custom/serial"});
    CHECK(ctx.last().why == "asked for with .use");
  }
  {
    Context ctx = forced("serial");
    inclusive_scan(ctx, kOnes, out);
    CHECK(ctx.last().implementation == "scan/custom/serial");
  }
  {
    Context ctx = forced("reduce/custom/nothing");
    CHECK(contains(thrown<InvalidArgument>([&] { reduce(ctx, kOnes); }), "'reduce/custom/nothing'; known: "));
  }
  {
    Context ctx = forced("gemma/custom/serial");
    CHECK(contains(
        thrown<InvalidArgument>([&] { reduce(ctx, kOnes); }),
        "TANDEM_USE is 'gemma/custom/serial', but there is no operation 'gemma'; did you mean 'gemm'?"));
  }
  {
    Context ctx = forced("");
    CHECK(reduce(ctx, kOnes) == 1000);
  }
}

TEST_CASE("the automatic choice is available, takes the call and is never planted") {
  Context ctx = Context::host();
  for (const std::size_t n : {0u, 1u, 100u, 10000u, 1000000u}) {
    const std::vector<float> x(n, 1);
    std::vector<float> y(n);
    CHECK(reduce(ctx, x) == static_cast<float>(n));
    CHECK_FALSE(contains(std::string(ctx.last().implementation), "wrong"));
    CHECK_FALSE(contains(std::string(ctx.last().implementation), "@simt"));
    inclusive_scan(ctx, x, y);
    CHECK_FALSE(contains(std::string(ctx.last().implementation), "@simt"));
  }
}

TEST_CASE("a row that does not suit a shape is passed over, however fast it was") {
  const Operation& op = operation("intersect");
  const CaseId id = op.cases[0];
  const Context ctx = Context::host();
  for (const std::int64_t length : {1000, 16384, 20000}) {
    const Trial trial = op.benchmarks(id, std::vector<std::int64_t>{8, 2, length, 1}, 1).at(0);
    const Implementation& chosen =
        *choose(site("intersect", id, trial.variant), op.shape(trial), {trial.n}, ctx, {}).implementation;
    const bool suitable = chosen.suited(op.shape(trial));
    CHECK_MESSAGE(suitable, chosen.name);
  }
}

TEST_CASE("a device row says why it cannot run here") {
  if (why_no_device().empty()) return;
  int asked = 0;
  for (const Implementation& i : implementations()) {
    if (i.place != Place::device) continue;
    CHECK(i.unavailable() == why_no_device());
    if (i.operation != "reduce") continue;
    Context ctx = Context::host();
    const std::string message = thrown<Unavailable>([&] { reduce(ctx, kOnes, plus, {.use = i.name}); });
    CHECK(message.starts_with(i.name + ": needs a GPU (no CUDA driver found)"));
    const bool twin = !matching(i.name + "@simt").empty();
    CHECK(contains(message, i.name + "@simt runs the same file on the CPU") == twin);
    ++asked;
  }
  CHECK(asked > 0);
  CHECK(contains(thrown<Unavailable>([] { Context::device(); }), "needs a GPU (no CUDA driver found)"));
  CHECK(contains(thrown<Unavailable>([] { Context::managed(); }), "needs a GPU (no CUDA driver found)"));
  CHECK(Context().place() == Place::host);
}

TEST_CASE("a row that refuses a call says why, and is not chosen") {
  int refusals = 0;
  const Context ctx = Context::host();
  for (const Implementation& i : implementations()) {
    if (i.place == Place::device || !i.unavailable().empty() || i.path == "wrong") continue;
    const Operation& op = operation(i.operation);
    for (const CaseId id : op.cases) {
      for (const Trial& trial : op.tests(id, Coverage::huge, 1)) {
        const std::string reason = i.refusal(op.shape(trial), id);
        if (reason.empty()) continue;
        ++refusals;
        CHECK(thrown<Unavailable>([&] {
                choose(site(i.operation, id), op.shape(trial), {trial.n}, ctx, {.use = i.name});
              }) == i.name + ": " + reason);
      }
    }
  }
  MESSAGE(refusals, " refusals");
}

TEST_CASE("unknown operations, types and operators list the known ones") {
  std::string known;
  for (const auto& op : operations()) known += (known.empty() ? "" : ", ") + op->name;
  CHECK((contains(known, "reduce") && contains(known, ", scan")));
  CHECK(contains(thrown<InvalidArgument>([] { operation("reduse"); }),
                 "unknown operation 'reduse'; known: " + known));
  CHECK(contains(thrown<InvalidArgument>([] { parse_type("f33"); }),
                 "unknown type 'f33'; known: f16, bf16, f32, f64"));
  CHECK(contains(thrown<InvalidArgument>([] { parse_type("bicyclic"); }), "unknown type"));
  CHECK(contains(thrown<InvalidArgument>([] { parse_operator("add"); }),
                 "unknown operator 'add'; known: plus, multiplies"));
  for (const auto& [text, meant] :
       {std::pair{"reduse", "reduce"}, {"gem", "gemm"}, {"rtanspose", "transpose"}}) {
    const std::string message = thrown<InvalidArgument>([&, text = text] { operation(text); });
    CHECK(message.ends_with(std::string("; did you mean '") + meant + "'?"));
  }
  CHECK(!contains(thrown<InvalidArgument>([] { operation("nothing"); }), "did you mean"));
  for (const Type type : all_types()) CHECK(parse_type(name(type)) == type);
  CHECK(parse_operator("logical_or") == OperatorId::logical_or);
}

TEST_CASE("the nearest name: of few letters that differ, or a part of it") {
  const std::vector<std::string> names{"scan/custom/lookback", "scan/custom/blelloch@simt",
                                       "reduce/vendor/cub"};
  for (const auto& [text, meant] : std::initializer_list<std::pair<std::string, std::string>>{
           {"scna", "scan"},
           {"scan/custom/lookbak", "scan/custom/lookback"},
           {"custom/lokback", "custom/lookback"},
           {"lookbcak", "lookback"},
           {"custom/bleloch@simt", "custom/blelloch@simt"},
           {"redcue/vendor", "reduce/vendor"},
           {"cup", "cub"},
           {"c", ""},
           {"", ""},
           {"//", ""},
           {"quite another", ""},
           {std::string(1000, 'x'), ""}}) {
    CHECK(nearest(text, names) == meant);
  }
  CHECK(nearest("scan", {}).empty());
}

TEST_SUITE_END();

}  // namespace tandem

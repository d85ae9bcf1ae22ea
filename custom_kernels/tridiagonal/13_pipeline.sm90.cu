// Idea:    a batch runs through a pipeline: one persistent block per multiprocessor, in which a loader fills
//          slots of shared memory with whole systems by bulk copies, a team of warps solves what lies in its
//          slot, and a storer sends the solutions away. Each lane eliminates a run of neighbouring rows down
//          to one unknown; parallel cyclic reduction solves for these.
// New:     against warp_hybrid, loads, arithmetic and stores of different systems overlap, and no register
//          holds what is on its way. A run has an odd number of rows, so that lanes meet in no bank of shared
//          memory, without padding. Runs need not end where systems do: short systems share a slot.
// Expect:  5 words per unknown, at the bandwidth of a stream that reads four arrays and writes one.
// Limits:  Hopper alone (sm_90a); contiguous systems, which fit into shared memory. Those with gaps between them, or
//          with one matrix for all, have a slot each; few do not fill the pipeline. Deterministic.
// Source:  Wang 1981, "A parallel method for tridiagonal equations"; Hockney, Jesshope 1981 (parallel cyclic
//          reduction); NVIDIA, PTX ISA 8, cp.async.bulk and mbarrier.

#include "custom_kernels/tridiagonal/detail/thomas.h"
#include "lib/ops/tridiagonal/pivot.h"
#include "tandem/device/async_copies.cuh"
#include "tandem/device/bulk_copies.cuh"
#include "tandem/device/tridiagonal.cuh"

namespace tandem {
namespace {

/// Warps of a team, rows of a lane's run, and teams, of which each has a slot of its own.
template <class Type, int kTeam_, int kRows_, int kTeams>
struct Form {
  using T = Type;
  static constexpr int kTeam = kTeam_, kRows = kRows_, kSlots = kTeams;
  static constexpr int kLanes = kTeam * kWarp;                // of a team
  static constexpr int kTile = kLanes * kRows;                // most rows of a slot
  static constexpr int kArray = kTile + BulkPiece<T>::kLine;  // elements of each of a slot's four arrays
  static constexpr int kThreads = (kSlots * kTeam + 2) * kWarp;
  static constexpr std::size_t kRingBytes = kSlots * 4 * kArray * sizeof(T);
  static_assert(kRows % 2 == 1, "lanes would meet in banks of shared memory");
};

/// What the warps of a block tell each other. Uses of the slots are numbered from 0; `met` is for the warps of
/// a team, again and again.
template <class Form>
struct Signals {
  MbarrierRing<Form::kSlots> loaded, solved, stored, met;
  /// Called by one thread.
  __device__ void init() {
    loaded.init(4 + kWarp);  // the bytes of four arrays, and the lanes that copy their ends
    solved.init(Form::kLanes);
    stored.init(kWarp);
    met.init(Form::kLanes);
    fence_for_copies();
  }
};

/// How the lanes of a team see each other's rows, by way of shared memory.
template <class Form>
struct Team {
  using T = typename Form::T;
  int lane;
  T* words;  // 6 · kLanes of them: rows are put into two halves in turn
  Mbarrier& met;
  unsigned meetings = 0;
  int half = 0;

  __device__ void meet() {
    if (Form::kTeam == 1) return __syncwarp();
    met.arrive();
    met.wait(meetings++ % 2);
  }
  __device__ void put(const UnitRow<T>& row) {
    half = 3 * Form::kLanes - half;
    T* const to = words + half + lane;
    to[0] = row.lower, to[Form::kLanes] = row.upper, to[2 * Form::kLanes] = row.rhs;
    meet();
  }
  __device__ UnitRow<T> get(int distance) const {
    if (lane + distance < 0 || lane + distance >= Form::kLanes) return {0, 0, 0};
    const T* const from = words + half + lane + distance;
    return {from[0], from[Form::kLanes], from[2 * Form::kLanes]};
  }
  /// Whether it holds for any lane.
  __device__ bool any(bool condition) {
    put({T(__any_sync(kAllLanes, condition)), 0, 0});
    bool all = false;
    for (int l = 0; l < Form::kLanes; l += kWarp) all |= words[half + l] != T(0);
    return all;
  }
};

/// What the warps do: load() and store() are called by one, solve() by a team.
template <class C, class Form>
struct Roles {
  using T = typename C::T;
  static constexpr int kRows = Form::kRows;
  typename C::Args a;
  int systems;  // of a slot
  int uses;     // of slots, by this block

  /// What a slot holds: its first system, where its first row lies, and how many rows there are.
  struct Part {
    std::int64_t system, matrix, vector;
    int rows;
  };
  __device__ Part part(int use) const {
    const std::int64_t system = (std::int64_t{use} * gridDim.x + blockIdx.x) * systems;
    return {system, a.start(a.matrix, system), a.start(a.vector, system),
            int(min(std::int64_t{systems}, a.count - system) * a.n)};
  }
  __device__ static T* array(int use, int which) {
    return &dynamic_shared<T>()[(use % Form::kSlots * 4 + which) * Form::kArray];
  }

  /// Eight lanes have an array.
  __device__ void load(Signals<Form>& signals) const {
    const int lane = threadIdx.x % kWarp, which = lane / 8;
    const T* const all = which == 0 ? a.lower : which == 1 ? a.diag : which == 2 ? a.upper : a.rhs;
    for (int k = 0; k < uses; ++k) {
      if (k >= Form::kSlots) signals.stored.wait(k - Form::kSlots);
      const Part p = part(k);
      const T* const from = all + (which < 3 ? p.matrix : p.vector);
      const BulkPiece<T> piece(from, p.rows);
      T* const to = array(k, which) + piece.shift;
      Mbarrier& loaded = signals.loaded[k];
      if (lane % 8 == 0) {
        loaded.arrive_and_expect(piece.bytes());
        if (piece.bytes() > 0) bulk_load(to + piece.from, from + piece.from, piece.bytes(), loaded);
      }
      AsyncCopies<T, 1> copies;
      if (const int i = piece.end_of_thread(lane % 8); i >= 0) copies.copy(to[i], from + i);
      arrive_behind(copies, loaded);
    }
  }

  __device__ void solve(Signals<Form>& signals) const {
    const int slot = threadIdx.x / Form::kLanes, lane = threadIdx.x % Form::kLanes;
    Team<Form> team{lane, array(slot, 1), signals.met[slot]};
    for (int k = slot; k < uses; k += Form::kSlots) {
      signals.loaded.wait(k);
      solve_slot(k, team);
      fence_for_copies();
      signals.solved[k].arrive();
    }
  }
  /// The solution takes the place of the lower diagonals, shifted as x is in memory; the lanes' rows that of
  /// the diagonals.
  __device__ void solve_slot(int use, Team<Form>& team) const {
    const Part p = part(use);
    const int n = int(a.n), lane = team.lane;
    const auto rows_of = [&](int which, const T* first) {
      return array(use, which) + BulkPiece<T>(first, p.rows).shift;
    };
    T *const lowers = rows_of(0, a.lower + p.matrix), *const diags = rows_of(1, a.diag + p.matrix);
    T *const uppers = rows_of(2, a.upper + p.matrix), *const rhss = rows_of(3, a.rhs + p.vector);
    T* const x = rows_of(0, a.x + p.vector);

    // Systems end in zeros, whatever their corners hold; behind the last one x = 0.
    for (int i = lane * n; i < p.rows; i += Form::kLanes * n) lowers[i] = uppers[i + n - 1] = 0;
    for (int i = p.rows + lane; i < Form::kTile; i += Form::kLanes)
      lowers[i] = uppers[i] = rhss[i] = 0, diags[i] = 1;
    team.meet();

    // Down a run: lower·(last unknown of the run before) + x[i] + upper·x[i + 1] = rhs. A row is read before
    // the one above it is written: the compiler cannot tell that they lie apart.
    T *const upper = uppers + lane * kRows, *const rhs = rhss + lane * kRows;
    T lower[kRows];  // registers hold no more
    const auto equation = [&](int i) -> TridiagonalRow<T> {
      return {lowers[lane * kRows + i], diags[lane * kRows + i], upper[i], rhs[i]};
    };
    UnitRow<T> row{-1, 0, 0};
    bool all_usable = true;
    TridiagonalRow<T> e = equation(0);
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      const T pivot = e.diag - e.lower * row.upper, r = reciprocal(pivot);
      all_usable &= usable(pivot);
      row = {-e.lower * row.lower * r, e.upper * r, (e.rhs - e.lower * row.rhs) * r};
      if (i + 1 < kRows) e = equation(i + 1);
      lower[i] = row.lower, upper[i] = row.upper, rhs[i] = row.rhs;
    }
    // Up: lower·(last unknown of the run before) + x[0] + upper·x[kRows − 1] = rhs.
    UnitRow<T> start{0, -1, 0};
#pragma unroll
    for (int i = kRows - 2; i >= 0; --i) {
      const T u = upper[i];
      start = {lower[i] - u * start.lower, -u * start.upper, rhs[i] - u * start.rhs};
    }
    team.meet();  // the rows have been read
    team.put(start);
    const UnitRow<T> next = team.get(1);
    const T pivot = T(1) - row.upper * next.lower;
    row = {row.lower, -row.upper * next.upper, row.rhs - row.upper * next.rhs};
    all_usable &= divide(row, pivot);
    const int runs = min((n + 2 * kRows - 2) / kRows, Form::kLanes);  // that a system may reach into
    for (int distance = 1; distance < runs; distance *= 2) {
      team.put(row);
      const UnitRow<T> before = team.get(-distance), after = team.get(distance);
      all_usable &= divide(row, reduce_row(row, before, after));
    }
    team.put(row);
    const T left = team.get(-1).rhs;
    T last = row.rhs, u = upper[kRows - 2], d = rhs[kRows - 2], not_finite = 0 * last;
    x[lane * kRows + kRows - 1] = last;
#pragma unroll
    for (int i = kRows - 2; i >= 0; --i) {
      last = d - lower[i] * left - u * last;
      if (i > 0) u = upper[i - 1], d = rhs[i - 1];
      x[lane * kRows + i] = last;
      not_finite += 0 * last;  // NaN from infinity on
    }
    // Zeros between systems do not keep back what is not finite. Then, and where a pivot is not usable, a lane
    // solves each system row by row, and reports what it meets.
    if (!team.any(!all_usable || (p.rows > n && not_finite != 0))) return;
    for (int i = lane * n; i < p.rows; i += Form::kLanes * n) {
      thomas(a, p.system + i / n, uppers + i, 1);
      for (int k = 0; k < n; ++k) x[i + k] = a.x[p.vector + i + k];
    }
  }

  __device__ void store(Signals<Form>& signals) const {
    const int lane = threadIdx.x % kWarp;
    for (int k = 0; k < uses; ++k) {
      const Part p = part(k);
      T* const to = a.x + p.vector;
      const BulkPiece<T> piece(to, p.rows);
      const T* const from = array(k, 0) + piece.shift;
      signals.solved.wait(k);
      if (lane == 0 && piece.bytes() > 0) bulk_store(to + piece.from, from + piece.from, piece.bytes());
      commit_bulk_stores();
      if (const int i = piece.end_of_thread(lane); i >= 0) to[i] = from[i];
      wait_for_bulk_reads<0>();
      signals.stored[k].arrive();
    }
    wait_for_bulk_stores();
  }
};

template <class C, class Form>
__global__ void __launch_bounds__(Form::kThreads, 1)
    pipeline_blocks(typename C::Args a, int systems, std::int64_t parts) {
  __shared__ Shared<Signals<Form>, 1> shared;
  Signals<Form>& signals = shared[0];
  if (threadIdx.x == 0) signals.init();
  __syncthreads();
  start_early();
  const Roles<C, Form> roles{a, systems, int(ceil_div(parts - blockIdx.x, gridDim.x))};
  const int beyond_teams = int(threadIdx.x) / kWarp - Form::kSlots * Form::kTeam;
  if (beyond_teams < 0) return roles.solve(signals);
  beyond_teams == 0 ? roles.load(signals) : roles.store(signals);
}

template <class C, class Form>
void run_pipeline(const typename C::Args& a, Context& ctx, int systems) {
  const std::int64_t parts = ceil_div(a.count, systems), blocks = ctx.multiprocessors();
  launch_early(ctx, std::min(parts, blocks), Form::kThreads, Form::kRingBytes, pipeline_blocks<C, Form>, a,
               systems, parts);
}

/// Of the forms the one that the systems fill best: several share a slot if they lie one behind the other.
template <class C, class... Forms>
void run_the_fullest(const typename C::Args& a, Context& ctx) {
  const auto adjoin = [&](const Tridiagonal::Strides& s) {
    return s.system == a.n && (a.inner == a.count || s.block == a.inner * a.n);
  };
  const std::int64_t most = adjoin(a.matrix) && adjoin(a.vector) ? a.count : 1;
  void (*run)(const typename C::Args&, Context&, int) = nullptr;
  int systems = 0;
  double fullest = 0;
  const auto consider = [&]<class Form>() {
    const int fit = int(std::min(Form::kTile / a.n, most));
    const double full = double(fit * a.n) / Form::kTile;
    if (full > fullest) fullest = full, systems = fit, run = run_pipeline<C, Form>;
  };
  (consider.template operator()<Forms>(), ...);
  run(a, ctx, systems);
}

template <class C>
void pipeline(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  if constexpr (sizeof(T) == 4)
    run_the_fullest<C, Form<T, 1, 25, 16>, Form<T, 1, 33, 12>, Form<T, 2, 25, 8>, Form<T, 2, 33, 5>>(a, ctx);
  else
    run_the_fullest<C, Form<T, 1, 13, 16>, Form<T, 1, 17, 12>, Form<T, 2, 13, 8>, Form<T, 2, 17, 5>,
                    Form<T, 4, 13, 4>, Form<T, 4, 17, 3>>(a, ctx);
}

constexpr std::int64_t kMostRows = 2112, kFewestOfAll = 1 << 21, kAlone = 512;

std::string refuses(const Tridiagonal::Shape& shape, CaseId id) {
  if (shape.systems.row != 1 && shape.systems.n > 1) return "takes contiguous systems only";
  if (shape.systems.n > kMostRows) return "takes up to " + std::to_string(kMostRows) + " rows";
  return Tridiagonal::refuse_list_and_pivot(shape, id);
}

// Where rows of all systems fill the pipeline, and those of one its slot, if it must have one alone.
REGISTER(
    Tridiagonal, pipeline, .note = "persistent blocks, whole systems by bulk copies, runs of odd length",
    .refuses = refuses, .suits = [](const Tridiagonal::Shape& s) {
      const bool alone = s.systems.shared_matrix || s.systems.system != s.systems.n;
      return s.systems.n * s.systems.count() >= kFewestOfAll && (!alone || s.systems.n >= kAlone);
    })

}  // namespace
}  // namespace tandem

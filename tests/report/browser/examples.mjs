// Made-up records, for the page alone: a coalesced kernel, a strided one on a GPU with partitions, and a race with wrong elements.

const h100 = { id: "h100", name: "NVIDIA H100 80GB HBM3", compute_capability: 90, banks: 32, bank_bytes: 4, sector_bytes: 32, line_bytes: 128, lanes_per_request: 32, sms: 132 };
const gtx280 = { ...h100, id: "gtx280", name: "NVIDIA GeForce GTX 280", compute_capability: 13, banks: 16, lanes_per_request: 16, sms: 30 };
const made = (device) => ({ version: "0.2.0", commit: "0123abc", date: "2026-11-25", backend: "emulator", architecture: "x86_64", command: "./lab report lab5", device });

const lanes_at = (offset_of) => Array.from({ length: 32 }, (_, lane) => offset_of(lane));
const counter = (name, ncu, unit, text) => ({ name, ncu, nvprof: "", unit, text, by_line: true });
const counters = [
  counter("global_load_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "requests", "Warp instructions that load from global memory."),
  counter("global_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sectors", "Sectors of 32 bytes that those loads touch."),
  counter("global_store_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "sectors", "Sectors of 32 bytes that stores touch."),
  counter("shared_load_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "wavefronts", "Passes through the banks."),
  { ...counter("achieved_occupancy", "", "%", "Resident warps of those that an SM can hold (theoretical)."), by_line: false },
];

// An access in a global object: `requests` times the same pattern, one row of `pitch` bytes further each time.
function global_access(line, column, kind, object, name, offset_of, sectors, { requests = 4, executions = 1024, step = 1024, offset_in_line = 0 } = {}) {
  const one = (iteration) => ({ block: 0, warp: 0, iteration, of: requests, object, base: iteration * step, lanes: lanes_at(offset_of), sectors, ideal: 4, wavefronts: 0, pattern: name, offset_in_line });
  return { source: 0, line, column, kind, space: "global", object, bytes: 4, executions, cost: executions * sectors, ideal: executions * 4, unit: "sectors", pattern: name, kept: Array.from({ length: requests }, (_, at) => one(at)) };
}
function shared_access(line, column, kind, object, name, word_of, wavefronts, { ideal = 1, executions = 1024 } = {}) {
  const one = (iteration) => ({ block: 0, warp: 0, iteration, of: 2, object, base: 0, lanes: lanes_at((lane) => 4 * word_of(lane)), sectors: 0, ideal, wavefronts, pattern: name, shared_base: 0 });
  return { source: 0, line, column, kind, space: "shared", object, bytes: 4, executions, cost: executions * wavefronts, ideal: executions * ideal, unit: "wavefronts", pattern: name, kept: [one(0), one(1)] };
}

const time = (device, limit) => ({ ms: 0.0245, modelled: true, device: device.name, limit, launch_ms: 0.002, parts: [{ name: "DRAM", ms: 0.021, text: "Sectors that come from memory, over its bandwidth." }, { name: "L1 and shared memory", ms: 0.0224, text: "Wavefronts, one a clock." }, { name: "instructions", ms: 0.004, text: "Issue slots." }] });
const occupancy = { registers: 24, shared_bytes: 4224, threads: 256, blocks: 8, warps: 64, max_warps: 64, limit: "threads", text: "", curve: [32, 64, 128, 256, 512, 1024].map((threads) => ({ threads, blocks: Math.min(32, 2048 / threads), warps: Math.min(threads, 64), limit: threads < 64 ? "blocks" : "threads" })) };
const launch_of = (device, rest) => ({
  kernel: "transpose(float*, float const*, int, int)", grid: [32, 32, 1], block: [32, 8, 1], size: [1024, 1024], launches: 1, is_estimate: false, where: { source: 0, line: 14, column: 5 },
  roofline: null, occupancy, blocks: [{ index: [0, 0, 0], linear: 0 }], shared: [], other_races: [], tiles: [], partitions: null, recording_note: "", time: time(device, "DRAM"), ...rest,
});

const source = { file: "labs/lab5_transpose/transpose.cu", lines: [
  "// Made up: a tile in shared memory.", "__global__ void transpose(float* out, const float* in, int nx, int ny) {", "    __shared__ float tile[32][33];", "    const int x = blockIdx.x * 32 + threadIdx.x;",
  "    for (int i = threadIdx.y; i < 32; i += 8) {", "        tile[i][threadIdx.x] = in[i * nx + x];", "    }", "    __syncthreads();  // <-- \"</script>\" & <b> stay text", "    for (int i = threadIdx.y; i < 32; i += 8) {",
  "        out[i * ny + x] = tile[threadIdx.x][i];", "    }", "}", "void call() {", "    transpose<<<grid, block>>>(out, in, nx, ny);", "}",
] };
const objects = [{ name: "out", space: "global", bytes: 4194304, element_bytes: 4, columns: 1024 }, { name: "in", space: "global", bytes: 4194304, element_bytes: 4, columns: 1024 }, { name: "tile", space: "shared", bytes: 4224, element_bytes: 4, columns: 33, offset: 0 }];
const report_of = (device, rest) => ({ schema: 1, made: made(device), title: "Lab 5: transpose", subject: "made up", notes: [], sources: [source], counters, score: null, sweep: null, ...rest });
const test = (name, state, points, of, messages = [], wrong = null) => ({ name, group: "correct", points, of, state, seconds: 0.1, measured: "", messages, wrong });

export function good() {
  const accesses = [
    global_access(6, 32, "load", 1, "contiguous", (lane) => 4 * lane, 4),
    shared_access(6, 30, "store", 2, "contiguous", (lane) => lane, 1),
    shared_access(10, 27, "load", 2, "strided by 33 words (padded)", (lane) => 33 * lane, 1),
    global_access(10, 25, "store", 0, "contiguous, misaligned by 1 element", (lane) => 4 * lane, 5, { offset_in_line: 4 }),
  ];
  const launch = launch_of(h100, {
    name: "transpose, 1024 x 1024", accesses, objects,
    totals: { global_load_requests: 1024, global_load_sectors: 4096, global_store_sectors: 5120, shared_load_wavefronts: 1024, achieved_occupancy: 100 },
    lines: [{ source: 0, line: 6, counters: { global_load_requests: 1024, global_load_sectors: 4096 } }, { source: 0, line: 10, counters: { global_store_sectors: 5120, shared_load_wavefronts: 1024 } }],
    roofline: { ms: 0.0245, peak_gflop_per_s: 66900, peak_gb_per_s: 3350, points: [{ name: "useful bytes", text: "Read once, written once.", flops: 2097152, bytes: 8388608, intensity: 0.25, gflop_per_s: 85.6, gb_per_s: 342.4 }] },
  });
  const shapes = [[32, 8, 0.0245], [32, 16, 0.0251], [16, 16, 0.031], [64, 4, null]].map(([x, y, ms]) => ({ block: [x, y], ms, text: ms === null ? "the tile is 32 wide" : "" }));
  const sweep = { kernel: "transpose", size: [1024, 1024], modelled: true, device: h100.name, shapes };
  const score = { points: 100, of: 100, full: true, backend: "emulator", trouble: "", warnings: [], tests: [test("Lab5.Transposes", "passed", 60, 60), test("Lab5.IsFast", "passed", 40, 40)] };
  return report_of(h100, { score, launches: [launch, { ...launch, name: "transpose, 64 x 64", grid: [2, 2, 1], time: null, occupancy: null }], sweep });
}

export function strided() {
  const accesses = [
    global_access(6, 32, "load", 1, "contiguous", (lane) => 4 * lane, 4), global_access(10, 25, "store", 0, "strided by 1024 elements", (lane) => 4096 * lane, 32, { step: 4 }), shared_access(10, 27, "load", 2, "strided by 16 words", (lane) => 16 * lane, 32, { ideal: 2 }),
    // Both halves of the warp move the same 16 sectors.
    global_access(6, 40, "load", 1, "strided by 1024 elements, repeated every 16 lanes", (lane) => 4096 * (lane % 16), 32)];
  const waves = Array.from({ length: 5 }, (_, wave) => ({ load: Array.from({ length: 8 }, () => 1000 + wave), store: Array.from({ length: 8 }, (_, partition) => (partition === wave ? 8000 : 0)) }));
  const launch = launch_of(gtx280, {
    name: "naive_row with a name that is much longer than a telephone is wide, 1024 x 1024", accesses, objects, partitions: { count: 8, bytes: 256, wave_blocks: 240, waves, camping: { load: 1, store: 8 } },
    totals: { global_load_requests: 1024, global_load_sectors: 4096, global_store_sectors: 32768 },
    lines: [{ source: 0, line: 6, counters: { global_load_requests: 1024, global_load_sectors: 4096 } }, { source: 0, line: 10, counters: { global_store_sectors: 32768 } }],
    roofline: { ms: 0.0245, peak_gflop_per_s: 933, peak_gb_per_s: 141.7, points: [{ name: "useful bytes", text: "Read once, written once.", flops: 0, bytes: 8388608, intensity: 0, gflop_per_s: 0, gb_per_s: 84.2 }] },
  });
  const slow = { text: "not coalesced: 32 sectors a request\n  where: naive_col at nx=64", places: [], findings: [] };
  const score = { points: 0, of: 100, full: false, backend: "emulator", trouble: "", warnings: [], tests: [test("Lab5.IsCoalesced", "failed", 0, 100, [slow])] };
  return report_of(gtx280, { score, launches: [launch, { ...launch, name: "naive_col", kernel: "naive_col(float*)" }], notes: ["No verdict is kept for this file: grade it first to see its score."] });
}

export function race() {
  const accesses = [global_access(6, 32, "load", 1, "contiguous", (lane) => 4 * lane, 4), shared_access(6, 30, "store", 2, "contiguous", (lane) => lane, 1), shared_access(10, 27, "load", 2, "strided by 33 words (padded)", (lane) => 33 * lane, 1)];
  const words = Array.from({ length: 1056 }, (_, word) => [word, word % 33 < 32 ? [[1, word % 256, 1, 1]] : [], word % 33 < 32 ? [[2, (word + 7) % 256, 1, 1]] : [], null]);
  const races = [{ word: 33, earlier: { access: 1, thread: 32, kind: "store" }, later: { access: 2, thread: 1, kind: "load" }, count: 992 }];
  const run = Array.from({ length: 32 }, (_, row) => [row * 4096, 128]);
  const launch = launch_of(h100, {
    name: "transpose, 64 x 64", accesses, objects, shared: [{ block: 0, interval: 0, from: null, to: null, words, races, cut: false }, { block: 0, interval: 1, from: { source: 0, line: 8, column: 5 }, to: null, words: [[0, [], [[2, 0, 1, 32]], [1, 0, 0]]], races: [], cut: true }],
    other_races: [{ block: [7, 5, 0], element: "tile[0][1]", earlier: { place: { source: 0, line: 10, column: 27 }, thread: [0, 0, 0], kind: "load" }, later: { place: { source: 0, line: 6, column: 9 }, thread: [1, 0, 0], kind: "store" }, count: 31 }],
    tiles: [{ block: 0, interval: 0, touched: [{ object: 1, kind: "load", runs: run, cut: false }] }, { block: 0, interval: 1, touched: [{ object: 0, kind: "store", runs: run, cut: false }] }],
    totals: { global_load_sectors: 4096 }, lines: [{ source: 0, line: 6, counters: { global_load_sectors: 4096 } }],
  });
  const cells = Array.from({ length: 16 }, (_, row) => Array.from({ length: 16 }, (_, column) => (row === column ? 0 : row > column ? 16 : 3)));
  const wrong = { name: "out", rows: 64, columns: 64, wrong_count: 2280, cell_rows: 4, cell_columns: 4, cells };
  const message = { text: "race in shared memory at lines 6 and 10: is a __syncthreads() missing between them?\n  write by thread (0,1,0)\n  read by thread (1,0,0)\n  map:\n    ××·/×××", places: [{ source: 0, line: 6, column: 30 }, { source: 0, line: 10, column: 27 }], findings: [] };
  const elsewhere = { text: "out[1] is wrong: expected 0.5, got nan", places: [{ source: null, line: 3, column: 0 }], findings: [] };
  const tests = [test("Lab5.HasNoRaces", "failed", 0, 20, [message, { ...message, text: "another at the same lines" }]), test("Lab5.Transposes", "failed", 0, 20, [elsewhere], wrong), test("Lab5.TransposesAnySize", "failed", 0, 20, [elsewhere]), test("Lab5.IsFast", "not run", 0, 20), test("Lab5.Copies", "passed", 20, 20)];
  const score = { points: 20, of: 100, full: false, backend: "emulator", trouble: "", warnings: ["the file was saved while it was graded"], tests };
  return report_of(h100, { score, launches: [launch] });
}

// A program of one's own that a fault stopped: no counts, a read of constant memory, findings.
export function fault() {
  const constant = { ...shared_access(4, 19, "load", 0, "strided by 4 elements", () => 0, 0), space: "constant", unit: "passes", executions: 0, cost: 0, ideal: 0 };
  constant.kept = constant.kept.map((request) => ({ ...request, lanes: lanes_at((lane) => (lane < 20 ? 16 * (lane % 4) : null)), sectors: 4, wavefronts: 0, ideal: 1, object: null, base: null, offset_in_line: 0 }));
  const launch = launch_of(h100, { name: "transpose", accesses: [constant], objects, totals: {}, lines: [], time: null, occupancy: null, size: null, where: null, has_fault: true });
  return report_of(h100, { title: "transpose.cu", launches: [launch], findings: [{ text: "4-byte read out of bounds in global memory: in[9]\n  by thread (1,0,0)", places: [{ source: 0, line: 6, column: 32 }], finding: {} }] });
}

export const trouble = () => report_of(h100, { launches: [], score: { points: 0, of: 100, full: false, backend: "emulator", trouble: "transpose.cu:6:9: error: use of undeclared identifier 'tile'", trouble_places: [{ source: 0, line: 6, column: 9 }], warnings: [], tests: [] } });

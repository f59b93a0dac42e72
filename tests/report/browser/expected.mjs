// The page's expected contents, computed from the record in it.

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

// The record inside a report file.
export function record_of(html) {
  return JSON.parse(html.match(/<script type="application\/json" id="report">([^]*?)<\/script>/)[1]);
}

// Index of the launch that the page shows first.
export function first_launch(record) {
  const { launches, score } = record;
  const clashes = launches.findIndex((launch) => launch.has_fault || launch.other_races.length + sum(launch.shared.map((interval) => interval.races.length)) > 0);
  if (clashes >= 0) return clashes;
  const words = new Set((score?.tests.find((test) => test.messages.length > 0)?.messages[0].text ?? "").split(/\W+/));
  return Math.max(0, launches.findIndex((launch) => words.has(launch.kernel.split(/\W/)[0])));
}

// By their place in the source.
export function accesses_of(launch) {
  const place = ({ source, line, column }) => [source, line, column].map((part) => String(part).padStart(9, "0")).join();
  return [...launch.accesses].sort((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0));
}

// Numbers of each table by view, row by row. Only views of the record's data are named: another one on the page is an error.
export function tables_of_launch(record, launch) {
  const tables = { totals: record.counters.map((counter) => [launch.totals[counter.name] ?? 0]) };
  if (!launch.lines.some((line) => record.counters.some((counter) => counter.by_line && line.counters[counter.name]))) delete tables.totals;
  if (launch.time?.parts.length) tables.time = [...launch.time.parts].sort((a, b) => b.ms - a.ms).map((part) => [part.ms]);
  if (launch.accesses.length) tables.accesses = accesses_of(launch).map((one) => [one.bytes, one.executions, one.cost, one.ideal, one.cost / Math.max(one.executions, 1)]);
  if (launch.partitions?.waves.length) tables.partitions = launch.partitions.waves.flatMap((wave, at) => wave.load.map((load, partition) => [at + 1, partition, load, wave.store[partition]]));
  if (launch.roofline) tables.roofline = launch.roofline.points.map((point) => [point.flops, point.bytes, point.intensity, point.gflop_per_s, point.gb_per_s]);
  if (launch.occupancy) tables.occupancy = launch.occupancy.curve.map((point) => [point.threads, point.blocks, point.warps]);
  return tables;
}

export function tables_of_page(record) {
  const tables = {};
  const { score, sweep } = record;
  if (score && !score.trouble) tables.tests = score.tests.map((test) => [test.points, test.of]);
  if (sweep) tables.sweep = sweep.shapes.map((shape) => (shape.ms === null ? [] : [shape.ms]));
  return tables;
}

// Each counter's count by line of source.
export function counts_by_line(record, launch) {
  const counts = {};
  for (const counter of record.counters.filter((one) => one.by_line)) {
    const lines = launch.lines.filter((line) => line.counters[counter.name]);
    if (lines.length > 0) counts[counter.name] = Object.fromEntries(lines.map((line) => [`${line.source}:${line.line}`, line.counters[counter.name]]));
  }
  return counts;
}

export function lanes_of(record, access, request) {
  const { device } = record.made;
  const rows = [];
  request.lanes.forEach((offset, lane) => {
    if (offset === null) return;
    const at = (request.base ?? 0) + offset;
    if (access.space === "shared") {
      const word = Math.floor((request.shared_base + offset) / device.bank_bytes);
      rows.push([lane, at, word, word % device.banks]);
    } else {
      const in_lines = request.offset_in_line + offset;
      rows.push([lane, at, Math.floor(in_lines / device.line_bytes), Math.floor((in_lines % device.line_bytes) / device.sector_bytes)]);
    }
  });
  return rows;
}

const threads_of = (groups) => sum(groups.map((group) => group[3]));
export const words_of = (record, interval) => interval.words.map(([word, writes, reads]) => [word, word % record.made.device.banks, threads_of(writes), threads_of(reads)]);
export const tiles_of = (tile) => tile.touched.map((touched) => [touched.runs.length, sum(touched.runs.map((run) => run[1]))]);

// Failures with their points, as tests that fail alike are one.
export function failures_of(record) {
  const { score } = record;
  const lines_of = (places) => places.filter((place) => place?.source != null).map((place) => place.line);
  const found = (record.findings ?? []).map((finding) => ({ headline: finding.text.split("\n")[0], names: [], lines: lines_of(finding.places) }));
  if (!score || score.trouble) return found;
  const failures = new Map();
  for (const test of score.tests.filter((one) => one.state === "failed" || one.state === "undecided")) {
    for (const message of test.messages) {
      const known = failures.get(message.text) ?? { headline: message.text.split("\n")[0], names: [], lines: lines_of(message.places) };
      known.names.push(test.name);
      failures.set(message.text, known);
    }
  }
  return [...failures.values(), ...found];
}
export const wrong_of = (record) => (record.score?.tests ?? []).filter((test) => test.wrong).map((test) => test.wrong.cells.map((row) => [sum(row)]));

// Time by part, roofline, occupancy and sweep.

const label_of_time = (time) => (time.modelled ? `modelled for ${time.device}` : `measured on ${time.device}`);

function time_view(launch) {
  const { time } = launch;
  if (!time || time.parts.length === 0) return null;
  const parts = [...time.parts].sort((a, b) => b.ms - a.ms);
  const longest = Math.max(time.ms, parts[0].ms);
  const drawn = parts.filter((part) => part.ms > 0);
  const draw = (width) => {
    const room = width - 78;
    const bars = drawn.map((part, at) => {
      const y = at * 34;
      const limits = part.name === time.limit;
      const length = Math.max((room * part.ms) / longest, 1);
      return [
        svg("text", { x: 0, y: y + 11, class: limits ? "strong" : "quiet" }, part.name, limits ? " ◀ limits the time" : ""),
        svg("rect", { x: 0, y: y + 16, width: room, height: 10, class: "tint-muted" }),
        svg("rect", { x: 0, y: y + 16, width: length, height: 10, class: limits ? "solid-second" : "tint-first" }),
        !limits && svg("rect", { x: 0, y: y + 16, width: length, height: 10, fill: "url(#rising)" }),
        svg("text", { x: width, y: y + 25, class: "end" }, seconds(part.ms / 1000)),
      ];
    });
    return picture(`Time by part, ${label_of_time(time)}; ${time.limit} limits it`, width, drawn.length * 34, bars);
  };
  const rows = () => parts.map((part) => [part.name, part.ms, percent(part.ms / time.ms), part.text]);
  return [
    html("p", { class: "said" }, html("strong", null, seconds(time.ms / 1000)), ` a launch, ${label_of_time(time)}; `, html("strong", null, time.limit), " limits it. Parts overlap, so they don't add up."),
    drawn_to_width(draw).place,
    table_behind("time by part", ["Part", { text: "Milliseconds", numeric: true }, { text: "Of the whole", numeric: true }, "What it is"], rows, "time"),
  ];
}

// --- Roofline ---

const marks = [(x, y) => svg("circle", { cx: x, cy: y, r: 5 }), (x, y) => svg("rect", { x: x - 5, y: y - 5, width: 10, height: 10 }), (x, y) => svg("path", { d: `M${x} ${y - 6}L${x + 6} ${y}L${x} ${y + 6}L${x - 6} ${y}z` })];
const roles = ["first", "second", "third"];
const decades = (from, to) => Array.from({ length: Math.round(Math.log10(to / from)) + 1 }, (_, at) => from * 10 ** at);
const decade_below = (value) => 10 ** Math.floor(Math.log10(value));
const decade_above = (value) => 10 ** Math.ceil(Math.log10(value));

function roofline_view(launch) {
  const { roofline, time } = launch;
  if (!roofline) return null;
  const computes = roofline.points.some((point) => point.flops > 0);
  const numeric = true;
  const rows = () => roofline.points.map((point) => [point.name, point.flops, point.bytes, point.intensity, point.gflop_per_s, point.gb_per_s, point.text]);
  const source = time ? ` The time is ${label_of_time(time)}.` : "";
  return [
    html("p", { class: "said" }, computes
      ? `Peaks: ${number(roofline.peak_gflop_per_s)} GFLOP/s and ${number(roofline.peak_gb_per_s)} GB/s.${source}`
      : `Nothing is computed, so the only roof is bandwidth: ${number(roofline.peak_gb_per_s)} GB/s.${source}`),
    drawn_to_width((width) => (computes ? roofs(roofline, width) : rates(roofline, width))).place,
    table_behind("points of the roofline", ["Point", { text: "FLOP", numeric }, { text: "Bytes", numeric }, { text: "FLOP a byte", numeric }, { text: "GFLOP/s", numeric }, { text: "GB/s", numeric }, "What it is"], rows, "roofline"),
  ];
}

function roofs(roofline, width) {
  const [left, right, top, height] = [48, 12, 10, 230];
  const { peak_gflop_per_s: peak, peak_gb_per_s: rate, points } = roofline;
  const drawn = points.filter((point) => point.intensity > 0 && point.gflop_per_s > 0);
  const x_range = [decade_below(Math.min(0.1, ...drawn.map((point) => point.intensity))), decade_above(Math.max((peak / rate) * 2, ...drawn.map((point) => point.intensity)))];
  const y_range = [decade_below(Math.min(peak / 1000, ...drawn.map((point) => point.gflop_per_s))), decade_above(peak)];
  const log = (value, [from, to]) => Math.log(value / from) / Math.log(to / from);
  const x = (value) => left + (width - left - right) * log(value, x_range);
  const y = (value) => top + height * (1 - log(value, y_range));
  const from = Math.max(x_range[0], y_range[0] / rate);
  const roof = `M${x(from)} ${y(from * rate)}L${x(peak / rate)} ${y(peak)}H${x(x_range[1])}`;
  const axes = [
    decades(...x_range).map((value) => [svg("line", { x1: x(value), x2: x(value), y1: top, y2: top + height, class: "line-faint" }), svg("text", { x: x(value), y: top + height + 15, class: "middle quiet small" }, scaled_short(value))]),
    decades(...y_range).map((value) => [svg("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), class: "line-faint" }), svg("text", { x: left - 6, y: y(value) + 4, class: "end quiet small" }, scaled_short(value))]),
    svg("text", { x: left, y: top + height + 32, class: "quiet" }, "FLOP a byte"),
    svg("text", { x: left + 6, y: top + 12, class: "quiet" }, "GFLOP/s"),
  ];
  const dots = drawn.map((point, at) => {
    const [px, py] = [x(point.intensity), y(point.gflop_per_s)];
    const is_left = px > width * 0.6;
    const dot = marks[at % marks.length](px, py);
    dot.setAttribute("class", `solid-${roles[at % roles.length]}`);
    return [svg("line", { x1: px, x2: px, y1: py, y2: y(Math.min(peak, rate * point.intensity)), class: "line-muted dashed" }), dot, svg("text", { x: px + (is_left ? -10 : 10), y: py + 4 + (at % 2) * 14, class: is_left ? "end" : "" }, point.name)];
  });
  const label = `Roofline: ${drawn.map((point) => `${point.name} at ${three_digits.format(point.intensity)} FLOP a byte, ${three_digits.format(point.gflop_per_s)} GFLOP/s`).join("; ")}`;
  return picture(label, width, top + height + 38, [axes, svg("path", { d: roof, class: "line-ink thick" }), dots]);
}
const scaled_short = (value) => (value >= 1 ? scaled(value, "").trim() : String(Number(value.toPrecision(1))));

function rates(roofline, width) {
  const room = width - 90;
  const bars = roofline.points.map((point, at) => {
    const y = at * 34;
    const length = Math.max(1, Math.min(room, (room * point.gb_per_s) / roofline.peak_gb_per_s));
    return [svg("text", { x: 0, y: y + 11, class: "quiet" }, point.name), svg("rect", { x: 0, y: y + 16, width: room, height: 10, class: "tint-muted" }), svg("rect", { x: 0, y: y + 16, width: length, height: 10, class: `solid-${roles[at % roles.length]}` }),
      svg("text", { x: width, y: y + 25, class: "end" }, `${three_digits.format(point.gb_per_s)} GB/s`)];
  });
  return picture(`Bandwidth of ${number(roofline.peak_gb_per_s)} GB/s: ${roofline.points.map((point) => `${point.name} ${three_digits.format(point.gb_per_s)} GB/s`).join("; ")}`, width, roofline.points.length * 34, bars);
}

// --- Occupancy ---

function occupancy_view(launch) {
  const now = launch.occupancy;
  if (!now) return null;
  const numeric = true;
  const draw = (width) => {
    const [left, top, height] = [28, 22, 150];
    const most = Math.max(...now.curve.map((point) => point.threads), now.threads);
    const x = (threads) => left + ((width - left - 8) * threads) / most;
    const y = (warps) => top + height * (1 - warps / now.max_warps);
    const step = now.curve.length > 1 ? x(now.curve[1].threads) - x(now.curve[0].threads) : 10;
    const bars = now.curve.map((point) => {
      const is_now = point.threads === now.threads;
      const inside = { x: x(point.threads) - step + 1, y: y(point.warps), width: Math.max(step - 1.5, 1), height: top + height - y(point.warps) };
      return [svg("rect", { ...inside, class: is_now ? "solid-second" : "tint-first" }), !is_now && svg("rect", { ...inside, fill: "url(#rising)" })];
    });
    const axis = [0, now.max_warps / 2, now.max_warps].map((warps) => [svg("line", { x1: left, x2: width - 8, y1: y(warps), y2: y(warps), class: "line-faint" }), svg("text", { x: left - 6, y: y(warps) + 4, class: "end quiet small" }, number(warps))]);
    const ticks = [256, 512, 768, 1024].filter((threads) => threads <= most).map((threads) => svg("text", { x: x(threads) - step / 2, y: top + height + 15, class: "middle quiet small" }, threads));
    const here = Math.min(x(now.threads) - step / 2, width - 8);
    const anchor = here > width / 2 ? "end" : "";
    return picture(`Warps of an SM by threads of a block; this launch: ${now.threads} threads, ${now.warps} of ${now.max_warps} warps`, width, top + height + 36, [axis, bars, svg("text", { x: here, y: 12, class: `strong ${anchor}` }, `▼ ${now.threads} threads: ${now.warps} warps`), ticks, svg("text", { x: left, y: top + height + 32, class: "quiet" }, "threads a block")]);
  };
  return [
    html("p", { class: "said" }, html("strong", null, `${now.warps} of ${now.max_warps} warps`), ` an SM: ${plural(now.blocks, "block")} of ${now.threads} threads, ${now.registers} registers a thread, ${bytes(now.shared_bytes)} of shared memory a block. Limit: ${now.limit}. ${now.text}`),
    drawn_to_width(draw).place,
    table_behind("occupancy by block size", [{ text: "Threads", numeric }, { text: "Blocks", numeric }, { text: "Warps", numeric }, "Limit"], () => now.curve.map((point) => [point.threads, point.blocks, point.warps, point.limit]), "occupancy"),
  ];
}

// --- Sweep ---

function sweep_view(sweep) {
  const xs = distinct(sweep.shapes.map((shape) => shape.block[0])).sort((a, b) => a - b);
  const ys = distinct(sweep.shapes.map((shape) => shape.block[1])).sort((a, b) => a - b);
  const timed = sweep.shapes.filter((shape) => shape.ms !== null);
  const best = Math.min(...timed.map((shape) => shape.ms));
  const worst = Math.max(...timed.map((shape) => shape.ms));
  const draw = (width) => {
    const left = 34;
    const cell = Math.min(96, (width - left) / xs.length);
    const height = 30;
    const cells = sweep.shapes.map((shape) => {
      const [x, y] = [left + xs.indexOf(shape.block[0]) * cell, 22 + ys.indexOf(shape.block[1]) * height];
      if (shape.ms === null) return [svg("rect", { x, y, width: cell - 2, height: height - 2, class: "line-faint dashed" }), svg("text", { x: x + cell / 2, y: y + 18, class: "middle quiet" }, "–")];
      const share = worst > best ? Math.log(shape.ms / best) / Math.log(worst / best) : 0;
      return [svg("rect", { x, y, width: cell - 2, height: height - 2, class: "tint-second", "fill-opacity": 0.1 + 0.9 * share }), svg("rect", { x, y, width: cell - 2, height: height - 2, class: shape.ms === best ? "line-third thick" : "line-faint" }),
        svg("text", { x: x + cell / 2 - 1, y: y + 18, class: `middle ${cell < 52 ? "small" : ""} ${shape.ms === best ? "strong" : ""}` }, `${shape.ms === best ? "★" : ""}${cell < 52 ? three_digits.format(shape.ms / best) : seconds(shape.ms / 1000)}`)];
    });
    const heads = [xs.map((x, at) => svg("text", { x: left + (at + 0.5) * cell, y: 14, class: "middle quiet small" }, x)), ys.map((y, at) => svg("text", { x: left - 6, y: 22 + at * height + 18, class: "end quiet small" }, y))];
    return picture(`Time by block shape; fastest ${seconds(best / 1000)}, slowest ${seconds(worst / 1000)}`, left + xs.length * cell, 22 + ys.length * height, [heads, cells]);
  };
  return html(
    "section",
    { id: "sweep", "aria-labelledby": "sweep-title" },
    html("h2", { id: "sweep-title" }, "Every block shape"),
    html("p", { class: "said" }, html("code", null, sweep.kernel), `, ${xyz(sweep.size)}, times ${label_of_time(sweep)}. Columns: blockDim.x; rows: blockDim.y; ★ the fastest${best < Infinity ? `, ${seconds(best / 1000)}` : ""}; where a cell is small, its number is the multiple of that.`),
    timed.length > 0 && drawn_to_width(draw).place,
    table_behind("time by block shape", ["Block", { text: "Milliseconds", numeric: true }, "Remark"], () => sweep.shapes.map((shape) => [xyz(shape.block), shape.ms ?? "–", shape.text]), "sweep"),
  );
}

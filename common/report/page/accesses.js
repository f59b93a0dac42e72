// The accesses of a launch: a list of its loads and stores, and one request of one warp, lane by lane.

const cost_of = (access, request) => (access.unit === "wavefronts" ? request.wavefronts : request.sectors);
const sum_of = (list, value) => list.reduce((sum, one) => sum + value(one), 0);
// Requests, their cost and the least cost: of the whole launch, or of what was recorded until a fault stopped it.
const counts_of = (access) =>
  access.executions > 0 ? access : { executions: access.kept.length, cost: sum_of(access.kept, (request) => cost_of(access, request)), ideal: sum_of(access.kept, (request) => request.ideal) };
function per_request(access) {
  const { cost, executions } = counts_of(access);
  return cost / Math.max(executions, 1);
}
// How many times as many sectors, wavefronts or passes as there had to be.
function excess(access) {
  const { cost, ideal } = counts_of(access);
  return ideal > 0 ? cost / ideal : 1;
}
const is_ideal = (access) => excess(access) < 1.005;
const unit_in_words = (access, count) => (access.unit === "passes" ? `${number(count)} ${count === 1 ? "pass" : "passes"}` : plural(count, access.unit.slice(0, -1)));

function accesses_view(launch) {
  if (launch.accesses.length === 0) return null;
  const detail = html("div");
  const remembered = {};
  const accesses = [...launch.accesses].sort((a, b) => a.source - b.source || a.line - b.line || a.column - b.column);
  const buttons = accesses.map((access, at) => access_button(launch, access, () => choose(at)));
  const choose = (at) => {
    buttons.forEach((button, place) => button.setAttribute("aria-pressed", String(place === at)));
    detail.replaceChildren(...request_view(launch, accesses[at], remembered));
  };
  // The worst one first: that is what the reader came for.
  const worst = accesses.reduce((most, access, at) => (access.kept.length > 0 && excess(access) > excess(accesses[most]) ? at : most), 0);
  choose(worst);
  return [
    html(
      "p",
      { class: "said" },
      `A warp's 32 lanes make one request. Global memory answers in sectors of ${machine.sector_bytes} bytes, ${machine.line_bytes / machine.sector_bytes} to a line of ${machine.line_bytes}; shared memory has ${machine.banks} banks, and words of one bank are served one after another, in wavefronts.${launch.accesses.some((access) => access.space === "constant") ? " Constant memory serves one word in a pass." : ""}`,
    ),
    html("div", { class: "columns left-list" }, html("div", null, html("ul", { class: "list", "aria-label": "Loads and stores" }, buttons.map((button) => html("li", null, button)))), detail),
    table_behind("all loads and stores", access_columns, () => accesses.map(access_row), "accesses"),
  ];
}

function access_button(launch, access, on_click) {
  const rate = is_ideal(access) ? "✓ ideal" : `▲ ${three_digits.format(excess(access))} ×`;
  return html(
    "button",
    { type: "button", "aria-pressed": "false", onclick: on_click },
    html("span", { class: "no" }, access.line),
    html("code", null, expression_at(access)),
    html("span", { class: `rate label ${is_ideal(access) ? "good" : "bad"}` }, rate),
    html("span", { class: "second-row" }, `${access.kind}, ${access.space} · ${access.pattern} · ${unit_in_words(access, per_request(access))} a request`),
  );
}

const access_columns = [
  "Line", "Kind", "Space", "Pattern", { text: "Bytes a lane", numeric: true }, { text: "Requests", numeric: true },
  { text: "Sectors, wavefronts or passes", numeric: true }, { text: "Ideal", numeric: true }, { text: "A request", numeric: true },
];
const access_row = (access) => [place_in_words(access.source, access.line), access.kind, access.space, access.pattern, access.bytes, access.executions,
  access.cost, access.ideal, access.cost / Math.max(access.executions, 1)];

const distinct = (values) => [...new Set(values)];

// One request of the access, chosen by block, warp and iteration. `remembered` keeps the choice when another access is looked at.
function request_view(launch, access, remembered) {
  const { kept } = access;
  if (kept.length === 0) return [html("p", { class: "quiet" }, "No request of this access was recorded.")];
  const blocks = distinct(kept.map((request) => request.block));
  const choice = { block: Math.max(0, blocks.indexOf(remembered.block)) };
  const summary = html("p", { class: "said", "aria-live": "polite", "data-view": "request" });
  const lanes = html("div");
  const warps = () => distinct(kept.filter((request) => request.block === blocks[choice.block]).map((request) => request.warp));
  const iterations = () => kept.filter((request) => request.block === blocks[choice.block] && request.warp === warps()[choice.warp]);
  choice.warp = Math.max(0, warps().indexOf(remembered.warp));

  const { place, again } = drawn_to_width((width) => drawing_of(launch, access, current(), width));
  const current = () => iterations()[Math.min(steps.at(), iterations().length - 1)];
  const show = () => {
    const request = current();
    Object.assign(remembered, { block: request.block, warp: request.warp, step: steps.at() });
    summary.replaceChildren(...request_in_words(launch, access, request));
    again();
    lanes.replaceChildren(lane_table(launch, access, request));
  };
  const steps = stepper("Iteration", iterations().length, show);
  const warp_choice = html("div");
  const choose_warp = () => warp_choice.replaceChildren(chooser("Warp", warps().map(String), choice.warp, (at) => {
    choice.warp = at;
    steps.resize(iterations().length);
    show();
  }).box);
  const block_choice = chooser("Block", blocks.map((block) => index(launch.blocks[block].index)), choice.block, (at) => {
    choice.block = at;
    choice.warp = Math.max(0, warps().indexOf(remembered.warp));
    choose_warp();
    steps.resize(iterations().length);
    show();
  });
  choose_warp();
  const figure = html("div", { tabindex: 0, role: "group", "aria-label": "The request; left and right arrow keys step through iterations", class: "request" }, place);
  steps.keys(figure);
  steps.go(remembered.step ?? 0);
  return [
    html("h4", null, `${access.kind} at ${place_in_words(access.source, access.line)}: `, html("code", null, expression_at(access))),
    html("div", { class: "controls" }, block_choice.box, warp_choice, steps.box),
    summary,
    figure,
    access.unit === "wavefronts" ? bank_key() : access.unit === "sectors" && sector_key(),
    lanes,
  ].filter(Boolean);
}

const active = (request) => request.lanes.map((offset, lane) => [lane, offset]).filter(([, offset]) => offset !== null);
// A byte's place, counted from the start of the lowest line that the request touches.
const in_lines = (request, offset) => request.offset_in_line + offset;
const object_name = (launch, request) => launch.objects[request.object]?.name ?? null;

function request_in_words(launch, access, request) {
  const cost = cost_of(access, request);
  const name = object_name(launch, request);
  const moved = access.unit === "sectors" ? `, ${bytes(machine.sector_bytes * cost)} moved` : "";
  const enough = cost > request.ideal ? `${number(request.ideal)} would do.` : "That is the least possible.";
  return [
    `Block ${index(launch.blocks[request.block].index)}, warp ${request.warp}, execution ${request.iteration + 1} of ${number(request.of)}: ${plural(active(request).length, "lane")}, ${plural(access.bytes, "byte")} each${name ? ` of ${name}` : ""}, `,
    html("strong", null, request.pattern),
    ". ",
    html("strong", { "data-value": cost }, unit_in_words(access, cost)),
    `${moved}. ${enough}`,
  ];
}

function lane_table(launch, access, request) {
  const name = object_name(launch, request) ?? "memory";
  const numeric = true;
  const shared = access.space === "shared";
  const columns = ["Lane", { text: `Byte of ${name}`, numeric }, shared ? { text: "Word", numeric } : { text: "Line", numeric }, shared ? { text: "Bank", numeric } : { text: "Sector of the line", numeric }];
  const rows = () =>
    active(request).map(([lane, offset]) => {
      const at = (request.base ?? 0) + offset;
      if (!shared) return [lane, at, Math.floor(in_lines(request, offset) / machine.line_bytes), Math.floor((in_lines(request, offset) % machine.line_bytes) / machine.sector_bytes)];
      const word = Math.floor((request.shared_base + offset) / machine.bank_bytes);
      return [lane, at, word, word % machine.banks];
    });
  return table_behind(`each lane's address, execution ${request.iteration + 1}`, columns, rows, "lanes");
}

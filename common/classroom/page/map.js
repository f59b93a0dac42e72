// The map: a row for each student, a column for each test. Only the rows in view exist, so that 3,000 students scroll as quickly as 30.

const names_in_order = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const onlys = [
  ["all students", () => true],
  ["only with failures", has_failures],
  ["only undecided", is_undecided],
  ["only not compiling", (one) => one.verdict?.kind === "does not compile"],
  ["only not graded yet", (one) => !one.verdict],
  ["only with something missing", null],
];
const chosen_points = (student) => (view.lab === null ? total_of(student) : points_of(student, view.lab));
const orders = [
  ["name", (a, b) => names_in_order.compare(a.name, b.name)],
  ["fewest points first", (a, b) => chosen_points(a) - chosen_points(b)],
  ["most points first", (a, b) => chosen_points(b) - chosen_points(a)],
];
const view = { words: [], lab: null, only: 0, order: 0, cause: null };

const map = { shown: [], columns: [], rows: new Map(), first: 0, last: 0, row: 0, column: 0, height: 26 };

function is_shown(student) {
  if (!view.words.every((word) => student.folded.includes(word))) return false;
  if (view.cause && !view.cause.students.has(student)) return false;
  if (view.only === 0) return true;
  const [, is_meant] = onlys[view.only];
  const looked_at = view.lab === null ? labs.map((_, lab) => lab) : [view.lab];
  return looked_at.some((lab) => (is_meant ? student.submissions[lab] && is_meant(student.submissions[lab]) : !student.submissions[lab]));
}

// --- Cells ---

const shares = labs.map((lab, at) => lab.tests.map((_, test) => {
  const all = handed_in.filter((one) => one.lab === at && one.verdict);
  return all.length > 0 ? (100 * all.filter((one) => one.verdict.states[test] === "p").length) / all.length : 0;
}));

function columns_of_map() {
  const chosen = labs.map((_, lab) => lab).filter((lab) => view.lab === null || view.lab === lab);
  return [{ kind: "name" }, { kind: "total" }, ...chosen.flatMap((lab) => [{ kind: "points", lab }, ...labs[lab].tests.map((_, test) => ({ kind: "test", lab, test }))])];
}

function draw_head() {
  const chosen = [...new Set(map.columns.filter((column) => column.lab !== undefined).map((column) => column.lab))];
  const upright = (text) => html("span", { class: "upright", title: text }, text);
  const first = [html("th", { scope: "col", class: "name", rowspan: 2 }, "Student"), html("th", { scope: "col", class: "total", rowspan: 2 }, totals.length > 0 ? "Total, %" : "Points"), chosen.map((lab) => html("th", { scope: "colgroup", class: "lab", colspan: labs[lab].tests.length + 1 }, html("span", { class: "lab-name" }, labs[lab].name, html("span", { class: "quiet" }, ` ${labs[lab].title}`))))];
  const cells = map.columns.slice(2);
  const second = cells.map(({ kind, lab, test }) => (kind === "points" ? html("th", { scope: "col", class: "starts" }, upright(`points of ${number(labs[lab].max_points)}`)) : html("th", { scope: "col" }, upright(short_name(labs[lab].tests[test])))));
  const third = [html("th", { scope: "row", class: "name" }, "% of graded that pass"), html("td", { class: "total" }), cells.map(({ kind, lab, test }) => (kind === "points" ? html("td", { class: "starts" }) : html("td", null, String(Math.round(shares[lab][test])))))];
  map.head.replaceChildren(html("tr", { "aria-rowindex": 1 }, first), html("tr", { "aria-rowindex": 2 }, second), html("tr", { "aria-rowindex": 3, class: "shares" }, third));
}

function words_of_cell(student, { kind, lab, test }) {
  if (kind === "name" || kind === "total") return total_in_words(student);
  const verdict = student.submissions[lab]?.verdict;
  if (kind === "points") return verdict ? `${number(verdict.points)} of ${number(labs[lab].max_points)} points${verdict.kind && `: ${verdict.kind}`}` : states[letter(student, lab, 0)][1];
  return states[letter(student, lab, test)][1];
}

function cell_of(student, column, at) {
  const attributes = { "data-column": at, tabindex: -1 };
  if (column.kind === "name") return html("th", { scope: "row", class: "name" }, html("button", { ...attributes, type: "button", "aria-haspopup": "dialog" }, html("bdi", null, student.name)));
  if (column.kind === "total") return html("td", { ...attributes, class: "total" }, number(total_of(student)));
  const verdict = student.submissions[column.lab]?.verdict;
  if (column.kind === "points") {
    const shown = verdict ? (verdict.kind === "undecided" ? "?" : number(verdict.points)) : student.submissions[column.lab] ? "…" : "";
    return html("td", { ...attributes, class: "starts", "aria-label": words_of_cell(student, column) }, shown);
  }
  const its = letter(student, column.lab, column.test);
  return html("td", { ...attributes, class: `is-${its === " " ? "none" : its}`, "aria-label": states[its][1] }, states[its][0]);
}

const row_of = (at) => html("tr", { "data-row": at, "aria-rowindex": at + 4 }, map.columns.map((column, number_of_column) => cell_of(map.shown[at], column, number_of_column)));

// --- Rows in view ---

const cell_at = (row, column) => map.rows.get(row)?.querySelector(`[data-column="${column}"]`);

function draw_rows(first, last) {
  const had_focus = map.body.contains(document.activeElement);
  for (const [at, row] of map.rows) {
    if (at >= first && at < last) continue;
    row.remove();
    map.rows.delete(at);
  }
  let next = map.below;
  for (let at = last - 1; at >= first; --at) {
    if (!map.rows.has(at)) map.rows.set(at, map.body.insertBefore(row_of(at), next));
    next = map.rows.get(at);
  }
  Object.assign(map, { first, last });
  for (const [space, rows] of [[map.above, first], [map.below, map.shown.length - last]]) {
    space.hidden = rows === 0;
    space.firstChild.colSpan = map.columns.length;
    space.firstChild.style.height = `${rows * map.height}px`;
  }
  // The cell that the tab key leads to is one that exists.
  const row = Math.min(Math.max(map.row, first), Math.max(last - 1, 0));
  choose_cell(row, map.column);
  if (had_focus && !map.body.contains(document.activeElement)) cell_at(row, map.column)?.focus({ preventScroll: true });
}

function draw_view() {
  const step = 8;
  const top = Math.floor(map.scroll.scrollTop / map.height / step) * step;
  const first = Math.max(0, Math.min(top - step, map.shown.length));
  const last = Math.min(map.shown.length, top + Math.ceil(map.scroll.clientHeight / map.height) + 2 * step);
  if (first !== map.first || last !== map.last) draw_rows(first, last);
}

// Takes the height of a row, which fonts and zoom change, from one that exists.
function measure_rows() {
  map.height = map.rows.get(map.first)?.getBoundingClientRect().height || map.height;
  map.first = -1;
  draw_view();
}

function choose_cell(row, column) {
  cell_at(map.row, map.column)?.setAttribute("tabindex", -1);
  Object.assign(map, { row, column });
  cell_at(row, column)?.setAttribute("tabindex", 0);
}

function go_to(row, column) {
  if (map.shown.length === 0) return;
  row = Math.min(Math.max(row, 0), map.shown.length - 1);
  column = Math.min(Math.max(column, 0), map.columns.length - 1);
  const room = map.scroll.clientHeight - map.head.offsetHeight;
  const top = row * map.height;
  map.scroll.scrollTop = Math.max(Math.min(map.scroll.scrollTop, top), top + map.height - room);
  draw_view();
  choose_cell(row, column);
  cell_at(row, column)?.focus({ preventScroll: true });
  cell_at(row, column)?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function keys_of_map(event) {
  const page = Math.max(1, Math.floor((map.scroll.clientHeight - map.head.offsetHeight) / map.height) - 1);
  const rows = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page };
  const columns = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
  const { key, target } = event;
  if (key in rows) go_to(map.row + rows[key], map.column);
  else if (key in columns) go_to(event.ctrlKey && Math.abs(columns[key]) > 1 ? columns[key] : map.row, map.column + columns[key]);
  else if ((key === "Enter" || key === " ") && target.tagName === "TD") open_at(target);
  else return;
  event.preventDefault();
}

function place_of(target) {
  const row = target.closest("tr[data-row]");
  const cell = target.closest("th, td");
  if (!row || !cell) return null;
  const column = [...row.cells].indexOf(cell);
  return { row: Number(row.dataset.row), number: column, student: map.shown[row.dataset.row], column: map.columns[column] };
}

function open_at(target) {
  const place = place_of(target);
  if (!place) return;
  choose_cell(place.row, place.number);
  open_student(place.student, place.column.lab, place.column.test);
}

// The cell under the pointer or with the focus, in words.
function read_out(event) {
  const place = place_of(event.target);
  if (!place) return;
  const { student, column } = place;
  const test = column.kind === "test" ? labs[column.lab].tests[column.test] : null;
  const failure = test && student.submissions[column.lab]?.verdict?.messages.find(([at]) => at === column.test);
  map.readout.replaceChildren(html("strong", null, html("bdi", null, student.name)), ` · ${[column.lab !== undefined && labs[column.lab].name, test && short_name(test), words_of_cell(student, column)].filter(Boolean).join(" · ")}`, failure ? `: ${first_line(texts[failure[1][0]])}` : "");
}

// --- Choices ---

function show_map() {
  map.shown = students.filter(is_shown).sort(orders[view.order][1]);
  map.columns = columns_of_map();
  for (const row of map.rows.values()) row.remove();
  map.rows.clear();
  Object.assign(map, { first: -1, last: -1, row: 0, column: Math.min(map.column, map.columns.length - 1) });
  draw_head();
  map.table.setAttribute("aria-rowcount", map.shown.length + 3);
  map.scroll.scrollTop = 0;
  draw_view();
  measure_rows();
  map.nobody.hidden = map.shown.length > 0;
  map.count.textContent = map.shown.length === students.length ? `all ${plural(students.length, "student")}` : `${number(map.shown.length)} of ${plural(students.length, "student")}`;
  map.cause.hidden = !view.cause;
  map.cause.replaceChildren(html("span", { "aria-hidden": "true" }, "× "), "Cause: ", view.cause?.title ?? "", html("span", { class: "unseen" }, " (show all causes again)"));
}

function show_cause(cause) {
  Object.assign(view, { words: [], lab: null, only: 0, cause });
  map.search.value = "";
  map.choices[0].select.selectedIndex = map.choices[1].select.selectedIndex = 0;
  show_map();
  document.getElementById("map").scrollIntoView();
  go_to(0, 0);
}

function controls() {
  const id = next_id("search");
  const set = (key) => (value) => {
    view[key] = value;
    show_map();
  };
  map.search = html("input", { id, type: "search", autocomplete: "off", spellcheck: "false", oninput: () => set("words")(folded(map.search.value).split(/\s+/)) });
  map.choices = [
    chooser("Lab", ["all labs", ...labs.map((lab) => `${lab.name} · ${lab.title}`)], 0, (at) => set("lab")(at === 0 ? null : at - 1)),
    chooser("Show", onlys.map(([text]) => text), 0, set("only")),
    chooser("Order", orders.map(([text]) => text), 0, set("order")),
  ];
  map.count = html("p", { role: "status", class: "quiet small" });
  map.cause = html("button", { type: "button", class: "cause-chosen", hidden: true, onclick: () => { set("cause")(null); map.search.focus(); } });
  return html("div", { class: "controls" }, html("div", { class: "choice" }, html("label", { for: id }, "Student"), map.search), map.choices.map((one) => one.box), map.count, map.cause);
}

function map_section() {
  map.head = html("thead");
  [map.above, map.below] = [0, 0].map(() => html("tr", { class: "space", "aria-hidden": "true" }, html("td")));
  map.body = html("tbody", null, map.above, map.below);
  map.table = html("table", { role: "grid", class: "map", "aria-label": "Students and tests", "aria-describedby": "map-help", "aria-readonly": "true", onkeydown: keys_of_map, onclick: (event) => open_at(event.target), onfocusin: read_out, onpointerover: read_out }, map.head, map.body);
  map.scroll = html("div", { class: "map-scroll", onscroll: draw_view }, map.table);
  map.readout = html("p", { class: "readout", "aria-hidden": "true" }, "\u00a0");
  map.nobody = html("p", { class: "said", hidden: true }, "No student fits these choices.");
  new ResizeObserver(measure_rows).observe(map.scroll);
  addEventListener("beforeprint", () => draw_rows(0, map.shown.length));
  const key = Object.entries(states).filter(([its]) => "pfucnw".includes(its)).map(([its, [mark, words]]) => html("li", null, html("span", { class: `mark is-${its}`, "aria-hidden": "true" }, mark), words));
  return html("section", { id: "map", "aria-labelledby": "map-title" },
    html("h2", { id: "map-title" }, "Students and tests"),
    html("p", { id: "map-help", class: "said" }, "A row opens its student's messages: a click, or Enter. Arrow keys go from cell to cell."),
    controls(), html("ul", { class: "key" }, key), map.readout, map.scroll, map.nobody);
}

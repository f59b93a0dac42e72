// The head, the score and the failures.

const states = {
  passed: ["✓", "passed", "good"],
  failed: ["✗", "failed", "bad"],
  undecided: ["?", "undecided", "bad"],
  "not run": ["–", "not run", ""],
};
const state_label = (state) => {
  const [mark, text, kind] = states[state] ?? ["", state, ""];
  return html("span", { class: `label ${kind}` }, `${mark} ${text}`);
};

const where_times_come_from = (modelled, device) => (modelled ? `modelled for ${device}` : `measured on ${device}`);

function head() {
  const { made, score } = report;
  const from = [html("code", null, made.command), made.backend === "gpu" ? "on a GPU" : "in the emulator", made.device.name,
    `version ${made.version} for ${made.architecture}`, made.date];
  document.getElementById("top").append(
    html("div", null, html("h1", null, report.title), html("p", null, report.subject), html("p", { class: "made" }, from.flatMap((part, at) => (at === 0 ? [part] : [" · ", part]))), report.notes.map((note) => html("p", { class: "small" }, note))),
    ...(score ? [points(score)] : []),
  );
}

function points(score) {
  const width = 160;
  return html(
    "div",
    { class: "points", "data-view": "points", "data-points": score.points, "data-of": score.of },
    html("b", null, number(score.points)),
    ` of ${number(score.of)} points`,
    svg(
      "svg",
      { width, height: 6, "aria-hidden": "true" },
      svg("rect", { width, height: 6, class: "tint-muted" }),
      svg("rect", { width: (width * score.points) / Math.max(score.of, 1), height: 6, class: "solid-third" }),
    ),
  );
}

// Tests that fail with the same message are one failure.
function failures_of(score) {
  const groups = new Map();
  for (const test of score.tests.filter((one) => one.state === "failed" || one.state === "undecided")) {
    for (const message of test.messages.length > 0 ? test.messages : [{ text: "", places: [], findings: [] }]) {
      const key = JSON.stringify([test.state, message.text]);
      if (!groups.has(key)) groups.set(key, { message, tests: [] });
      groups.get(key).tests.push(test);
    }
  }
  return [...groups.values()];
}

// The lines that a message names, with those around them.
function excerpts(places) {
  const shown = places.filter((place) => place?.source != null);
  return distinct(shown.map((place) => place.source)).map((source) => excerpt(source, shown.filter((place) => place.source === source).map((place) => place.line)));
}

// The first failures are shown whole, of the others the headline: they often have the same cause.
const open_failures = 2;

function failure({ message, tests }, at) {
  const [test] = tests;
  const lost = tests.reduce((sum, one) => sum + one.of - one.points, 0);
  const labels = [state_label(test.state), " ", html("span", { class: "label" }, `${plural(lost, "point")} lost`)];
  return message_box(message, labels, tests.map((one) => one.name).join(", "), test.messages[0] === message && test.wrong && right_and_wrong(test.wrong), at < open_failures);
}

function message_box({ text, places }, labels, names, more, is_open) {
  const [headline, ...evidence] = text.split("\n");
  const body = html("div", { class: "body" }, excerpts(places), evidence.length > 0 && html("pre", { class: "evidence" }, unindented(evidence)), more);
  return html(
    "article",
    null,
    html("div", { class: "head" }, html("h3", null, headline || `${names} failed`), html("span", null, labels)),
    names && html("p", { class: "names" }, names),
    is_open ? body : html("details", { class: "behind" }, html("summary", null, "Where, and what was seen"), body),
  );
}

// What is wrong with a program of one's own, which has no score.
function findings_section() {
  if (!report.findings?.length) return null;
  const labels = html("span", { class: "label bad" }, "✗ found");
  return html("section", { id: "findings", "aria-labelledby": "findings-title" }, html("h2", { id: "findings-title" }, "What is wrong"), report.findings.map((finding, at) => message_box(finding, labels.cloneNode(true), "", null, at < open_failures)));
}

function score_section() {
  const { score } = report;
  if (!score) return null;
  if (score.trouble) return html("section", { id: "score", "aria-labelledby": "score-title" }, html("h2", { id: "score-title" }, "Not judged"), excerpts(score.trouble_places ?? []), html("pre", { class: "evidence" }, score.trouble));
  const failures = failures_of(score);
  const passed = score.tests.filter((test) => test.state === "passed").length;
  const summary = failures.length === 0 ? `All ${plural(passed, "test")} passed.` : `${plural(failures.length, "failure")}; ${number(passed)} of ${plural(score.tests.length, "test")} passed.`;
  return html(
    "section",
    { id: "score", "aria-labelledby": "score-title" },
    html("h2", { id: "score-title" }, failures.length === 0 ? "Score" : "What failed"),
    html("p", { class: "said" }, summary),
    score.warnings.map((warning) => html("p", { class: "said" }, html("strong", null, "Warning: "), warning)),
    failures.map(failure),
    table_behind(
      "all tests",
      ["Test", "State", { text: "Points", numeric: true }, { text: "Of", numeric: true }, "Group", "Measured"],
      () => score.tests.map((test) => [test.name, state_label(test.state), test.points, test.of, test.group, test.measured]),
      "tests",
    ),
  );
}

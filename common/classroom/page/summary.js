// The head, the figures of each lab, and how points are distributed.

function head() {
  const { made } = data;
  const from = [made.device && `modelled for ${made.device}`, made.seed && `seed ${made.seed}`, ...new Set(data.runs.map((run) => `version ${run.version}`)), made.last_graded && `last graded ${made.last_graded}`, !made.has_names && "without names: the numbers of students follow no order"].filter(Boolean);
  document.getElementById("top").append(
    html("div", null, html("h1", null, document.title), html("p", { class: "made" }, from.join(" · "))),
    html("div", { class: "points" }, html("b", null, number(students.length)), " students"),
  );
}

// As `lab class status` has it: the upper one of two in the middle.
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;

function figures_of(at) {
  const all = handed_in.filter((one) => one.lab === at);
  const graded = all.filter((one) => one.verdict);
  const count = (is_counted) => graded.filter(is_counted).length;
  return { all: all.length, graded: graded.length, full: count(has_full_points), compile: count((one) => one.verdict.kind === "does not compile"), undecided: count(is_undecided), points: graded.map((one) => one.verdict.points) };
}

// Share of the points: 0, under 10 %, under 20 %, ..., under 100 %, all.
const bins = ["0", "under 10 %", ...Array.from({ length: 9 }, (_, at) => `${(at + 1) * 10} to ${(at + 2) * 10} %`), "all"];
function bin_of(points, most) {
  if (points <= 0 || most <= 0) return 0;
  return points >= most ? bins.length - 1 : 1 + Math.floor((10 * points) / most);
}

function histogram(lab, points) {
  const counts = bins.map(() => 0);
  for (const one of points) ++counts[bin_of(one, lab.max_points)];
  const [title, text] = [next_id("title"), next_id("text")];
  const draw = (width) => {
    const [top, height, bottom] = [16, 92, 20];
    const step = width / bins.length;
    const highest = Math.max(1, ...counts);
    const bars = counts.map((count, at) => {
      const [x, full] = [at * step + 1, (height * count) / highest];
      const role = at === 0 ? "solid-second" : at === bins.length - 1 ? "solid-third" : "solid-first";
      return [svg("rect", { x, y: top + height - full, width: step - 2, height: full, class: role }), count > 0 && svg("text", { x: x + step / 2 - 1, y: top + height - full - 4, class: "middle quiet small" }, count)];
    });
    const tick = (at, said) => svg("text", { x: (at + 0.5) * step, y: top + height + 14, class: "middle quiet small" }, said);
    const names = { role: "img", "aria-labelledby": title, "aria-describedby": text };
    return svg("svg", { viewBox: `0 0 ${width} ${top + height + bottom}`, width, height: top + height + bottom, ...names },
      svg("title", { id: title }, `Points of ${lab.name}`), svg("desc", { id: text }, bins.map((name, at) => `${name}: ${counts[at]}`).join("; ")),
      bars, svg("line", { x1: 0, x2: width, y1: top + height + 0.5, y2: top + height + 0.5, class: "line-muted" }), tick(0, "0"), svg("text", { x: 6 * step, y: top + height + 14, class: "middle quiet small" }, "50 %"), tick(bins.length - 1, "all"));
  };
  return html("div", null,
    html("h3", null, lab.name, html("span", { class: "quiet" }, ` · ${lab.title} · of ${number(lab.max_points)} points`)),
    drawn_to_width(draw).place,
    table_behind(`points of ${lab.name}`, ["Share of the points", { text: "Submissions", numeric: true }], () => bins.map((name, at) => [name, counts[at]]), "histogram"));
}

function summary_section() {
  const numeric = true;
  const figures = labs.map((_, at) => figures_of(at));
  const rows = labs.map((lab, at) => {
    const { all, graded, full, compile, undecided, points } = figures[at];
    const middle = median(points);
    return [lab.name, lab.title, all, graded, full, middle === null ? "–" : `${number(middle)} of ${number(lab.max_points)}`, compile, undecided];
  });
  const columns = ["Lab", "Title", ...["Submissions", "Graded", "Full points", "Median", "Don't compile", "Undecided"].map((text) => ({ text, numeric }))];
  const sum = (key) => figures.reduce((all, one) => all + one[key], 0);
  const passing = () => labs.flatMap((lab, at) => lab.tests.map((test, number_of_test) => {
    const count = (letters) => handed_in.filter((one) => one.lab === at && letters.includes(letter(one.student, at, number_of_test))).length;
    return [lab.name, short_name(test), test.group, test.points, count("p"), count("fcn"), count("u")];
  }));
  return html("section", { id: "summary", "aria-labelledby": "summary-title" },
    html("h2", { id: "summary-title" }, "Summary"),
    html("p", { class: "said" }, html("strong", null, plural(sum("all"), "submission")), ` of ${plural(students.length, "student")}: ${number(sum("graded"))} graded, ${number(sum("full"))} with full points, ${number(sum("compile"))} don't compile, ${number(sum("undecided"))} undecided.`),
    totals.length > 0 && html("p", { class: "said" }, "Median of the students' totals: ", html("strong", null, `${number(median(totals))} % of the course`), ", by its weights."),
    table("Submissions of each lab", columns, rows, "labs"),
    html("h3", null, "Distribution of points"),
    html("div", { class: "histograms" }, labs.map((lab, at) => histogram(lab, figures[at].points))),
    table_behind("all tests: how many submissions pass", ["Lab", "Test", "Group", ...["Points", "Passed", "Failed", "Undecided"].map((text) => ({ text, numeric }))], passing, "tests"));
}

// Checks the page of a class, then that the checks find faults: node check_class.mjs NAMED.html ANONYMOUS.html FOLDER
// FOLDER takes pages with a fault each.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { of_quarter, start_browser } from "../../report/browser/report.mjs";
import { check, data_of, looks } from "./look.mjs";

const [named, anonymous, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await start_browser();
let failed = 0;
function tell(what, faults) {
  console.log(`${faults.length === 0 ? "ok    " : "FAILED"} ${what}`);
  for (const fault of faults.slice(0, 30)) console.log(`    ${fault}`);
  failed += faults.length > 0 ? 1 : 0;
}

const page = readFileSync(named, "utf8");
const names = data_of(page).students;
// Names that the text of a page without names still has.
const names_in = (text) => names.filter((name) => text.includes(name)).map((name) => `the page has the name ${name}`);
// The page with other data.
const embedded = (data) => JSON.stringify(data).replaceAll("<", "\\u003c");
const with_data = (change) => {
  const data = data_of(page);
  change(data);
  return page.replace(/(id="report">).*?(<\/script>)/s, (_, begin, end) => begin + embedded(data) + end);
};

tell("a class with names", await check(browser, named, [looks[0], ...of_quarter(looks.slice(1))]));
tell("a class without names", [...names_in(readFileSync(anonymous, "utf8")), ...(await check(browser, anonymous, looks.slice(0, 1)))]);

// A course's totals, in another order than the points.
const course_page = `${folder}/course.html`;
writeFileSync(course_page, with_data((data) => (data.totals = data.students.map((_, at) => ((at * 37) % 1000) / 10))));
tell("a class of a course", await check(browser, course_page, looks.slice(0, 1)));

// Texts that would be code if anything took them for HTML, in each place that takes one.
const hostile = `</script><img src="https://example.org/x.png" onerror="alert(1)"><b>bold</b>\u2028`;
const hostile_page = `${folder}/hostile.html`;
writeFileSync(hostile_page, with_data((data) => {
  data.made.class = data.made.seed = data.made.device = hostile;
  data.students = data.students.map((name, at) => (at % 3 === 0 ? name : `${name} ${hostile}`));
  data.texts = data.texts.map((text) => `${hostile} ${text}\n${hostile}`);
  for (const lab of data.labs) lab.title += hostile;
  for (const run of data.runs) run.sandbox = run.version = hostile;
}));
tell("hostile texts", await check(browser, hostile_page, looks.slice(0, 1)));

// Faults: name, what is replaced by what in the page, the check that finds it ("": each), and what has to be said.
const faults = [
  ["a request", ["<footer", `<img alt="" src="https://example.org/x.png"><footer`], "", "a request: https://example.org"],
  ["an inline style", [`<main id="content"`, `<main style="color:red" id="content"`], "", "a console message: "],
  ["an exception", [`.append("One file`, `.append("One file"); throw new Error("here"); ("`], "", "an error: Error: here"],
  ["a page that is too wide", [".histograms { display", ".histograms { min-width: 3000px; display"], "", "the page scrolls sideways"],
  ["marks that can't be read", [".is-p { background: var(--third-tint); color: var(--third)", ".is-p { background: var(--third-tint); color: var(--faint)"], "marks", "can't be read: contrast"],
  ["text that can't be read", [".how-many { font-size: .87rem; color: var(--muted)", ".how-many { font-size: .87rem; color: var(--faint)"], "axe", "axe: color-contrast"],
  ["a field without a name", [`html("label", { for: id }, "Student"), map.search`, `"Student", map.search`], "axe", "axe: label"],
  ["a test too far", ["verdict.states[test] ?? ", "verdict.states[test + 1] ?? "], "choices", "at first: rows"],
  ["other points", [`class: "total" }, number(total_of(student)))`, `class: "total" }, number(points_of(student, 0)))`], "choices", "at first: rows"],
  ["a filter by one word", ["view.words.every", "view.words.slice(0, 1).every"], "choices", "by name: how many"],
  ["a filter of all labs", ["view.lab === null ? labs.map", "view.lab !== -1 ? labs.map"], "choices", "failures of one lab: how many"],
  ["failures without compile errors", ["/[fcn]/", "/[f]/"], "choices", "failures of one lab: how many"],
  ["a course's total left out", ["totals.length > 0 ? totals[student.at]", "totals.length < 0 ? totals[student.at]"], "choices", "at first: rows", course_page],
  ["an order of all points", ["(view.lab === null ? total_of", "(view.lab !== -1 ? total_of"], "choices", "by points: rows"],
  ["undecided tests left out", [`verdict?.states.includes("u")`, `verdict?.kind === "undecided"`], "undecided", "undecided: the page has"],
  ["a cause of everybody", ["!view.cause.students.has(student)", "false"], "causes", "the students of a cause"],
  ["causes by numbers", [`replace(numbers, "#")`, `replace("", "")`], "causes", "causes: how many students"],
  ["another bin", ["1 + Math.floor((10 * points)", "Math.floor((10 * points)"], "summary", "distributions"],
  ["a drawing without a title", [`svg("title", { id: title }`, `svg("title", null`], "summary", "without title or description"],
  ["rows out of view", ["2 * step);", "2 * step + 150);"], "keys", "rows exist at a time"],
  ["no arrow keys", ["ArrowRight: 1, Home", "F9: 1, Home"], "keys", "after ArrowRight"],
  ["a focus out of view", ["top + map.height - room);", "0);"], "keys", "after Control+End"],
  ["a focus that is lost", ["if (had_focus && !", "if (false && !"], "keys", "scrolling loses the focus"],
  ["a dialog that forgets the row", ["go_to(row, map.column);\n  });", "go_to(0, map.column);\n  });"], "keys", "after Escape"],
  ["messages cut", ["unindented(evidence))", "unindented(evidence.slice(1)))"], "click", "the dialog lacks"],
  ["no strength of the sandbox", ["`sandbox ${run.sandbox", "`${run.sandbox"], "keys", "the dialog lacks 'sandbox"],
  ["a dialog at its begin", [`scrollIntoView({ block: "start" })`, "textContent.trim()"], "click", "the dialog doesn't begin at"],
  ["texts as HTML", [`html("bdi", null, student.name)));`, `Object.assign(html("bdi"), { innerHTML: student.name })));`], "", "a console message: ", hostile_page],
];
for (const [name, [from, to], part, reason, base = named] of of_quarter(faults)) {
  const text = readFileSync(base, "utf8");
  const is_once = text.split(from).length === 2;
  const file = `${folder}/${name.replaceAll(/\W+/g, "_")}.html`;
  writeFileSync(file, text.replace(from, () => to));
  const said = await check(browser, file, looks.slice(0, 1), [part]);
  const is_found = is_once && said.some((one) => one.includes(reason));
  console.log(`${is_found ? "found " : "MISSED"} ${name}`);
  if (!is_found) console.log(is_once ? `    wanted '${reason}'; said: ${said.slice(0, 5).join("\n    ") || "nothing"}` : `    '${from}' doesn't stand once in the page`);
  failed += is_found ? 0 : 1;
}
if (names_in(page).length !== names.length) {
  console.log("MISSED names in the page");
  ++failed;
}
await browser.close();
console.log(failed === 0 ? "the page of a class is as it should be" : `${failed} faults`);
process.exit(failed === 0 ? 0 : 1);

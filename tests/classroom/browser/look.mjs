// The page of a class in Chromium: tried by mouse and keys, and compared with the data inside.
import { readFileSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { accessible, cut_long_tables, in_time, no_sideways_scroll, opened, quick } from "../../report/browser/report.mjs";
import { expectations } from "./expected.mjs";

export const looks = [["light", 1280], ["dark", 1280], ["light", 400], ["dark", 400], ["light", 2560]];
const max_bytes = 3e6;
const max_rows = 150;  // of the map that exist at a time

export const data_of = (text) => JSON.parse(text.match(/id="report">(.*?)<\/script>/s)[1]);

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
function compare(what, shown, wanted, wrong) {
  if (!same(shown, wanted)) wrong(`${what}: the page has ${JSON.stringify(shown)?.slice(0, 300)}, the data ${JSON.stringify(wanted)?.slice(0, 300)}`);
}

const first_row = (page) => page.evaluate(() => Number(document.querySelector("tr[data-row]")?.dataset.row ?? 0));
// The rows of the map that exist: name, points in all, then each lab's points and its tests' words.
const rows_of = (page) => page.evaluate(() => [...document.querySelectorAll("tr[data-row]")].map((row) => [row.cells[0].textContent, row.cells[1].textContent, ...[...row.cells].slice(2).map((cell) => cell.getAttribute("aria-label"))]));
const names_of = async (page) => (await rows_of(page)).map(([name]) => name);
const tables_of = (page, view) => page.evaluate((name) => [...document.querySelectorAll(`table[data-view="${name}"]`)].map((table) => [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.dataset.value ?? cell.textContent))), view);
const texts = (rows) => rows.map((row) => row.map(String));
const status_of = async (page) => (await page.locator("[role=status]").textContent()).replaceAll("\u202f", "");
const focused = (page) => page.evaluate(() => [document.activeElement.closest("tr")?.dataset.row, document.activeElement.dataset.column].map(Number));
const is_seen = (page) => page.evaluate(() => {
  const [cell, box, head] = [document.activeElement, document.querySelector(".map-scroll"), document.querySelector(".map thead")].map((one) => one.getBoundingClientRect());
  return cell.top >= head.bottom - 1 && cell.bottom <= box.bottom + 1 && cell.right <= box.right + 1 && cell.bottom <= innerHeight + 1 && getComputedStyle(document.activeElement).outlineStyle !== "none";
});

async function check_summary(page, expected, wrong) {
  await open_all(page);
  await page.waitForFunction(() => document.querySelector("[data-view=tests]"));
  compare("figures of labs", await tables_of(page, "labs"), [texts(expected.figures)], wrong);
  compare("distributions", (await tables_of(page, "histogram")).map((rows) => rows.map(([, count]) => count)), texts(expected.distributions), wrong);
  compare("bars", await page.evaluate(() => [...document.querySelectorAll(".histograms svg")].map((svg) => [...svg.querySelectorAll("rect")].map((bar) => Number(bar.getAttribute("height")) > 0))), expected.distributions.map((counts) => counts.map((count) => count > 0)), wrong);
  const median = expected.total === null ? [] : [`Median of the students' totals: ${expected.total} % of the course, by its weights.`];
  compare("median of totals", await page.evaluate(() => [...document.querySelectorAll("#summary > .said")].slice(1).map((one) => one.textContent)), median, wrong);
  compare("tests", await tables_of(page, "tests"), [texts(expected.tests)], wrong);
  const described = await page.evaluate(() => [...document.querySelectorAll(".histograms svg")].every((svg) => ["aria-labelledby", "aria-describedby"].every((name) => svg.contains(document.getElementById(svg.getAttribute(name))))));
  if (!described) wrong("a drawing without title or description");
}

// What the map shows after each choice.
async function check_choices(page, expected, wrong) {
  const [search, lab, show, order] = ["Student", "Lab", "Show", "Order"].map((name) => page.getByLabel(name, { exact: true }));
  let lab_number = -1;  // the chosen lab; -1: all
  const shows = async (what, chosen) => {
    compare(`${what}: how many`, await status_of(page), chosen.length === expected.students.length ? `all ${chosen.length} students` : `${chosen.length} of ${expected.students.length} students`, wrong);
    const [rows, first] = [await rows_of(page), await first_row(page)];
    if (chosen.length > 0 && rows.length === 0) wrong(`${what}: no row`);
    compare(`${what}: rows`, rows, chosen.slice(first, first + rows.length).map((student) => expected.row(student, lab_number)), wrong);
  };
  await shows("at first", expected.by_name);
  const [first, second] = expected.by_name[20].name.split(" ");
  await search.fill(`${second} ${first.toUpperCase()}`);
  await shows("by name", expected.by_name.filter((student) => [first, second].every((word) => student.name.toLowerCase().includes(word.toLowerCase()))));
  await search.fill("");
  await lab.selectOption({ index: 2 });
  lab_number = 1;
  await show.selectOption("only with failures");
  await shows("failures of one lab", expected.by_name.filter((student) => expected.has(student, 1, "fcn")));
  await order.selectOption("fewest points first");
  await shows("by points", expected.by_points((student) => expected.points(student, 1)).filter((student) => expected.has(student, 1, "fcn")));
  await lab.selectOption({ index: 0 });
  lab_number = -1;
  await show.selectOption("only undecided");
  await shows("undecided", expected.by_points((student) => expected.points(student)).filter((student) => expected.has(student, -1, "u")));
  await order.selectOption("name");
  await show.selectOption("only with something missing");
  await shows("missing", expected.by_name.filter((student) => student.submissions.filter(Boolean).length < expected.labs));
  await search.fill("nobody of this name");
  await shows("nobody", []);
  await search.fill("");
  await show.selectOption("all students");
  await shows("all again", expected.by_name);
}

async function check_causes(page, expected, wrong) {
  const more = page.getByRole("button", { name: /^Show all [\d\u202f]+ causes$/ });
  if (await more.count()) await more.click();
  const shown = await page.evaluate(() => [...document.querySelectorAll("#causes .cause")].map((item) => [Number(item.querySelector("b").textContent), item.querySelector("pre").textContent]));
  compare("causes: how many students", shown.map(([count]) => count), expected.causes.map((cause) => cause.students.size), wrong);
  for (const [count, example] of shown) {
    if (!expected.causes.some((cause) => cause.students.size === count && cause.texts.some((text) => text.trimEnd() === example))) wrong(`a cause's example is none of its messages: ${example.slice(0, 100)}`);
  }
  await page.locator("#causes .cause button").first().click();
  const { students } = expected.causes[0];
  compare("the students of a cause", await status_of(page), `${students.size} of ${expected.students.length} students`, wrong);
  for (const name of await names_of(page)) if (!students.has(name)) wrong(`${name} doesn't have the first cause`);
  await page.getByRole("button", { name: /^Cause: / }).click();
  compare("no cause", await status_of(page), `all ${expected.students.length} students`, wrong);
}

async function check_undecided(page, expected, wrong) {
  const more = page.getByRole("button", { name: /^Show all [\d\u202f]+ places$/ });
  while ((await more.count()) > 0) await more.first().click();
  const shown = await page.evaluate(() => [...document.querySelectorAll("#undecided .reason")].map((reason) => [reason.querySelector("h3").textContent, [...reason.querySelectorAll("li")].map((place) => place.textContent)]));
  compare("undecided", shown.map(([, places]) => places.length), expected.undecided.map(([, places]) => places.length), wrong);
  for (const [reason] of expected.undecided) if (!shown.some(([said]) => said.endsWith(reason))) wrong(`no reason '${reason}'`);
}

// All that the dialog has to say of a student.
async function check_dialog(page, expected, student, wrong) {
  const text = await page.locator("dialog[open]").evaluate((box) => box.textContent);
  if ((await page.locator("dialog h2").textContent()) !== student.name) wrong(`the dialog is not ${student.name}'s`);
  for (const needed of expected.said_of(student)) if (!text.includes(needed)) wrong(`${student.name}: the dialog lacks '${needed.slice(0, 200)}'`);
}

async function check_keys(page, expected, wrong) {
  const goes_to = async (key, row, column) => {
    await page.keyboard.press(key);
    compare(`after ${key}`, await focused(page), [row, column], wrong);
    if (!(await is_seen(page))) wrong(`after ${key} the focus is not seen`);
  };
  const last_row = expected.students.length - 1;
  const last_column = (await page.locator("tr[data-row]").first().locator("th, td").count()) - 1;
  await page.getByLabel("Order", { exact: true }).focus();
  await goes_to("Tab", 0, 0);
  await goes_to("ArrowDown", 1, 0);
  await goes_to("ArrowRight", 1, 1);
  await goes_to("End", 1, last_column);
  await goes_to("Control+End", last_row, last_column);
  await goes_to("ArrowUp", last_row - 1, last_column);
  await goes_to("Control+Home", 0, 0);
  for (let down = 1; down <= 40; ++down) await page.keyboard.press("ArrowDown");
  const rows = await page.locator("tr[data-row]").count();
  if (rows > max_rows) wrong(`${rows} rows exist at a time`);
  await goes_to("ArrowRight", 40, 1);
  await page.keyboard.press("Enter");
  await check_dialog(page, expected, expected.by_name[40], wrong);
  await page.getByRole("button", { name: "Next student" }).click();
  await check_dialog(page, expected, expected.by_name[41], wrong);
  // The dialog's "close" event, which moves the focus, is a task of its own. Something has to listen for it before the key is pressed.
  await page.evaluate(() => { window.is_closed = new Promise((done) => document.querySelector("dialog").addEventListener("close", () => setTimeout(done), { once: true })); });
  await page.keyboard.press("Escape");
  await page.evaluate(() => window.is_closed);
  compare("after Escape", await focused(page), [41, 1], wrong);
  // The focus stays in the map when its row is scrolled out of view.
  await page.evaluate(() => new Promise((done) => { document.querySelector(".map-scroll").scrollTop = 1e6; requestAnimationFrame(() => requestAnimationFrame(done)); }));
  if (!((await focused(page))[0] > 100)) wrong("scrolling loses the focus");
  await page.keyboard.press("Control+Home");
}

// A click on a cell leads to the message of its test: here the last one of the student who has most.
async function check_click(page, expected, wrong) {
  const { row, column } = await page.evaluate(() => {
    const rows = [...document.querySelectorAll("tr[data-row]")].map((one) => [...one.cells].map((cell, at) => (cell.className === "is-f" ? at : -1)).filter((at) => at >= 0));
    const most = rows.reduce((best, one, at) => (one.length > rows[best].length ? at : best), 0);
    return { row: document.querySelectorAll("tr[data-row]")[most].dataset.row, column: rows[most].at(-1) };
  });
  await page.locator(`tr[data-row="${row}"] > :nth-child(${column + 1})`).click();
  const student = expected.by_name[row];
  await check_dialog(page, expected, student, wrong);
  const headline = expected.headline(student, column);
  const is_in_view = await page.evaluate((text) => {
    const room = document.querySelector(".details-body").getBoundingClientRect();
    if (document.querySelector("dialog h2").getBoundingClientRect().left < 5) return false;
    return [...document.querySelectorAll("dialog article")].some((one) => one.textContent.startsWith(text) && one.getBoundingClientRect().top < room.bottom && one.getBoundingClientRect().bottom > room.top);
  }, headline);
  if (!is_in_view) wrong(`the dialog doesn't begin at '${headline}'`);
  await page.getByRole("button", { name: "Close" }).click();
}

// Contrast of each mark, which axe leaves out as too short a text.
async function check_marks(page, expected, wrong) {
  const contrasts = await page.evaluate(() => {
    const luminance = (colour) => {
      const [r, g, b] = colour.match(/[\d.]+/g).map((value) => value / 255).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    return [...document.querySelectorAll(".key .mark")].map((mark) => {
      const { color, backgroundColor } = getComputedStyle(mark);
      const [dark, light] = [luminance(color), luminance(backgroundColor)].sort((a, b) => a - b);
      return [mark.className, (light + 0.05) / (dark + 0.05)];
    });
  });
  if (contrasts.length < 6) wrong("there is no key of all marks");
  for (const [mark, contrast] of contrasts) if (contrast < 4.5) wrong(`${mark} can't be read: contrast ${contrast.toFixed(1)}`);
}

async function open_all(page) {
  await page.evaluate(() => { for (const box of document.querySelectorAll("details")) box.open = true; });
}

// In each look; then what compares, in the first one.
const tried = { marks: check_marks, keys: check_keys, click: check_click };
const compared = { choices: check_choices, causes: check_causes, undecided: check_undecided, summary: check_summary };
export const all_parts = [...Object.keys(tried), ...Object.keys(compared), "axe"];

// Returns the faults of the page, a text each. `chosen`: schemes and widths; `parts`: checks.
export async function check(browser, file, chosen = looks, parts = all_parts) {
  const failures = [];
  const { size } = statSync(file);
  if (size > max_bytes) failures.push(`${basename(file)}: it has ${size} bytes`);
  const expected = expectations(data_of(readFileSync(file, "utf8")));
  const run = async (checks, page, wrong) => {
    for (const [name, one] of Object.entries(checks)) if (parts.includes(name)) await one(page, expected, wrong);
  };
  for (const [scheme, width] of chosen) {
    const wrong = (what) => failures.push(`${basename(file)}, ${scheme}, ${width} pixels: ${what}`);
    const { context, page } = await opened(browser, pathToFileURL(resolve(file)).href, scheme, width, wrong);
    context.setDefaultTimeout(20000);
    const try_all = async () => {
      await no_sideways_scroll(page, wrong);
      await run(tried, page, wrong);
      const [scheme_of_all, width_of_all] = looks[0];
      if (scheme === scheme_of_all && width === width_of_all) {
        await run(compared, page, wrong);
        await quick(context, page, wrong);
      }
      await open_all(page);
      await no_sideways_scroll(page, wrong);
      if (!parts.includes("axe")) return;
      await cut_long_tables(page);
      await accessible(page, wrong);
      await page.locator("#undecided li button").first().click();
      await no_sideways_scroll(page, wrong);
      await accessible(page, wrong);
    };
    try {
      await in_time(try_all());
    } catch (error) {
      wrong(error.stack);
    } finally {
      await context.close();
    }
  }
  return failures;
}

// Shows that the checks find faults: pages with one fault each, made from the made-up records, must fail for the stated reason.
import { mkdirSync, writeFileSync } from "node:fs";
import * as examples from "./examples.mjs";
import { page_for } from "./join.mjs";
import { check, configurations, start_browser } from "./report.mjs";

// What is replaced by what in the page's files, in which record, and what the checks have to say.
const faults = [
  ["a request", "good", ["<footer", `<img alt="" src="https://example.org/x.png"><footer`], "a request: https://example.org"],
  ["an inline style", "good", [`<main id="content"`, `<main style="color:red" id="content"`], "a console message: "],
  ["an exception", "good", ["contents();\n  document", "contents(); throw new Error('here');\n  document"], "an error: Error: here"],
  ["text that can't be read", "good", [".quiet { color: var(--muted); }", ".quiet { color: var(--faint); }"], "axe: color-contrast"],
  ["a control without a name", "good", [`html("label", { for: id }, label), select)`, `label, select)`], "axe: select-name"],
  ["a page that is too wide", "good", ["body { margin: 0;", "body { margin: 0; min-width: 2000px;"], "the page scrolls sideways"],
  ["no arrow keys", "good", ["ArrowRight: 1 }[", "ArrowUp: 1 }["], "after the right arrow key"],
  ["a focus that isn't seen", "good", [":focus-visible { outline: 2px solid var(--first);", ":focus-visible { outline: none;"], "the focus is not seen"],
  ["an observer of what it changes", "good", [".observe(ruler)", ".observe(drawing)"], "a console message: ResizeObserver loop"],
  ["another launch first", "strided", ["stopped >= 0 ? stopped : named", "stopped"], "the launch that is shown first"],
  ["a sector too few", "strided", ["Math.floor(byte / machine.sector_bytes)", "Math.floor(byte / (2 * machine.sector_bytes))"], "lanes and sectors drawn"],
  ["a wrong bank", "good", ["word % machine.banks];\n      if (!column", "word % 8];\n      if (!column"], "words in the busiest bank"],
  ["a wrong time", "good", ["part.ms, percent", "2 * part.ms, percent"], "table 'time'"],
  ["other digits than the value", "good", ["{ maximumSignificantDigits: 3 }", "{ maximumSignificantDigits: 1 }"], "numbers shown with other digits"],
  ["a counter at another line", "good", ["of_line.get(line)", "of_line.get(line + 1)"], "by line"],
  ["a race left out", "race", ["shared.races.map((race) => race_arrow", "shared.races.slice(1).map((race) => race_arrow"], "races"],
  ["a race of another block left out", "race", ["launch.other_races.map((race) => race_elsewhere", "launch.other_races.slice(1).map((race) => race_elsewhere"], "races elsewhere"],
  ["a reader left out", "race", ["thread_count(reads)", "thread_count(reads.slice(1))"], "words"],
  ["a mark at another line", "race", ["lines.includes(at)", "lines.includes(at + 1)"], "failures"],
  ["a map with other sums", "race", ["sum + count, 0)]", "sum + 1, 0)]"], "a map of wrong elements"],
  ["no partitions", "strided", [`["partitions", "Partitions over time", partitions_view],`, ""], "table 'partitions'"],
];

const folder = process.argv[2] ?? "faulty";
mkdirSync(folder, { recursive: true });
const browser = await start_browser();
let failed = 0;
for (const [name, record, [from, to], reason] of faults) {
  const file = `${folder}/${name.replaceAll(/\W+/g, "_")}.html`;
  let replaced = 0;
  const change = (text) => (text.includes(from) ? (++replaced, text.replace(from, () => to)) : text);
  writeFileSync(file, page_for(examples[record](), change));
  const is_of_axe = reason.startsWith("axe");
  const said = await check(browser, file, [], [], [[...configurations[is_of_axe ? 1 : reason.includes("sideways") ? 2 : 0], !is_of_axe]]);
  const is_found = replaced === 1 && said.some((one) => one.includes(reason));
  console.log(`${is_found ? "found " : "MISSED"} ${name}`);
  if (!is_found) console.log(replaced === 1 ? `    wanted '${reason}'; said: ${said.join("\n    ") || "nothing"}` : `    '${from}' stands in ${replaced} files of the page, not in one`);
  failed += is_found ? 0 : 1;
}
await browser.close();
console.log(`${faults.length - failed} of ${faults.length} faults are found`);
process.exit(failed === 0 ? 0 : 1);

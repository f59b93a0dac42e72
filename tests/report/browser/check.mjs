// Opens reports in Chromium, in light and dark, at 360 and 1280 pixels, and in a window that takes 40 sizes, and compares what they show with the record inside.
//   node check.mjs [--shows LIST.json | --hides LIST.json] [--two] FILE.html...
// LIST.json: texts that single reports have to show, {"file's name without .html": ["text", "kernel » text", ...]}. --hides: the report of a
// lab's solution must not show what those of its mutants have to. --two: each report in light at 1280 pixels, where numbers are compared,
// and in one of the other three, by rotation, and in no other size.
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { check, check_sizes, configurations, in_time, of_quarter, start_browser } from "./report.mjs";

const words = process.argv.slice(2);
const list_of = (option) => (words[0] === option ? JSON.parse(readFileSync(words.splice(0, 2)[1], "utf8")) : {});
const list = Object.fromEntries(of_quarter(Object.entries(list_of("--shows"))));
const mistakes = Object.entries(list_of("--hides"));
const two = words[0] === "--two" && words.splice(0, 1).length === 1;
if (words.length === 0) {
  console.error("node check.mjs [--shows LIST.json] [--two] FILE.html...: name at least one report");
  process.exit(2);
}
const missing = Object.keys(list).filter((name) => !words.some((file) => basename(file, ".html") === name));
const browser = await start_browser();
let failed = missing.length;
for (const name of missing) console.log(`${name}: it is in the list of what reports show, but no such report was given`);
async function check_next(files) {
  for (let next = files.next(); !next.done; next = files.next()) {
    const [at, file] = next.value;
    const chosen = two ? [configurations[0], configurations[1 + (at % (configurations.length - 1))]] : configurations;
    const name = basename(file, ".html");
    const hides = name.endsWith("_solution") ? mistakes.filter(([mutant]) => mutant.startsWith(name.replace("solution", ""))).flatMap(([, texts]) => texts) : [];
    const sized = async () => [...(await check(browser, file, list[name] ?? [], hides, chosen)), ...(two ? [] : await check_sizes(browser, file))];
    const failures = await in_time(sized()).catch((error) => [error.message]);
    console.log(`${failures.length === 0 ? "ok    " : "FAILED"} ${basename(file)}`);
    for (const failure of failures) console.log(`    ${failure}`);
    failed += failures.length > 0 ? 1 : 0;
  }
}
const files = words.entries();
await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, () => check_next(files)));
await browser.close();
console.log(`${words.length + missing.length - failed} of ${words.length + missing.length} reports are as they should be`);
process.exit(failed === 0 ? 0 : 1);

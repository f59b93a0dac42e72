// Opens reports in Chromium, in light and dark, at 360 and 1280 pixels, and compares what they show with the record inside.
//   node check.mjs [--shows LIST.json] FILE.html...
// LIST.json names texts that single reports have to show: {"file's name without .html": ["text", ...]}.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { axe, chromium } from "./packages.mjs";
import { record_of } from "./expected.mjs";
import { compare_launch, compare_page, open_tables, step_by_keys } from "./compare.mjs";

const configurations = [["light", 1280], ["dark", 1280], ["light", 360], ["dark", 360]];
const most_seconds = 2;

// A page that records all that it should not do.
async function opened(browser, url, colorScheme, width, wrong) {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
  const page = await context.newPage();
  page.on("request", (request) => {
    if (request.url() !== url || !request.isNavigationRequest()) wrong(`a request: ${request.url().slice(0, 200)}`);
  });
  page.on("console", (message) => wrong(`a console message: ${message.text()}`));
  page.on("pageerror", (error) => wrong(`an error: ${error.stack}`));
  await page.goto(url);
  await page.waitForFunction(() => document.querySelector("#foot")?.childElementCount > 0, null, { timeout: 10000 }).catch(() => wrong("the page was never built"));
  return { context, page };
}

async function accessible(page, wrong) {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  for (const violation of violations) wrong(`axe: ${violation.id}, ${violation.help}: ${violation.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
}

async function no_sideways_scroll(page, wrong) {
  const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  if (wide > room) wrong(`the page scrolls sideways: ${wide} of ${room} pixels`);
}

// Processor time that the page's main thread took until it was drawn: the clock would count what else runs here.
async function quick(context, page, wrong) {
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.reload();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  const { metrics } = await session.send("Performance.getMetrics");
  const used = metrics.find((metric) => metric.name === "TaskDuration").value;
  if (used > most_seconds) wrong(`it took ${used.toFixed(1)} s to open`);
}

// axe looks at each cell for itself, and one row of a table is like the others.
const cut_long_tables = (page) =>
  page.evaluate(() => {
    for (const row of document.querySelectorAll("tbody > tr:nth-child(n + 13)")) row.remove();
  });

async function check(browser, file, shows) {
  const url = pathToFileURL(resolve(file)).href;
  const record = record_of(readFileSync(file, "utf8"));
  const failures = [];
  for (const [scheme, width] of configurations) {
    const wrong = (what) => failures.push(`${basename(file)}, ${scheme}, ${width} pixels: ${what}`);
    const { context, page } = await opened(browser, url, scheme, width, wrong);
    try {
      await no_sideways_scroll(page, wrong);
      await step_by_keys(page, record, wrong);
      if (width === 1280 && scheme === "light") {
        let text = await page.evaluate(() => document.body.innerText);
        await open_tables(page);
        await compare_page(page, record, wrong);
        for (let at = 0; at < record.launches.length; ++at) text += await compare_launch(page, record, at, wrong);
        for (const needed of shows) if (!text.includes(needed)) wrong(`it does not show '${needed}'`);
        await quick(context, page, wrong);
      }
      await open_tables(page);
      await no_sideways_scroll(page, wrong);
      await cut_long_tables(page);
      await accessible(page, wrong);
    } catch (error) {
      wrong(error.stack);
    }
    await context.close();
  }
  return failures;
}

const words = process.argv.slice(2);
const list = words[0] === "--shows" ? JSON.parse(readFileSync(words.splice(0, 2)[1], "utf8")) : {};
if (words.length === 0) {
  console.error("node check.mjs [--shows LIST.json] FILE.html...: name at least one report");
  process.exit(2);
}
const missing = Object.keys(list).filter((name) => !words.some((file) => basename(file, ".html") === name));
const executablePath = execFileSync("sh", ["-c", "command -v chromium || command -v chromium-browser"], { encoding: "utf8" }).trim();
// Chromium's own sandbox needs a user of its own.
const browser = await chromium.launch({ executablePath, args: process.getuid() === 0 ? ["--no-sandbox"] : [] });
let failed = missing.length;
for (const name of missing) console.log(`${name}: it is in the list of what reports show, but no such report was given`);
for (const file of words) {
  const failures = await check(browser, file, list[basename(file, ".html")] ?? []);
  console.log(`${failures.length === 0 ? "ok    " : "FAILED"} ${basename(file)}`);
  for (const failure of failures) console.log(`    ${failure}`);
  failed += failures.length > 0 ? 1 : 0;
}
await browser.close();
console.log(`${words.length + missing.length - failed} of ${words.length + missing.length} reports are as they should be`);
process.exit(failed === 0 ? 0 : 1);

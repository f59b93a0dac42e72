// One report in Chromium: opened in each scheme and width, tried, and compared with the record inside.
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { compare_launch, compare_page, open_tables, step_by_keys } from "./compare.mjs";
import { record_of } from "./expected.mjs";
import { axe, chromium } from "./packages.mjs";

export const configurations = [["light", 1280], ["dark", 1280], ["light", 360], ["dark", 360]];
// Windows from 320 x 480 to 2560 x 3600.
const sizes = [320, 640, 960, 1280, 1600, 1920, 2240, 2560].flatMap((width) => [480, 900, 1600, 2400, 3600].map((height) => ({ width, height })));
// Of what is many and alike, the part of this quarter (common/tools/self_test/quarter.h): all of it where LAB_QUARTER is 0 or not set.
const quarter = Number(process.env.LAB_QUARTER ?? 0);
export const of_quarter = (items) => items.filter((_, at) => quarter === 0 || (at % 4) + 1 === quarter);
const most_seconds = 2;
const most_bytes = 5e6;

export const patience = 120000;  // ms: other tests may run beside this one

// What `work` returns, or an error where it waits for ever, as for an event that never comes.
export async function in_time(work) {
  const minutes = 10;
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`the checks of the page did not end within ${minutes} minutes`)), minutes * 60000); });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

// Logs error events without an exception, as those of a ResizeObserver, which Playwright doesn't report.
export const log_error_events = (context) => context.addInitScript(() => addEventListener("error", (event) => event.error ?? console.error(event.message)));

// A page that records all that it should not do.
export async function opened(browser, url, colorScheme, width, wrong) {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
  context.setDefaultTimeout(patience);
  await log_error_events(context);
  const page = await context.newPage();
  page.on("request", (request) => {
    if (request.url() !== url || !request.isNavigationRequest()) wrong(`a request: ${request.url().slice(0, 200)}`);
  });
  page.on("console", (message) => wrong(`a console message: ${message.text()}`));
  page.on("pageerror", (error) => wrong(`an error: ${error.stack}`));
  await page.goto(url);
  await page.waitForFunction(() => document.querySelector("#foot")?.textContent, null, { timeout: patience }).catch(() => wrong("the page was never built"));
  return { context, page };
}

export async function accessible(page, wrong) {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  for (const violation of violations) wrong(`axe: ${violation.id}, ${violation.help}: ${violation.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
}

export async function no_sideways_scroll(page, wrong) {
  const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  if (wide > room) wrong(`the page scrolls sideways: ${wide} of ${room} pixels`);
}

// Processor time that the page's main thread took until it was drawn: the clock would count what else runs here.
export async function quick(context, page, wrong) {
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.reload();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  const { metrics } = await session.send("Performance.getMetrics");
  const used = metrics.find((metric) => metric.name === "TaskDuration").value;
  if (used > most_seconds) wrong(`it took ${used.toFixed(1)} s to open`);
}

// axe looks at each cell for itself, and one row of a table is like the others.
export const cut_long_tables = (page) =>
  page.evaluate(() => {
    for (const row of document.querySelectorAll("tbody > tr:nth-child(n + 13)")) row.remove();
  });

export function start_browser() {
  const executablePath = execFileSync("sh", ["-c", "command -v chromium || command -v chromium-browser"], { encoding: "utf8" }).trim();
  // Chromium's own sandbox needs a user of its own.
  return chromium.launch({ executablePath, args: process.getuid() === 0 ? ["--no-sandbox"] : [] });
}

// Whether the page shows a text: "TEXT" anywhere, "KERNEL » TEXT" in the views of that kernel's launches.
function is_shown(wanted, text, by_launch) {
  const [kernel, part] = wanted.split(" » ");
  if (part === undefined) return text.includes(wanted);
  return by_launch.some(([launch, shown]) => launch.kernel.split(/\W/)[0] === kernel && shown.includes(part));
}

// Returns what the page logs, or how it fails to fit, in a window that takes all sizes. It is loaded anew at each width.
export async function check_sizes(browser, file) {
  const failures = [];
  let window = sizes[0];
  const wrong = (what) => failures.push(`${basename(file)}, ${window.width} x ${window.height}: ${what}`);
  const { context, page } = await opened(browser, pathToFileURL(resolve(file)).href, "light", window.width, wrong);
  for (window of sizes) {
    await page.setViewportSize(window);
    if (window.height === 2400) await page.reload();
    // The second frame begins once the first has been drawn.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await no_sideways_scroll(page, wrong);
  }
  await context.close();
  return failures;
}

// Returns the faults of the report, a text each. `chosen`: scheme, width, and whether axe, which takes longest, is left out. `shows`, `hides`: texts that the page has to contain, or must not.
export async function check(browser, file, shows, hides = [], chosen = configurations) {
  const url = pathToFileURL(resolve(file)).href;
  const record = record_of(readFileSync(file, "utf8"));
  const failures = [];
  const { size } = statSync(file);
  if (size > most_bytes) failures.push(`${basename(file)}: it has ${size} bytes`);
  for (const [scheme, width, leaves_axe_out] of chosen) {
    const wrong = (what) => failures.push(`${basename(file)}, ${scheme}, ${width} pixels: ${what}`);
    const { context, page } = await opened(browser, url, scheme, width, wrong);
    try {
      await no_sideways_scroll(page, wrong);
      await step_by_keys(page, record, wrong);
      if (width === 1280 && scheme === "light") {
        const page_text = await page.evaluate(() => document.body.innerText);
        await compare_page(page, record, wrong);
        const by_launch = [];
        for (const [at, launch] of record.launches.entries()) by_launch.push([launch, await compare_launch(page, record, at, wrong)]);
        const text = page_text + by_launch.map(([, shown]) => shown).join("");
        for (const needed of shows) if (!is_shown(needed, text, by_launch)) wrong(`it does not show '${needed}'`);
        for (const hidden of hides) if (is_shown(hidden, text, by_launch)) wrong(`it shows '${hidden}' as well`);
        await quick(context, page, wrong);
      }
      await open_tables(page);
      await no_sideways_scroll(page, wrong);
      if (leaves_axe_out) continue;
      await cut_long_tables(page);
      await accessible(page, wrong);
    } catch (error) {
      wrong(error.stack);
    } finally {
      await context.close();
    }
  }
  return failures;
}

// A look at the site in Chromium: pages open in silence from files, nothing scrolls sideways, the search finds.
import { pathToFileURL } from "node:url";
import { join, resolve } from "node:path";
import { log_error_events, patience } from "./report.mjs";

export const looks = [["light", 1280], ["dark", 1280], ["light", 360], ["dark", 360]];
// Pages, each with its name in the tree.
const pages = {
  "index.html": "CUDA teaching lab",
  "handouts_lab3_shared_tiling.html": "Lab 3 · Shared-memory tiling",
  "classlab_1_1machine_1_1_loaded_module.html": "LoadedModule",
  "examples.html": "Reports of the solutions",
};

async function search(page, words) {
  await page.locator("#MSearchField").click();
  await page.locator("#MSearchField").fill("");
  await page.locator("#MSearchField").pressSequentially(words);
  await page.locator("#found a, #found p").first().waitFor({ state: "visible", timeout: patience });
  return page.locator("#found a").allInnerTexts();
}

async function check_search(page, wrong) {
  const sections = await search(page, "bank conf");
  if (!sections.some((text) => text.includes("CUDA primer"))) wrong(`'bank conf' finds no section of the primer: ${sections.slice(0, 5)}`);
  const names = await search(page, "__syncthreads");
  if (!names[0]?.startsWith("__syncthreads")) wrong(`'__syncthreads' finds first: ${names[0]}`);
  if ((await search(page, "occupancy qqxzzy")).length !== 0) wrong("it finds what is nowhere");
  await search(page, "occupancy");
  await page.keyboard.press("ArrowDown");
  const chosen = await page.evaluate(() => document.activeElement.getAttribute("href"));
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.href.endsWith(chosen ?? "no link"), { timeout: patience }).catch(() => wrong(`Enter on a result leads to ${page.url()}`));
}

// Mean brightness of the page's head, 0 to 255, as it is drawn.
async function brightness(page) {
  const picture = (await page.screenshot({ clip: { x: 0, y: 0, width: 300, height: 20 } })).toString("base64");
  const other = await page.context().newPage();
  const mean = await other.evaluate(async (data) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const bytes = context.getImageData(0, 0, bitmap.width, bitmap.height).data;
    return bytes.reduce((sum, byte, at) => sum + (at % 4 === 3 ? 0 : byte), 0) / (bytes.length * 0.75);
  }, picture);
  await other.close();
  return mean;
}

// Returns the faults of the site in this look. `searches`: whether the search is tried; `shot`: a folder for pictures, if given.
export async function look(browser, folder, [colorScheme, width], { names = Object.keys(pages), searches = true, shot } = {}) {
  const faults = [];
  const root = pathToFileURL(resolve(folder)).href;
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
  context.setDefaultTimeout(patience);
  await log_error_events(context);
  const page = await context.newPage();
  for (const name of names) {
    const wrong = (what) => faults.push(`${name}, ${colorScheme}, ${width} pixels: ${what}`);
    const said = (message) => wrong(`a console message: ${message.text()}`);
    const failed = (error) => wrong(`an error: ${error.stack}`);
    const asked = (request) => {
      if (!request.url().startsWith(root)) wrong(`a request: ${request.url()}`);
    };
    page.on("console", said).on("pageerror", failed).on("request", asked);
    await page.goto(`${root}/${name}`);
    const place = width < 768 ? page.locator(".main-menu-btn:visible") : page.locator("#nav-tree .selected:visible", { hasText: pages[name] });
    await place.waitFor({ timeout: patience }).catch(() => wrong("the navigation does not show the page's place"));
    const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    if (wide > room) wrong(`the page scrolls sideways: ${wide} of ${room} pixels`);
    const mean = await brightness(page);
    if (colorScheme === "dark" ? mean > 80 : mean < 175) wrong(`it is not ${colorScheme}: brightness ${mean.toFixed(0)}`);
    if (shot) await page.screenshot({ path: join(shot, `${name}_${colorScheme}_${width}.png`) });
    page.off("console", said).off("pageerror", failed).off("request", asked);
  }
  const wrong = (what) => faults.push(`search, ${colorScheme}, ${width} pixels: ${what}`);
  page.on("console", (message) => wrong(`a console message: ${message.text()}`)).on("pageerror", (error) => wrong(`an error: ${error.stack}`));
  if (searches) await check_search(page, wrong).catch((error) => wrong(error.stack));
  await context.close();
  return faults;
}

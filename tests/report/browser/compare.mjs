// Compares the page with what expected.mjs says.
import * as expected from "./expected.mjs";

// Opens the tables in a part of the page. Those of shared memory are long: they are opened for themselves.
export async function open_tables(page, part = "body") {
  await page.evaluate(async (selector) => {
    for (const box of document.querySelectorAll(`${selector} details:not([open])`)) box.open = true;
    await new Promise((done) => setTimeout(done, 0));
  }, part);
}
const all_but_phases = ":is(#score, #sweep, #launch .view:not(#phases))";

// The numbers of all tables of a view: a list of tables, each a list of rows. Row heads that are numbers count, too.
const numbers_of = (page, view) =>
  page.evaluate(
    (name) => [...document.querySelectorAll(`table[data-view="${name}"]`)].map((table) => [...table.tBodies[0].rows].map((row) => [...row.cells].filter((cell) => cell.dataset.value !== undefined).map((cell) => Number(cell.dataset.value)))),
    view,
  );

// Digits that a reader sees must be those of the value behind: whole numbers all, fractions to three digits.
const shown_wrongly = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("main [data-value]")]
      .map((cell) => [Number(cell.dataset.value), cell.textContent.replaceAll("\u202f", "").match(/-?[\d.]+/)?.[0] ?? "0"])
      .filter(([value, text]) => Math.abs(Number(text) - value) > (Number.isInteger(value) ? 0 : Math.max(Math.abs(value) * 0.006, Math.abs(value) >= 1000 ? 0.5 : 0))),
  );

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
function compare(what, shown, wanted, wrong) {
  if (!same(shown, wanted)) wrong(`${what}: the page has ${JSON.stringify(shown).slice(0, 300)}, the record ${JSON.stringify(wanted).slice(0, 300)}`);
}

export async function compare_page(page, record, wrong) {
  await open_tables(page, all_but_phases);
  for (const view of ["tests", "sweep"]) {
    const wanted = expected.tables_of_page(record)[view];
    compare(`table '${view}'`, await numbers_of(page, view), wanted ? [wanted] : [], wrong);
  }
  const points = await page.evaluate(() => { const place = document.querySelector("[data-view=points]"); return place && [Number(place.dataset.points), Number(place.dataset.of), place.innerText.replaceAll("\u202f", "").match(/[\d.]+/g).map(Number)]; });
  if (record.score) {
    compare("points", points?.slice(0, 2), [record.score.points, record.score.of], wrong);
    compare("points in words", points?.[2], [record.score.points, record.score.of], wrong);
  } else compare("points", points, null, wrong);
  const failures = await page.evaluate(() => [...document.querySelectorAll("article")].map((article) => ({ headline: article.querySelector("h3").textContent, names: article.querySelector(".names")?.textContent.split(", ") ?? [], lines: [...article.querySelectorAll("li.marked")].map((line) => Number(line.dataset.line)) })));
  const wanted = expected.failures_of(record).map((failure) => ({ ...failure, lines: [...new Set(failure.lines)].sort((a, b) => a - b) }));
  compare("failures", failures.map((failure) => ({ ...failure, lines: [...failure.lines].sort((a, b) => a - b) })), wanted, wrong);
  if (record.launches.length > 1) {
    const shown = await page.getByLabel("Kernel and launch").evaluate((choice) => choice.selectedIndex);
    compare("the launch that is shown first", shown, expected.first_launch(record), wrong);
  }
  const maps = await numbers_of(page, "wrong");
  for (const map of maps) if (!expected.wrong_of(record).some((one) => same(one, map))) wrong("a map of wrong elements has other sums than the record");
  if (maps.length === 0 && expected.wrong_of(record).length > 0) wrong("no map of wrong elements");
}

// Chooses the launch, compares all of its views, and returns the text that they show.
export async function compare_launch(page, record, at, wrong) {
  const launch = record.launches[at];
  const say = (what) => wrong(`${launch.name}: ${what}`);
  if (record.launches.length > 1) await page.getByLabel("Kernel and launch").selectOption({ index: at });
  let text = await page.evaluate(() => document.querySelector("#launch").innerText);
  await open_tables(page, all_but_phases);
  const wanted = expected.tables_of_launch(record, launch);
  for (const view of ["time", "accesses", "totals", "partitions", "roofline", "occupancy"]) compare(`table '${view}'`, await numbers_of(page, view), wanted[view] ? [wanted[view]] : [], say);
  await compare_counters(page, record, launch, say);
  text += await compare_requests(page, record, launch, say);
  await compare_phases(page, record, launch, say);
  const digits = await shown_wrongly(page);
  if (digits.length > 0) say(`numbers shown with other digits: ${JSON.stringify(digits.slice(0, 5))}`);
  return text;
}

async function compare_counters(page, record, launch, wrong) {
  const wanted = expected.counts_by_line(record, launch);
  const choice = page.getByLabel("Counter", { exact: true });
  const names = Object.keys(wanted);
  compare("whether there are counters by line", await choice.count(), names.length > 0 ? 1 : 0, wrong);
  for (let at = 0; at < names.length; ++at) {
    await choice.selectOption({ index: at });
    const shown = await page.evaluate(() => {
      const tables = [...document.querySelectorAll("table[data-view=lines]")];
      const counts = tables.flatMap((table) => [...table.querySelectorAll("td[data-line]")].filter((cell) => Number(cell.dataset.value) > 0).map((cell) => [`${table.dataset.source}:${cell.dataset.line}`, Number(cell.dataset.value)]));
      return [tables[0]?.dataset.counter, Object.fromEntries(counts)];
    });
    compare("counter's name", shown[0], names[at], wrong);
    const sorted = (counts) => Object.entries(counts).sort();
    compare(`counter ${names[at]} by line`, sorted(shown[1]), sorted(wanted[names[at]]), wrong);
  }
}

// Each access: its first and second recorded request; the numbers drawn are those that the emulator counted.
async function compare_requests(page, record, launch, wrong) {
  let text = "";
  for (const [at, access] of expected.accesses_of(launch).entries()) {
    await page.locator(".list button").nth(at).click();
    if (access.kept.length === 0) continue;
    const [first] = access.kept;
    for (const label of ["Block", "Warp"]) await page.locator("#accesses").getByLabel(label, { exact: true }).selectOption({ index: 0 });
    const requests = access.kept.filter((request) => request.block === first.block && request.warp === first.warp);
    const slider = page.locator("#accesses").getByRole("slider");
    for (const step of [0, 1].filter((one) => one < requests.length)) {
      if (requests.length > 1) await slider.fill(String(step));
      await open_tables(page, "#accesses");
      const request = requests[step];
      const what = `${access.kind} at line ${access.line}, request ${step + 1}`;
      const said = await page.evaluate(() => { const place = document.querySelector("[data-view=request]"); return [Number(place.querySelector("[data-value]").dataset.value), place.innerText]; });
      compare(`${what}: cost`, said[0], access.unit === "wavefronts" ? request.wavefronts : request.sectors, wrong);
      if (!said[1].includes(request.pattern)) wrong(`${what}: its pattern '${request.pattern}' is not said`);
      compare(`${what}: lanes`, await numbers_of(page, "lanes"), [expected.lanes_of(record, access, request)], wrong);
      const drawn = await page.evaluate(() => document.querySelector(".request svg")?.getAttribute("aria-label") ?? "");
      compare_drawing(what, record, access, request, drawn, wrong);
      text += said[1];
    }
  }
  return text;
}

function compare_drawing(what, record, access, request, label, wrong) {
  const numbers = label.match(/\d+/g)?.map(Number) ?? [];
  const active = request.lanes.filter((offset) => offset !== null).length;
  if (access.unit === "passes") compare(`${what}: lanes and words drawn`, numbers.slice(0, 2), [active, request.sectors], wrong);
  if (access.unit === "sectors") compare(`${what}: lanes and sectors drawn`, numbers.slice(0, 2), [active, request.sectors], wrong);
  // Where half a warp makes a request, or a lane asks for several words, wavefronts are not the busiest bank's words.
  const simple = access.space === "shared" && access.kind !== "atomic" && access.bytes === 4 && record.made.device.lanes_per_request === 32;
  if (simple) compare(`${what}: words in the busiest bank`, numbers[3], request.wavefronts, wrong);
}

async function compare_phases(page, record, launch, wrong) {
  const phases = [...launch.shared, ...launch.tiles];
  compare("whether there are intervals", await page.locator("#phases").count(), phases.length + launch.other_races.length > 0 ? 1 : 0, wrong);
  const elsewhere = await page.evaluate(() => [...document.querySelectorAll(".clash[data-block]")].map((race) => race.dataset.block));
  compare("races elsewhere", elsewhere, launch.other_races.map((race) => `(${race.block.join(", ")})`), wrong);
  if (phases.length === 0) return;
  const blocks = [...new Set(phases.map((phase) => phase.block))];
  for (const [at, block] of blocks.entries()) {
    await page.locator("#phases").getByLabel("Block", { exact: true }).selectOption({ index: at });
    const intervals = [...new Set(phases.filter((phase) => phase.block === block).map((phase) => phase.interval))].sort((a, b) => a - b);
    for (const [step, interval] of intervals.slice(0, at === 0 ? 3 : 1).entries()) {
      if (intervals.length > 1) await page.locator("#phases").getByRole("slider").fill(String(step));
      await open_tables(page, "#phases");
      const of = (list) => list.find((phase) => phase.block === block && phase.interval === interval);
      const [shared, tile] = [of(launch.shared), of(launch.tiles)];
      const what = `block ${block}, interval ${interval}`;
      compare(`${what}: words`, await numbers_of(page, "words"), shared ? [expected.words_of(record, shared)] : [], wrong);
      compare(`${what}: tiles`, await numbers_of(page, "tiles"), tile?.touched.length ? [expected.tiles_of(tile)] : [], wrong);
      compare(`${what}: races`, await page.evaluate(() => [...document.querySelectorAll(".clash[data-word]")].map((race) => Number(race.dataset.word))), (shared?.races ?? []).map((race) => race.word), wrong);
    }
  }
}

// The right arrow key goes one request on where there are several, and the focus is seen.
export async function step_by_keys(page, record, wrong) {
  const figure = page.locator(".request").first();
  if ((await figure.count()) === 0) return;
  const output = () => page.locator("#accesses output").innerText();
  const before = await output();
  await figure.focus();
  await page.keyboard.press("ArrowRight");
  const [at, of] = before.split(" of ").map(Number);
  compare("after the right arrow key", await output(), `${Math.min(at + 1, of)} of ${of}`, wrong);
  const outline = await figure.evaluate((element) => getComputedStyle(element).outlineStyle);
  if (outline === "none") wrong("the focus is not seen on the figure");
  await page.keyboard.press("ArrowLeft");
  compare("after the left arrow key", await output(), before, wrong);
  const skip = await page.evaluate(() => document.querySelector("a[href]").getAttribute("href"));
  compare("the first link", skip, "#content", wrong);
}

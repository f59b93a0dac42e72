// Checks the site of `lab docs`, then that the checks find faults: node check_site.mjs SITE ROOT [PATH...]
// ROOT: the project; PATH: further folders of this machine that must not stand in the site.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { of_quarter, start_browser } from "./report.mjs";
import { faults_of_files, faults_of_navigation, faults_of_search, faults_of_site, known_words, read_site } from "./site.mjs";
import { look, looks } from "./site_look.mjs";

const [folder, root, ...paths] = process.argv.slice(2);
const private_paths = [root, ...paths];
let failed = 0;
const tell = (faults) => {
  for (const fault of faults.slice(0, 50)) console.log(`    ${fault}`);
  failed += faults.length;
};

tell(faults_of_site(folder, root, private_paths));
console.log("links, navigation and search are checked");

// Faults in files: name, file, what is replaced by what (nothing: the file is taken away), and what has to be said.
const primer = "handouts_primer.html";
const site = read_site(folder);
const in_files = (changed, names) => faults_of_files(changed, private_paths, names);
const file_faults = [
  ["a page that is gone", "handouts_studies.html", null, "nothing is at handouts_studies.html", (changed) => in_files(changed, [primer])],
  ["an anchor that is gone", primer, [`id="handouts_primer_8-coalescing"`, `id="x"`], "has no anchor handouts_primer_8-coalescing", (changed) => in_files(changed, [primer])],
  ["a picture that is gone", "handouts/figures/one_dimension.svg", null, "nothing is at handouts/figures/one_dimension.svg", (changed) => in_files(changed, [primer])],
  ["a picture without a text", primer, [/alt="1000 elements[^"]*"/, ""], "a picture without a text"],
  ["a picture of another host", primer, [/src="handouts\/figures\/[^"]*"/, `src="https://example.org/x.svg"`], "<img src> asks another host"],
  ["a style of another host", "style.css", ["body", "@import 'https://example.org/x.css'; body"], "it asks another host"],
  ["a script that asks another host", "search/search.js", ["search/index.js", "https://example.org/index.js"], "it names another host"],
  ["a path of this machine", "files.html", ["Files", root], "a path of this machine"],
  ["a page that the tree leads to", "examples.html", null, "navtreedata.js: nothing is at examples.html", (changed) => in_files(changed, ["navtreedata.js"])],
  ["a handout that the tree lacks", "navtreedata.js", [`"${primer}"`, `"index.html"`], `the navigation lacks ${primer}`, (changed) => faults_of_navigation(changed, root)],
  ["a group that the tree lacks", "navtreedata.js", [`"Course"`, `"Courses"`], "the navigation lacks the group Course", (changed) => faults_of_navigation(changed, root)],
  ["a report that is gone", "examples/lab3.html", null, "there is no examples/lab3.html", (changed) => faults_of_navigation(changed, root)],
  ["a word that the search lacks", "search/index.js", [/__syncthreads/g, "x"], "it lacks '__syncthreads'", (changed) => faults_of_search(changed, known_words)],
  ["a result that leads nowhere", "search/index.js", [`"${primer}#`, `"${primer}#x`], `${primer} has no anchor x`, (changed) => faults_of_search(changed, known_words)],
];
for (const [name, file, change, reason, check = (changed) => in_files(changed, [file])] of file_faults) {
  const changed = new Map(site);
  const text = change === null ? null : site.get(file).replace(change[0], () => change[1]);
  if (text === null) changed.delete(file);
  else changed.set(file, text);
  const said = check(changed);
  const is_found = text !== site.get(file) && site.has(file) && said.some((fault) => fault.includes(reason));
  console.log(`${is_found ? "found " : "MISSED"} ${name}`);
  if (!is_found) tell([`wanted '${reason}'; said: ${said.slice(0, 5).join(" | ") || "nothing"}`]);
}

const browser = await start_browser();
for (const one of of_quarter(looks)) tell(await look(browser, folder, one));
console.log("the site is looked at");

// Faults that only a browser sees: name, file, what is replaced by what, what has to be said.
const seen_faults = [
  ["a console message", "index.html", ["</body>", "<script>console.log('here')</script></body>"], "a console message: here"],
  ["an exception", "index.html", ["</body>", "<script>throw new Error('here')</script></body>"], "an error: Error: here"],
  ["a request", "index.html", ["</body>", `<script>new Image().src = "https:" + "//example.org/x.png"</script></body>`], "a request: https://example.org"],
  ["a page that is too wide", "style.css", ["#titlearea {", "#titlearea { width: 2000px !important;"], "the page scrolls sideways"],
  ["a page that stays light", "style.css", ["(prefers-color-scheme: dark)", "(prefers-color-scheme: none)"], "it is not dark"],
  ["no navigation", "style.css", ["#titlearea {", "#side-nav, .main-menu-btn { display: none !important; } #titlearea {"], "the navigation does not show"],
  ["a tree that doesn't know its pages", "navtreedata.js", [/(NAVTREEINDEX\s*=\s*\[\s*)"[^"]*"/, `$1"zzz.html"`], "examples.html, light, 1280 pixels: the navigation does not show"],
  ["a search without sections", "search/search.js", ["sections_with(words),", ""], "finds no section of the primer"],
  ["a search that finds a name too late", "search/search.js", ["title === name ? 0", "title === name ? 2"], "'__syncthreads' finds first"],
  ["a search that finds everything", "search/search.js", ["words.every", "words.some"], "it finds what is nowhere"],
  ["no arrow keys", "search/search.js", [`event.key === "ArrowDown") this.list.querySelector`, `event.key === "F1") this.list.querySelector`], "Enter on a result"],
];
for (const [name, file, [from, to], reason] of of_quarter(seen_faults)) {
  const path = join(folder, file);
  const kept = readFileSync(path, "utf8");
  const changed = kept.replace(from, to);
  writeFileSync(path, changed);
  const said = await look(browser, folder, looks[reason.includes("dark") ? 1 : 0], { names: [reason.split(",")[0].endsWith(".html") ? reason.split(",")[0] : "index.html"], searches: file.startsWith("search/") });
  writeFileSync(path, kept);
  const is_found = changed !== kept && said.some((fault) => fault.includes(reason));
  console.log(`${is_found ? "found " : "MISSED"} ${name}`);
  if (!is_found) tell([`wanted '${reason}'; said: ${said.slice(0, 5).join(" | ") || "nothing"}`]);
}
await browser.close();
console.log(failed === 0 ? "the site is as it should be" : `${failed} faults`);
process.exit(failed === 0 ? 0 : 1);

// The site of `lab docs` as files: links, anchors, pictures, navigation, search, nothing of this machine and of no other host.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path/posix";

const is_text = (name) => /\.(html|css|js|svg)$/.test(name);

// Each file of the site, by its path in it: its text, or "" where it is no text.
export function read_site(folder) {
  const site = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const file = join(entry.parentPath ?? entry.path, entry.name);
    site.set(relative(folder, file), is_text(entry.name) ? readFileSync(file, "utf8") : "");
  }
  return site;
}

const unescaped = (text) => text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
const without_scripts = (html) => html.replaceAll(/<(script|style)\b([^>]*)>[^]*?<\/\1>/g, "<$1$2></$1>").replaceAll(/<!--[^]*?-->/g, "");

const anchors_of = new WeakMap();
function anchors(site, name) {
  if (!anchors_of.has(site)) anchors_of.set(site, new Map());
  const known = anchors_of.get(site);
  if (!known.has(name)) known.set(name, new Set([...site.get(name).matchAll(/\s(?:id|name)="([^"]*)"/g)].map(([, id]) => unescaped(id))));
  return known.get(name);
}

// Why nothing is at `address`, seen from the file `from`; "" if something is.
function missing(site, from, address) {
  const [path, anchor] = address.split("#");
  const name = path === "" ? from : normalize(join(dirname(from), decodeURI(path)));
  if (!site.has(name)) return `nothing is at ${address}`;
  if (anchor && name.endsWith(".html") && !anchors(site, name).has(decodeURIComponent(anchor))) return `${name} has no anchor ${anchor}`;
  return "";
}

function check_html(site, name, wrong) {
  for (const [, tag, attributes] of without_scripts(site.get(name)).matchAll(/<([a-z]+)\s([^>]*)>/g)) {
    for (const [, key, value] of attributes.matchAll(/(href|src|data|action|poster|srcset)="([^"]*)"/g)) {
      const address = unescaped(value);
      if (address.startsWith("javascript:") || address.startsWith("data:")) continue;
      if (/^([a-z]+:)?\/\//.test(address)) {
        if (tag !== "a") wrong(`<${tag} ${key}> asks another host: ${address}`);
        continue;
      }
      const why = missing(site, name, address);
      if (why) wrong(why);
    }
    if (tag === "img" && !/\salt=/.test(attributes)) wrong(`a picture without a text: ${attributes.slice(0, 80)}`);
  }
}

function check_css(site, name, wrong) {
  for (const [, address] of site.get(name).matchAll(/(?:url\(\s*|@import\s+)["']?([^"')\s]+)/g)) {
    if (address.startsWith("data:")) continue;
    const why = /^([a-z]+:)?\/\//.test(address) ? `it asks another host: ${address}` : missing(site, name, address);
    if (why) wrong(why);
  }
}

// What Doxygen writes for the menu, the tree and its branches: addresses are texts of their own.
const is_navigation = (name, code) => name === "menudata.js" || /^\s*var \w+ =\s*\[/.test(code);
function check_script(site, name, wrong) {
  const code = site.get(name).replaceAll(/\/\*[^]*?\*\//g, "");
  if (name !== "search/index.js" && /["'`](https?:)?\/\/[\w.-]+\.\w/.test(code)) wrong(`it names another host: ${code.match(/["'`](https?:)?\/\/[^"'`]*/)[0]}`);
  if (!is_navigation(name, code)) return;
  for (const [, address] of code.split("var NAVTREEINDEX")[0].matchAll(/"([^"\s]+\.html(?:#[^"\s]*)?)"/g)) {
    const why = missing(site, name, address);
    if (why) wrong(why);
  }
}

// The faults of some files: of all if none is named. `private_paths`: what must not stand in any file.
export function faults_of_files(site, private_paths, names = [...site.keys()]) {
  const faults = [];
  for (const name of names) {
    const wrong = (what) => faults.push(`${name}: ${what}`);
    if (name.endsWith(".html")) check_html(site, name, wrong);
    if (name.endsWith(".css")) check_css(site, name, wrong);
    if (name.endsWith(".js")) check_script(site, name, wrong);
    for (const path of private_paths) if (site.get(name).includes(path)) wrong(`a path of this machine: ${path}`);
  }
  return faults;
}

// The pages that have to be in the navigation: one for each handout, lab and solution of the project; its groups.
export function faults_of_navigation(site, root) {
  const tree = site.get("navtreedata.js") ?? "";
  const handouts = readdirSync(join(root, "handouts")).filter((name) => name.endsWith(".md") && name !== "README.md").map((name) => `handouts_${name.slice(0, -3).toLowerCase()}.html`);
  const reports = readdirSync(join(root, "solutions")).map((name) => `examples/${name.split("_")[0]}.html`);
  const pages = ["index.html", "handouts.html", "common.html", "common_adding.html", "tests.html", "annotated.html", "files.html", "examples.html", ...handouts, ...reports];
  const groups = ["Course", "Reference", "The code", "API", "Examples"];
  return [
    ...pages.filter((page) => !tree.includes(`"${page}"`)).map((page) => `the navigation lacks ${page}`),
    ...pages.filter((page) => !site.has(page)).map((page) => `there is no ${page}`),
    ...groups.filter((group) => !tree.includes(`[ "${group}", `)).map((group) => `the navigation lacks the group ${group}`),
  ];
}

// The search's index: known words are in it, and all that it leads to exists.
export function faults_of_search(site, words) {
  const index = site.get("search/index.js");
  if (index === undefined) return ["there is no search/index.js"];
  const { sections, symbols } = new Function(`${index}; return { sections, symbols };`)();
  const faults = [];
  for (const [address] of sections) faults.push(missing(site, "index.html", address));
  for (const [, [, ...places]] of symbols) for (const [address] of places) faults.push(missing(site, "search/index.js", address));
  for (const word of words) {
    const is_found = sections.some((section) => section.join(" ").includes(word)) || symbols.some(([, [name]]) => name.includes(word));
    if (!is_found) faults.push(`it lacks '${word}'`);
  }
  return faults.filter((fault) => fault !== "").map((fault) => `search/index.js: ${fault}`);
}

export const known_words = ["__syncthreads", "lab3", "cudaMalloc", "bank conflict", "LoadedModule"];

export function faults_of_site(folder, root, private_paths) {
  if (!existsSync(folder)) return [`there is no ${folder}`];
  const site = read_site(folder);
  return [...faults_of_files(site, private_paths), ...faults_of_navigation(site, root), ...faults_of_search(site, known_words)];
}

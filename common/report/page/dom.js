// Elements, numbers in words, tables and steppers: what every view is built from.

const svg_space = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// An HTML element; children are elements, texts, or lists of them.
const html = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
const svg = (name, attributes, ...children) => fill(document.createElementNS(svg_space, name), attributes, children);

const next_id = (() => {
  let last = 0;
  return (stem) => `${stem}-${++last}`;
})();

const plural = (count, word) => `${number(count)} ${word}${count === 1 || word.endsWith("s") ? "" : "s"}`;
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const three_digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
// A count in full, in groups of three digits; a fraction to three digits.
const number = (value) => (Math.abs(value) >= 1000 ? whole : three_digits).format(value).replaceAll(",", "\u202f");

function scaled(value, unit, steps = ["", "k", "M", "G", "T", "P"], base = 1000) {
  let step = 0;
  while (Math.abs(value) >= base && step + 1 < steps.length) {
    value /= base;
    ++step;
  }
  return `${three_digits.format(value)} ${steps[step]}${unit}`;
}
const bytes = (value) => (value < 1024 ? plural(value, "byte") : scaled(value, "B", ["", "Ki", "Mi", "Gi"], 1024));

function seconds(value) {
  if (value === 0) return "0 s";
  const [factor, unit] = value >= 1 ? [1, "s"] : value >= 1e-3 ? [1e3, "ms"] : value >= 1e-6 ? [1e6, "µs"] : [1e9, "ns"];
  return `${three_digits.format(value * factor)} ${unit}`;
}
const percent = (share) => `${three_digits.format(100 * share)} %`;
const xyz = (extent) => extent.join(" × ");
const index = (place) => `(${place.join(", ")})`;

// Lines without the indentation that all of them have, as one text.
function unindented(lines) {
  const least = Math.min(...lines.filter((line) => line.trim()).map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(Number.isFinite(least) ? least : 0)).join("\n").trimEnd();
}

// A table: `columns` are texts, or {text, numeric}; cells are texts, numbers or elements.
function table(caption, columns, rows, view) {
  const heads = columns.map((column) => (typeof column === "string" ? { text: column } : column));
  const cell = (value, column) => {
    const numeric = heads[column].numeric;
    const shown = typeof value === "number" ? number(value) : value;
    const attributes = { class: numeric ? "number" : null, "data-value": typeof value === "number" ? value : null };
    return column === 0 ? html("th", { scope: "row", ...attributes }, shown) : html("td", attributes, shown);
  };
  const made = html(
    "table",
    { "data-view": view },
    html("caption", null, caption),
    html("thead", null, html("tr", null, heads.map((head) => html("th", { scope: "col", class: head.numeric ? "number" : null }, head.text)))),
    html("tbody", null, rows.map((row) => html("tr", null, row.map(cell)))),
  );
  return html("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": caption }, made);
}

// The table behind a chart. Its rows are made when it is first opened.
function table_behind(caption, columns, rows, view) {
  const box = html("details", { class: "behind" }, html("summary", null, "Table: ", caption));
  let made = false;
  box.addEventListener("toggle", () => {
    if (made || !box.open) return;
    made = true;
    box.append(table(caption, columns, typeof rows === "function" ? rows() : rows, view));
  });
  return box;
}

// A drawing with a name for those who can't see it.
function picture(label, width, height, children, attributes) {
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label, ...attributes }, children);
}

// Patterns for all drawings, so that no area is told from another by colour alone.
function hatches() {
  const pattern = (id, role, path) =>
    svg("pattern", { id, width: 6, height: 6, patternUnits: "userSpaceOnUse" }, svg("path", { class: `line-${role}`, d: path }));
  return svg(
    "svg",
    { class: "definitions", width: 0, height: 0, "aria-hidden": "true" },
    pattern("rising", "first", "M-1 7L7 -1M-1 1L1 -1M5 7L7 5"),
    pattern("falling", "second", "M-1 -1L7 7M5 -1L7 1M-1 5L1 7"),
    pattern("crossed", "fourth", "M-1 7L7 -1M-1 -1L7 7"),
    pattern("upright", "third", "M3 -1V7"),
  );
}

// Redraws whenever the width of the place changes: `draw(width)` returns what to show there. What is observed is an empty element above the
// drawing: an observer that changes the size of what it observes is never done.
function drawn_to_width(draw) {
  const ruler = html("div");
  const drawing = html("div", { class: "drawing" });
  let last = 0;
  const again = () => {
    const width = ruler.clientWidth;
    if (width === 0) return;
    last = width;
    drawing.replaceChildren(...[draw(width)].flat());
  };
  new ResizeObserver(() => {
    if (ruler.clientWidth !== last) again();
  }).observe(ruler);
  return { place: html("div", null, ruler, drawing), again };
}

// A choice among texts.
function chooser(label, texts, chosen, on_change) {
  const id = next_id("choose");
  const select = html(
    "select",
    { id, onchange: () => on_change(select.selectedIndex) },
    texts.map((text, at) => html("option", { value: at, selected: at === chosen }, text)),
  );
  return { box: html("div", { class: "choice" }, html("label", { for: id }, label), select), select };
}

// Steps through `count` things: buttons, a slider, and the arrow keys wherever `keys` has the focus.
function stepper(label, count, on_change) {
  const id = next_id("step");
  const slider = html("input", { id, type: "range", min: 0, max: Math.max(0, count - 1), step: 1, value: 0 });
  const shown = html("output", { for: id });
  const go = (to) => {
    slider.value = Math.min(Math.max(to, 0), Number(slider.max));
    say();
    on_change(Number(slider.value));
  };
  const say = () => {
    shown.textContent = `${Number(slider.value) + 1} of ${Number(slider.max) + 1}`;
    slider.setAttribute("aria-valuetext", `${label} ${shown.textContent}`);
    back.disabled = Number(slider.value) === 0;
    forth.disabled = slider.value === slider.max;
    slider.disabled = slider.max === "0";
  };
  const back = html("button", { type: "button", "aria-label": `${label}: one back`, onclick: () => go(Number(slider.value) - 1) }, "‹");
  const forth = html("button", { type: "button", "aria-label": `${label}: one on`, onclick: () => go(Number(slider.value) + 1) }, "›");
  slider.addEventListener("input", () => go(Number(slider.value)));
  say();
  const box = html("div", { class: "choice" }, html("label", { for: id }, label), html("div", { class: "stepper" }, back, slider, forth, shown));
  const keys = (element) =>
    element.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step === undefined || event.target !== element) return;
      event.preventDefault();
      go(Number(slider.value) + step);
    });
  const resize = (length) => {
    slider.max = Math.max(0, length - 1);
    slider.value = Math.min(Number(slider.value), Number(slider.max));
    say();
  };
  return { box, keys, resize, go, at: () => Number(slider.value) };
}

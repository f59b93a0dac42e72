// Source text: a light hand of colour, excerpts around lines, and counters beside all of a kernel's lines.

const words_of_cuda = new RegExp(
  [
    /(?<comment>\/\/.*|\/\*.*?(?:\*\/|$))/,
    /(?<literal>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b\d[\w.]*)/,
    /(?<builtin>\b(?:threadIdx|blockIdx|blockDim|gridDim|warpSize|__\w+)\b|<<<|>>>)/,
    /(?<keyword>#\w+|\b(?:auto|bool|break|case|char|const|constexpr|continue|do|double|else|float|for|if|int|long|return|short|sizeof|static|struct|switch|template|typename|unsigned|using|void|volatile|while|size_t)\b)/,
  ]
    .map((part) => part.source)
    .join("|"),
  "g",
);

function coloured(line) {
  const parts = [];
  let last = 0;
  for (const match of line.matchAll(words_of_cuda)) {
    if (match.index > last) parts.push(line.slice(last, match.index));
    const kind = Object.keys(match.groups).find((group) => match.groups[group] !== undefined);
    parts.push(html("span", { class: kind }, match[0]));
    last = match.index + match[0].length;
  }
  parts.push(line.slice(last));
  return parts;
}

const line_of = (source, line) => report.sources[source]?.lines[line - 1] ?? "";
const file_name = (source) => report.sources[source]?.file.split("/").pop() ?? "a file that is not shown";
const place_in_words = (source, line) => `${file_name(source)}:${line}`;

// The expression at a column: a name with its brackets, or what stands left of an assignment. The whole line where neither is found.
function expression_at({ source, line, column }) {
  const text = line_of(source, line);
  const at = column - 1;
  if (column > 0 && /\w/.test(text[at] ?? "") && !/\w/.test(text[at - 1] ?? "")) {
    const name = text.slice(at).match(/^[\w.]+/)[0];
    let end = at + name.length;
    for (let depth = 0; end < text.length && (depth > 0 || text[end] === "["); ++end) depth += text[end] === "[" ? 1 : text[end] === "]" ? -1 : 0;
    if (end > at + name.length) return text.slice(at, end);
  }
  if (column > 0 && /^[-+*/|&^]?=(?!=)/.test(text.slice(at))) return text.slice(0, at).trim();
  return text.trim();
}

// The lines around `marked` ones of a file, three on each side; gaps are marked, too.
function excerpt(source, marked) {
  const file = report.sources[source];
  if (!file) return null;
  const around = 3;
  const lines = [...new Set(marked)].filter((line) => line >= 1 && line <= file.lines.length).sort((a, b) => a - b);
  if (lines.length === 0) return null;
  const items = [];
  let shown = 0;
  for (const line of lines) {
    const first = Math.max(line - around, shown + 1, 1);
    if (shown > 0 && first > shown + 1) items.push(html("li", { class: "gap" }, html("span"), html("span", { class: "no" }, "⋯")));
    const last = Math.min(line + around, file.lines.length);
    for (let at = first; at <= last; ++at) {
      const is_marked = lines.includes(at);
      items.push(
        html(
          "li",
          { class: is_marked ? "marked" : null, "data-line": is_marked ? at : null },
          html("span", { class: "mark" }, is_marked ? [html("span", { "aria-hidden": "true" }, "▶"), html("span", { class: "unseen" }, "marked: ")] : null),
          html("span", { class: "no" }, at),
          html("span", null, coloured(file.lines[at - 1])),
        ),
      );
    }
    shown = Math.max(shown, last);
  }
  const name = `${file.file}, ${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}`;
  return html(
    "div",
    { class: "source" },
    html("div", { class: "file" }, name),
    html("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": name }, html("ol", null, items)),
  );
}

const bar = (share, role) =>
  svg(
    "svg",
    { width: 64, height: 8, "aria-hidden": "true" },
    svg("rect", { width: 64, height: 8, class: "tint-muted" }),
    svg("rect", { width: Math.max(share * 64, share > 0 ? 1 : 0), height: 8, class: `solid-${role}` }),
  );

// A launch's lines with one counter beside them, chosen by the reader.
function counted_lines(launch) {
  const known = report.counters.filter((counter) => counter.by_line && launch.lines.some((line) => line.counters[counter.name]));
  if (known.length === 0) return null;
  const place = html("div");
  const explanation = html("p", { class: "said quiet" });
  const show = (at) => {
    const counter = known[at];
    explanation.replaceChildren(counter.ncu ? html("code", null, counter.ncu) : "ncu has no such counter", " · ", counter.text);
    place.replaceChildren(lines_with(launch, counter));
  };
  const first = Math.max(0, known.findIndex((counter) => counter.name === "global_load_sectors"));
  const { box } = chooser("Counter", known.map((counter) => `${counter.name.replaceAll("_", " ")} (${counter.unit})`), first, show);
  show(first);
  return [html("div", { class: "controls" }, box), explanation, place, all_counters(launch)];
}

// The lines from the first to the last one that has a count.
function lines_with(launch, counter) {
  const parts = [];
  for (const source of new Set(launch.lines.map((line) => line.source))) {
    const of_line = new Map(launch.lines.filter((line) => line.source === source).map((line) => [line.line, line.counters[counter.name] ?? 0]));
    const numbers = [...of_line.keys()];
    const most = Math.max(...of_line.values());
    const total = [...of_line.values()].reduce((sum, value) => sum + value, 0);
    const rows = [];
    for (let line = Math.min(...numbers); line <= Math.max(...numbers); ++line) {
      const value = of_line.get(line) ?? 0;
      rows.push(
        html(
          "tr",
          { class: value > 0 && value === most ? "most" : null },
          html("th", { scope: "row", class: "no" }, line),
          html("td", { class: "number", "data-line": line, "data-value": value }, value > 0 ? number(value) : ""),
          html("td", null, value > 0 ? bar(value / total, "second") : ""),
          html("td", { class: "number quiet" }, value > 0 ? percent(value / total) : ""),
          html("td", { class: "code" }, coloured(line_of(source, line))),
        ),
      );
    }
    const caption = `${counter.name.replaceAll("_", " ")}, by line of ${file_name(source)}: ${number(total)} ${counter.unit}`;
    const heads = ["Line", counter.unit, "", "share", "source"].map((text) => html("th", { scope: "col" }, text || html("span", { class: "unseen" }, "bar")));
    parts.push(
      html(
        "div",
        { class: "scroll tall", tabindex: 0, role: "group", "aria-label": caption },
        html("table", { class: "counted", "data-view": "lines", "data-counter": counter.name, "data-source": source }, html("caption", null, caption), html("thead", null, html("tr", null, heads)), html("tbody", null, rows)),
      ),
    );
  }
  return html("div", null, parts);
}

function all_counters(launch) {
  const rows = () =>
    report.counters.map((counter) => [counter.name.replaceAll("_", " "), launch.totals[counter.name] ?? 0, counter.unit, html("code", null, counter.ncu || "–"), counter.text]);
  return table_behind("all counters of the launch", ["Counter", { text: "Total", numeric: true }, "Unit", "Name in ncu", "What it counts"], rows, "totals");
}

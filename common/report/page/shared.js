// One block between two barriers: what it touches of global memory (its tiles), and its shared memory: who wrote, who read, races.

function phases_view(launch) {
  const others = launch.other_races.map((race) => race_elsewhere(race));
  const blocks = distinct([...launch.shared, ...launch.tiles].map((phase) => phase.block));
  if (blocks.length === 0) return others.length > 0 ? others : null;
  let block = blocks[0];
  const intervals = () => distinct([...launch.shared, ...launch.tiles].filter((phase) => phase.block === block).map((phase) => phase.interval)).sort((a, b) => a - b);
  const [races, tiles, words] = [html("div"), html("div"), html("div")];
  const said = html("p", { class: "said", "aria-live": "polite", "data-view": "phase" });
  const show = () => {
    const interval = intervals()[steps.at()];
    const shared = launch.shared.find((phase) => phase.block === block && phase.interval === interval);
    said.replaceChildren(phase_in_words(launch, block, interval, shared));
    tiles.replaceChildren(...tiles_of(launch, block, interval));
    races.replaceChildren(...(shared ? shared.races.map((race) => race_arrow(launch, race)) : []));
    words.replaceChildren(...(shared ? words_of(launch, shared) : []));
  };
  const steps = stepper("Interval between barriers", intervals().length, show);
  const choice = chooser("Block", blocks.map((at) => index(launch.blocks[at].index)), 0, (at) => {
    block = blocks[at];
    steps.resize(intervals().length);
    show();
  });
  steps.keys(fill(tiles, { tabindex: 0, role: "group", "aria-label": "Tiles; left and right arrow keys step through the intervals" }, []));
  // A race is what the reader came for.
  const race = launch.shared.find((phase) => phase.races.length > 0);
  if (race) {
    block = race.block;
    choice.select.selectedIndex = blocks.indexOf(block);
    steps.resize(intervals().length);
    steps.go(intervals().indexOf(race.interval));
  } else show();
  return [others, html("div", { class: "controls" }, choice.box, steps.box), said, races, html("div", { class: "columns phases" }, tiles, words)];
}

function phase_in_words(launch, block, interval, shared) {
  const barrier = (place, otherwise) => (place ? `the barrier at ${place_in_words(place.source, place.line)}` : otherwise);
  const where = shared ? `, from ${barrier(shared.from, "the block's start")} to ${barrier(shared.to, "its end")}` : "";
  return `Block ${index(launch.blocks[block].index)}, interval ${interval + 1}${where}.`;
}

// --- Tiles ---

function tiles_of(launch, block, interval) {
  const phase = launch.tiles.find((tile) => tile.block === block && tile.interval === interval);
  if (!phase || phase.touched.length === 0) return [];
  const earlier = launch.tiles.filter((tile) => tile.block === block && tile.interval < interval).flatMap((tile) => tile.touched);
  const objects = distinct([...phase.touched, ...earlier].map((touched) => touched.object)).filter((at) => at !== null);
  const rows = () => phase.touched.map((touched) => [launch.objects[touched.object]?.name ?? "memory", touched.kind, touched.runs.length, touched.runs.reduce((sum, [, length]) => sum + length, 0)]);
  return [
    html("div", { class: "maps" }, objects.map((at) => tile_map(launch.objects[at], phase.touched.filter((one) => one.object === at), earlier.filter((one) => one.object === at)))),
    html("ul", { class: "key" }, cell_key("first", "rising", "loaded in this interval"), cell_key("third", "upright", "stored in this interval"), cell_key("muted", null, "touched before")),
    table_behind("tiles of this interval", ["Object", "Access", { text: "Runs of bytes", numeric: true }, { text: "Bytes", numeric: true }], rows, "tiles"),
  ];
}

// An object as a picture of its rows, with the runs of bytes that were touched.
function tile_map(object, touched, earlier) {
  const elements = object.bytes / object.element_bytes;
  const columns = object.columns ?? elements;
  const rows = Math.ceil(elements / columns);
  const scale = Math.min(240 / columns, 240 / rows);
  const width = Math.max(columns * scale, 2);
  const height = object.columns ? Math.max(rows * scale, 2) : 14;
  const y_scale = object.columns ? scale : height;
  const path = (runs) => runs.flatMap(([begin, length]) => spans_of_run(begin / object.element_bytes, length / object.element_bytes, columns)).map(([row, from, count]) => area(from * scale, row * y_scale, count * scale, y_scale)).join("");
  const layer = (list, tint, hatch) => {
    const d = path(list.flatMap((one) => one.runs));
    return d && [svg("path", { d, class: `tint-${tint}` }), hatch && svg("path", { d, fill: `url(#${hatch})` })];
  };
  const extent = object.columns ? `${number(rows)} × ${number(columns)}` : number(elements);
  const what = touched.map((one) => `${one.kind}: ${extent_of(object, one.runs, columns)}`).join("; ") || "not touched in this interval";
  return html(
    "div",
    null,
    html("h4", null, html("code", null, object.name), ` ${extent}`),
    picture(`${object.name}, ${extent} elements; ${what}`, width, height, [
      layer(earlier, "muted", null),
      layer(touched.filter((one) => one.kind === "load"), "first", "rising"),
      layer(touched.filter((one) => one.kind !== "load"), "third", "upright"),
      svg("rect", { width, height, class: "line-muted" }),
    ]),
    html("p", { class: "small quiet narrow" }, what, touched.some((one) => one.cut) && " (only the first runs are drawn)"),
  );
}

// "rows 0 to 31, columns 32 to 63, 4 KiB"
function extent_of(object, runs, columns) {
  const spans = runs.flatMap(([begin, length]) => spans_of_run(begin / object.element_bytes, length / object.element_bytes, columns));
  const range = (from, to) => (from === to ? String(from) : `${from} to ${to}`);
  const all = (values) => range(Math.min(...values.map(([from]) => from)), Math.max(...values.map(([, to]) => to)));
  const across = all(spans.map(([, from, count]) => [Math.floor(from), Math.ceil(from + count) - 1]));
  const size = bytes(runs.reduce((sum, [, length]) => sum + length, 0));
  return object.columns ? `rows ${all(spans.map(([row]) => [row, row]))}, columns ${across}, ${size}` : `elements ${across}, ${size}`;
}

const area = (x, y, width, height) => `M${x} ${y}h${Math.max(width, 0.75)}v${Math.max(height, 0.75)}h-${Math.max(width, 0.75)}z`;

// A run of elements as spans within rows: [row, first column, count].
function spans_of_run(begin, length, columns) {
  const spans = [];
  while (length > 0) {
    const row = Math.floor(begin / columns);
    const from = begin - row * columns;
    const count = Math.min(length, columns - from);
    spans.push([row, from, count]);
    begin += count;
    length -= count;
  }
  return spans;
}

// --- Shared memory ---

const thread_index = (launch, linear) => {
  const [x, y] = launch.block;
  return [linear % x, Math.floor(linear / x) % y, Math.floor(linear / (x * y))];
};
const thread_count = (groups) => groups.reduce((sum, [, , , count]) => sum + count, 0);
const place_of_access = (launch, at) => (at === null ? "a line that is not known" : place_in_words(launch.accesses[at].source, launch.accesses[at].line));

// "thread (3, 0, 0) at x.cu:27", or how many threads.
function who(launch, groups) {
  return groups.map(([access, first, step, count]) => {
    const from = index(thread_index(launch, first));
    const threads = count === 1 ? `thread ${from}` : `${count} threads, ${from} to ${index(thread_index(launch, first + step * (count - 1)))}`;
    return `${threads} at ${place_of_access(launch, access)}`;
  }).join("; ");
}

const shared_objects = (launch) => launch.objects.filter((object) => object.space === "shared");
const first_word = (object) => Math.floor(object.offset / machine.bank_bytes);
const word_count = (object) => Math.ceil(object.bytes / machine.bank_bytes);
const object_of_word = (launch, word) => shared_objects(launch).find((object) => word >= first_word(object) && word < first_word(object) + word_count(object));
function name_of_word(launch, word) {
  const object = object_of_word(launch, word);
  return object ? `${object.name}, word ${word - first_word(object)}` : `word ${word}`;
}

function words_of(launch, interval) {
  const racy = new Set(interval.races.map((race) => race.word));
  const parts = shared_objects(launch)
    .map((object) => [object.name, first_word(object), word_count(object), interval.words.filter(([word]) => object_of_word(launch, word) === object)])
    .filter(([, , , words]) => words.length > 0);
  const unnamed = interval.words.filter(([word]) => !object_of_word(launch, word));
  if (unnamed.length > 0) parts.push(["shared memory", 0, Math.max(...unnamed.map(([word]) => word)) + 1, unnamed]);
  const numeric = true;
  const columns = ["Word", { text: "Index", numeric }, { text: "Bank", numeric }, { text: "Writing threads", numeric }, { text: "Reading threads", numeric }, "Who writes", "Who reads", "Last written before"];
  const before = (last) => (last ? `thread ${index(thread_index(launch, last[1]))} in interval ${last[2] + 1}` : "–");
  const rows = () => interval.words.map(([word, writes, reads, last]) => [name_of_word(launch, word), word, word % machine.banks, thread_count(writes), thread_count(reads), who(launch, writes) || "–", who(launch, reads) || "–", before(last)]);
  return [
    html("div", { class: "maps" }, parts.map((part) => word_grid(launch, part, racy))),
    html("ul", { class: "key" }, cell_key("first", null, "left half: written"), cell_key("third", null, "right half: read"), racy.size > 0 && cell_key("fourth", "crossed", "a race"), html("li", null, `a row is ${machine.banks} words, one of each bank`)),
    interval.cut && html("p", { class: "small quiet" }, "Only the first words were recorded."),
    table_behind("words of shared memory in this interval", columns, rows, "words"),
  ].flat().filter(Boolean);
}

function race_arrow(launch, race) {
  const end = ({ access, thread, kind }) => ({ thread: thread_index(launch, thread), kind, place: access === null ? null : launch.accesses[access] });
  const count = race.count > 1 ? `; ${number(race.count)} such pairs in this interval` : "";
  return clash(name_of_word(launch, race.word), `no barrier between the two${count}`, end(race.earlier), end(race.later), { "data-word": race.word });
}

// A race that the recorded blocks and intervals do not show.
function race_elsewhere({ block, element, earlier, later, count }) {
  const pairs = count > 1 ? `; ${number(count)} such pairs in all blocks` : "";
  return clash(element, `no barrier between the two, in a part of block ${index(block)} that was not recorded${pairs}`, earlier, later, { "data-block": index(block) });
}

const verbs = { load: "loads", store: "stores", atomic: "updates" };

// Both ends of a race and an arrow between them.
function clash(name, text, earlier, later, attributes) {
  const side = ({ thread, kind, place }) => html("div", { class: "end" }, html("strong", null, `thread ${index(thread)} ${verbs[kind]}`), place && [html("code", null, expression_at(place)), html("span", { class: "small quiet" }, place_in_words(place.source, place.line))]);
  const arrow = svg("svg", { width: 72, height: 24, class: "arrow", "aria-hidden": "true" }, svg("path", { class: "line-fourth thick", d: "M2 12H66M58 5L68 12L58 19" }));
  return html(
    "div",
    { class: "clash", role: "group", "aria-label": `Race at ${name}`, ...attributes },
    html("p", null, html("span", { class: "label race" }, "✕ race"), " ", html("strong", null, name), `: ${text}`),
    html("div", { class: "ends" }, side(earlier), arrow, side(later)),
  );
}

// The words of one shared object; the arrow keys choose a word, whose history is said below.
function word_grid(launch, [name, first, count, words], racy) {
  const columns = machine.banks;
  const said = html("p", { class: "small", "aria-live": "polite" });
  const known = new Map(words.map((word) => [word[0], word]));
  const skipped = first % columns;
  let chosen = words.find(([word]) => racy.has(word))?.[0] ?? words[0][0];
  let cell = 10;
  const marker = svg("rect", { class: "line-ink thick" });
  const position = (word) => [((word - first + skipped) % columns) * cell, Math.floor((word - first + skipped) / columns) * cell];
  const choose = (word) => {
    if (word < first || word >= first + count) return;
    chosen = word;
    const [x, y] = position(word);
    fill(marker, { x, y, width: cell, height: cell }, []);
    said.textContent = `${name}, word ${word - first}, bank ${word % columns}: ${history(launch, known.get(word))}.`;
  };
  const at_pointer = (event) => {
    const frame = event.currentTarget.getBoundingClientRect();
    choose(first - skipped + Math.floor((event.clientY - frame.top) / cell) * columns + Math.floor((event.clientX - frame.left) / cell));
  };
  const { place } = drawn_to_width((width) => {
    cell = Math.max(9, Math.min(12, Math.floor(width / columns)));
    choose(chosen);
    return picture(grid_in_words(name, count, words, racy), columns * cell, Math.ceil((skipped + count) / columns) * cell, [word_layers(words, racy, position, cell), grid_lines(columns, Math.ceil((skipped + count) / columns), cell), marker], { onclick: at_pointer });
  });
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
  const keys = (event) => {
    if (!(event.key in steps)) return;
    event.preventDefault();
    choose(chosen + steps[event.key]);
  };
  return html("div", { class: "words" }, html("h4", null, html("code", null, name), ` ${plural(count, "word")}`), html("div", { class: "scroll tall", tabindex: 0, role: "group", "aria-label": `Words of ${name}; arrow keys choose one`, onkeydown: keys }, place), said);
}

function history(launch, word) {
  const [, writes, reads, before] = word ?? [0, [], [], null];
  const earlier = before ? `; last written before by thread ${index(thread_index(launch, before[1]))} at ${place_of_access(launch, before[0])} in interval ${before[2] + 1}` : "";
  return `${writes.length ? `written by ${who(launch, writes)}` : "not written"}; ${reads.length ? `read by ${who(launch, reads)}` : "not read"}${earlier}`;
}

const is_written = ([, writes]) => writes.length > 0;
const is_read = ([, , reads]) => reads.length > 0;
const grid_in_words = (name, count, words, racy) =>
  `${name}: ${plural(count, "word")}, ${words.filter(is_written).length} written, ${words.filter(is_read).length} read, ${words.filter(([word]) => racy.has(word)).length} in a race`;

function word_layers(words, racy, position, cell) {
  const path = (list, from, share) => list.map(([word]) => position(word)).map(([x, y]) => area(x + from * cell, y, share * cell, cell)).join("");
  const races = path(words.filter(([word]) => racy.has(word)), 0, 1);
  return [
    svg("path", { d: path(words.filter(is_written), 0, 0.5), class: "tint-first" }),
    svg("path", { d: path(words.filter(is_read), 0.5, 0.5), class: "tint-third" }),
    svg("path", { d: races, class: "tint-fourth" }),
    svg("path", { d: races, fill: "url(#crossed)" }),
  ];
}
function grid_lines(columns, rows, cell) {
  const across = Array.from({ length: rows + 1 }, (_, row) => `M0 ${row * cell}H${columns * cell}`);
  const down = Array.from({ length: columns + 1 }, (_, column) => `M${column * cell} 0V${rows * cell}`);
  return svg("path", { d: [...across, ...down].join(""), class: "line-faint" });
}

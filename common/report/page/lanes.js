// Drawings of one request: 32 lanes onto sectors, and onto banks.

const cell_key = (kind, hatch, text) =>
  html(
    "li",
    null,
    svg("svg", { width: 14, height: 14, "aria-hidden": "true" }, svg("rect", { x: 0.5, y: 0.5, width: 13, height: 13, class: `tint-${kind} line-of` }), hatch && svg("rect", { x: 0.5, y: 0.5, width: 13, height: 13, fill: `url(#${hatch})` })),
    text,
  );
const sector_key = () => html("ul", { class: "key" }, cell_key("first", "rising", "asked for (the number is the lane)"), cell_key("second", "falling", "moved with its sector, not asked for"), cell_key("faint", null, "not moved"));
const bank_key = () => html("ul", { class: "key" }, cell_key("first", "rising", "a word that its bank serves at once (the number is the lane, ×n: lanes that share it)"), cell_key("second", "falling", "a word that waits for its bank: a conflict"));

function box(x, y, width, height, role, hatch) {
  return [
    svg("rect", { x, y, width, height, class: `tint-${role}` }),
    hatch && svg("rect", { x, y, width, height, fill: `url(#${hatch})` }),
    svg("rect", { x, y, width, height, class: `line-${role}` }),
  ];
}

// The row of 32 lanes across `width`; returns the drawing and each lane's middle.
function lane_row(request, left, y, cell) {
  const height = 18;
  const parts = request.lanes.map((offset, lane) => [
    svg("rect", { x: left + lane * cell + 0.5, y, width: cell - 1, height, class: offset === null ? "tint-faint" : "tint-first" }),
    svg("rect", { x: left + lane * cell + 0.5, y, width: cell - 1, height, class: offset === null ? "line-faint dashed" : "line-first" }),
    (cell >= 15 || lane % 8 === 0) &&
      svg("text", { x: left + (cell >= 15 ? (lane + 0.5) * cell : lane * cell), y: cell >= 15 ? y + 13 : y - 3, class: `small ${cell >= 15 ? "middle" : "start"}${offset === null ? " quiet" : ""}` }, lane),
  ]);
  return { parts, bottom: y + height, middle: (lane) => left + (lane + 0.5) * cell };
}

const link = (x1, y1, x2, y2) => svg("path", { class: "line-muted", d: `M${x1} ${y1}C${x1} ${(y1 + y2) / 2} ${x2} ${(y1 + y2) / 2} ${x2} ${y2}` });

// Sectors that the request touches: which of their bytes, by whom. Older devices serve half a warp at a time, so a sector may be moved twice.
function touched_sectors(access, request) {
  const touched = new Map();
  for (const [lane, offset] of active(request)) {
    const from = in_lines(request, offset);
    const group = Math.floor(lane / machine.lanes_per_request);
    for (let byte = from; byte < from + access.bytes; ++byte) {
      const sector = Math.floor(byte / machine.sector_bytes);
      const key = `${group} ${sector}`;
      if (!touched.has(key)) touched.set(key, { group, sector, used: new Set(), lanes: new Set() });
      touched.get(key).used.add(byte % machine.sector_bytes);
      touched.get(key).lanes.add(lane);
    }
  }
  return [...touched.values()].sort((a, b) => a.group - b.group || a.sector - b.sector);
}

const sectors_of_line = () => machine.line_bytes / machine.sector_bytes;
const line_of_sector = (sector) => Math.floor(sector / sectors_of_line());

function drawing_of(launch, access, request, width) {
  if (access.unit === "wavefronts") return banks(launch, access, request, width);
  return access.unit === "sectors" ? sectors(launch, access, request, width) : passes(access, request, width);
}

function sectors(launch, access, request, width) {
  const touched = touched_sectors(access, request);
  const lines = distinct(touched.map(({ sector }) => line_of_sector(sector)));
  const label = `${plural(active(request).length, "lane")} onto ${plural(touched.length, "sector")} in ${plural(lines.length, "line")} of ${machine.line_bytes} bytes: ${request.pattern}. The table below has each lane's address.`;
  return [fan_onto_sectors(access, request, touched, lines, width, label), words_of_lines(launch, access, request, new Set(touched.map(({ sector }) => sector)), lines, width)];
}

// The sectors as they are moved, from left to right; all of a line where they fit, else those that are touched.
function sectors_to_show(touched, room) {
  const groups = distinct(touched.map(({ group, sector }) => `${group} ${line_of_sector(sector)}`)).map((key) => key.split(" ").map(Number));
  const gap = groups.length > 12 ? 2 : 6;
  const of_group = ([group, line]) => touched.filter((one) => one.group === group && line_of_sector(one.sector) === line);
  const has_room = (room - gap * (groups.length - 1)) / (sectors_of_line() * groups.length) >= 6;
  const whole = ([group, line]) => Array.from({ length: sectors_of_line() }, (_, part) => of_group([group, line]).find(({ sector }) => sector === sectors_of_line() * line + part) ?? null);
  return { groups: groups.map(has_room ? whole : of_group), gap };
}

function fan_onto_sectors(access, request, touched, lines, width, label) {
  const cell = Math.min(22, Math.floor(width / 32));
  const row = lane_row(request, 0, 14, cell);
  const room = 32 * cell;
  const { groups, gap } = sectors_to_show(touched, room);
  const slot = Math.min(44, (room - gap * (groups.length - 1)) / groups.flat().length);
  const top = row.bottom + 64;
  const height = 22;
  const links = [];
  let x = (room - slot * groups.flat().length - gap * (groups.length - 1)) / 2;
  const boxes = groups.flatMap((group) => {
    const drawn = group.map((one, at) => {
      const left = x + at * slot;
      if (one) links.push(...[...one.lanes].map((lane) => link(row.middle(lane), row.bottom, left + slot / 2, top)));
      return sector_box(left + 0.5, top, Math.max(slot - 1, 1), height, one ? one.used.size / machine.sector_bytes : 0);
    });
    x += slot * group.length + gap;
    return drawn;
  });
  const caption = `${plural(touched.length, "sector")} in ${plural(lines.length, "line")}; filled: the share that was asked for`;
  return picture(label, room, top + height + 20, [links, row.parts, boxes, svg("text", { x: room / 2, y: top + height + 15, class: "middle quiet" }, caption)]);
}

function sector_box(x, y, width, height, share) {
  if (share === 0) return [svg("rect", { x, y, width, height, class: "tint-faint" }), svg("rect", { x, y, width, height, class: "line-faint" })];
  const full = height * share;
  return [share < 1 && box(x, y, width, height - full, "second", "falling"), box(x, y + height - full, width, full, "first", "rising")];
}

// Who asked for each word of a line.
function words_of_lines(launch, access, request, touched, lines, width) {
  const a_row = width >= 560 ? 32 : 16;
  const margin = a_row === 32 ? 92 : 0;
  const cell = Math.min(20, Math.floor((width - margin) / a_row));
  const most = 8;
  const place = html("div");
  const draw = (all) => {
    const some = all ? lines : lines.slice(0, most);
    const parts = some.map((line) => words_of_line(launch, access, request, touched, line, { a_row, margin, cell }));
    const rest = lines.length - some.length;
    const button = lines.length > most && html("button", { type: "button", "aria-expanded": String(all), onclick: () => draw(!all) }, rest > 0 ? `Show ${rest} more lines` : `Show only ${most} lines`);
    place.replaceChildren(...[parts, button].flat().filter(Boolean));
  };
  draw(false);
  return place;
}

function words_of_line(launch, access, request, touched, line, { a_row, margin, cell }) {
  const name = object_name(launch, request) ?? "memory";
  const words = machine.line_bytes / 4;
  const words_of_sector = machine.sector_bytes / 4;
  const first = ((request.base ?? 0) - request.offset_in_line + line * machine.line_bytes) / (launch.objects[request.object]?.element_bytes || access.bytes);
  const label = `${name}[${number(first)}]`;
  const height = cell >= 17 ? 18 : 14;
  const rows = words / a_row;
  const top = margin ? 2 : 15;
  const who = Array.from({ length: words }, () => []);
  for (const [lane, offset] of active(request)) {
    const from = in_lines(request, offset) - line * machine.line_bytes;
    for (let word = Math.floor(from / 4); word <= Math.floor((from + access.bytes - 1) / 4); ++word) who[word]?.push(lane);
  }
  const place_of = (word) => ({ x: margin + (word % a_row) * cell, y: top + Math.floor(word / a_row) * (height + 3) });
  const cells = who.map((lanes, word) => {
    const { x, y } = place_of(word);
    const moved = touched.has(sectors_of_line() * line + Math.floor(word / words_of_sector));
    const text = lanes.length === 1 ? lanes[0] : lanes.length > 1 ? `×${lanes.length}` : "";
    return [
      svg("rect", { x, y, width: cell, height, class: lanes.length > 0 ? "tint-first" : moved ? "tint-second" : "tint-faint" }),
      lanes.length === 0 && moved && svg("rect", { x, y, width: cell, height, fill: "url(#falling)" }),
      svg("rect", { x, y, width: cell, height, class: lanes.length > 0 ? "line-first" : "line-faint" }),
      text !== "" && svg("text", { x: x + cell / 2, y: y + height / 2 + 3.5, class: "middle tiny" }, text),
    ];
  });
  const borders = Array.from({ length: sectors_of_line() }, (_, sector) => {
    const { x, y } = place_of(words_of_sector * sector);
    return svg("rect", { x, y, width: words_of_sector * cell, height, class: touched.has(sectors_of_line() * line + sector) ? "line-ink" : "line-faint" });
  });
  const asked = who.filter((lanes) => lanes.length > 0).length;
  const spoken = `The line that begins at ${label}: ${asked} of its ${words} words asked for`;
  return picture(spoken, margin + a_row * cell, top + rows * (height + 3), [
    svg("text", { x: margin ? margin - 8 : 0, y: margin ? top + height / 2 + 4 : 11, class: `code${margin ? " end" : ""}` }, label),
    cells,
    borders,
  ]);
}

// The distinct words that the request asks of each bank, and the lanes that share a word.
function words_by_bank(access, request) {
  const columns = Array.from({ length: machine.banks }, () => new Map());
  for (const [lane, offset] of active(request)) {
    const from = request.shared_base + offset;
    for (let word = Math.floor(from / machine.bank_bytes); word <= Math.floor((from + access.bytes - 1) / machine.bank_bytes); ++word) {
      const column = columns[word % machine.banks];
      if (!column.has(word)) column.set(word, []);
      column.get(word).push(lane);
    }
  }
  return columns;
}

function banks(launch, access, request, width) {
  const cell = Math.min(22, Math.floor(width / 32));
  const bank_width = (32 * cell) / machine.banks;
  const row = lane_row(request, 0, 14, cell);
  const columns = words_by_bank(access, request);
  // Wide accesses, and halves of a warp, take several wavefronts even at best: each has a word of its own.
  const at_once = Math.max(1, request.ideal);
  const deepest = Math.max(...columns.map((column) => column.size), 1);
  const top = row.bottom + 56;
  const height = deepest > 12 ? 13 : 17;
  const with_text = cell >= 15;
  const parts = columns.map((column, bank) => [
    svg("rect", { x: bank * bank_width + 0.5, y: top, width: bank_width - 1, height, class: "line-faint" }),
    [...column].sort(([a], [b]) => a - b).map(([, lanes], at) => word_in_bank(bank, at, { lanes, waits: at >= at_once, top, height, bank_width, with_text })),
  ]);
  const middle = (bank) => (bank + 0.5) * bank_width;
  const links = columns.flatMap((column, bank) => [...column.values()].flat().map((lane) => link(row.middle(lane), row.bottom, middle(bank), top)));
  const bottom = top + deepest * height;
  const numbers = columns.map((_, bank) => (with_text || bank % 8 === 0) && svg("text", { x: with_text ? middle(bank) : bank * bank_width, y: bottom + 12, class: `small quiet ${with_text ? "middle" : ""}` }, bank));
  const busy = columns.filter((column) => column.size > 0).length;
  const label = `${plural(active(request).length, "lane")} onto ${busy} of ${machine.banks} banks, up to ${plural(deepest, "word")} in one bank: ${request.pattern}. The table below has each lane's word.`;
  const caption = `${plural(busy, "bank")} of ${machine.banks} busy, ${plural(deepest, "word")} in the busiest`;
  return picture(label, 32 * cell, bottom + 34, [links, row.parts, parts, numbers, svg("text", { x: 16 * cell, y: bottom + 29, class: "middle quiet" }, caption)]);
}

function word_in_bank(bank, at, { lanes, waits, top, height, bank_width, with_text }) {
  const y = top + at * height;
  return [
    box(bank * bank_width + 0.5, y, bank_width - 1, height, waits ? "second" : "first", with_text && !waits ? null : waits ? "falling" : "rising"),
    with_text && svg("text", { x: (bank + 0.5) * bank_width, y: y + height / 2 + 3.5, class: "middle tiny" }, lanes.length === 1 ? lanes[0] : `×${lanes.length}`),
  ];
}

// Lanes onto the words of constant memory, one pass for each.
function passes(access, request, width) {
  const cell = Math.min(22, Math.floor(width / 32));
  const row = lane_row(request, 0, 14, cell);
  const words = distinct(active(request).map(([, offset]) => offset)).sort((a, b) => a - b);
  const top = row.bottom + 56;
  const slot = Math.min(44, (32 * cell) / words.length);
  const left = (32 * cell - slot * words.length) / 2;
  const middle = (offset) => left + (words.indexOf(offset) + 0.5) * slot;
  const boxes = words.map((_, at) => box(left + at * slot + 0.5, top, slot - 1, 18, at === 0 ? "first" : "second", at === 0 ? "rising" : "falling"));
  const links = active(request).map(([lane, offset]) => link(row.middle(lane), row.bottom, middle(offset), top));
  const caption = `${plural(words.length, "word")}, one pass for each`;
  const label = `${plural(active(request).length, "lane")} onto ${plural(words.length, "word")} of constant memory: ${request.pattern}. The table below has each lane's address.`;
  return picture(label, 32 * cell, top + 38, [links, row.parts, boxes, svg("text", { x: 16 * cell, y: top + 33, class: "middle quiet" }, caption)]);
}

// The map of right and wrong elements, and partitions over time.

function right_and_wrong(wrong) {
  const rows = wrong.cells.length;
  const columns = Math.max(...wrong.cells.map((row) => row.length));
  const draw = (width) => {
    const cell = Math.max(3, Math.min(14, Math.floor(Math.min(width, 420) / columns), Math.floor(420 / rows)));
    const all = (row, column) => Math.min(wrong.cell_rows, wrong.rows - row * wrong.cell_rows) * Math.min(wrong.cell_columns, wrong.columns - column * wrong.cell_columns);
    const path = (is_chosen) => wrong.cells.flatMap((row, y) => row.map((count, x) => (is_chosen(count, all(y, x)) ? area(x * cell, y * cell, cell, cell) : ""))).join("");
    const full = path((count, of) => count === of);
    const part = path((count, of) => count > 0 && count < of);
    const crosses = cell >= 7 ? wrong.cells.flatMap((row, y) => row.map((count, x) => (count === all(y, x) ? `M${x * cell + 2} ${y * cell + 2}l${cell - 4} ${cell - 4}m0 -${cell - 4}l-${cell - 4} ${cell - 4}` : ""))).join("") : "";
    const label = `${wrong.name}: ${wrong.wrong_count} of ${wrong.rows * wrong.columns} elements are wrong`;
    return picture(label, columns * cell, rows * cell, [
      svg("rect", { width: columns * cell, height: rows * cell, class: "tint-third" }),
      part && svg("path", { d: part, class: "tint-second" }), part && svg("path", { d: part, fill: "url(#falling)" }),
      full && svg("path", { d: full, class: crosses ? "tint-second" : "solid-second" }), crosses && svg("path", { d: crosses, class: "line-second" }),
      svg("rect", { width: columns * cell, height: rows * cell, class: "line-muted" }),
    ]);
  };
  const span = (at, size, of) => (size === 1 ? String(at) : `${at * size} to ${Math.min((at + 1) * size, of) - 1}`);
  const sums = () => wrong.cells.map((row, at) => [span(at, wrong.cell_rows, wrong.rows), row.reduce((sum, count) => sum + count, 0)]);
  const cell_text = wrong.cell_rows * wrong.cell_columns > 1 ? ` A cell is ${wrong.cell_rows} × ${wrong.cell_columns} elements.` : "";
  return html(
    "div",
    { class: "wrong" },
    html("h4", null, `Elements of ${wrong.name}: ${number(wrong.wrong_count)} of ${number(wrong.rows * wrong.columns)} wrong (${wrong.rows} × ${wrong.columns}).${cell_text}`),
    drawn_to_width(draw).place,
    html("ul", { class: "key" }, cell_key("third", null, "right"), cell_key("second", null, "wrong (×)"), cell_key("second", "falling", "some of the cell are wrong")),
    table_behind(`wrong elements of ${wrong.name} by row`, ["Rows", { text: "Wrong", numeric: true }], sums, "wrong"),
  );
}

function partitions_view(launch) {
  const { partitions } = launch;
  if (!partitions || partitions.waves.length === 0) return null;
  const numeric = true;
  const kinds = ["load", "store"].filter((kind) => partitions.waves.some((wave) => wave[kind].some((count) => count > 0)));
  const draw = (kind) => (width) => {
    const most = Math.max(...partitions.waves.flatMap((wave) => wave[kind]));
    const left = 20;
    const column = (width - left) / partitions.waves.length;
    const height = 18;
    const cells = partitions.waves.flatMap((wave, at) => wave[kind].map((count, partition) => {
      const full = (height - 3) * (count / most);
      const x = left + at * column;
      const y = partition * height;
      return [svg("rect", { x, y, width: Math.max(column - 1, 0.5), height: height - 2, class: "tint-faint" }), count > 0 && svg("rect", { x, y: y + height - 2 - full, width: Math.max(column - 1, 0.5), height: full, class: kind === "load" ? "solid-first" : "solid-second" })];
    }));
    const names = Array.from({ length: partitions.count }, (_, partition) => svg("text", { x: left - 6, y: partition * height + 13, class: "end quiet small" }, partition));
    return picture(`${kind}s of each of ${partitions.count} partitions over ${plural(partitions.waves.length, "wave")}; busiest over mean: ${three_digits.format(partitions.camping[kind])}`, width, partitions.count * height + 18, [names, cells, svg("text", { x: left, y: partitions.count * height + 13, class: "quiet" }, `time, in ${plural(partitions.waves.length, "wave")} of ${partitions.wave_blocks} blocks →`)]);
  };
  const rows = () => partitions.waves.flatMap((wave, at) => Array.from({ length: partitions.count }, (_, partition) => [at + 1, partition, wave.load[partition], wave.store[partition]]));
  return [
    html("p", { class: "said" }, `Addresses go round ${partitions.count} partitions of memory, ${partitions.bytes} bytes each. A bar is what a partition serves while one wave of blocks runs; the busiest decides how long the wave takes.`),
    kinds.map((kind) => html("div", null, html("h4", null, `${kind}s: the busiest partition has ${three_digits.format(partitions.camping[kind])} times the mean${partitions.camping[kind] > 1.5 ? " (partition camping)" : ""}`), drawn_to_width(draw(kind)).place)),
    table_behind("partitions by wave", [{ text: "Wave", numeric }, { text: "Partition", numeric }, { text: "Loads", numeric }, { text: "Stores", numeric }], rows, "partitions"),
  ];
}

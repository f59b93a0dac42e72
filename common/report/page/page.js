// The page: head, failures, then one launch at a time.

const report = JSON.parse(document.getElementById("report").textContent);
const machine = report.made.device;

// The views of a launch, in the order in which a reader needs them. One without data isn't shown.
const views = [
  ["time", "What limits the time", time_view],
  ["accesses", "A warp's access", accesses_view],
  ["source-lines", "Source, line by line", counted_lines],
  ["phases", "Between two barriers", phases_view],
  ["partitions", "Partitions over time", partitions_view],
  ["roofline", "Roofline", roofline_view],
  ["occupancy", "Occupancy", occupancy_view],
];
const side_by_side = new Set(["roofline", "occupancy"]);

function facts(launch) {
  const pair = (name, value) => html("div", null, html("dt", null, name), html("dd", null, value));
  return html(
    "dl",
    { class: "facts" },
    pair("Kernel", html("code", null, launch.kernel)),
    pair("Grid", xyz(launch.grid)),
    pair("Block", xyz(launch.block)),
    launch.size && pair("Size", xyz(launch.size)),
    launch.time && pair(launch.time.modelled ? "Time, modelled" : "Time, measured", `${seconds(launch.time.ms / 1000)} on ${launch.time.device}`),
    launch.time && pair("Limited by", launch.time.limit),
    launch.where && pair("Launched at", place_in_words(launch.where.source, launch.where.line)),
  );
}

function launch_views(launch) {
  const made = views
    .map(([id, title, draw]) => [id, title, draw(launch)])
    .filter(([, , content]) => content)
    .map(([id, title, content]) => html("div", { class: "view", id, role: "region", "aria-labelledby": `${id}-title` }, html("h3", { id: `${id}-title` }, title), content));
  const pair = made.filter((view) => side_by_side.has(view.id));
  const remarks = [launch.has_fault && "A fault stopped this launch: there are no counts of it, only what was recorded until then.", launch.is_estimate && "Sampled: the launch is large, so only some of its blocks ran. They stand for all: counts and times are estimates, and nothing was checked. A smaller --size runs whole.", launch.launches > 1 && `The call launched ${launch.launches} kernels; the longest is shown.`, launch.recording_note].filter(Boolean);
  return [facts(launch), remarks.length > 0 && html("p", { class: "small quiet" }, remarks.join(" ")), made.filter((view) => !side_by_side.has(view.id)), pair.length > 0 && html("div", { class: pair.length > 1 ? "columns even" : "columns" }, pair)].flat().filter(Boolean);
}

// One with a fault or a race, else one of the kernel that the first failure names.
function first_launch() {
  const index_of = (is_meant) => report.launches.findIndex(is_meant);
  const stopped = index_of((launch) => launch.has_fault || launch.other_races.length > 0 || launch.shared.some((interval) => interval.races.length > 0));
  const failure = (report.score?.tests ?? []).flatMap((test) => test.messages)[0]?.text ?? "";
  const named = index_of((launch) => new RegExp(`\\b${launch.kernel.match(/\w+/)[0]}\\b`).test(failure));
  return Math.max(0, stopped >= 0 ? stopped : named);
}

function launches_section() {
  if (report.launches.length === 0) return null;
  const place = html("div", { "data-view": "launch" });
  const show = (at) => {
    place.replaceChildren(...launch_views(report.launches[at]));
    contents();
  };
  const first = first_launch();
  const { box } = chooser("Kernel and launch", report.launches.map((launch) => launch.name), first, show);
  const section = html("section", { id: "launch", "aria-labelledby": "launch-title" }, html("h2", { id: "launch-title" }, "What the kernel does"), report.launches.length > 1 ? html("div", { class: "controls" }, box) : html("p", { class: "said" }, report.launches[0].name), place);
  return { section, show: () => show(first) };
}

// Links to what is on the page now.
function contents() {
  const targets = [...document.querySelectorAll("main > section, main .view")].map((place) => [place.id, document.getElementById(place.getAttribute("aria-labelledby")).textContent]);
  document.getElementById("contents").replaceChildren(html("ul", null, targets.map(([id, title]) => html("li", null, html("a", { href: `#${id}` }, title)))));
}

function build() {
  const main = document.getElementById("content");
  document.body.prepend(hatches());
  head();
  const launches = launches_section();
  main.replaceChildren(...[score_section(), findings_section(), launches?.section, report.sweep && sweep_view(report.sweep)].filter(Boolean));
  launches?.show();
  contents();
  document.getElementById("foot").append("One file; it loads nothing.");
}

build();

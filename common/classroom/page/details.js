// One student's verdicts with their messages, in a dialog.

const opened = { student: null };
const max_others = 12;

// Messages of a verdict, those with equal text as one.
function messages_of({ messages, states: letters }) {
  const found = new Map();
  for (const [test, failures] of messages) {
    for (const text of failures) {
      const key = `${letters[test]} ${text}`;
      if (!found.has(key)) found.set(key, { text: texts[text], letter: letters[test], tests: [] });
      found.get(key).tests.push(test);
    }
  }
  return [...found.values()];
}

function message({ text, letter: its, tests }, lab) {
  const [headline, ...evidence] = text.split("\n");
  const lost = tests.reduce((sum, test) => sum + labs[lab].tests[test].points, 0);
  const label = (kind, words) => html("span", { class: `label ${kind}` }, words);
  return html("article", { "data-tests": tests.map((test) => `${lab}.${test}`).join(" ") },
    html("div", { class: "head" }, html("h4", null, headline), html("span", null, label("bad", states[its].join(" ")), " ", label("", `${plural(lost, "point")} lost`))),
    html("p", { class: "names" }, tests.map((test) => short_name(labs[lab].tests[test])).join(", ")),
    evidence.length > 0 && html("pre", { class: "evidence" }, unindented(evidence)));
}

function submission_view(submission, lab) {
  const { name, title, max_points } = labs[lab];
  const head = (points) => html("h3", { id: `details-${lab}`, tabindex: -1 }, `${name} · ${title}`, html("span", { class: "quiet" }, ` — ${points}`));
  if (!submission) return [head("nothing handed in")];
  if (!submission.verdict) return [head("not graded yet"), html("p", { class: "made" }, submission.origin)];
  const { verdict } = submission;
  const run = data.runs[verdict.run];
  const others = handed_in.filter((one) => one.number === submission.number && one !== submission).map((one) => one.student.name);
  if (others.length > max_others) others.splice(max_others, Infinity, `${number(others.length - max_others)} more`);
  const facts = [submission.origin, verdict.hash && `SHA-256 ${verdict.hash}`, `seed ${run.seed}`, `sandbox ${run.sandbox || "none"}`, `version ${run.version}`, run.device];
  return [
    head(`${number(verdict.points)} of ${number(max_points)} points`),
    html("p", { class: "made" }, facts.filter(Boolean).join("\u00a0· ")),
    others.length > 0 && html("p", { class: "small" }, html("strong", null, "The same text as "), html("bdi", null, others.join(", "))),
    verdict.trouble !== null && html("article", { "data-tests": `${lab}` }, html("h4", null, verdict.kind), html("pre", { class: "evidence" }, texts[verdict.trouble].trimEnd())),
    messages_of(verdict).map((one) => message(one, lab)),
    has_full_points(submission) && html("p", { class: "small quiet" }, "All tests pass."),
  ];
}

function show_student(student) {
  opened.student = student;
  const at = map.shown.indexOf(student);
  opened.title.replaceChildren(html("bdi", null, student.name));
  opened.sum.textContent = totals.length > 0 ? `${total_in_words(student)}, by its weights` : `${number(total_of(student))} of ${number(labs.reduce((sum, lab) => sum + lab.max_points, 0))} points`;
  [opened.back, opened.forth].forEach((button, side) => (button.disabled = at < 0 || !map.shown[at + (side === 0 ? -1 : 1)]));
  opened.body.replaceChildren(...labs.map((_, lab) => html("div", { class: "submission" }, submission_view(student.submissions[lab], lab))));
  opened.body.scrollTop = 0;
}

// Opens the dialog, at a lab or one of its tests if they are given.
function open_student(student, lab, test) {
  show_student(student);
  if (!opened.box.open) opened.box.showModal();
  if (lab === undefined) return;
  const article = test !== undefined && [...opened.body.querySelectorAll("article")].find((one) => one.dataset.tests.split(" ").some((its) => its === `${lab}.${test}` || its === String(lab)));
  (article || document.getElementById(`details-${lab}`)).scrollIntoView({ block: "start" });
}

function details_dialog() {
  const step = (by) => () => show_student(map.shown[map.shown.indexOf(opened.student) + by]);
  const button = (label, text, onclick) => html("button", { type: "button", "aria-label": label, onclick }, text);
  opened.title = html("h2", { id: "details-title" });
  opened.sum = html("p", { class: "quiet" });
  opened.back = button("Student before", "‹", step(-1));
  opened.forth = button("Next student", "›", step(1));
  opened.body = html("div", { class: "details-body", tabindex: 0, role: "group", "aria-labelledby": "details-title" });
  opened.box = html("dialog", { class: "details", "aria-labelledby": "details-title" },
    html("div", { class: "details-head" }, html("div", null, opened.title, opened.sum), html("div", { class: "buttons" }, opened.back, opened.forth, button("Close", "×", () => opened.box.close()))),
    opened.body);
  opened.box.addEventListener("click", (event) => event.target === opened.box && opened.box.close());
  opened.box.addEventListener("close", () => {
    const row = map.shown.indexOf(opened.student);
    if (map.body.contains(document.activeElement) && row >= 0) go_to(row, map.column);
  });
  return opened.box;
}

// Causes of failures by how many students have them, and what could not be judged.

const first_shown = 12;
const max_tests = 6;  // named one by one

// A list of the first items, and a button for the others.
function shortened(list, items, words) {
  list.append(...items.slice(0, first_shown).map((make) => make()));
  if (items.length <= first_shown) return list;
  const more = html("button", { type: "button", onclick: () => {
    more.remove();
    list.append(...items.slice(first_shown).map((make) => make()));
    list.children[first_shown].querySelector("button").focus();
  } }, `Show all ${number(items.length)} ${words}`);
  return [list, more];
}

// Tests by lab: their names, or how many they are if they are many.
function tests_in_words(tests) {
  const by_lab = new Map();
  for (const [lab, test] of tests.values()) by_lab.set(lab, [...(by_lab.get(lab) ?? []), ...(test === null ? [] : [short_name(labs[lab].tests[test])])]);
  const words = (names) => (tests.size > max_tests ? plural(names.length, "test") : names.join(", "));
  return [...by_lab].sort(([a], [b]) => a - b).map(([lab, names]) => (names.length > 0 ? `${labs[lab].name}: ${words(names)}` : labs[lab].name)).join("; ");
}

function cause_item(cause, most) {
  const width = 72;
  const count = cause.students.size;
  return html("li", { class: "cause" },
    html("div", { class: "how-many" }, html("b", null, number(count)), ` ${count === 1 ? "student" : "students"}`,
      svg("svg", { width, height: 6, "aria-hidden": "true" }, svg("rect", { width, height: 6, class: "tint-muted" }), svg("rect", { width: (width * count) / most, height: 6, class: "solid-second" }))),
    html("div", null,
      html("h3", null, cause.title),
      html("p", { class: "names" }, tests_in_words(cause.tests)),
      html("details", { class: "behind" }, html("summary", null, "An example"), html("pre", { class: "evidence" }, cause.example.trimEnd()))),
    html("button", { type: "button", onclick: () => show_cause(cause) }, `Show ${number(count)}`, html("span", { class: "unseen" }, ` ${count === 1 ? "student" : "students"} of this cause in the map`)));
}

function causes_section() {
  const causes = causes_of(handed_in);
  const most = Math.max(1, ...causes.map((cause) => cause.students.size));
  return html("section", { id: "causes", "aria-labelledby": "causes-title" },
    html("h2", { id: "causes-title" }, "Causes of failures"),
    html("p", { class: "said" }, causes.length === 0 ? "No test failed." : "First lines of the messages, by how many students have them. Lines that differ in numbers alone are one cause; # stands for such numbers."),
    shortened(html("ol", { class: "causes" }), causes.map((cause) => () => cause_item(cause, most)), "causes"));
}

function undecided_section() {
  const reasons = new Map();
  for (const submission of handed_in.filter(is_undecided)) {
    const { verdict, lab, student } = submission;
    const tests = verdict.kind === "undecided" ? [] : verdict.messages.filter(([test]) => verdict.states[test] === "u");
    const add = (reason, test) => reasons.set(reason, [...(reasons.get(reason) ?? []), { student, lab, test }]);
    if (tests.length === 0) add(first_line(texts[verdict.trouble] ?? "no reason is known"));
    for (const [test, failures] of tests) add(first_line(texts[failures[0]]), test);
  }
  const place = ({ student, lab, test }) => html("li", null, html("button", { type: "button", "aria-haspopup": "dialog", onclick: () => open_student(student, lab, test) }, html("bdi", null, student.name), html("span", { class: "quiet" }, ` ${[labs[lab].name, test !== undefined && short_name(labs[lab].tests[test])].filter(Boolean).join(" ")}`)));
  return html("section", { id: "undecided", "aria-labelledby": "undecided-title" },
    html("h2", { id: "undecided-title" }, "Undecided"),
    html("p", { class: "said" }, reasons.size === 0 ? "The grader could judge every test." : "Here the grader could not do its own part: these points are neither won nor lost. ", reasons.size > 0 && html("code", null, "./lab class again --failed"), reasons.size > 0 && " grades them once more, with all else that lacks points."),
    [...reasons].sort((a, b) => b[1].length - a[1].length).map(([reason, all]) => html("div", { class: "reason" }, html("h3", null, html("span", { class: "label race" }, `? ${number(all.length)}`), " ", reason), shortened(html("ul", { class: "places" }), all.map((one) => () => place(one)), "places"))));
}

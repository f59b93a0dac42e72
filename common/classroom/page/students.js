// Results by student and by cause, from the data that the page carries.

const data = JSON.parse(document.getElementById("report").textContent);
const { labs, texts, totals } = data;
const verdicts = data.verdicts.map(([run, points, states, kind, trouble, messages, hash]) => ({ run, points, states, kind, trouble, messages, hash }));

// A cell of the map by a test's letter: mark, words.
const states = {
  p: ["✓", "passed"],
  f: ["✗", "failed"],
  u: ["?", "undecided"],
  c: ["–", "not run: does not compile"],
  n: ["–", "not run: the submission can't be graded"],
  "-": ["", "no such test at that time"],
  w: ["…", "not graded yet"],
  " ": ["", "nothing handed in"],
};

const students = data.students.map((name, at) => ({ at, name, folded: folded(name), submissions: [] }));
const handed_in = data.submissions.map(([student, lab, verdict, origin]) => {
  const made = { student: students[student], lab, origin, number: verdict, verdict: verdict === null ? null : verdicts[verdict] };
  made.student.submissions[lab] = made;
  return made;
});

function folded(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
const short_name = (test) => test.name.slice(test.name.indexOf(".") + 1);

function letter(student, lab, test) {
  const submission = student.submissions[lab];
  if (!submission) return " ";
  return submission.verdict ? (submission.verdict.states[test] ?? "-") : "w";
}
const has_full_points = (submission) => submission.verdict?.kind === "" && /^[p-]*$/.test(submission.verdict.states);
const is_undecided = (submission) => Boolean(submission.verdict?.states.includes("u"));
const has_failures = (submission) => Boolean(submission.verdict) && /[fcn]/.test(submission.verdict.states);
// A student's points in one lab (null: in all), with 0 for what wasn't handed in.
const points_of = (student, lab) => student.submissions.reduce((sum, one) => sum + (one.verdict && (lab === null || one.lab === lab) ? one.verdict.points : 0), 0);

// The student's total: percent of the course, where there is one, else points.
const total_of = (student) => (totals.length > 0 ? totals[student.at] : points_of(student, null));
const total_in_words = (student) => `${number(total_of(student))} ${totals.length > 0 ? "% of the course" : "points in all"}`;

const first_line = (text) => text.split("\n", 1)[0];

// Causes: first lines of messages. Those that differ in numbers alone are one, and show "#" where their numbers differ.
function causes_of(submissions) {
  const numbers = /\d+(?:\.\d+)?/g;
  const keys = texts.map((text) => first_line(text).replace(numbers, "#"));
  const found = new Map();
  const add = (submission, key, text, test) => {
    if (!found.has(key)) found.set(key, { count: 0, students: new Set(), tests: new Map(), texts: new Map() });
    const cause = found.get(key);
    ++cause.count;
    cause.students.add(submission.student);
    if (test !== null) cause.tests.set(`${submission.lab} ${test}`, [submission.lab, test]);
    else cause.tests.set(`${submission.lab}`, [submission.lab, null]);
    cause.texts.set(text, (cause.texts.get(text) ?? 0) + 1);
  };
  for (const submission of submissions.filter((one) => one.verdict)) {
    const { kind, trouble, messages, states: letters } = submission.verdict;
    if (kind === "does not compile") add(submission, kind, trouble, null);
    else if (kind === "not graded") add(submission, keys[trouble], trouble, null);
    for (const [test, failures] of messages) {
      if (letters[test] === "f") for (const text of failures) add(submission, keys[text], text, test);
    }
  }
  return [...found]
    .map(([key, cause]) => ({ ...cause, title: key === "does not compile" ? key : merged([...cause.texts.keys()].map((text) => first_line(texts[text]))), example: texts[most_frequent(cause.texts)] }))
    .sort((a, b) => b.students.size - a.students.size || b.count - a.count);
}
const most_frequent = (counts) => [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))[0];

// Lines that differ in numbers alone as one line.
function merged(lines) {
  const parts = (line) => line.split(/(\d+(?:\.\d+)?)/);
  const others = lines.slice(1).map(parts);
  return parts(lines[0]).map((part, at) => (others.every((other) => other[at] === part) ? part : "#")).join("");
}

// What the page of a class has to show of its data, told apart from the page's own scripts.

const words = { p: "passed", f: "failed", u: "undecided", c: "not run: does not compile", n: "not run: the submission can't be graded", "-": "no such test at that time" };
const shown_number = (value) => String(Math.round(value * 100) / 100);

// Reason or message without what differs in numbers alone.
const key_of = (text) => text.split("\n")[0].replace(/\d+(\.\d+)?/g, "#");

export function expectations(data) {
  const verdict_of = ([run, points, states, kind, trouble, messages, hash]) => ({ run, points, states, kind, trouble, messages, hash });
  const students = data.students.map((name, at) => ({ name, total: data.totals[at], submissions: data.labs.map(() => null) }));
  for (const [student, lab, verdict, origin] of data.submissions) students[student].submissions[lab] = { verdict: verdict === null ? null : verdict_of(data.verdicts[verdict]), origin };
  const graded = (lab) => students.map((student) => student.submissions[lab]?.verdict).filter(Boolean);
  const lab_numbers = data.labs.map((_, lab) => lab);
  const among = (lab) => (lab < 0 ? lab_numbers : [lab]);
  const points = (student, lab = -1) => (lab < 0 ? student.total : undefined) ?? among(lab).reduce((sum, one) => sum + (student.submissions[one]?.verdict?.points ?? 0), 0);
  const has = (student, lab, letters) => among(lab).some((one) => [...(student.submissions[one]?.verdict?.states ?? "")].some((letter) => letters.includes(letter)));
  const by_name = [...students].sort((a, b) => new Intl.Collator("en", { numeric: true, sensitivity: "base" }).compare(a.name, b.name));
  const by_points = (points_of) => students.filter(Boolean).sort((a, b) => points_of(a) - points_of(b));

  const cells_of_lab = (student, lab) => {
    const { tests, max_points } = data.labs[lab];
    const submission = student.submissions[lab];
    if (!submission) return tests.map(() => "nothing handed in").concat("nothing handed in");
    const { verdict } = submission;
    if (!verdict) return tests.map(() => "not graded yet").concat("not graded yet");
    const in_all = `${shown_number(verdict.points)} of ${shown_number(max_points)} points${verdict.kind && `: ${verdict.kind}`}`;
    return [in_all, ...tests.map((_, test) => words[verdict.states[test] ?? "-"])];
  };
  const row = (student, lab) => [student.name, shown_number(points(student)), ...among(lab).flatMap((one) => cells_of_lab(student, one))];

  const figures = data.labs.map((lab, at) => {
    const all = graded(at);
    const sorted = all.map((verdict) => verdict.points).sort((a, b) => a - b);
    return [lab.name, lab.title, students.filter((student) => student.submissions[at]).length, all.length, all.filter((verdict) => verdict.kind === "" && !/[^p-]/.test(verdict.states)).length,
      `${shown_number(sorted[Math.floor(sorted.length / 2)])} of ${shown_number(lab.max_points)}`, all.filter((verdict) => verdict.states.includes("c")).length, all.filter((verdict) => verdict.states.includes("u")).length];
  });
  const distributions = data.labs.map((lab, at) => {
    const counts = Array(12).fill(0);
    for (const verdict of graded(at)) {
      const share = verdict.points / lab.max_points;
      ++counts[share === 0 ? 0 : share === 1 ? 11 : Math.floor(share * 10 + 1e-9) + 1];
    }
    return counts;
  });
  const tests = data.labs.flatMap((lab, at) => lab.tests.map((test, number) => {
    const count = (letters) => graded(at).filter((verdict) => letters.includes(verdict.states[number] ?? "-")).length;
    return [lab.name, test.name.split(".")[1], test.group, test.points, count("p"), count("fcn"), count("u")];
  }));

  const causes = new Map();
  const reasons = new Map();
  const add = (map, key, student, text) => {
    if (!map.has(key)) map.set(key, { students: new Set(), texts: [], places: 0 });
    const one = map.get(key);
    one.students.add(student.name);
    one.texts.push(text);
    ++one.places;
  };
  for (const student of students) {
    for (const { verdict } of student.submissions.filter((one) => one?.verdict)) {
      const trouble = data.texts[verdict.trouble];
      if (verdict.kind === "does not compile") add(causes, verdict.kind, student, trouble);
      if (verdict.kind === "not graded") add(causes, key_of(trouble), student, trouble);
      if (verdict.kind === "undecided") add(reasons, trouble.split("\n")[0], student, trouble);
      for (const [test, failures] of verdict.messages) {
        const is_failure = verdict.states[test] === "f";
        for (const text of is_failure ? failures : failures.slice(0, 1)) add(is_failure ? causes : reasons, is_failure ? key_of(data.texts[text]) : data.texts[text].split("\n")[0], student, data.texts[text]);
      }
    }
  }

  // Texts that a student's dialog has to hold.
  const total_of = ({ total }) => (total === undefined ? [] : [`${shown_number(total)} % of the course, by its weights`]);
  const said_of = (student) => total_of(student).concat(student.submissions.flatMap((submission, lab) => {
    const { name, title, max_points } = data.labs[lab];
    if (!submission) return [`${name} · ${title} — nothing handed in`];
    const { verdict, origin } = submission;
    if (!verdict) return [`${name} · ${title} — not graded yet`, origin];
    const run = data.runs[verdict.run];
    const lines = (text) => text.split("\n").map((line) => line.trim());
    return [`${name} · ${title} — ${shown_number(verdict.points)} of ${shown_number(max_points)} points`, origin, verdict.hash, `seed ${run.seed}`, `sandbox ${run.sandbox}`, verdict.kind, ...lines(data.texts[verdict.trouble] ?? ""),
      ...verdict.messages.flatMap(([test, failures]) => [data.labs[lab].tests[test].name.split(".")[1], ...failures.flatMap((text) => lines(data.texts[text]))])];
  }));
  // First line of the message behind a cell of the map.
  const columns = [null, null, ...data.labs.flatMap((lab, at) => [null, ...lab.tests.map((_, test) => [at, test])])];
  const headline = (student, column) => {
    const [lab, test] = columns[column];
    return data.texts[student.submissions[lab].verdict.messages.find(([at]) => at === test)[1][0]].split("\n")[0];
  };
  const totals = [...data.totals].sort((a, b) => a - b);
  return { students, total: totals.length > 0 ? shown_number(totals[Math.floor(totals.length / 2)]) : null, labs: data.labs.length, by_name, by_points, points, has, row, figures, distributions, tests, said_of, headline,
    causes: [...causes.values()].sort((a, b) => b.students.size - a.students.size || b.places - a.places), undecided: [...reasons].map(([reason, one]) => [reason, one.texts]).sort((a, b) => b[1].length - a[1].length) };
}

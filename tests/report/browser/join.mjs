// Fills the page's template as `./lab report` does, for made-up records.
import { readFileSync } from "node:fs";

const folder = new URL("../../../common/report/page/", import.meta.url);
const text_of = (name) => readFileSync(new URL(name, folder), "utf8");
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

// `change` may alter the text of each file.
export function page_for(record, change = (text) => text) {
  const page = change(text_of("page.html")).replaceAll("{{nonce}}", "5eed").replaceAll(/\{\{file ([\w.]+)\}\}/g, (_, name) => change(text_of(name)));
  // As functions: a `$` in a replacement's text would be a reference.
  return page.replaceAll("{{title}}", () => escaped(record.title)).replace("{{report}}", () => JSON.stringify(record).replaceAll("<", "\\u003c"));
}

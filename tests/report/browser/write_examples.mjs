// Writes the made-up reports into a folder: node write_examples.mjs FOLDER
import { mkdirSync, writeFileSync } from "node:fs";
import * as examples from "./examples.mjs";
import { page_for } from "./join.mjs";

const folder = process.argv[2] ?? "made_up";
mkdirSync(folder, { recursive: true });
for (const [name, make] of Object.entries(examples)) writeFileSync(`${folder}/${name}.html`, page_for(make()));

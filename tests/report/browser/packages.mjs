// The packages of package.json, installed in the folder that LAB_BROWSER_PACKAGES names, or here.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { join, resolve } from "node:path";

const folder = process.env.LAB_BROWSER_PACKAGES ?? fileURLToPath(new URL(".", import.meta.url));
const require = createRequire(join(resolve(folder), "package.json"));

export const { chromium } = require("playwright-core");
export const axe = require("axe-core");

/**
 * Makes `docs/console_api.md` from the routes of `src/interfaces/console/api`.
 *
 *     deno run -A scripts/generate_console_api.ts [--check]
 *
 * `--check` writes nothing and exits 1 on a difference.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { ROUTES } from "../src/interfaces/console/api/routes.ts";
import { bringUpToDate } from "./catalog/generated_file.ts";

const PAGE = fileURLToPath(new URL("../docs/console_api.md", import.meta.url));

const lines = [
  "<!-- Made by scripts/generate_console_api.ts from src/interfaces/console/api. Change the routes there, not this page. -->",
  "",
  "# The API of the console",
  "",
  "The pages of `adsctl console` only use this API. It is served on loopback while the console runs, and can change " +
  "with any release.",
  "",
  "`POST /api/session` takes the `token` of the printed address, once. It sets a cookie and returns `secret`. All " +
  "other requests need the cookie, and the secret in the header `x-adsctl-console`. Bodies are JSON objects " +
  "(`application/json`). Errors are `{ error: { code, message } }`. No GET changes anything.",
];
for (const { method, path, about, takes = {}, gives, changes } of ROUTES) {
  const fields = Object.entries(takes).map(([name, meaning]) => `- \`${name}\`: ${meaning}`);
  lines.push("", `## ${method} ${path}`, "", `${about}. Gives ${gives}.`);
  if (fields.length > 0) lines.push("", ...fields);
  if (changes === true) lines.push("", "Refused with `--read-only`.");
}
const check = Deno.args.includes("--check");
const files = [{ path: PAGE, text: lines.join("\n") + "\n" }];
const different = await bringUpToDate(files, { check, log: console.log });
if (check && different > 0) Deno.exitCode = 1;

import { join } from "node:path";

/** Which lines of which sources a coverage report in LCOV form says were run: `path:line`, from the root. */
export function linesRun(lcov: string, root: string): Set<string> {
  const run = new Set<string>();
  let path = "";
  for (const line of lcov.split("\n")) {
    if (line.startsWith("SF:")) path = line.slice(3).replace(join(root, "/"), "");
    const hit = /^DA:(\d+),(\d+)/.exec(line);
    if (hit !== null && hit[2] !== "0") run.add(`${path}:${hit[1]}`);
  }
  return run;
}

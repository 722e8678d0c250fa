import { join } from "node:path";

/**
 * Which lines of which sources a coverage report in LCOV form says were run: `path:line`, from the root. A line of which
 * some part did not run counts there as not run, for example a condition whose `return` was never reached: the first such
 * line after one that ran is taken for run too.
 */
export function linesRun(lcov: string, root: string): Set<string> {
  const run = new Set<string>();
  let path = "";
  let follows = false;
  for (const line of lcov.split("\n")) {
    if (line.startsWith("SF:")) {
      path = line.slice(3).replace(join(root, "/"), "");
      follows = false;
    }
    const hit = /^DA:(\d+),(\d+)/.exec(line);
    if (hit === null) continue;
    const isHit = hit[2] !== "0";
    if (isHit || follows) run.add(`${path}:${hit[1]}`);
    follows = isHit;
  }
  return run;
}

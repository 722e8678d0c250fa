/**
 * Plays moves by every door until one passes what it must not: `deno run -A tests/reliability/judge/main.ts --seed N
 * --moves COUNT [--doors a,b]`. Prints the counts as one line of JSON; exit 1 with a violation.
 */
import { parseArgs } from "node:util";
import { playDay } from "./play_day.ts";
import { publishedWrites } from "./published_writes.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    moves: { type: "string", default: "500" },
    doors: { type: "string" },
  },
});
const writes = await publishedWrites();
const options = values.doors === undefined ? {} : { doors: values.doors.split(",") };
let moves = 0;
const played: Record<string, number> = {};
for (let day = 0; moves < Number(values.moves); day++) {
  const found = await playDay(Number(values.seed) + day, writes, options);
  moves += found.moves;
  for (const [door, count] of Object.entries(found.played)) played[door] = (played[door] ?? 0) + count;
  if (found.violations.length === 0) continue;
  console.log([...found.violations, ...found.scene].join("\n"));
  console.log(JSON.stringify({ moves, played }));
  Deno.exit(1);
}
console.log(JSON.stringify({ moves, played }));

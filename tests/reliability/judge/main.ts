/**
 * Plays moves by every door until one passes what it must not: `deno run -A tests/reliability/judge/main.ts --seed N
 * --moves COUNT [--doors a,b] [--queue ADDRESS]`. Prints the counts as one line of JSON; exit 1 with a violation.
 */
import { parseArgs } from "node:util";
import { hasPostgres, makeStore, testServer } from "../../support/postgres.ts";
import { DOORS_BY_USE } from "./doors.ts";
import { playDay } from "./play_day.ts";
import { publishedWrites } from "./published_writes.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    moves: { type: "string", default: "500" },
    doors: { type: "string" },
    queue: { type: "string" },
  },
});
const writes = await publishedWrites();
const doors = values.doors?.split(",") ?? DOORS_BY_USE;
const isQueueless = values.queue === undefined && hasPostgres && doors.includes("workers");
const server = isQueueless ? await testServer() : undefined;
const queue = server === undefined ? values.queue : await makeStore(server);
const counts = { moves: 0, played: {} as Record<string, number>, changed: {} as Record<string, number> };
let isClean = true;
for (let day = 0; isClean && counts.moves < Number(values.moves); day++) {
  const { moves, violations, scene, ...byDoor } = await playDay(Number(values.seed) + day, writes, {
    doors,
    queue,
  });
  counts.moves += moves;
  for (const name of ["played", "changed"] as const) {
    for (const [door, count] of Object.entries(byDoor[name])) {
      counts[name][door] = (counts[name][door] ?? 0) + count;
    }
  }
  isClean = violations.length === 0;
  if (!isClean) console.log([...violations, ...scene].join("\n"));
}
await server?.stop();
console.log(JSON.stringify(counts));
if (!isClean) Deno.exit(1);

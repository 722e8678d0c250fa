import { planFile, planUpdate, resume } from "./plan_doors.ts";
import { SeededRandom } from "../../support/seeded_random.ts";
import type { Door } from "./world.ts";
import { archive, call, create, request, update } from "./write_doors.ts";

/** A door whose modules are loaded at its first move. */
function late(load: () => Promise<Door>): Door {
  return async (world, moved) => await (await load())(world, moved);
}

/** Every door, with its share of the moves. */
export const DOORS: Readonly<Record<string, readonly [door: Door, share: number]>> = {
  call: [call, 4],
  request: [request, 4],
  update: [update, 3],
  planUpdate: [planUpdate, 5],
  planFile: [planFile, 8],
  resume: [resume, 3],
  create: [create, 2],
  archive: [archive, 1],
  globalKinds: [late(async () => (await import("./global_doors.ts")).globalKinds), 6],
  tenant: [late(async () => (await import("./agent_doors.ts")).tenant), 2],
  agent: [late(async () => (await import("./agent_doors.ts")).agent), 2],
  console: [late(async () => (await import("./console_doors.ts")).page), 2],
  schedules: [late(async () => (await import("./timed_doors.ts")).schedules), 2],
  pacing: [late(async () => (await import("./timed_doors.ts")).pacing), 3],
  watch: [late(async () => (await import("./timed_doors.ts")).watch), 3],
  service: [late(async () => (await import("./timed_doors.ts")).service), 3],
  copy: [late(async () => (await import("./account_doors.ts")).copy), 1],
  sheet: [late(async () => (await import("./account_doors.ts")).sheet), 2],
  fromHistory: [late(async () => (await import("./account_doors.ts")).fromHistory), 1],
  rollout: [late(async () => (await import("./rollout_doors.ts")).rollout), 3],
  workers: [late(async () => (await import("./rollout_doors.ts")).workers), 1],
  policyFile: [late(async () => (await import("./folder_doors.ts")).policyFile), 2],
  rehearsal: [late(async () => (await import("./account_doors.ts")).rehearsal), 1],
  dotenv: [late(async () => (await import("./folder_doors.ts")).dotenv), 3],
  ledger: [late(async () => (await import("./folder_doors.ts")).ledger), 1],
};

/** Doors without further modules to load, for a short run. */
export const PLAIN_DOORS: readonly string[] = [
  "call",
  "request",
  "update",
  "planUpdate",
  "planFile",
  "resume",
];

/** Doors that need stored figures, which cost as much as all other moves of a day: every third day has them. */
const BY_FIGURES: readonly string[] = ["pacing", "watch", "service"];

/** Doors of a day that has few. */
const FEW = 4;

/** Doors of a day: all, and on every other day a few of them, so that moves of one kind meet each other. */
export function doorsOf(day: number, doors: readonly string[]): readonly string[] {
  const cheap = doors.filter((name) => !BY_FIGURES.includes(name));
  const own = day % 3 === 0 || cheap.length === 0 ? doors : cheap;
  if (day % 2 === 0) return own;
  const random = new SeededRandom(day);
  const few = new Set(Array.from({ length: FEW }, () => random.pick(own)));
  return own.filter((name) => few.has(name));
}

/** Names of the doors in proportion to their share. */
export const DOORS_BY_USE: readonly string[] = Object.entries(DOORS).flatMap(([name, [, share]]) =>
  Array.from({ length: share }, () => name)
);

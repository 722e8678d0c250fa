import { PlanStore, type ProfileClient } from "../../../mod.ts";
import { parsePacing, runPacing } from "../../../src/automation/pacing/mod.ts";
import { parseSchedules, tickSchedules } from "../../../src/automation/schedules/mod.ts";
import { parseService, runService } from "../../../src/automation/service/mod.ts";
import { parseWatch, runWatch, WatchState } from "../../../src/automation/watch/mod.ts";
import { pickSubject, subjects } from "./drawn_values.ts";
import type { Door, World } from "./world.ts";

/** A client of the profile that has figures. */
function withFigures({ random, clients, markets: [{ profileId }] }: World): ProfileClient {
  return random.pick(clients.filter((client) => client.profileId === profileId));
}

/** Rules of a watch that the drawn files have. */
const RULES = ["rest", "other"] as const;

function scheduleText(world: World, profileId: string): string {
  const { random, image } = world;
  const campaigns = subjects(image, profileId).filter(({ kind }) => /^s[pbd]\.campaigns$/.test(kind));
  const campaign = pickSubject(campaigns, world);
  const select = random.integer(0, 4) === 0 ? `{ names: ["*"] }` : `{ ids: ["${campaign.id}"] }`;
  const move = random.pick(["bid", "bid", "budget", "placement_top", "state"]);
  const factor = move === "state"
    ? `factor: ${random.pick([0, 1])}`
    : `factor: ${random.pick([0.2, 0.5, 0.9, 1, 1.05, 1.4, 3, 9])}`;
  return [
    "version: 1",
    "schedules:",
    `  ${random.pick(["one", "two"])}:`,
    `    select: ${select}`,
    `    move: ${move}`,
    `    on: ${move === "bid" ? random.pick(["worker", "worker", "platform"]) : "worker"}`,
    `    foreign_edits: ${random.pick(["keep", "adopt", "insist"])}`,
    `    grid: [{ hours: "00-24", ${factor} }]`,
  ].join("\n");
}

function pacingText({ random }: World): string {
  const over = random.pick(["lower", "pause"]);
  return [
    "version: 1",
    "budgets:",
    `  all: { amount: ${random.pick([1, 50, 900, 100_000])}, over: ${over}, max_step: ${
      random.pick([5, 30, 50])
    }%, select: { products: [${random.pick(["sp", "sb", "sp, sb, sd"])}] } }`,
  ].join("\n");
}

function watchText({ random }: World): string {
  const [over, job] = random.pick([
    ["campaign", "job: pause"],
    ["campaign", `job: budgets, change: "${random.pick(["+5%", "+40%", "-30%", "+300%"])}"`],
    ["keyword", `job: bids, change: "${random.pick(["+5%", "+40%", "-30%", "-70%"])}"`],
    ["keyword", "job: pause"],
  ]);
  return `version: 1\nrules:\n  ${
    random.pick(RULES)
  }: { over: ${over}, days: fresh, when: impressions7d >= 0, propose: { ${job}, auto: true } }`;
}

/** Ticks schedules, which are other ones each time, with the state of the day. */
export const schedules: Door = async (world, moved) => {
  const us = world.random.pick(world.clients);
  moved({ isSchedule: true });
  await tickSchedules(us, {
    schedules: parseSchedules(scheduleText(world, us.profileId), "s.yaml").schedules,
    state: `${world.folder}/state.sqlite`,
    ...(world.random.integer(0, 1) === 0 ? { plans: PlanStore.open(world.folder) } : {}),
  });
};

/** Lowers budgets and pauses campaigns by an amount, and puts them back. */
export const pacing: Door = async (world, moved) => {
  const us = withFigures(world);
  const store = await world.warehouse();
  moved({});
  await runPacing(us, { file: parsePacing(pacingText(world), "p.yaml"), store, write: () => {} });
};

/** Looks by a rule that may apply its plan by itself where the policy names it. */
export const watch: Door = async (world, moved) => {
  const us = withFigures(world);
  const store = await world.warehouse();
  const text = watchText(world);
  moved({ auto: RULES.find((name) => text.includes(`  ${name}:`))! });
  await using state = await WatchState.open(store.location);
  await runWatch(us, {
    file: parseWatch(text, "w.yaml"),
    store,
    state,
    plans: [PlanStore.open(world.folder)],
    write: () => {},
  });
};

/** Runs the timers of a service that are due. */
export const service: Door = async (world, moved) => {
  const { random, folder } = world;
  const store = await world.warehouse();
  const watching = watchText(world);
  const files = {
    schedules: scheduleText(world, world.markets[0].profileId),
    pacing: pacingText(world),
    watch: watching,
  };
  const own = [random.pick(Object.entries(files))];
  for (const [name, text] of own) await Deno.writeTextFile(`${folder}/${name}.yaml`, text);
  const text = [
    "version: 1",
    "profiles: all",
    `timers: { ${own.map(([name]) => `${name}: every 15m`).join(", ")} }`,
    `files: { ${own.map(([name]) => `${name}: "${folder}/${name}.yaml"`).join(", ")} }`,
  ].join("\n");
  const hasWatch = own.some(([name]) => name === "watch");
  moved({
    isSchedule: own.some(([name]) => name === "schedules"),
    ...(hasWatch ? { auto: RULES.find((name) => watching.includes(`  ${name}:`))! } : {}),
  });
  await runService([withFigures(world)], {
    file: parseService(text, `${folder}/service.yaml`),
    place: `${folder}/service-${random.integer(0, 1e9)}.sqlite`,
    store,
    plans: PlanStore.open(folder),
    once: true,
    concurrency: 1,
    // The service waits for its work by sleeping.
    sleep: () => new Promise((resolve) => setTimeout(resolve, 0)),
    onAlert: () => {},
  });
};

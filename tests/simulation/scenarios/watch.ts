import { DatabaseSync } from "node:sqlite";
import { deepEqual, equal, ok } from "../../support/assert.ts";
import { PlanStore, PlatformAdsError } from "../../../mod.ts";
import { FolderLedger, parsePolicy } from "../../../src/plans/policy/mod.ts";
import { Warehouse } from "../../../src/store/mod.ts";
import { parseWatch, runWatch, type WatchResult, WatchState } from "../../../src/automation/watch/mod.ts";
import { clientIn, runProgram, type Scenario } from "../scenario.ts";
import { Disk } from "../world/disk.ts";
import type { SimProcess } from "../world/sim_process.ts";
import { CALM, type World } from "../world/world.ts";

const HOUR = 3_600_000;
/** Milliseconds without a sign of life after which the profile is another's. */
const LEASE = 60_000;
/** Longest wait for a channel that failed, in milliseconds. */
const TRIED_AGAIN = HOUR;
const DAYS = { start: "2026-09-20", end: "2026-10-20" };
const LOG = "/alerts.jsonl";
/** Campaigns that cost too much: the first ones are paused by themselves, the next ones on a person's word. */
const [AUTO, ASKED] = [2, 3];

const FILE = parseWatch(
  `version: 1
channels:
  hook: { kind: webhook, url_env: HOOK }
  log: { kind: file, path: ${LOG} }
rules:
  rest: { over: campaign, when: cost1d > 900, once: weekly, propose: { job: pause, auto: true } }
  dear: { over: campaign, when: cost1d > 90 && cost1d <= 900, propose: pause }
  known: { over: reports, when: late_days >= 0, channel: hook }
`,
  "watch.yaml",
);
const POLICY = "version: 1\nallow_auto: [rest]\nmax_changes: 1000\n";

interface Kept {
  readonly id: string;
  readonly rule: string;
  readonly subject: string;
  readonly day: string;
  readonly isComplete: boolean;
  readonly planId: string | null;
}

export const WATCH: Scenario = {
  name: "watch",
  seeds: 2,
  about:
    "Programs look at one profile and send its alerts; killed between finding, keeping and sending, and frozen",
  load: () =>
    Promise.all([
      import("../../../src/store/sqlite/sqlite_driver.ts"),
      import("../../../src/store/sqlite/open_database.ts"),
      import("../../../src/store/sqlite/transactions.ts"),
    ]),
  async run(world) {
    const { chance, emulator } = world;
    const [seller] = emulator.state.profiles();
    const campaigns = seller!.collection("sp.campaigns").all().filter(({ state }) => state === "ENABLED")
      .map(({ campaignId }) => String(campaignId)).slice(0, AUTO + ASKED);
    const folder = await Deno.makeTempDir({ prefix: "simulated-" });
    const place = `${folder}/ads.sqlite`;
    const disk = new Disk();
    const profile = () =>
      clientIn(world, { policy: parsePolicy(POLICY, { ledger: new FolderLedger("/ledger") }) })
        .profileFrom(seller!.id, String(seller!.record["countryCode"]));
    const look = async (): Promise<WatchResult> => {
      await using store = await Warehouse.open(place);
      await using state = await WatchState.open(place);
      return await runWatch(profile(), {
        file: FILE,
        store,
        state,
        plans: [PlanStore.open("/plans")],
        env: { HOOK: "http://127.0.0.1/hook" },
      });
    };
    let reader: DatabaseSync | undefined;
    const read = (): DatabaseSync => reader ??= new DatabaseSync(place, { readOnly: true });
    const writes = (): number =>
      emulator.requests().filter(({ method, path }) => method === "PUT" && path.endsWith("/sp/campaigns"))
        .length;
    const sent: string[] = [];
    const problems: string[] = [];
    world.servers.set("/hook", async (request, sender) => {
      const { id } = await request.json();
      sent.push(id);
      const state = deliveryOf(read(), id);
      if (state === undefined) problems.push(`${id} is sent and was not kept`);
      if (state === "delivered" && !hasSlept(sender, world)) problems.push(`${id} is sent again`);
      return new Response(null, { status: chance.happens("the channel is down", 0.1) ? 503 : 204 });
    });
    const rounds = async (): Promise<void> => {
      const programs = [...Array(chance.integer("programs", 1, 2)).keys()].map((index) =>
        world.spawn(`look ${world.now}.${index}`, { disk, main: async () => void await look() })
      );
      await world.run(Promise.all(programs.map(({ ended }) => ended)));
      for (const { error } of programs) {
        ok(error === undefined || error instanceof PlatformAdsError, `threw ${(error as Error)?.stack}`);
      }
    };
    try {
      await runProgram(world, {
        name: "maker",
        disk,
        main: () => putFigures(place, { profileId: seller!.id, campaigns }),
      });
      world.drawFaults(["kill", "freeze", "loseRequest", "loseResponse", "cutBody"]);
      for (let round = chance.integer("rounds", 1, 3); round > 0; round--) {
        await rounds();
        await world.run(world.pass(chance.integer("minutes", 1, 30 * 60) * HOUR / 60));
      }
      world.faults = CALM;
      for (let time = 0; time < 2; time++) {
        await world.run(world.pass(LEASE + TRIED_AGAIN));
        await runProgram(world, { name: `last ${time}`, disk, main: look });
      }
      deepEqual(problems, []);

      const kept = keptIn(read());
      const again = [...Map.groupBy(kept, ({ rule, subject, day }) => `${rule} ${subject} ${day}`)]
        .filter(([, all]) => all.length > 1).map(([key]) => key);
      deepEqual(again, [], "nothing is said twice a day");
      equal(kept.filter(({ rule }) => rule === "rest").length, AUTO, "once a week");
      deepEqual(kept.filter(({ isComplete }) => !isComplete), [], "every alert is whole");
      deepEqual(kept.filter(({ id }) => !sent.includes(id)).map(({ id }) => id), [], "every alert was sent");
      const lines = (disk.text(LOG) ?? "").split("\n").flatMap((line) => idOf(line) ?? []);
      const logged = kept.filter(({ rule }) => rule !== "known");
      deepEqual(logged.filter(({ id }) => !lines.includes(id)).map(({ id }) => id), [], "and is in the file");

      const plans = await runProgram(world, {
        name: "reader",
        disk,
        main: async () => {
          const store = PlanStore.open("/plans");
          const all = (await store.list()).flatMap((one) => "plan" in one ? [one] : []);
          return await Promise.all(all.map(async ({ plan, status }) => ({
            id: plan.id,
            isSent: status.state !== "open",
            done: (await store.applied(plan.id))?.changes.flatMap(({ outcome }, at) =>
              outcome === "done" ? plan.changes[at]!.id! : []
            ) ?? [],
          })));
        },
      });
      const proposed = kept.flatMap(({ planId }) => planId ?? []);
      deepEqual(
        proposed.filter((id) => !plans.some((plan) => plan.id === id)),
        [],
        "plans of alerts are there",
      );
      equal(plans.filter(({ isSent }) => isSent).length, 1, "one plan was sent");
      ok(writes() <= 1, `it was sent ${writes()} times`);
      const paused = campaigns.filter((id) =>
        seller!.collection("sp.campaigns").get(id)?.["state"] === "PAUSED"
      );
      ok(paused.every((id) => campaigns.indexOf(id) < AUTO), "nothing is paused without a person's word");
      const done = plans.flatMap((plan) => plan.done);
      deepEqual(done.filter((id) => !paused.includes(id)), [], "what is called done is done");
    } finally {
      reader?.close();
      for (const process of world.processes) if (process.name !== "judge") world.kill(process);
      await Deno.remove(folder, { recursive: true });
    }
  },
};

/** True for a process that stood still for so long that another may have taken its work over. */
function hasSlept({ frozenUntil }: SimProcess, world: World): boolean {
  return frozenUntil > world.now - LEASE;
}

async function putFigures(
  place: string,
  { profileId, campaigns }: { profileId: string; campaigns: readonly string[] },
): Promise<void> {
  await using store = await Warehouse.open(place);
  const days = (Date.parse(DAYS.end) - Date.parse(DAYS.start)) / (24 * HOUR);
  const rows = [...Array(days + 1).keys()].flatMap((day) =>
    campaigns.map((campaignId, at) => ({
      date: new Date(Date.parse(DAYS.start) + day * 24 * HOUR).toISOString().slice(0, 10),
      campaignId,
      campaignName: `campaign ${at}`,
      clicks: 100,
      cost: at < AUTO ? 1000 : 100,
    }))
  );
  await store.replace({ profileId, countryCode: "US", report: "sp_campaigns", ...DAYS }, rows);
}

function keptIn(store: DatabaseSync): Kept[] {
  return store.prepare("SELECT * FROM watch_alerts ORDER BY day, id").all().map((row) => ({
    id: String(row["id"]),
    rule: String(row["rule"]),
    subject: String(row["subject"]),
    day: String(row["day"]),
    isComplete: row["is_complete"] === 1,
    planId: JSON.parse(String(row["alert"])).planId,
  }));
}

function deliveryOf(store: DatabaseSync, id: string): "waiting" | "delivered" | undefined {
  const row = store
    .prepare("SELECT delivered_at FROM watch_deliveries WHERE alert_id = ? AND channel = 'hook'")
    .get(id);
  return row === undefined ? undefined : row["delivered_at"] === null ? "waiting" : "delivered";
}

function idOf(line: string): string | undefined {
  try {
    return JSON.parse(line).id;
  } catch {
    return undefined;
  }
}

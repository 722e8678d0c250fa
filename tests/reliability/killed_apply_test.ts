import { deepEqual, equal, ok } from "../support/assert.ts";
import { type Change, type ChangePlan, type PlanResult, resumePlan } from "../../mod.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import type { ApplyJob } from "./support/apply_runner.ts";
import { amount, SEED } from "./support/size.ts";
import { TestAccount } from "./support/test_account.ts";
import { longFile } from "../support/long.ts";

longFile();

const KILLS = amount(10, 100);
const RUNNER = new URL("./support/apply_runner.ts", import.meta.url).href;
/** What is under way when its process dies is through on the loopback after this, in seconds. */
const SETTLE_AFTER = 0.1;
/** Most requests, and milliseconds, that a process is given. One that is through before that was not killed. */
const REQUESTS = 12;
const DURATION = 100;

/** Where a process is killed: as its n-th request arrives, which is then carried out or not, or after some time. */
type KillPoint = { readonly request: number; readonly arrives: boolean } | { readonly after: number };

/** What an emulator does when the request of a kill point arrives. */
let atKillPoint: () => Promise<void> = () => Promise.resolve();

Deno.test(`a plan whose process is killed at ${KILLS} random points is done once and whole after resuming`, async (t) => {
  const emulator = await Emulator.start({
    clock: { now: "2026-09-30T06:00:00Z" },
    sleep: () => atKillPoint(),
  });
  const folder = await Deno.makeTempDir();
  try {
    const account = await TestAccount.of(emulator);
    const random = new SeededRandom(SEED);
    for (let round = 1, killed = 0; killed < KILLS; round++) {
      ok(round <= 3 * KILLS, `only ${killed} processes could be killed in time`);
      const points = [chooseKillPoint(random)];
      while (random.next() < 0.35) points.push(chooseKillPoint(random));
      const plan = account.plan({
        bids: random.integer(0, 40),
        budgets: random.integer(0, 7),
        adGroups: random.integer(1, 35),
        keywords: random.integer(0, 30),
        archives: random.integer(0, 10),
        brandBids: random.integer(0, 6),
        brandKeywords: random.integer(0, 6),
        brandTargets: random.integer(0, 6),
      });
      const name = `${round}: ${points.map((point) => JSON.stringify(point)).join(", then ")}`;
      await t.step(name, async () => {
        emulator.reset();
        killed += await applyAndKill(plan, points, { emulator, account, folder });
        await finishAndCheck(plan, { emulator, account, folder });
      });
    }
  } finally {
    await emulator.stop();
    await Deno.remove(folder, { recursive: true });
  }
});

interface Scene {
  readonly emulator: Emulator;
  readonly account: TestAccount;
  readonly folder: string;
}

function chooseKillPoint(random: SeededRandom): KillPoint {
  return random.next() < 0.7
    ? { request: random.integer(0, REQUESTS), arrives: random.next() < 0.5 }
    : { after: random.integer(0, DURATION) };
}

/** Lets one process after the other work on the plan, and kills each at its point; how many it was in time for. */
async function applyAndKill(plan: ChangePlan, points: readonly KillPoint[], scene: Scene): Promise<number> {
  const { emulator, account, folder } = scene;
  const { platform, credentials } = emulator;
  const { profileId } = account;
  const paths = { plan: `${folder}/plan.json`, journal: `${folder}/journal.jsonl` };
  await plan.save(paths.plan);
  await Deno.remove(paths.journal).catch(() => {});
  let killed = 0;
  for (const point of points) {
    const job: ApplyJob = {
      ...paths,
      platform,
      credentials,
      profileId,
      countryCode: plan.countryCode,
      resume: await exists(paths.journal),
      settleAfter: SETTLE_AFTER,
    };
    await Deno.writeTextFile(`${folder}/job.json`, JSON.stringify(job));
    if (await isKilled(point, `${folder}/job.json`, emulator)) killed++;
  }
  emulator.setFaults([]);
  return killed;
}

/** Runs a process up to its kill point; false when it was through before. */
async function isKilled(point: KillPoint, job: string, emulator: Emulator): Promise<boolean> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", "--no-check", RUNNER, job],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const kill = async (): Promise<void> => {
    try {
      process.kill("SIGKILL");
    } catch {
      // It was through already.
    }
    await process.status;
  };
  if ("request" in point) {
    atKillPoint = kill;
    const drop = point.arrives ? {} : { drop: "before" as const };
    emulator.setFaults([{ skip: point.request, times: 1, effects: { delay: 1, ...drop } }]);
    await process.stdout.cancel();
  } else {
    const reader = process.stdout.getReader();
    await reader.read();
    await new Promise((resume) => setTimeout(resume, point.after));
    await kill();
    await reader.cancel();
  }
  const { code } = await process.status;
  ok(code === 0 || code === 137, `the process ended by itself with ${code}`);
  return code === 137;
}

/** What the test asks of every plan at its end, by the platform's own state and journal. */
async function finishAndCheck(plan: ChangePlan, { emulator, account, folder }: Scene): Promise<void> {
  const profile = account.plainClient();
  const journal = `${folder}/journal.jsonl`;
  const result: PlanResult = await exists(journal)
    ? await resumePlan(plan, profile, { journal, settleAfter: SETTLE_AFTER })
    : await plan.apply(profile, { journal });
  equal(result.ok, true, result.summary());
  const name = (change: Change): string => `${change.op} ${change.kind} ${textOf(change)}`;
  deepEqual(plan.changes.filter((change) => account.timesDone(change) !== 1).map(name), []);
  deepEqual(plan.changes.filter((change) => timesSent(change, emulator) !== 1).map(name), []);

  const again = await resumePlan(plan, profile, { journal, settleAfter: SETTLE_AFTER });
  equal(again.ok, true);
  deepEqual(plan.changes.filter((change) => timesSent(change, emulator) !== 1).map(name), []);

  const undone = await result.rollbackPlan().apply(profile);
  equal(undone.ok, true, undone.summary());
  const lasting = plan.changes.filter((change) => change.op !== "archive" && !account.isUndone(change));
  deepEqual(lasting.map(name), []);
}

/** How the names of the operations that write a kind go on after their verb. */
const OPERATIONS: Readonly<Record<string, string>> = {
  "sp.keywords": "SponsoredProductsKeywords",
  "sp.negative_keywords": "SponsoredProductsNegativeKeywords",
  "sb.ad_groups": "SponsoredBrandsAdGroups",
  "sb.campaigns": "SponsoredBrandsCampaigns",
  "sb.keywords": "Keywords",
  "sb.targets": "Targets",
};

/** What names an entity in a request: its id, or of a new one the name, text or product. */
function textOf({ id, after }: Change): string {
  const { name, keywordText, expressions } = after;
  return String(id ?? name ?? keywordText ?? (expressions as { value: string }[])[0]?.value);
}

/** How many requests that the platform carried out held a change. */
function timesSent(change: Change, emulator: Emulator): number {
  const verb = { create: "create", update: "update", archive: "delete", call: "" }[change.op];
  const name = `${verb}${OPERATIONS[change.kind]}`.toLowerCase();
  // Ids are texts or numbers on the wire, and none may be a part of another.
  const mention = new RegExp(`(?<=[":,[])${textOf(change)}(?=["},\\]])`);
  return emulator.requests().filter(({ operation: id = "", status, body = "" }) =>
    id.split(":")[1]?.toLowerCase() === name && (status === 207 || status === 200) && mention.test(body)
  ).length;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

import { deepEqual, equal, match, ok } from "../support/assert.ts";
import type { ChangePlan } from "../../mod.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import { amount, SEED } from "./support/size.ts";
import { TestAccount } from "./support/test_account.ts";
import { longFile } from "../support/long.ts";

longFile();

const KILLS = amount(2, 12);
const CLI = new URL("../../cli.ts", import.meta.url).href;

interface Ended {
  readonly code: number;
  readonly output: string;
}

Deno.test(`adsctl plan apply, killed at ${KILLS} points, is finished or rolled back by adsctl plan resume`, async (t) => {
  let atKillPoint: () => Promise<void> = () => Promise.resolve();
  const emulator = await Emulator.start({
    clock: { now: "2026-09-30T06:00:00Z" },
    sleep: () => atKillPoint(),
  });
  const folder = await Deno.makeTempDir();
  try {
    const account = await TestAccount.of(emulator);
    const platform = `${folder}/platform.json`;
    await Deno.writeTextFile(platform, JSON.stringify(emulator.platform));
    const { clientId, clientSecret, refreshToken } = emulator.credentials;
    const adsctl = (...args: string[]): Deno.ChildProcess =>
      new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "-q", "--no-check", CLI, "--platform", platform, ...args],
        env: {
          NO_COLOR: "1",
          PLATFORM_ADS_CLIENT_ID: clientId,
          PLATFORM_ADS_CLIENT_SECRET: clientSecret,
          PLATFORM_ADS_REFRESH_TOKEN: refreshToken,
          XDG_STATE_HOME: `${folder}/state`,
        },
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
      }).spawn();

    /** Nothing of the plan is left, and nothing more comes of it. */
    const rollBackAndCheck = async (plan: ChangePlan, path: string): Promise<void> => {
      const undone = await ended(adsctl("plan", "resume", path, "--roll-back", "--yes"));
      equal(undone.code, 0, undone.output);
      const lasting = plan.changes.filter((change) => change.op !== "archive" && !account.isUndone(change));
      deepEqual(lasting.map(({ label }) => label), []);
      const writes = emulator.requests().filter(({ status }) => status === 207).length;
      const resumed = await ended(adsctl("plan", "resume", path, "--yes", "--accept-risk"));
      equal(resumed.code, 4, resumed.output);
      match(resumed.output, /undone at|its undo was started/);
      const twice = await ended(adsctl("plan", "resume", path, "--roll-back", "--yes"));
      equal(twice.code, 4, twice.output);
      match(twice.output, /plan resume --look .*-undo\.json/);
      equal(emulator.requests().filter(({ status }) => status === 207).length, writes);
    };

    const newPlan = (): ChangePlan => {
      emulator.reset();
      return account.plan({
        bids: 12,
        budgets: 4,
        adGroups: 25,
        keywords: 6,
        archives: 3,
        brandBids: 3,
        brandKeywords: 3,
        // Their writes are answered with 200, and what is counted below is 207.
        brandTargets: 0,
      });
    };

    // The reads of the review and of the drift check come first; a process is killed while the changes are being sent.
    const whole = await newPlan().save(`${folder}/whole.json`);
    const applied = await ended(adsctl("plan", "apply", whole, "--yes", "--accept-risk"));
    equal(applied.code, 0, applied.output);
    const statuses = emulator.requests().map(({ status }) => status);
    const [firstWrite, lastWrite] = [statuses.indexOf(207), statuses.lastIndexOf(207)];
    ok(firstWrite > 0 && lastWrite > firstWrite + 4, statuses.join(" "));

    const random = new SeededRandom(SEED);
    for (let kill = 0; kill < KILLS; kill++) {
      // The requests for a token do not count where a process is killed, so that the last ones may never come.
      const request = random.integer(firstWrite, lastWrite - 2);
      await t.step(`killed at request ${request}`, async () => {
        const plan = newPlan();
        const path = await plan.save(`${folder}/plan-${kill}.json`);
        const applying = adsctl("plan", "apply", path, "--yes", "--accept-risk");
        atKillPoint = async () => {
          applying.kill("SIGKILL");
          await applying.status;
        };
        emulator.setFaults([{ skip: request, times: 1, effects: { delay: 1 } }]);
        equal((await ended(applying)).code, 137);
        await makeOld(`${folder}/.plans/plan-${plan.id}.journal.jsonl`);

        const again = await ended(adsctl("plan", "apply", path, "--yes"));
        equal(again.code, 4, "applying it once more is refused");
        match(again.output, /plan resume/);
        if (kill % 2 === 1) return await rollBackAndCheck(plan, path);
        const resumed = await ended(adsctl("plan", "resume", path, "--yes", "--accept-risk"));
        equal(resumed.code, 0, resumed.output);
        deepEqual(plan.changes.map((change) => account.timesDone(change)), plan.changes.map(() => 1));

        const undone = await ended(adsctl("plan", "undo", path, "--yes"));
        equal(undone.code, 0, undone.output);
        const lasting = plan.changes.filter((change) => change.op !== "archive" && !account.isUndone(change));
        deepEqual(lasting.map(({ label }) => label), []);
      });
    }
  } finally {
    await emulator.stop();
    await Deno.remove(folder, { recursive: true });
  }
});

async function ended(process: Deno.ChildProcess): Promise<Ended> {
  const { code, stdout, stderr } = await process.output();
  return { code, output: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

/** A person who resumes comes minutes later; what was sent last is through by then and need not be waited for. */
async function makeOld(journal: string): Promise<void> {
  const text = await Deno.readTextFile(journal);
  await Deno.writeTextFile(journal, text.replace(/"at":"[^"]*"/g, '"at":"2026-09-30T05:00:00.000Z"'));
}

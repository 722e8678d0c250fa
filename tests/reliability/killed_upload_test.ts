import { deepEqual, equal, ok } from "../support/assert.ts";
import { ChangePlan, type PlanResult, resumePlan } from "../../mod.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import type { ApplyJob } from "./support/apply_runner.ts";
import { TestAccount } from "./support/test_account.ts";
import { longFile } from "../support/long.ts";

longFile();

const MEMBERS = "ads-data-manager:IngestAudiences";
const RUNNER = new URL("./support/apply_runner.ts", import.meta.url).href;
const [ROWS, PART] = [10, 2];
const SETTLE_AFTER = 0.1;

/** Requests for members that the platform carried out: the ids of each. */
function arrived(emulator: Emulator): string[] {
  return emulator.requests().filter(({ operation, status }) => operation === MEMBERS && status === 200)
    .flatMap(({ body }) => {
      const { members } = (typeof body === "string" ? JSON.parse(body) : body) as {
        members: { externalUserId: string }[];
      };
      return members.map(({ externalUserId }) => externalUserId);
    });
}

Deno.test("an upload whose process is killed in or between parts is resumed: a row is sent once, or told as unknown", async (t) => {
  let atKillPoint: () => Promise<void> = () => Promise.resolve();
  const emulator = await Emulator.start({
    clock: { now: "2026-09-30T06:00:00Z" },
    sleep: () => atKillPoint(),
  });
  const folder = await Deno.makeTempDir();
  try {
    const account = await TestAccount.of(emulator);
    const profile = account.plainClient();
    const file = `${folder}/members.csv`;
    const lines = Array.from({ length: ROWS }, (_, at) => `u${at + 2},secret-person-${at + 2}@example.com`);
    await Deno.writeTextFile(file, `user_id,email\n${lines.join("\n")}\n`);
    for (let request = 0; request < ROWS / PART; request++) {
      // Killed before the platform does the part, or once it has done it: the part before is through, the next is not.
      for (const arrives of [false, true]) {
        await t.step(`killed as part ${request + 1} ${arrives ? "has arrived" : "arrives"}`, async () => {
          emulator.reset();
          const plan = await profile.planUpload(MEMBERS, file, {
            pathParams: { dataSetId: "ds1" },
            hash: true,
            atOnce: PART,
          });
          const paths = { plan: `${folder}/plan.json`, journal: `${folder}/journal.jsonl` };
          await plan.save(paths.plan);
          await Deno.remove(paths.journal).catch(() => {});
          const { platform, credentials } = emulator;
          const job: ApplyJob = {
            ...{ ...paths, platform, credentials, profileId: account.profileId, settleAfter: SETTLE_AFTER },
            ...{ countryCode: plan.countryCode, resume: false },
          };
          await Deno.writeTextFile(`${folder}/job.json`, JSON.stringify(job));
          const process = new Deno.Command(Deno.execPath(), {
            args: ["run", "-A", "-q", "--no-check", RUNNER, `${folder}/job.json`],
            ...{ stdin: "null", stdout: "null", stderr: "inherit" },
          }).spawn();
          atKillPoint = async () => {
            process.kill("SIGKILL");
            await process.status;
          };
          const drop = arrives ? {} : { drop: "before" as const };
          emulator.setFaults([{
            match: { operation: MEMBERS },
            skip: request,
            times: 1,
            effects: { delay: 1, ...drop },
          }]);
          equal((await process.status).signal, "SIGKILL");
          emulator.setFaults([]);
          const loaded = await ChangePlan.load(paths.plan);
          const result: PlanResult = await resumePlan(loaded, profile, {
            journal: paths.journal,
            settleAfter: SETTLE_AFTER,
          });
          const verdicts = await result.rowVerdicts();
          deepEqual(verdicts.map(({ row }) => row), Array.from({ length: ROWS }, (_, at) => at + 2));
          const sent = arrived(emulator);
          equal(new Set(sent).size, sent.length, "no row was sent twice");
          const lost = [request * PART + 2, request * PART + 3];
          for (const { row, verdict } of verdicts) {
            equal(verdict, lost.includes(row) ? "unknown" : "accepted", `row ${row}`);
            equal(sent.includes(`u${row}`), !lost.includes(row) || arrives, `row ${row}`);
          }
          const again = await resumePlan(loaded, profile, {
            journal: paths.journal,
            settleAfter: SETTLE_AFTER,
          });
          deepEqual(await again.rowVerdicts(), verdicts);
          equal(arrived(emulator).length, sent.length);
          for await (const { name } of Deno.readDir(folder)) {
            if (name === "members.csv") continue;
            ok(!(await Deno.readTextFile(`${folder}/${name}`)).includes("secret-person"), name);
          }
        });
      }
    }
  } finally {
    await emulator.stop();
    await Deno.remove(folder, { recursive: true });
  }
});

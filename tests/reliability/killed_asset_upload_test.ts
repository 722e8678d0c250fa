import { deepEqual, equal } from "../support/assert.ts";
import { ChangePlan, resumePlan } from "../../mod.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { longFile } from "../support/long.ts";
import { pngOf } from "../support/pictures.ts";
import type { ApplyJob } from "./support/apply_runner.ts";
import { TestAccount } from "./support/test_account.ts";

longFile();

const REGISTER = "creative-assets:registerAsset";
const RUNNER = new URL("./support/apply_runner.ts", import.meta.url).href;
const NAMES = ["a.png", "b.png", "c.png"];
const SETTLE_AFTER = 0.1;

Deno.test("an upload of pictures whose process is killed as it puts or registers one is resumed: each is registered once", async (t) => {
  let atKillPoint: () => Promise<void> = () => Promise.resolve();
  const emulator = await Emulator.start({
    clock: { now: "2026-09-30T06:00:00Z" },
    sleep: () => atKillPoint(),
  });
  const folder = await Deno.makeTempDir();
  try {
    const account = await TestAccount.of(emulator);
    const profile = account.plainClient();
    await Deno.mkdir(`${folder}/pictures`);
    for (const name of NAMES) await Deno.writeFile(`${folder}/pictures/${name}`, pngOf(10, 10));
    const requests = [["files:putFile", 2], [REGISTER, 0], [REGISTER, 2]] as const;
    const points = requests.flatMap(([operation, skip]) =>
      [false, true].map((arrives) => ({ operation, skip, arrives }))
    );
    for (const { operation, skip, arrives } of points) {
      await t.step(`killed ${arrives ? "after" : "before"} ${operation} of file ${skip + 1}`, async () => {
        emulator.reset();
        const plan = await profile.planUpload(REGISTER, `${folder}/pictures`, {
          body: { associatedSubEntityList: [{ brandEntityId: "ENTITY1" }] },
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
        emulator.setFaults([{ match: { operation }, skip, times: 1, effects: { delay: 1, ...drop } }]);
        equal((await process.status).signal, "SIGKILL");
        emulator.setFaults([]);
        const loaded = await ChangePlan.load(paths.plan);
        const resume = () =>
          resumePlan(loaded, profile, { journal: paths.journal, settleAfter: SETTLE_AFTER });
        const verdicts = await (await resume()).rowVerdicts();
        deepEqual(verdicts.map(({ verdict }) => verdict), NAMES.map(() => "accepted"));
        equal(new Set(verdicts.map(({ assetId }) => assetId)).size, NAMES.length);
        deepEqual(await (await resume()).rowVerdicts(), verdicts);
        const { assetList } = await profile.call("creative-assets:searchAssets", {}) as {
          assetList: { assetId: string; name: string }[];
        };
        deepEqual(assetList.map(({ name }) => name).sort(), NAMES);
        deepEqual(
          new Set(assetList.map(({ assetId }) => assetId)),
          new Set(verdicts.map(({ assetId }) => assetId)),
        );
      });
    }
  } finally {
    await emulator.stop();
    await Deno.remove(folder, { recursive: true });
  }
});

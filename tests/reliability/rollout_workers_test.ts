import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChangePlan, PlatformAds } from "../../mod.ts";
import { Rollout } from "../../src/account/mod.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { RolloutQueue } from "../../src/automation/worker/mod.ts";
import { hasPostgres, makeStore, postgresPrograms, startCluster, testServer } from "../support/postgres.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { WorkerProcess } from "../support/worker_process.ts";
import { amount, WHOLE_SUITE } from "./support/size.ts";
import { longFile } from "../support/long.ts";
import { until } from "../support/until.ts";

longFile();

const PROFILES = amount(5, 300);
const WORKER = new URL("./support/impatient_worker.ts", import.meta.url).href;

if (hasPostgres && postgresPrograms() !== undefined) {
  test(
    `a rollout over ${PROFILES} profiles on a queue: of three workers one is killed and one frozen in the middle${
      WHOLE_SUITE ? ", the database restarted" : ""
    }, and everything is there once`,
    async () => {
      const server = await (WHOLE_SUITE ? startCluster() : testServer());
      const folder = await temporaryFolder();
      const emulator = await Emulator.start({ profiles: PROFILES, journalLimit: 200_000 });
      const workers: WorkerProcess[] = [];
      const tooLong = setTimeout(() => {
        for (const worker of workers) {
          console.error(worker.lastWords);
          kill(worker, "SIGKILL");
        }
      }, 900_000);
      try {
        const { platform, credentials } = emulator;
        const ads = new PlatformAds(credentials, { platform });
        const rollout = await Rollout.create(`${folder.path}/rollout`, await plansOf(ads));
        const address = await makeStore(server);
        const queue = await RolloutQueue.open(address);
        await queue.enqueue(rollout, {
          serial: [1, "20%", "100%"],
          checkDrift: true,
          approvedBy: () => "the test",
        });
        // Every write takes a while, so that some are under way when a worker dies.
        emulator.setFaults([{
          name: "slow",
          match: { method: "POST", path: "/sp/keywords" },
          effects: { delay: 0.3 },
        }]);

        const world = { address, platform, credentials, folder: folder.path };
        const start = async (): Promise<WorkerProcess> => {
          workers.push(await WorkerProcess.start(world, [], WORKER));
          return workers.at(-1)!;
        };
        const [killed, frozen] = [await start(), await start()];
        await until(async () => {
          assert.equal((await queue.status(rollout))!.state, "running", "stopped before a worker was killed");
          assertRunning(workers);
          return creates(emulator) > PROFILES;
        }, 900);
        kill(killed, "SIGKILL");
        kill(frozen, "SIGSTOP");
        const left = creates(emulator);
        assert.ok(left < PROFILES * 3, `stopped after ${left} of ${PROFILES * 3} creates`);
        const other = await start();
        if (WHOLE_SUITE) {
          await other.until(({ event }) => event === "plan_ended");
          await server.restart();
        }
        await other.until(({ event }) => event === "workers_expired");
        kill(frozen, "SIGCONT");
        await until(async () => {
          assertRunning([other]);
          return (await queue.status(rollout).catch(() => undefined))?.state !== "running";
        }, 900);
        const ended = await queue.collect(rollout);
        assert.equal(
          ended?.state,
          "done",
          JSON.stringify(ended?.plans.filter(({ state }) => state !== "done")),
        );
        await queue.close();
        const entries = await rollout.entries();
        assert.deepEqual(new Set(entries.map(({ state }) => state)), new Set(["done"]));
        // Stages: no plan of a later one was begun before the one before was over.
        assert.deepEqual(new Set(ended.plans.map(({ stage }) => stage)), new Set([1, 2, 3]));

        for (const { plan: { profileId, countryCode } } of entries) {
          const client = ads.profileFrom(profileId, countryCode);
          const campaigns = await client.sp.campaigns.list({ name: "Everywhere" });
          assert.equal(campaigns.length, 1, `campaigns of ${profileId}`);
          const keywords = await client.sp.keywords.list({ campaignIds: [campaigns[0]!.campaignId] });
          assert.equal(keywords.length, 1, `keywords of ${profileId}`);
        }
        for (const worker of [frozen, other]) {
          kill(worker, "SIGTERM");
          assert.equal(await worker.ended(), 0, worker.noise);
        }
      } finally {
        clearTimeout(tooLong);
        for (const worker of workers) kill(worker, "SIGKILL");
        await emulator.stop();
        await folder.remove();
        await server.stop();
      }
    },
  );
}

/** A campaign with an ad group and a keyword for each profile. */
async function plansOf(ads: PlatformAds): Promise<ChangePlan[]> {
  const plans: ChangePlan[] = [];
  for (const { profileId, countryCode } of await ads.profiles()) {
    const budget = countryCode === "JP" ? 2000 : 300;
    const bid = countryCode === "JP" ? 40 : countryCode === "MX" ? 5 : 0.5;
    plans.push(
      await ads.profileFrom(profileId, countryCode).plan()
        .create("sp.campaigns", {
          name: "Everywhere",
          state: "PAUSED",
          targetingType: "MANUAL",
          startDate: "2099-01-01",
          budget: { budget, budgetType: "DAILY" },
        }, { as: "c" })
        .create("sp.ad_groups", {
          campaignId: { ref: "c" },
          name: "Shoes",
          state: "ENABLED",
          defaultBid: bid,
        }, { as: "g" })
        .create("sp.keywords", {
          campaignId: { ref: "c" },
          adGroupId: { ref: "g" },
          keywordText: "shoes",
          matchType: "EXACT",
          state: "ENABLED",
        })
        .build(),
    );
  }
  return plans;
}

function creates(emulator: Emulator): number {
  return emulator.requests().filter(({ method, path }) =>
    method === "POST" && /\/sp\/(campaigns|adGroups|keywords)$/.test(path)
  ).length;
}

function assertRunning(workers: readonly WorkerProcess[]): void {
  for (const { running, lastWords } of workers) assert.ok(running, lastWords);
}

function kill(worker: WorkerProcess, signal: Deno.Signal): void {
  try {
    worker.kill(signal);
  } catch {
    // It ended before.
  }
}

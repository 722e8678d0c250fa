import assert from "node:assert/strict";
import { test } from "node:test";
import { PlatformAds } from "../../mod.ts";
import { runWorker, SyncQueue } from "../../src/automation/worker/mod.ts";
import { after, before } from "../support/hooks.ts";
import { hasPostgres, makeStore, type TestServer, testServer } from "../support/postgres.ts";
import { type Emulated, emulated } from "./support/emulated.ts";
import { type CliRun, runCli } from "./support/run_cli.ts";
import { long } from "../support/long.ts";
import { sentIn } from "../support/plan_words.ts";
import { until } from "../support/until.ts";

test("a rollout or a search for drift needs a queue that is there, and says so before anything is sent", async () => {
  await using world = await emulated();
  const line = ["drift", "--all-profiles", "--cron", "0 6 * * *", "--store", "ads.sqlite"];
  const { code, stderr } = await runCli(line, { env: world.env });
  assert.deepEqual([code, world.emulator.requests().length], [2, 0]);
  assert.match(stderr, /it lives in a PostgreSQL store/);
  const since = await runCli(["account", "drift", "--last", "--since", "-1", "--store", "postgres://x/y"], {
    env: world.env,
  });
  assert.match(since.stderr, /Cannot use --since or --state on a queue/);
  const plans = await runCli(["account", "drift", "--last", "--plans", "x", "--store", "postgres://x/y"], {
    env: world.env,
  });
  assert.equal(plans.code, 2);
  assert.match(plans.stderr, /Cannot use --plans on a queue/);
  const plan = await world.write("plan.json", "{}");
  const single = await runCli(["plan", "apply", plan, "--enqueue"], { env: world.env });
  assert.equal(single.code, 2);
  assert.match(single.stderr, /--enqueue are for a rollout/);
});

if (hasPostgres) {
  let server: TestServer;
  before(async () => {
    server = await testServer();
  });
  after(() => server.stop());

  /** Runs a worker until the queue has no jobs. */
  const workOff = async ({ emulator }: Emulated, address: string): Promise<void> => {
    const stop = new AbortController();
    const running = runWorker(address, {
      connect: (parts) => new PlatformAds(emulator.credentials, { platform: emulator.platform, ...parts }),
      concurrency: 4,
      signal: stop.signal,
      log: () => {},
    });
    const queue = await SyncQueue.open(address);
    try {
      await until(async () => {
        const { jobs: { waiting, running, retrying } } = await queue.status();
        return waiting + running + retrying === 0;
      });
    } finally {
      stop.abort();
      await running;
      await queue.close();
    }
  };

  long();
  test("plan apply --enqueue leaves a rollout to workers, plan show brings what they did into the folder", async () => {
    await using world = await emulated();
    const address = await makeStore(server);
    const env = { ...world.env, PLATFORM_ADS_STORE: address };
    const run = (line: readonly string[]): Promise<CliRun> => runCli(line, { env });
    const accounts = `${world.folder}/account`;
    await Deno.mkdir(`${accounts}/sp`, { recursive: true });
    await world.write(
      "account/sp/new.yaml",
      "name: New\nstate: PAUSED\ntargetingType: MANUAL\nstartDate: 2099-01-01\nbudget: { USD: 20, CAD: 25 }\n",
    );
    const folder = `${world.folder}/rollout`;
    assert.equal(
      (await run(["plan", "from", accounts, "--profiles", "US,CA", "--out", folder, "--note", "New"])).code,
      0,
    );
    assert.equal((await run(["plan", "apply", folder, "--enqueue"])).code, 2, "there is nobody to ask");
    const put = await run([
      "plan",
      "apply",
      folder,
      "--enqueue",
      "--yes",
      "--accept-risk",
      "--serial",
      "1,100%",
    ]);
    assert.equal(put.code, 0, put.stderr);
    assert.match(put.stderr, /2 plans \(1 queued, 1 open\)/);
    assert.match(put.stderr, /On the queue: adsctl auto worker applies it/);
    const here = await run(["plan", "apply", folder, "--yes", "--accept-risk"]);
    assert.equal(here.code, 4);
    assert.match(here.stderr, /it is on a queue; workers there apply it/);
    const [one] = JSON.parse((await run(["plan", "show", folder, "--json"])).stdout) as { plan_id: string }[];
    const single = await run(["plan", "apply", `${folder}/plan-${one!.plan_id}.json`, "--yes"]);
    assert.deepEqual(
      [single.code, /it has been queued at/.test(single.stderr)],
      [4, true],
      single.stderr,
    );
    const status = JSON.parse((await run(["store", "status", "--json"])).stdout);
    assert.deepEqual(
      status.rollouts.map((
        rollout: Record<string, unknown>,
      ) => [rollout["note"], rollout["state"], rollout["plans"]]),
      [["New", "running", { open: 1, queued: 1 }]],
    );

    await workOff(world, address);
    const shown = await run(["plan", "show", folder, "--json"]);
    assert.equal(shown.code, 0, shown.stderr);
    assert.deepEqual(
      (JSON.parse(shown.stdout) as { state: string }[]).map(({ state }) => state),
      ["done", "done"],
    );
    const plan = await run(["plan", "show", `${folder}/plan-${one!.plan_id}.json`]);
    assert.deepEqual(sentIn(plan.stdout), [1, 0]);
    assert.equal((await run(["plan", "undo", `${folder}/plan-${one!.plan_id}.json`, "--yes"])).code, 0);
  });

  test("plan undo --store takes a rollout off its queue, and what was not begun can be applied from the folder", async () => {
    await using world = await emulated();
    const address = await makeStore(server);
    const run = (line: readonly string[]): Promise<CliRun> => runCli(line, { env: world.env });
    await Deno.mkdir(`${world.folder}/account/sp`, { recursive: true });
    await world.write(
      "account/sp/new.yaml",
      "name: New\nstate: PAUSED\ntargetingType: MANUAL\nstartDate: 2099-01-01\nbudget: { USD: 20, CAD: 25 }\n",
    );
    const [folder, sure] = [`${world.folder}/rollout`, ["--yes", "--accept-risk"]];
    const made = await run([
      "plan",
      "from",
      `${world.folder}/account`,
      "--profiles",
      "US,CA",
      "--out",
      folder,
    ]);
    assert.equal(made.code, 0, made.stderr);
    const put = await run(["plan", "apply", folder, "--enqueue", "--store", address, ...sure]);
    assert.equal(put.code, 0, put.stderr);
    const nowhere = await run(["plan", "undo", folder, "--yes"]);
    assert.equal(nowhere.code, 2, nowhere.stderr);
    assert.match(nowhere.stderr, /--store/);
    const other = await run(["plan", "undo", folder, "--store", await makeStore(server), "--yes"]);
    assert.equal(other.code, 4, other.stderr);
    assert.match(other.stderr, /is queued at .* Use that queue/);

    const single = await run(["plan", "undo", `${folder}.json`, "--store", address, "--yes"]);
    assert.match(single.stderr, /--store and --enqueue are for a rollout/);

    const undone = await run(["plan", "undo", folder, "--store", address, "--yes"]);
    assert.equal(undone.code, 0, undone.stderr);
    await workOff(world, address);
    const shown = await run(["plan", "show", folder, "--json"]);
    const states = (JSON.parse(shown.stdout) as { state: string }[]).map(({ state }) => state);
    assert.deepEqual(states, ["open", "open"]);
    const applied = await run(["plan", "apply", folder, ...sure]);
    assert.equal(applied.code, 0, applied.stderr);
  });

  long();
  test("workers look for drift by the clock or once, and drift --last shows what they found, theirs and ours", async () => {
    await using world = await emulated();
    const address = await makeStore(server);
    const env = { ...world.env, PLATFORM_ADS_STORE: address };
    const run = (line: readonly string[]): Promise<CliRun> => runCli(line, { env });
    const early = await run(["drift", "--last"]);
    assert.deepEqual([early.code, /no worker has checked yet/.test(early.stderr)], [2, true], early.stderr);
    assert.equal((await run(["drift", "--all-profiles", "--cron", "61 * * * *"])).code, 2);
    assert.equal((await run(["drift", "--all-profiles", "--cron", "0 6 * * *"])).code, 0);
    const status = await run(["store", "status"]);
    assert.match(status.stdout, /0 6 \* \* \*: all profiles, drift/);
    assert.equal((await run(["drift", "--all-profiles", "--cron", "off"])).code, 0);

    const look = async (): Promise<CliRun> => {
      assert.equal((await run(["drift", "--profiles", "CA,US", "--enqueue"])).code, 0);
      await workOff(world, address);
      return await run(["drift", "--last", "--json"]);
    };
    await look();
    // One change by a rollout of the queue, one by somebody else.
    const ads = new PlatformAds(world.emulator.credentials, { platform: world.emulator.platform });
    const [ca, us] = [await ads.profile("CA"), await ads.profile("US")];
    const [mine] = await ca.sp.campaigns.list({ states: ["ENABLED"] });
    const [theirs] = await us.sp.campaigns.list({ states: ["ENABLED"] });
    const plan = await ca.sp.campaigns.planUpdate([{ campaignId: mine!.campaignId, state: "PAUSED" }]);
    const { Rollout } = await import("../../src/account/mod.ts");
    const { RolloutQueue } = await import("../../src/automation/worker/mod.ts");
    const queue = await RolloutQueue.open(address);
    await queue.enqueue(await Rollout.create(`${world.folder}/rollout`, [plan]));
    await queue.close();
    await workOff(world, address);
    await us.sp.campaigns.update([{ campaignId: theirs!.campaignId, state: "PAUSED" }]);

    const found = await look();
    assert.equal(found.code, 6, found.stderr);
    const rows = JSON.parse(found.stdout) as { country_code: string; by: string; change: string }[];
    assert.deepEqual(
      rows.map(({ country_code, by, change }) => [country_code, by, change]).sort(),
      [["CA", `plan ${plan.id}`, "STATUS"], ["US", "other", "STATUS"]],
    );
    // The next run finds nothing new.
    const again = await look();
    assert.deepEqual([again.code, JSON.parse(again.stdout)], [0, []], again.stderr);
    assert.match(again.stderr, /\(CA\): Since .*: 0 changes/);
  });
}

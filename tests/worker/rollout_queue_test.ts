import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { test } from "node:test";
import { ChangePlan, PlanStore } from "../../mod.ts";
import { Rollout } from "../../src/account/mod.ts";
import { ApplyJournal } from "../../src/plans/apply/apply_journal.ts";
import { approvePlan } from "../../src/plans/review/approval.ts";
import { ask, type Consent } from "../../src/plans/review/ask.ts";
import { judge, type Review } from "../../src/plans/review/judge.ts";
import { PlanPlaces } from "../../src/plans/store/plan_places.ts";
import { leftToQueue, takeBack } from "../../src/plans/store/queued_plan.ts";
import { approvalKeyFiles, createApprovalKey } from "../../src/plans/review/approval_key.ts";
import { loadPolicy } from "../../src/plans/policy/mod.ts";
import { PlatformAds } from "../../mod.ts";
import { RolloutQueue } from "../../src/automation/worker/mod.ts";
import { QueueJournal } from "../../src/automation/worker/queue_journal.ts";
import { RolloutTable } from "../../src/automation/worker/rollout_table.ts";
import { PostgresDriver } from "../../src/store/postgres/postgres_driver.ts";
import { after, before } from "../support/hooks.ts";
import { rolloutConsents } from "../../src/operations/plans/send_rollout.ts";
import { withAndWithoutPolicy } from "../support/judging.ts";
import { hasPostgres, type TestServer, testServer } from "../support/postgres.ts";
import { queueWorld, sent } from "./queue_world.ts";
import { sentIn } from "../support/plan_words.ts";

const PROFILES = 8;

if (hasPostgres) {
  let server: TestServer;
  before(async () => {
    server = await testServer();
  });
  after(() => server.stop());

  withAndWithoutPolicy(
    "workers apply a rollout stage by stage, each plan once, and its results come into the folder",
    async (judging) => {
      await using world = await queueWorld(server, {}, judging);
      const { rollout, plans, address, folder } = world;
      const queue = await RolloutQueue.open(address);
      try {
        const options = { serial: [1, "50%", "100%"], checkDrift: true } as const;
        const queued = await queue.enqueue(rollout, options);
        assert.deepEqual(
          queued.plans.map(({ state }) => state),
          ["queued", ...Array(PROFILES - 1).fill("open")],
          "the canary alone",
        );
        assert.deepEqual((await rollout.entries()).map(({ state }) => state), Array(PROFILES).fill("queued"));
        // From the folder nobody applies, resumes or undoes it now.
        const store = PlanStore.open(folder);
        const client = world.ads.profileFrom(plans[0]!.profileId, plans[0]!.countryCode);
        await assert.rejects(store.apply(plans[0]!, client), /it has been queued at/);
        await assert.rejects(store.resume(plans[0]!, client), /is queued at .* where workers apply it/);
        await assert.rejects(store.rollBack(plans[0]!, client), /is queued at/);
        assert.equal((await rollout.apply(() => client)).entries[0]!.state, "queued");
        // Once more changes nothing.
        await queue.enqueue(rollout, options);

        await world.work(async () => (await queue.status(rollout))?.state === "done");
        const done = await queue.collect(rollout);
        assert.deepEqual(done!.plans.map(({ state, stage }) => [state, stage]), [
          ["done", 1],
          ...Array(4).fill(["done", 2]),
          ...Array(3).fill(["done", 3]),
        ]);
        assert.equal(sent(world), PROFILES);
        const entries = await (await Rollout.open(folder)).entries();
        assert.deepEqual(entries.map(({ state }) => state), Array(PROFILES).fill("done"));
        assert.deepEqual(sentIn(entries[0]!.summary!), [1, 0]);
        // A collection that was cut off before the result was written is made up for.
        const result = new PlanPlaces(folder).result(plans[0]!.id);
        const text = await readFile(result, "utf8");
        await rm(result);
        await queue.collect(rollout);
        assert.equal(await readFile(result, "utf8"), text);
        // What was collected is an applied plan like any other: it can be undone here.
        const undone = await store.rollBack(plans[0]!, client);
        assert.equal(undone?.result.ok, true);
      } finally {
        await queue.close();
      }
    },
    test,
  );

  test("a stage with too many failures stops a rollout on all workers, and it goes on once the reason is gone", async () => {
    await using world = await queueWorld(server);
    const { rollout, plans, address } = world;
    const [first] = plans;
    const client = world.ads.profileFrom(first!.profileId, first!.countryCode);
    const { id } = first!.changes[0]!;
    await client.sp.campaigns.update([{ campaignId: id!, state: "PAUSED" }]);
    const before = sent(world);
    const queue = await RolloutQueue.open(address);
    try {
      const options = { serial: [1, "100%"], stopOnFailures: "10%", checkDrift: true } as const;
      await queue.enqueue(rollout, options);
      await world.work(async () => (await queue.status(rollout))?.state === "stopped");
      const stopped = await queue.collect(rollout);
      assert.match(stopped!.stopped!, /1 of the 1 plans of stage 1 failed, and at most 10% may fail/);
      assert.deepEqual(
        stopped!.plans.map(({ state }) => state),
        ["not_begun", ...Array(PROFILES - 1).fill("open")],
      );
      assert.match(stopped!.plans[0]!.summary!, /has changed since|changed/);
      assert.equal(sent(world), before, "nothing was sent");
      await client.sp.campaigns.update([{ campaignId: id!, state: "ENABLED" }]);
      await queue.enqueue(rollout, options);
      await world.work(async () => (await queue.status(rollout))?.state === "done", { workers: 3 });
      assert.equal(sent(world), before + 1 + PROFILES);
    } finally {
      await queue.close();
    }
  });

  test("workers do not send a call that a plan of a folder put back, nor folders one that workers may send", async () => {
    await using world = await queueWorld(server, { profiles: 1 });
    const { ads, address, folder, emulator } = world;
    const { profileId, countryCode } = world.plans[0]!;
    const us = ads.profileFrom(profileId, countryCode);
    const [{ instanceId } = {}] = await ads.cleanRooms({ region: "NA" });
    const { place } = await ads.cleanRoom(String(instanceId));
    const beside = `${folder}/beside`;
    const clientOf = () => us;
    const asker = () => () => ({ by: "Ann", may: "policy" } as const);
    /** A rollout of a call that puts a workflow back, with the folder of the workflow's plan, which has a copy. */
    const scene = async (workflowId: string): Promise<[Rollout, PlanStore, ChangePlan]> => {
      const body = { workflowId, sqlQuery: "SELECT campaign FROM sponsored_ads_traffic" };
      const create = await us.planCall<string>("workflow-management-service:createWorkflow", body, place);
      const own = `${folder}/${workflowId}`;
      const store = PlanStore.open(beside, { beside: [own] });
      await store.save(create);
      const { rollback } = await store.apply(create, us);
      const copy = new ChangePlan({ ...rollback!, id: `copy-${workflowId}` });
      await store.save(copy);
      const inverse = new ChangePlan({ ...rollback!, id: `inverse-${workflowId}` });
      await Rollout.create(own, [inverse]);
      return [await Rollout.open(own, { beside: [beside] }), store, copy];
    };
    const sentOf = (workflowId: string): number =>
      emulator.requests().filter(({ method, path }) =>
        method === "DELETE" && path.endsWith(`/workflows/${workflowId}`)
      ).length;
    const queue = await RolloutQueue.open(address);
    try {
      const [first, store, copy] = await scene("first");
      const consents = await rolloutConsents({ rollout: first, clientOf, asker }, { verb: "apply" });
      // After it was shown.
      assert.equal((await store.apply(copy, us)).result.ok, true);
      await queue.enqueue(first, { consent: ({ id }) => consents.get(id) });
      await world.work(async () => (await queue.status(first))?.state !== "running");
      await queue.collect(first);
      assert.match((await first.entries())[0]!.summary!, /call: 0 succeeded, 1 failed, 1 of them never sent/);
      assert.equal(sentOf("first"), 1);

      const [second, elsewhere, late] = await scene("second");
      const given = await rolloutConsents({ rollout: second, clientOf, asker }, { verb: "apply" });
      await queue.enqueue(second, { consent: ({ id }) => given.get(id) });
      const { result } = await elsewhere.apply(late, us);
      assert.match(result.failures[0]!.error.message, /plan inverse-second may have put it back/);
      await world.work(async () => (await queue.status(second))?.state === "done");
      assert.equal(sentOf("second"), 1);
      await queue.collect(second);
      assert.equal((await second.entries())[0]!.state, "done");
    } finally {
      await queue.close();
    }
  });

  test("a policy that asks for a person is not content with the word of who put the plan on the queue", async () => {
    await using world = await queueWorld(server, { profiles: 2 });
    const { rollout, plans, address, folder } = world;
    const key = approvalKeyFiles(`${folder}/key`);
    await createApprovalKey(key, {});
    const path = `${folder}/policy.yaml`;
    await Deno.writeTextFile(
      path,
      'version: 1\nrules:\n  - { name: asks, when: "true", level: approve, message: a person must see this }\n',
    );
    const connect = (parts: object): PlatformAds =>
      new PlatformAds(world.emulator.credentials, { platform: world.emulator.platform, ...parts, policy });
    const policy = await loadPolicy(path, { ledger: `${folder}/days` });
    const queue = await RolloutQueue.open(address);
    const store = PlanStore.open(folder);
    const ads = connect({ now: () => world.emulator.clock.now() });
    const review = (at: number): Promise<Review> =>
      judge(plans[at]!, ads.profileFrom(plans[at]!.profileId, plans[at]!.countryCode));
    try {
      const options = { stopOnFailures: 1, approvedBy: () => "a person at a terminal" };
      await store.saveApproval(await approvePlan(await review(0), { key }));
      await queue.enqueue(rollout, options);
      const over = async (): Promise<boolean> => (await queue.status(rollout))?.state !== "running";
      await world.work(over, { connect, approvalKey: key.public });
      const [approved, other] = (await queue.status(rollout))!.plans;
      assert.deepEqual([approved!.state, other!.state], ["done", "not_begun"], JSON.stringify(other));
      assert.match(other!.summary!, /requires a person's signed approval, and there is none/);
      assert.equal(sent(world), 1);
      // An approval of another plan does not hold.
      const forged = { ...await approvePlan(await review(0), { key }), plan_id: plans[1]!.id };
      await store.saveApproval({ ...forged, fingerprint: plans[1]!.fingerprint });
      await queue.enqueue(rollout, options);
      await world.work(over, { connect, approvalKey: key.public });
      assert.match((await queue.status(rollout))!.plans[1]!.summary!, /its signature does not match/);
      await store.saveApproval(await approvePlan(await review(1), { key }));
      await queue.enqueue(rollout, options);
      await world.work(over, { connect, approvalKey: key.public });
      assert.equal((await queue.status(rollout))!.state, "done");
      assert.equal(sent(world), 2);
    } finally {
      await queue.close();
    }
  });

  test("a rollout that is taken off the queue is undone from its folder, and what was not begun is never sent", async () => {
    await using world = await queueWorld(server, { profiles: 4 });
    const { rollout, plans, address, folder } = world;
    const clientOf = ({ profileId, countryCode }: Pick<ChangePlan, "profileId" | "countryCode">) =>
      world.ads.profileFrom(profileId, countryCode);
    const queue = await RolloutQueue.open(address);
    try {
      const second = clientOf(plans[1]!);
      const { id } = plans[1]!.changes[0]!;
      await second.sp.campaigns.update([{ campaignId: id!, state: "PAUSED" }]);
      await queue.enqueue(rollout, { serial: [1], checkDrift: true });
      await world.work(async () => (await queue.status(rollout))?.state === "stopped");
      assert.equal(sent(world), 2);
      await assert.rejects(
        rollout.rollback(clientOf),
        /4 of its plans are on a queue\. RolloutQueue\.withdraw\(\)/,
      );

      await queue.withdraw(rollout);
      const left = (await queue.status(rollout))!;
      assert.deepEqual([left.state, left.plans.map(({ planId }) => planId)], ["stopped", [plans[0]!.id]]);
      const states = async () => (await rollout.entries()).map(({ state }) => state);
      assert.deepEqual(await states(), ["done", "open", "open", "open"]);
      await queue.withdraw(rollout);
      assert.deepEqual(await states(), ["done", "open", "open", "open"], "once more changes nothing");

      const undo = await (await Rollout.open(folder)).rollback(clientOf);
      assert.equal((await undo.apply(clientOf, { checkDrift: true })).ok, true);
      assert.equal(sent(world), 3);
      await assert.rejects(queue.enqueue(await Rollout.open(folder)), /its undo was started/);
      await assert.rejects(queue.enqueue(rollout), /its undo was started/, "as it was read before");
      await world.work(async () => (await queue.status(rollout))?.state === "stopped");
      assert.equal(sent(world), 3);
    } finally {
      await queue.close();
    }
  });

  test("a rollout whose plans workers apply is stopped and named, and taken off once they have ended", async () => {
    await using world = await queueWorld(server, { profiles: 3 });
    const { rollout, plans, address } = world;
    const queue = await RolloutQueue.open(address);
    const driver = await PostgresDriver.open(address);
    try {
      await queue.enqueue(rollout);
      const table = new RolloutTable(driver.database);
      const attempt = { workerId: "one", jobId: "1", attempt: 1 };
      const [first, second] = plans.map(({ id }) => id);
      assert.ok(await table.take(first!, attempt));
      await assert.rejects(queue.withdraw(rollout), new RegExp(`workers are applying ${first}\\.`));
      assert.equal((await queue.status(rollout))!.state, "stopped");
      assert.equal(await table.take(second!, { ...attempt, jobId: "2" }), undefined, "no other is begun");

      // It was cut off: what its worker wrote comes into the folder.
      const journal = new QueueJournal(driver.database.sql, first!, "one");
      await new ApplyJournal(journal).begin(plans[0]!);
      await table.end(first!, attempt, { state: "unfinished", summary: "cut off" });
      await queue.withdraw(rollout);
      assert.deepEqual((await rollout.entries()).map(({ state }) => state), ["unfinished", "open", "open"]);
      const kept = (await queue.status(rollout))!.plans.map(({ planId, state }) => [planId, state]);
      assert.deepEqual(kept, [[first, "unfinished"]]);
      const { sql } = driver.database;
      assert.deepEqual(await sql`SELECT key FROM graphile_worker.jobs WHERE key IS NOT NULL`, []);
    } finally {
      await driver.close();
      await queue.close();
    }
  });

  test("changes that were shown as left out stop no stage on a queue, and those that drift later do", async () => {
    await using world = await queueWorld(server, { profiles: 3 });
    const { address, folder } = world;
    const clientOf = ({ profileId, countryCode }: ChangePlan) =>
      world.ads.profileFrom(profileId, countryCode);
    const rename = (plan: ChangePlan, name: string) => ({ campaignId: plan.changes[0]!.id!, name });
    const plans = await Promise.all(
      world.plans.map((plan) => clientOf(plan).sp.campaigns.planUpdate([rename(plan, "Planned")])),
    );
    const rollout = await Rollout.create(`${folder}/names`, plans);
    const drift = async (at: number): Promise<void> => {
      (await clientOf(plans[at]!).sp.campaigns.update([rename(plans[at]!, "Foreign")])).raiseForErrors();
    };
    const queue = await RolloutQueue.open(address);
    try {
      await drift(0);
      const consents = new Map<string, Consent>();
      for (const plan of plans) {
        const review = await judge(plan, clientOf(plan), { skipDrifted: true });
        consents.set(plan.id, await ask(review, { by: "a person", may: "policy" }));
      }
      await drift(1);
      await queue.enqueue(rollout, {
        serial: [1],
        skipDrifted: true,
        consent: ({ id }) => consents.get(id),
      });
      await world.work(async () => (await queue.status(rollout))?.state !== "running");
      const { stopped, plans: ended } = (await queue.collect(rollout))!;
      assert.deepEqual(ended.map(({ state }) => state), ["failed", "failed", "open"], JSON.stringify(ended));
      assert.match(stopped!, /1 of the 1 plans of stage 2 failed/);
      assert.deepEqual(
        (await rollout.entries()).map(({ onlyLeftOut }) => onlyLeftOut),
        [true, false, undefined],
      );
    } finally {
      await queue.close();
    }
  });

  test("a worker leaves out what was shown as left out, also where the account has moved back since", async () => {
    await using world = await queueWorld(server, { profiles: 1 });
    const { profileId, countryCode } = world.plans[0]!;
    const us = world.ads.profileFrom(profileId, countryCode);
    const keywords = (await us.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
      bid !== undefined
    );
    const [first, second] = keywords.map(({ keywordId, bid = 1 }) => ({ keywordId: String(keywordId), bid }));
    const raised = (bid: number): number => Math.round(bid * 110) / 100;
    const plan = await us.sp.keywords.planUpdate(
      [first!, second!].map(({ keywordId, bid }) => ({ keywordId, bid: raised(bid) })),
    );
    const rollout = await Rollout.create(`${world.folder}/bids`, [plan]);
    const setFirst = async (bid: number): Promise<void> =>
      (await us.sp.keywords.update([{ keywordId: first!.keywordId, bid }])).raiseForErrors();
    await setFirst(3);
    const review = await judge(plan, us, { skipDrifted: true });
    const consent = await ask(review, { by: "a person", may: "policy" });
    await setFirst(first!.bid);
    const queue = await RolloutQueue.open(world.address);
    try {
      await queue.enqueue(rollout, { skipDrifted: true, consent: () => consent });
      await world.work(async () => (await queue.status(rollout))?.state !== "running");
      await queue.collect(rollout);
      const bids = await us.sp.keywords.getMany([first!.keywordId, second!.keywordId]);
      assert.deepEqual([...bids.values()].map(({ bid }) => bid), [first!.bid, raised(second!.bid)]);
      const { changes } = (await PlanStore.open(rollout.folder).applied(plan.id))!;
      assert.deepEqual(changes.map(({ outcome }) => outcome).sort(), ["done", "not_sent"]);
    } finally {
      await queue.close();
    }
  });

  test("what was left to the queue anew is not taken back by who withdrew it before", async () => {
    await using world = await queueWorld(server, { profiles: 2 });
    const { rollout, plans, address, folder } = world;
    const queue = await RolloutQueue.open(address);
    const store = PlanStore.open(folder);
    try {
      await queue.enqueue(rollout);
      const [{ id }] = plans as [ChangePlan];
      const before = (await leftToQueue(store, id))!;
      await queue.enqueue(rollout);
      await takeBack(store, id, before);
      assert.equal((await store.status(id)).state, "queued");
      await takeBack(store, id, (await leftToQueue(store, id))!);
      assert.equal((await store.status(id)).state, "open");
    } finally {
      await queue.close();
    }
  });
}

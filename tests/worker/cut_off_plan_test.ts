import assert from "node:assert/strict";
import { test } from "node:test";
import { RolloutQueue } from "../../src/automation/worker/mod.ts";
import { after, before } from "../support/hooks.ts";
import { withAndWithoutPolicy } from "../support/judging.ts";
import { hasPostgres, type TestServer, testServer } from "../support/postgres.ts";
import { queueWorld, sent } from "./queue_world.ts";

if (hasPostgres) {
  let server: TestServer;
  before(async () => {
    server = await testServer();
  });
  after(() => server.stop());

  withAndWithoutPolicy(
    "a plan whose response is lost is settled by another try, and counts as failed only where that does not help",
    async (judging) => {
      await using world = await queueWorld(server, { profiles: 2 }, judging);
      const { emulator, rollout, address } = world;
      emulator.setFaults([{
        name: "lost",
        match: { method: "PUT", path: "/sp/campaigns" },
        times: 1,
        effects: { drop: "after" },
      }]);
      const queue = await RolloutQueue.open(address);
      try {
        await queue.enqueue(rollout, { serial: [1, "100%"] });
        const log = await world.work(async () => (await queue.status(rollout))?.state !== "running", {
          seconds: 2,
        });
        assert.equal(
          (await queue.status(rollout))!.state,
          "done",
          JSON.stringify(await queue.status(rollout)),
        );
        assert.equal(sent(world), 2, "the change whose response was lost is not sent again");
        const outcomes = log.filter(({ event }) => event === "plan_ended").map(({ outcome }) => outcome);
        assert.deepEqual(outcomes.sort(), ["cut_off", "done", "done"]);
      } finally {
        await queue.close();
      }
    },
    test,
  );
}

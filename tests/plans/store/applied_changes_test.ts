import { deepEqual } from "../../support/assert.ts";
import { changedIn } from "../../../src/plans/store/applied_changes.ts";
import { bidMovesIn } from "../../../src/plans/store/bid_moves.ts";
import { bid, inStore, NOW, planOf } from "./store_scene.ts";

const AT = Date.parse(NOW);

Deno.test("results say which bids, budgets and states of which entities were changed, and when", () =>
  inStore(async ({ store, hidden }) => {
    await Deno.mkdir(`${store.path}/.plans`, { recursive: true });
    const write = (id: string, data: object): Promise<void> =>
      Deno.writeTextFile(
        hidden(id, "result.json"),
        JSON.stringify({ profile_id: "100", applied_at: NOW, ...data }),
      );
    const done = { op: "update", outcome: "done" };
    await write("p1", {
      changes: [
        { ...done, id: "1", fields: ["bid", "name"] },
        { ...done, id: "2", fields: ["budget", "state"], outcome: "unknown" },
        { ...done, id: "3", fields: ["name"] },
        { ...done, id: "4", op: "archive" },
        { ...done, id: "5" },
        { ...done, id: "6", op: "create", fields: ["bid", "state"] },
        { ...done, id: "7", fields: ["bid"], outcome: "refused" },
        { ...done, id: null, fields: ["bid"] },
      ],
    });
    const change = [{ ...done, id: "9", fields: ["bid"] }];
    await write("of-another-profile", { profile_id: "101", changes: change });
    await write("earlier", { applied_at: "2026-09-01T00:00:00.000Z", changes: change });
    const found = await changedIn([store.path])("100", AT - 1);
    deepEqual(found.map(({ id, part, at }) => [id, part, at - AT]), [
      ["1", "bid", 0],
      ["2", "budget", 0],
      ["2", "state", 0],
      ["4", "state", 0],
      ...["bid", "budget", "state"].map((part) => ["5", part, 0]),
    ]);
  }));

Deno.test("the bids that applied plans moved are told, from and to what, with the days of their figures", () =>
  inStore(async ({ store, target }) => {
    target.troubles["update sp.keywords"] = { outcomes: { 1: "refused" } };
    const evidence = { from: "2026-09-01", to: "2026-09-14" };
    const changes = [
      bid("1", { evidence }),
      bid("2"),
      bid("3", { after: { state: "PAUSED" }, before: { state: "ENABLED" } }),
      bid("4", { before: { bid: 0 } }),
      bid("5", { after: { bid: 0 }, before: { bid: 1 } }),
      bid("6", { before: { bid: 2 } }),
      bid("7", { kind: "sp.ad_groups", before: { defaultBid: 1 }, after: { defaultBid: 2 } }),
    ];
    await store.save(planOf([bid("1")], { id: "open" }));
    const plan = planOf(changes, { id: "p1" });
    await store.save(plan);
    Object.assign(target.entities["sp.keywords"]!, {
      ...{ 3: { state: "ENABLED" }, 4: { bid: 0 }, 5: { bid: 1 }, 6: { bid: 2 } },
    });
    target.entities["sp.ad_groups"] = { 7: { defaultBid: 1 } };
    await store.apply(plan, target);
    deepEqual(await bidMovesIn(store.path, { profileId: "100" }), [{
      ...{ kind: "sp.keywords", id: "1", appliedAt: NOW, from: 1, to: 2 },
      evidence: { start: "2026-09-01", end: "2026-09-14" },
    }]);
    deepEqual(await bidMovesIn(store.path, { profileId: "101" }), []);
  }));

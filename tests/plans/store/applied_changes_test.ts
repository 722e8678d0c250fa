import { deepEqual } from "../../support/assert.ts";
import { ChangePlan } from "../../../src/plans/change_plan/change_plan.ts";
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

Deno.test("the bids that applied plans moved are told, the oldest first, with the days of their figures", () =>
  inStore(async ({ store, hidden }) => {
    await Deno.mkdir(`${store.path}/.plans`, { recursive: true });
    const applied = async (
      plan: ChangePlan,
      day: string,
      outcomes: readonly string[] = [],
    ): Promise<void> => {
      await store.save(plan);
      const changes = plan.changes.map(({ id }, at) => ({ id, outcome: outcomes[at] ?? "done" }));
      const result = { ok: true, summary: "s", applied_at: `${day}T12:00:00.000Z`, changes };
      await Deno.writeTextFile(hidden(plan.id, "result.json"), JSON.stringify(result));
    };
    const [from, to] = ["2026-09-01", "2026-09-14"];
    const old = { createdAt: "2026-09-01T00:00:00.000Z" };
    await store.save(planOf([bid("9")], { id: "open" }));
    await applied(planOf([bid("9")], { rehearsal: NOW }), "2026-09-20");
    await applied(new ChangePlan({ profileId: "101", countryCode: "CA", changes: [bid("9")] }), "2026-09-20");
    await applied(planOf([bid("2", { evidence: { from } }), bid("3", { evidence: { to } })]), "2026-09-21");
    const changes = [
      bid("1", { before: { bid: 0.25 }, after: { bid: 0.5 }, evidence: { from, to } }),
      bid("9"),
      bid("9", { before: { state: "ENABLED" }, after: { state: "PAUSED" } }),
      bid("9", { before: {} }),
      bid("9", { after: { bid: null } }),
      bid("9", { before: { bid: 0 } }),
      bid("9", { after: { bid: 0 } }),
      bid("9", { before: { bid: 2 } }),
      bid("9", { kind: "sp.ad_groups", before: { defaultBid: 1 }, after: { defaultBid: 2 } }),
    ];
    await applied(planOf(changes, old), "2026-09-20", ["done", "refused"]);
    const moves = await bidMovesIn(store.path, { profileId: "100" });
    deepEqual(moves.map(({ id, appliedAt, evidence }) => [id, appliedAt.slice(0, 10), evidence]), [
      ["1", "2026-09-20", { start: from, end: to }],
      ["2", "2026-09-21", null],
      ["3", "2026-09-21", null],
    ]);
    deepEqual(moves.map(({ kind, from, to }) => [kind, from, to]), [
      ["sp.keywords", 0.25, 0.5],
      ...[1, 2].map(() => ["sp.keywords", 1, 2]),
    ]);
    const other = await bidMovesIn(store.path, { profileId: "101" });
    deepEqual(other.map(({ id }) => id), ["9"]);
  }));

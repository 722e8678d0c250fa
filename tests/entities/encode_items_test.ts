import { deepEqual, equal, match } from "../support/assert.ts";
import { emulated } from "../support/emulated.ts";
import { WIRES } from "../support/on_both_wires.ts";
import { CONTRACT_KINDS, makeParents } from "./contract_kinds.ts";

/** An item by the names of the API, as plans hold it. */
function named(item: Record<string, unknown>): Record<string, unknown> {
  const { default_bid: defaultBid, ...rest } = item;
  return defaultBid === undefined ? rest : { ...rest, defaultBid };
}

for (const wire of WIRES) {
  Deno.test(`bodies of every kind say what the items say, and what they leave out is named (${wire} wire)`, async (test) => {
    await using world = await emulated({ client: { wire, onWarning: () => {} } });
    const parents = await makeParents(world.us, wire);
    let number = 0;
    for (const contract of CONTRACT_KINDS) {
      const resource = world.us.resource(contract.kind);
      const getMany = (ids: readonly string[]) => resource.getMany(ids);
      const newItem = (): Record<string, unknown> => {
        const item = contract.item(parents, number++);
        for (const field of wire === "unified" ? contract.lacking ?? [] : []) delete item[field];
        return item;
      };
      await test.step(`${contract.kind} creates`, async () => {
        const [create] = await resource.encode("create", [named(newItem())], { getMany });
        deepEqual(create?.differences, []);
      });
      await test.step(`${contract.kind} updates`, async () => {
        const made = await resource.create([newItem()]);
        made.raiseForErrors();
        const update = { [resource.idField]: made.ids[0], ...named(contract.changes(number++)[0]) };
        const [same] = await resource.encode("update", [update], { getMany });
        deepEqual(same?.differences, []);
        deepEqual(Object.keys(same?.fields ?? {}), Object.keys(update));
        const [more] = await resource.encode("update", [{ ...update, inventedField: "1" }], { getMany });
        equal(more?.differences.length, 1);
        match(more?.differences[0] ?? "", /^inventedField is not sent/);
      });
    }
  });
}

for (const wire of WIRES) {
  Deno.test(`updates of bidding, budgets, days and places say what they do (${wire} wire)`, async (test) => {
    await using world = await emulated({ client: { wire, onWarning: () => {} } });
    const { us } = world;
    const updates: readonly (readonly [kind: string, fields: Record<string, unknown>])[] = [
      ["sp.campaigns", { dynamicBidding: { strategy: "LEGACY_FOR_SALES" } }],
      ["sp.campaigns", { dynamicBidding: { strategy: "MANUAL", placementBidding: [] } }],
      ["sp.campaigns", {
        dynamicBidding: { placementBidding: [{ placement: "PLACEMENT_TOP", percentage: 5 }] },
      }],
      ["sp.campaigns", { budget: { budget: 31.5, budgetType: "DAILY" }, endDate: "2027-01-31" }],
      ["sp.campaigns", { endDate: null }],
      ["sp.campaigns", { portfolioId: null }],
      ["sp.campaigns", { startDate: "2026-12-01", state: "PAUSED" }],
      ["sb.campaigns", { bidding: { bidOptimization: false } }],
      ["sb.campaigns", { budget: 40, endDate: "2027-01-31" }],
      ["sb.campaigns", { endDate: null }],
      ["sb.campaigns", { state: "PAUSED" }],
      ["sd.campaigns", { budget: 40, endDate: "20270131" }],
      ["sd.campaigns", { endDate: null }],
      ["sd.targets", { bid: null }],
      ["sd.ad_groups", { state: "paused", defaultBid: 0.7 }],
      ["portfolios", { budget: { amount: 400, currencyCode: "USD", policy: "MONTHLY_RECURRING" } }],
      ["portfolios", { budget: { policy: "NO_CAP" } }],
      ["portfolios", { budget: { amount: null } }],
    ];
    for (const [kind, fields] of updates) {
      await test.step(`${kind} ${JSON.stringify(fields)}`, async () => {
        const resource = us.resource(kind);
        const [first] = await resource.list();
        const item = { [resource.idField]: first?.[resource.idField], ...fields };
        const getMany = (ids: readonly string[]) => resource.getMany(ids);
        const [encoded] = await resource.encode("update", [item], { getMany });
        deepEqual(encoded?.differences, []);
      });
    }
  });
}

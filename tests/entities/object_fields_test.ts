import { deepEqual, equal } from "../support/assert.ts";
import { KINDS } from "../../src/client/entities/kinds/kinds.ts";
import type { ResourceSpec } from "../../src/client/entities/model/resource_spec.ts";
import {
  OBJECT_EFFECTS,
  type ObjectEffect,
  objectEffect,
  type WireName,
} from "../../src/client/entities/wire/object_fields.ts";
import type { Fields } from "../../src/client/entities/model/resource_wire.ts";
import { emulated } from "../support/emulated.ts";
import { WIRES } from "../support/on_both_wires.ts";

const PLACEMENTS = [
  { placement: "PLACEMENT_TOP", percentage: 20 },
  { placement: "PLACEMENT_PRODUCT_PAGE", percentage: 10 },
];

/** For each field of the table an object, and a part of it whose rest shows what became of it. */
const SAMPLES: Readonly<Record<string, { whole: Fields; part: Fields; isKept: (now: Fields) => boolean }>> = {
  "portfolios budget": {
    whole: { amount: 500, currencyCode: "USD", policy: "MONTHLY_RECURRING" },
    part: { currencyCode: "USD" },
    isKept: ({ amount }) => amount === 500,
  },
  "portfolios budgetControls": {
    whole: { campaignUnspentBudgetSharing: { featureState: "ENABLED" } },
    part: {},
    isKept: (now) => now["campaignUnspentBudgetSharing"] !== undefined,
  },
  "sp.campaigns budget": {
    whole: { budget: 30, budgetType: "DAILY" },
    part: { budget: 31 },
    isKept: ({ budget, budgetType }) => budget === 31 && budgetType === "DAILY",
  },
  "sp.campaigns dynamicBidding": {
    whole: { strategy: "MANUAL", placementBidding: PLACEMENTS },
    part: { strategy: "LEGACY_FOR_SALES" },
    isKept: ({ placementBidding }) => Array.isArray(placementBidding) && placementBidding.length === 2,
  },
  "sp.campaigns tags": { whole: { a: "1", b: "2" }, part: { a: "3" }, isKept: ({ b }) => b === "2" },
  "sb.campaigns tags": { whole: { a: "1", b: "2" }, part: { a: "3" }, isKept: ({ b }) => b === "2" },
  "sb.campaigns bidding": {
    whole: { bidOptimization: false, bidAdjustmentsByPlacement: [{ placement: "HOME", percentage: 20 }] },
    part: { bidOptimization: false },
    isKept: ({ bidAdjustmentsByPlacement: list }) =>
      Array.isArray(list) &&
      list.some(({ placement, percentage }) => placement === "HOME" && percentage === 20),
  },
};

/** Sends a whole object and then a part by one wire, past everything that completes it, and says what became of the rest. */
async function measured(
  { kind, field, wire: name }: { kind: string; field: string; wire: WireName },
  unifiedLists: "replace" | "merge",
): Promise<ObjectEffect | undefined> {
  const spec: ResourceSpec | undefined = Object.entries(KINDS).find(([one]) => one === kind)?.[1];
  const late = name === "legacy" ? spec?.wire : spec?.unified;
  const sample = SAMPLES[`${kind} ${field}`];
  if (spec === undefined || sample === undefined) throw new Error(`There is no sample of ${kind} ${field}`);
  if (late === undefined) return undefined;
  const wire = await late.load();
  await using world = await emulated({ checkRequests: false, emulator: { quirks: { unifiedLists } } });
  const resource = world.us.resource(kind);
  const [one] = await Array.fromAsync(resource.iter({ states: null }));
  const id = String(one?.[spec.idField]);
  const send = async (value: Fields): Promise<void> => {
    const result = await wire.update(world.us, [{ [spec.idField]: id, [field]: value }], {});
    // A part that is refused as incomplete would have replaced the whole.
    deepEqual(result.errors.filter(({ message }) => !/is required|kept/.test(message)), []);
  };
  await send(sample.whole);
  await send(sample.part);
  const now = (await resource.getMany([id])).get(id)?.[field] as Fields | undefined;
  return sample.isKept(now ?? {}) ? "merged" : "replaced";
}

for (const [kind, fields] of Object.entries(OBJECT_EFFECTS)) {
  for (const field of Object.keys(fields)) {
    for (const wire of WIRES) {
      Deno.test(`an object in an update does what the table says: ${kind} ${field} (${wire} wire)`, async () => {
        const found = [
          await measured({ kind, field, wire }, "replace"),
          await measured({ kind, field, wire }, "merge"),
        ];
        const [first, second] = found;
        equal(objectEffect(kind, field, wire), first === second ? first : undefined, found.join(" or "));
      });
    }
  }
}

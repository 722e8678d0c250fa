import { deepEqual, equal } from "../support/assert.ts";
import { addDays } from "../../src/base/time/calendar.ts";
import { entityFigures } from "../../src/store/figures/entity_figures.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";

const TODAY = "2026-11-22";
const PLACE = { profileId: "1001", countryCode: "US", report: "sp_targeting" } as const;

async function withDays(days: number, step: (store: Warehouse) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const store = await Warehouse.open(`${folder}/ads.sqlite`);
  try {
    const start = addDays(TODAY, -days);
    const rows = Array.from({ length: days }, (_, index) => ({
      date: addDays(start, index),
      adGroupId: "5",
      keywordId: "9",
      impressions: 100,
      clicks: 2,
      cost: 1,
      sales14d: 4,
      purchases14d: 1,
    }));
    await store.replace({ ...PLACE, start, end: addDays(TODAY, -1) }, rows);
    await step(store);
  } finally {
    await store.close();
    await Deno.remove(folder, { recursive: true });
  }
}

const request = (ids: readonly string[], profileId = "1001") => ({
  profileId,
  today: TODAY,
  entities: ids.map((id) => ({ kind: "sp.keywords", id })),
});

Deno.test("figures are sums of complete days, and an entity without rows has none of them", () =>
  withDays(40, async (store) => {
    const figures = await entityFigures(store, request(["9", "8"]));
    deepEqual(figures.get("9"), {
      impressions7d: 700,
      clicks7d: 14,
      cost7d: 7,
      sales7d: 28,
      orders7d: 7,
      acos7d: 0.25,
      impressions14d: 1400,
      clicks14d: 28,
      cost14d: 14,
      sales14d: 56,
      orders14d: 14,
      acos14d: 0.25,
      impressions30d: 3000,
      clicks30d: 60,
      cost30d: 30,
      sales30d: 120,
      orders30d: 30,
      acos30d: 0.25,
    });
    equal(figures.get("8")?.["clicks30d"], 0);
    equal(figures.get("8")?.["acos30d"], undefined, "without sales there is no ACOS");
  }));

Deno.test("figures of days that are not all stored are unknown, and not 0", () =>
  withDays(10, async (store) => {
    const figures = await entityFigures(store, request(["9"]));
    equal(figures.get("9")?.["clicks7d"], 14);
    equal(figures.get("9")?.["clicks30d"], undefined);
    equal((await entityFigures(store, request(["9"], "2002"))).size, 0, "another profile");
    const other = { ...request([]), entities: [{ kind: "sp.campaigns", id: "9" }] };
    equal((await entityFigures(store, other)).size, 0, "a report that is not stored");
  }));

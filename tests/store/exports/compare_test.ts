import assert from "node:assert/strict";
import { test } from "node:test";
import { type ComparedKind, compareExport } from "../../../src/store/sync/compare_export.ts";
import type { ResourceKind } from "../../../src/client/entities/kinds/kinds.ts";
import { EXPORT_ENDPOINTS, type ExportRow } from "../../../src/store/sync/export_endpoint.ts";
import type { DriverQuery, StoreDriver } from "../../../src/store/model/store_driver.ts";

const TARGETS = EXPORT_ENDPOINTS.find(({ name }) => name === "targets_export")!;
const ROWS = 20_000;
const PULLED = Date.parse("2026-09-30T12:00:00Z");

/** A store that has every second keyword, and counts how many it is asked for at once. */
class HalfStore implements Pick<StoreDriver, "query"> {
  most = 0;

  query(_sql: string, { params }: DriverQuery): ReturnType<StoreDriver["query"]> {
    const ids = params.slice(2).map(String);
    assert(ids.length > 0, "PostgreSQL refuses an empty list");
    this.most = Math.max(this.most, ids.length);
    const rows = ids.filter((id) => Number(id) % 2 === 0)
      .map((id) => ({ id, data: JSON.stringify({ keywordId: id, state: "ENABLED", bid: 1 }) }));
    return Promise.resolve({ columns: ["id", "data"], rows, truncated: false });
  }
}

async function* keywords(updated: (index: number) => string): AsyncGenerator<ExportRow[]> {
  for (let at = 0; at < ROWS; at += 300) {
    yield Array.from({ length: Math.min(300, ROWS - at) }, (_, index) => ({
      targetId: String(at + index),
      adProduct: "SPONSORED_PRODUCTS",
      targetType: "KEYWORD",
      negative: false,
      adGroupId: "5",
      state: "ENABLED",
      bid: { bid: 1 },
      lastUpdatedDateTime: updated(at + index),
    }));
  }
}

test("20,000 rows are compared some hundreds at a time, and no more ids gathered than are worth reading", async () => {
  const store = new HalfStore();
  const compare = async (mostIds: number, updated: (index: number) => string) => {
    const compared = { pulledAt: PULLED, mostIds };
    const kinds = new Map<ResourceKind, ComparedKind>([["sp.keywords", compared], ["sd.targets", compared]]);
    const parts = { endpoint: TARGETS, kinds, driver: store as unknown as StoreDriver, profileId: "1" };
    return (await compareExport(keywords(updated), parts)).get("sp.keywords")!;
  };
  const few = await compare(1000, () => "2026-09-01T00:00:00Z");
  assert.deepEqual([few.rows, few.ids, store.most], [ROWS, undefined, 500]);
  assert(few.listed.has(`${ROWS - 1}`) && !few.listed.has(`${ROWS}`));
  const all = await compare(ROWS, () => "2026-09-01T00:00:00Z");
  assert.equal(all.ids?.length, ROWS / 2);
  assert(all.ids?.every((id) => Number(id) % 2 === 1));
  const updated = await compare(
    ROWS,
    (index) =>
      index === 8
        ? "2026-09-30T10:00:00Z"
        : index === 6
        ? "2026-09-30T09:59:59.999Z"
        : "2026-09-01T00:00:00Z",
  );
  assert.equal(updated.ids?.length, ROWS / 2 + 1);
  assert(updated.ids?.includes("8"));
});

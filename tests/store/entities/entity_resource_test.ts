import assert from "node:assert/strict";
import { test } from "node:test";
import { ENTITY_LAYOUTS } from "../../../src/store/tables/entity_layout.ts";
import { type Entity, storedEntity } from "../../../src/store/sync/entity_resource.ts";
import type { StoredEntity } from "../../../src/store/model/entity_pull.ts";

function stored(kind: string, entity: Entity): StoredEntity {
  return storedEntity(ENTITY_LAYOUTS.find((layout) => layout.kind === kind)!, entity)!;
}

test("an entity is stored as JSON without what changes by itself, a keyword's text beside it in lower case", () => {
  assert.deepEqual(
    stored("sp.keywords", {
      keywordId: 9,
      keywordText: "Running SHOES\0",
      bid: 1,
      extendedData: { lastUpdateDateTime: "2026-09-30T12:00:00Z" },
    }),
    {
      id: "9",
      data: '{"bid":1,"keywordId":9,"keywordText":"Running SHOES\\ufffd"}',
      keywordText: "running shoes\uFFFD",
    },
  );
  assert.equal(stored("sp.keywords", { keywordId: "9" }).keywordText, null);
  assert.equal(stored("sp.targets", { targetId: "9", keywordText: "of no keyword" }).keywordText, null);
});

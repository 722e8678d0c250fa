import { readXlsx } from "hucre/xlsx";
import { deepEqual, equal } from "../../support/assert.ts";
import { sheetOfPlan } from "../../../src/account/mod.ts";

type Args = Parameters<typeof sheetOfPlan>;

const KEYWORD = {
  ...{ campaignId: "1", adGroupId: "2", keywordId: "3", keywordText: "camping knife" },
  ...{ matchType: "EXACT", state: "ENABLED", bid: 2 },
};
const TARGET = {
  ...{ campaignId: "1", adGroupId: "2", targetId: "4", state: "ENABLED", bid: 1.1 },
  expression: [{ type: "ASIN_SAME_AS", value: "B000000001" }],
};
const CAMPAIGN = { campaignId: "1", name: "Knives", targetingType: "MANUAL", state: "ENABLED" };
const ENTITIES = new Map(Object.entries({
  "sp.campaigns": [CAMPAIGN],
  "sp.keywords": [KEYWORD],
  "sp.targets": [TARGET],
})) as unknown as Args[1];

function update(kind: string, id: string, before: object, after: object): Args[0]["changes"][number] {
  const change = { kind, op: "update", id, before, after, label: "", ref: null };
  return change as unknown as Args[0]["changes"][number];
}

/** Rows of the first tab by the names of its head; empty cells are left out. */
async function rowsOf(bytes: Uint8Array): Promise<Record<string, unknown>[]> {
  const [tab] = (await readXlsx(bytes)).sheets;
  const [head = [], ...rows] = tab?.rows ?? [];
  return rows.map((row) =>
    Object.fromEntries(
      row.flatMap((cell, at) => cell === null || cell === "" ? [] : [[String(head[at]), cell]]),
    )
  );
}

Deno.test("a sheet of new bids shows which keyword or target each row is, and the bid before", async () => {
  const { bytes, left } = sheetOfPlan({
    changes: [
      update("sp.keywords", "3", { bid: 2 }, { bid: 1.5 }),
      update("sp.targets", "4", { bid: 1.1 }, { bid: 1.25 }),
    ],
    countryCode: "US",
  }, ENTITIES);
  deepEqual(left, []);
  const [keyword, target] = await rowsOf(bytes);
  equal(keyword?.["Keyword Text"], "camping knife");
  equal(keyword?.["Match Type"], "exact");
  deepEqual([keyword?.["Bid"], keyword?.["Old Bid (Informational only)"]], [1.5, 2]);
  equal(keyword?.["Campaign Name (Informational only)"], "Knives");
  equal(keyword?.["State"], undefined, "a cell that would change what the plan does not stays empty");
  equal(target?.["Product Targeting Expression"], 'asin="B000000001"');
  deepEqual([target?.["Bid"], target?.["Old Bid (Informational only)"]], [1.25, 1.1]);
});

Deno.test("the value before stands beside every changed column, and only there", async () => {
  const { bytes } = sheetOfPlan({
    changes: [
      update("sp.keywords", "3", { state: "ENABLED" }, { state: "PAUSED" }),
      { ...update("sp.keywords", "3", {}, {}), op: "archive" },
    ],
  }, ENTITIES);
  const [paused, archived] = await rowsOf(bytes);
  deepEqual([paused?.["State"], paused?.["Old State (Informational only)"]], ["paused", "enabled"]);
  equal("Old Bid (Informational only)" in (paused ?? {}), false);
  deepEqual(
    [archived?.["Operation"], archived?.["Keyword Text"], archived?.["Old State (Informational only)"]],
    ["Archive", "camping knife", undefined],
  );
});

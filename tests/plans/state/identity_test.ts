import type { Change, EntityFields } from "../../../src/plans/model/change.ts";
import { identityOf, operationOf } from "../../../src/plans/state/plan_state.ts";
import { idText } from "../../../src/base/json/id_of.ts";
import { claimedState, familyOf, Unread } from "../../../src/plans/model/prior_state.ts";
import { deepEqual, equal } from "../../support/assert.ts";

function change(kind: string, id: string | null, after: EntityFields, more: Partial<Change> = {}): Change {
  return { kind, id, op: id === null ? "create" : "update", before: {}, after, label: "", ...more };
}

Deno.test("an operation is named by what it does", () => {
  const of = (op: Change["op"], id: string | null, after: EntityFields) =>
    operationOf(change("x", id, after, { op }));
  deepEqual(
    [
      of("update", "1", { state: "archived" }),
      of("update", "1", { state: "PAUSED" }),
      of("update", null, {}),
      of("create", null, { state: "ARCHIVED" }),
      of("call", null, { state: "ARCHIVED" }),
    ],
    ["archive", "update", "create", "create", "call"],
  );
});

Deno.test("equal entities have one identity, however they are written and wherever their ids stand", () => {
  const same: readonly (readonly [string, EntityFields, EntityFields])[] = [
    ["sp.campaigns", { campaignId: "1", name: "One " }, { name: "one" }],
    ["portfolios", { portfolioId: "7", name: "P" }, { name: "p" }],
    ["sp.ad_groups", { adGroupId: "4", campaignId: "1", name: "G" }, { campaignId: "1", name: "g" }],
    ["sp.keywords", { adGroupId: "4", campaignId: "1", keywordText: " Hat", matchType: "EXACT" }, {
      adGroupId: "4",
      keywordText: "hat",
      matchType: "exact",
    }],
    ["sp.negative_keywords", { adGroupId: "4", keywordText: "a", matchType: "NEGATIVE_EXACT" }, {
      adGroupId: "4",
      keywordText: "a",
      matchType: "negativeExact",
    }],
    ["sp.targets", { adGroupId: "4", expression: [{ type: "A", value: "1" }, { type: "B" }] }, {
      adGroupId: "4",
      expression: [{ type: "B" }, { value: "1", type: "A" }],
    }],
    ["sb.targets", { adGroupId: "4", expressions: [{ type: "A" }] }, {
      adGroupId: "4",
      expressions: [{ type: "a" }],
    }],
  ];
  for (const [kind, a, b] of same) equal(identityOf(kind, a), identityOf(kind, b), kind);
  const other: readonly (readonly [string, EntityFields, EntityFields])[] = [
    ["sp.ad_groups", { campaignId: "1", name: "G" }, { campaignId: "2", name: "G" }],
    ["sp.keywords", { adGroupId: "4", keywordText: "hat", matchType: "EXACT" }, {
      adGroupId: "4",
      keywordText: "hat",
      matchType: "BROAD",
    }],
    ["sp.targets", { adGroupId: "4", expression: [{ type: "A" }] }, { adGroupId: "4", expression: "auto" }],
    ["sb.targets", { adGroupId: "4", expressions: [{ type: "A" }] }, {
      adGroupId: "4",
      expressions: [{ type: "B" }],
    }],
    ["sp.product_ads", { adGroupId: "4", sku: "a" }, { adGroupId: "4", asin: "a" }],
    ["sp.campaign_negative_keywords", { campaignId: "1", keywordText: "a" }, {
      campaignId: "2",
      keywordText: "a",
    }],
  ];
  for (const [kind, a, b] of other) equal(identityOf(kind, a) === identityOf(kind, b), false, kind);
});

Deno.test("a plan's own words are all that is known offline, the first of them for each entity", () => {
  const state = claimedState([
    change("sp.keywords", "9", {}, { before: { bid: 1 }, campaignId: "1" }),
    change("sp.keywords", "9", {}, { before: { bid: 2 } }),
    change("sp.campaigns", "1", {}, { before: { name: "x" } }),
    change("sp.keywords", "5", {}, { op: "create", before: { bid: 3 } }),
  ]);
  deepEqual(state.entity("sp.keywords", "9"), { campaignId: "1", bid: 1 });
  deepEqual(state.entity("sp.campaigns", "1"), { name: "x" });
  for (const unknown of [state.entity("sp.keywords", "5"), state.below("sp.campaigns", "1")]) {
    equal(unknown instanceof Unread && unknown.why, "the account was not read");
  }
  deepEqual([idText("1"), idText(1), idText(""), idText(null), idText({ ref: "a" })], [
    "1",
    "1",
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("a kind that lives in campaigns has a family", () => {
  deepEqual(["sp.keywords", "sb.campaigns", "portfolios", "call"].map(familyOf), [
    "sp",
    "sb",
    undefined,
    undefined,
  ]);
});

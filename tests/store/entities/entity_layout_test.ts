import assert from "node:assert/strict";
import { test } from "node:test";
import { PROFILE_KINDS } from "../../../src/client/entities/kinds/kinds.ts";
import { ENTITY_LAYOUTS } from "../../../src/store/tables/entity_layout.ts";
import { reportLayout } from "../../../src/store/model/report_layout.ts";
import { viewColumn } from "../../../src/store/views/view_columns.ts";
import { storeSchema } from "../../../src/store/warehouse/store_schema.ts";

function columns(kind: string): string[] {
  const layout = ENTITY_LAYOUTS.find((one) => one.kind === kind)!;
  return layout.columns.map(({ name, path, type }) => `${name} ${path} ${type}`);
}

test("each kind has a view of its name, but where a report has that name", () => {
  assert.deepEqual(ENTITY_LAYOUTS.map(({ kind }) => kind), PROFILE_KINDS);
  const views = Object.fromEntries(ENTITY_LAYOUTS.map(({ kind, view }) => [kind, view]));
  assert.deepEqual([views["sp.campaigns"], views["sp.keywords"], views["portfolios"]], [
    "sp_campaigns_entities",
    "sp_keywords",
    "portfolios",
  ]);
  assert.equal(new Set(Object.values(views)).size, ENTITY_LAYOUTS.length);
});

test("a column has the last part of its path for a name, and no two of a kind end alike", () => {
  const campaigns = columns("sp.campaigns");
  assert(campaigns.includes("budget budget.budget number"), campaigns.join());
  assert(campaigns.includes("placementBidding dynamicBidding.placementBidding text"));
  assert(!campaigns.some((column) => column.startsWith("campaignId")), "the id is a column of its own");
  const portfolios = columns("portfolios");
  assert(portfolios.includes("inBudget inBudget boolean"), portfolios.join());
  assert(portfolios.includes("amount budget.amount number"));
  for (const { kind, columns, idField } of ENTITY_LAYOUTS) {
    const names = columns.map(({ name }) => name);
    assert.equal(new Set([...names, idField]).size, names.length + 1, kind);
  }
});

test("keywords alone have a text in lower case", () => {
  const kinds = ENTITY_LAYOUTS.filter(({ hasKeywordText }) => hasKeywordText).map(({ kind }) => kind);
  assert.deepEqual(kinds, PROFILE_KINDS.filter((kind) => kind.endsWith("keywords")));
});

test("the schema explains the views of reports, entities and their history, with queries to begin with", () => {
  const tables = new Map(storeSchema().map((table) => [table.name, table]));
  const keywords = tables.get("sp_keywords")!;
  assert.equal(keywords.about, "Keywords as they were read last (sp.keywords)");
  assert.deepEqual(keywords.columns.slice(0, 3).map(({ name }) => name), [
    "country_code",
    "profile_id",
    "keyword_id",
  ]);
  const column = (table: string, name: string): unknown =>
    tables.get(table)?.columns.find((one) => one.name === name);
  assert.deepEqual(column("sp_keywords", "bid"), {
    name: "bid",
    type: "real",
    meaning: "bid now, in the currency of the profile; empty if the ad group's default applies",
  });
  assert.deepEqual(column("portfolios", "in_budget"), {
    name: "in_budget",
    type: "text",
    meaning: "in budget",
  });
  assert.notEqual(column("sp_keywords", "keyword_text"), undefined);
  assert.equal(column("sp_targets", "keyword_text"), undefined);
  assert.equal(
    tables.get("sp_placement")?.about,
    "SPONSORED_PRODUCTS spCampaigns: a row for each day and " +
      reportLayout("sp_placement").source.key.map(viewColumn).join(", "),
  );
  assert.match(
    tables.get("sp_placement")!.examples[1]!,
    /^SELECT campaign_id, sum\(cost\) AS cost FROM sp_placement/,
  );
  assert.match(tables.get("sp_placement_history")!.examples[0]!, /^SELECT date, count\(\*\) AS versions/);
  assert.match(tables.get("sp_keywords_history")!.examples[0]!, /ORDER BY known_from DESC LIMIT 10$/);
});

test("the example of a report sums up its cost, or the first number that it has", () => {
  const layout = reportLayout("sp_placement");
  const summed = (...names: string[]): string => {
    const columns = layout.columns.filter(({ name }) => ["date", ...names].includes(name));
    return /sum\((\w+)\)/.exec(
      storeSchema([{ ...layout, columns }]).find(({ name }) => name === "sp_placement")!.examples[0]!,
    )![1]!;
  };
  assert.equal(summed("clicks", "impressions", "cost"), "cost");
  assert.equal(summed("campaignName", "clicks", "impressions"), "impressions");
  assert.equal(summed("campaignName", "clicks"), "clicks");
  assert.equal(summed("campaignName"), "1");
});

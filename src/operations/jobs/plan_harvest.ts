import type { HarvestSuggestion } from "../../account/jobs/suggest_harvest_targets.ts";
import { visibleText } from "../../base/text/visible_text.ts";
import { defineJob } from "./job_operation.ts";
import { TERMS_FIELD, termsOf } from "./terms_field.ts";

export const planHarvest = defineJob({
  name: "plan harvest",
  title: "Plan a harvest of search terms",
  summary: "Plan exact keywords for search terms that sell, and negatives in their source ad groups",
  details:
    "The map is CSV or JSON with the columns source and target (ad group ids or names), and optional columns " +
    "bid and market (country code or profile id). Each term becomes an exact keyword in the target ad group. " +
    "The exact negative in the source is added only after its keyword has been created. Existing keywords are " +
    "skipped. For unmapped ad groups, or without --map, it only suggests map lines.",
  brief:
    "Plans exact keywords for search terms that sell, in the ad groups of a map, and negatives in their " +
    "sources. Without a map, suggests one. Sends nothing.",
  examples: [
    { input: {}, about: "suggest a map for terms with at least two orders in 30 days" },
    {
      input: { min_orders: 3, max_acos: 0.3, bid: "cpc" },
      about: "suggest a map for profitable terms, with their CPC as bid",
    },
  ],
  library: 'await planHarvest(profile, { store, map: [{ source: "1", target: "2" }], minOrders: 2 })',
  input: {
    map: {
      type: "table",
      columns: {
        source: { type: "text", required: true },
        target: { type: "text", required: true },
        bid: { type: "amount" },
        market: { type: "text", isInFiles: true },
        comment: { type: "text", isInFiles: true },
      },
      maxRows: 500,
      help: "file that maps source to target ad groups",
      brief: "Ad groups, by id or name",
    },
    min_orders: { type: "whole", min: 1, default: 2, help: "minimum orders" },
    max_acos: { type: "share", help: "maximum ACOS", otherwise: "any", brief: "0.3 or 30%" },
    days: { type: "whole", min: 1, default: 30, help: "days of orders to count" },
    bid: {
      type: "amount",
      or: "cpc",
      help: "bid of new keywords",
      otherwise: "the ad group's default bid",
      isRare: true,
    },
    ...TERMS_FIELD,
  },
  fileReports: ["sp_search_terms"],
  async run({ profile, figures }, input) {
    const { planHarvest } = await import("../../account/jobs/plan_harvest.ts");
    return await planHarvest(profile, {
      ...figures,
      map: input.map ?? [],
      minOrders: input.min_orders,
      maxAcos: input.max_acos,
      days: input.days,
      bid: input.bid,
      terms: termsOf(input.terms),
      note: input.note,
    });
  },
  lines: ({ suggestions }) => suggestionLines(suggestions),
  data: ({ suggestions }) => ({
    suggestions: suggestions.map((one) => ({
      source: one.sourceAdGroupId,
      source_name: one.sourceName,
      terms: one.terms,
      orders: one.orders,
      target: one.targetAdGroupId,
      target_name: one.targetName,
      shared_products: one.sharedProducts,
      shared_words: one.sharedWords,
    })),
  }),
});

export function suggestionText(one: HarvestSuggestion): string {
  const why = one.targetAdGroupId === null
    ? "no ad group with exact keywords shares its products or a similar name"
    : `${one.targetName ?? ""} has ${
      one.sharedProducts > 0
        ? `${one.sharedProducts} of its products`
        : "a similar name, but different products"
    }`;
  return `${one.sourceName} has ${one.terms} terms with ${one.orders} orders; ${why}`;
}

function suggestionLines(suggestions: readonly HarvestSuggestion[]): string[] {
  if (suggestions.length === 0) return [];
  const lines = suggestions.map((one) =>
    `  ${one.sourceAdGroupId},${one.targetAdGroupId ?? ""},"${
      visibleText(suggestionText(one)).replaceAll('"', '""')
    }"`
  );
  return [
    "",
    `The map does not name ${suggestions.length} ad groups. Suggested lines, to check and add; --write-map FILE writes them:`,
    "  source,target,comment",
    ...lines,
  ];
}

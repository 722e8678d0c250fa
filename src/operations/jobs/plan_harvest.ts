import type { HarvestSuggestion } from "../../account/jobs/suggest_harvest_targets.ts";
import { visibleText } from "../../base/text/visible_text.ts";
import { defineJob } from "./job_operation.ts";

/** Plans exact keywords for search terms that sell. */
export const planHarvest = defineJob({
  name: "plan harvest",
  title: "Plan a harvest of search terms",
  summary: "Plan exact keywords for search terms that sell, and negatives where they were found",
  details:
    "The map is CSV or JSON with the columns source and target, ids or names of ad groups, and bid and market (a " +
    "country code or profile id that the line is for) if you like. Each " +
    "term becomes an exact keyword of the target; the exact negative in the source is sent only once its keyword " +
    "stands. What is there already is left out. For ad groups that the map does not name, lines are suggested and " +
    "nothing is planned; without --map there are only suggestions.",
  brief:
    "Plans exact keywords of search terms that sell, in the ad groups of a map, and negatives where found. " +
    "Without a map it suggests one. Sends nothing.",
  examples: [
    { input: {}, about: "suggest a map for terms with two orders or more in 30 days" },
    { input: { min_orders: 3, max_acos: 0.3, bid: "cpc" }, about: "good ones, at their CPC" },
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
      help: "where the search terms of each ad group go",
      brief: "Ad groups, by id or name",
    },
    min_orders: { type: "whole", min: 1, default: 2, help: "fewest orders" },
    max_acos: { type: "share", help: "highest cost by sales", otherwise: "any", brief: "0.3 for 30 %" },
    days: { type: "whole", min: 1, default: 30, help: "days whose orders are counted" },
    bid: {
      type: "amount",
      or: "cpc",
      help: "bid of new keywords",
      otherwise: "that of the ad group",
      isRare: true,
    },
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

function suggestionLines(suggestions: readonly HarvestSuggestion[]): string[] {
  if (suggestions.length === 0) return [];
  const lines = suggestions.map((one) => {
    const why = one.targetAdGroupId === null
      ? "no ad group with exact keywords advertises its products or has a name like it"
      : `${visibleText(one.targetName ?? "")} has ${
        one.sharedProducts > 0
          ? `${one.sharedProducts} of its products`
          : "a name like it, and none of its products"
      }`;
    return `  ${one.sourceAdGroupId},${one.targetAdGroupId ?? ""},"${
      visibleText(one.sourceName).replaceAll('"', '""')
    } has ${one.terms} terms with ${one.orders} orders; ${why.replaceAll('"', '""')}"`;
  });
  return [
    "",
    `The map does not name ${suggestions.length} ad groups. Lines that might fit, to check and to add:`,
    "  source,target,comment",
    ...lines,
  ];
}

import type { BidExpression } from "../../client/insights/bid_expression.ts";
import { defineOperation } from "../model/operation.ts";
import type { ReadContext } from "./read_operation.ts";
import { THEME_FIELD } from "./suggested_bids.ts";

const PLACEMENTS = ["PLACEMENT_TOP", "PLACEMENT_PRODUCT_PAGE", "PLACEMENT_REST_OF_SEARCH"];

/** Keywords, and products to target, of one call: the platform throttles these requests heavily. */
const MAX_EXPRESSIONS = 100;

export const NEW_BIDS_COLUMNS = ["type", "value", "low", "suggested", "high"];

export const newBids = defineOperation<ReadContext, readonly Readonly<Record<string, unknown>>[]>()({
  effect: "read",
  name: "account bids new",
  tool: "get_suggested_bids_for_new",
  title: "Get suggested bids for a new ad group",
  summary: "Get suggested bids for a planned ad group",
  details: "Prints the range and the suggestion for each keyword and product target, in the order given.",
  brief: "Suggested bids for a planned ad group: its products, and keywords or target products.",
  examples: [
    {
      input: { asins: ["B0EXAMPLE1"], keywords: ["trail shoes:EXACT", "shoes:BROAD"] },
      about: "two keywords",
    },
    {
      input: {
        asins: ["B0EXAMPLE1"],
        target_asins: ["B0EXAMPLE2"],
        placement_adjustments: { PLACEMENT_TOP: 50 },
      },
      about: "a product target, with a higher bid at the top of search",
    },
  ],
  library: "await profile.bids.forNewAdGroup({ asins, expressions })",
  input: {
    asins: {
      type: "words",
      required: "option",
      value: "asins",
      help: "products to advertise, at most 50",
      brief: "Advertised products",
    },
    keywords: {
      type: "names",
      value: "text:match",
      help: "keyword with EXACT, PHRASE or BROAD",
      brief: "E.g. trail shoes:EXACT",
    },
    target_asins: { type: "words", value: "asins", help: "products to target" },
    strategy: {
      type: "text",
      value: "strategy",
      help: "bidding strategy of the campaign",
      otherwise: "MANUAL",
      brief: "MANUAL, AUTO_FOR_SALES or LEGACY_FOR_SALES",
    },
    placement_adjustments: {
      type: "pairs",
      values: "word",
      option: "placement",
      value: "name=percent",
      help: `bid adjustment for ${PLACEMENTS.join(", ")}`,
      brief: 'Percent, e.g. {"PLACEMENT_TOP":50}',
    },
    theme: THEME_FIELD,
  },
  check(
    { asins = [], keywords = [], target_asins: targets = [], placement_adjustments: placements },
    { field },
  ) {
    if (asins.length === 0) {
      throw new RangeError(`Cannot suggest bids without ${field("asins")}: add the advertised products`);
    }
    for (const [name, list] of [["keywords", keywords], ["target_asins", targets]] as const) {
      if (list.length <= MAX_EXPRESSIONS) continue;
      throw new RangeError(
        `Cannot suggest bids: ${
          field(name)
        } has ${list.length} values, more than ${MAX_EXPRESSIONS}. Ask in parts`,
      );
    }
    for (const keyword of keywords) keywordExpression(keyword, field("keywords"));
    if (keywords.length + targets.length === 0) {
      throw new RangeError(`Cannot suggest bids: add ${field("keywords")} or ${field("target_asins")}`);
    }
    adjustmentsOf(placements, field("placement_adjustments"));
  },
  async run(
    { profile, signal },
    { asins, keywords = [], target_asins: targets = [], ...input },
  ) {
    const bids = await profile.bids.forNewAdGroup({
      asins,
      expressions: [
        ...keywords.map((keyword) => keywordExpression(keyword, "keywords")),
        ...targets.map((value): BidExpression => ({ type: "PAT_ASIN", value })),
      ],
      strategy: input.strategy,
      placementAdjustments: adjustmentsOf(input.placement_adjustments, "placement_adjustments"),
      theme: input.theme,
      signal,
    });
    return bids.map(({ expression, ...bid }) => ({ ...expression, ...bid }));
  },
});

function keywordExpression(text: string, name: string): BidExpression {
  const [, value, match] = /^(.+):(EXACT|PHRASE|BROAD)$/i.exec(text) ?? [];
  if (value === undefined || match === undefined) {
    throw new RangeError(
      `Cannot use ${name} "${text}": write the text, a colon, and EXACT, PHRASE or BROAD`,
    );
  }
  return { type: match.toUpperCase(), value: value.trim() };
}

function adjustmentsOf(
  placements: Readonly<Record<string, string | number>> = {},
  name: string,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(placements).map(([given, percent]) => {
      const placement = given.toUpperCase();
      if (PLACEMENTS.includes(placement) && /^\d{1,3}$/.test(String(percent))) {
        return [placement, Number(percent)];
      }
      throw new RangeError(
        `Cannot use ${name} "${given}=${percent}": write one of ${
          PLACEMENTS.join(", ")
        }, =, and a percentage`,
      );
    }),
  );
}

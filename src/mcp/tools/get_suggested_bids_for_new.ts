import * as z from "zod";
import { MAX_ROWS, ROWS, rowsAnswer } from "../results/rows.ts";
import { type Tool, tool } from "../tool.ts";
import { MARKET } from "./market.ts";

/** Of each kind; together they are as many rows as an answer has. */
const MAX_EXPRESSIONS = MAX_ROWS / 2;

/** Suggested bids for what does not exist yet. */
export const getSuggestedBidsForNew: Tool = tool({
  name: "get_suggested_bids_for_new",
  title: "Get suggested bids for a new ad group",
  description:
    "Suggested bids for an ad group that does not exist yet: its products, and keywords or target products.",
  input: z.strictObject({
    market: MARKET,
    asins: z.array(z.string()).min(1).max(50).describe("Advertised products"),
    keywords: z.array(z.strictObject({ text: z.string(), match_type: z.string().default("EXACT") }))
      .max(MAX_EXPRESSIONS).optional(),
    target_asins: z.array(z.string()).max(MAX_EXPRESSIONS).optional(),
    strategy: z.string().optional().describe("MANUAL, AUTO_FOR_SALES or LEGACY_FOR_SALES"),
    placement_adjustments: z.record(z.string(), z.number()).optional().describe(
      'Percent, e.g. {"PLACEMENT_TOP":50}',
    ),
    theme: z.string().optional(),
  }),
  output: ROWS,
  hints: { readOnlyHint: true, openWorldHint: true },
  async run(args, call) {
    const { keywords = [], target_asins: targets = [] } = args;
    const expressions = [
      ...keywords.map(({ text, match_type: type }) => ({ type: type.toUpperCase(), value: text })),
      ...targets.map((value) => ({ type: "PAT_ASIN", value })),
    ];
    if (expressions.length === 0) {
      throw new TypeError("Cannot suggest bids for nothing: give keywords or target_asins");
    }
    const profile = await call.context.profile(args.market, call.signal);
    const bids = await profile.bids.forNewAdGroup({
      asins: args.asins,
      expressions,
      strategy: args.strategy,
      placementAdjustments: args.placement_adjustments,
      theme: args.theme,
      signal: call.signal,
    });
    const rows = bids.map(({ expression, low = null, suggested = null, high = null }) => ({
      type: expression.type,
      value: expression.value ?? null,
      low,
      suggested,
      high,
    }));
    return rowsAnswer(rows, { noun: "suggestions", offset: 0, total: rows.length });
  },
});

import { spellKind } from "../../../platform/catalog/kind_names.ts";
import * as z from "zod";
import type { SuggestedBid } from "../../../client/insights/ask_bids.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import { ConfigurationError } from "../../../errors.ts";
import type { Keyword } from "../../../client/entities/sponsored_products/entities/keywords.ts";
import type { Target } from "../../../client/entities/sponsored_products/entities/targets.ts";
import { targetLabel } from "../../../client/entities/model/identity.ts";
import { MAX_ROWS, ROW_ARGS, ROWS, rowsAnswer } from "../tooling/rows.ts";
import type { Row } from "../results/text_table.ts";
import { MARKET, type Tool, tool } from "../tooling/tool.ts";
import { findKind, KINDS } from "../../../client/entities/kinds.ts";

const IDS = z.array(z.string()).optional();

export const getSuggestedBids: Tool = tool({
  name: "get_suggested_bids",
  title: "Get suggested bids",
  description:
    "The platform's suggested bids (low, suggested, high) next to current bids, for enabled and paused " +
    "keywords or targets. Give ids, campaigns or ad groups; keep requests small, because the platform " +
    "throttles them.",
  input: z.strictObject({
    market: MARKET,
    entity: z.string().default("keywords"),
    ids: IDS,
    campaign_ids: IDS,
    ad_group_ids: IDS,
    theme: z.string().optional().describe("Occasion, e.g. BFCM_HOLIDAY"),
    ...ROW_ARGS,
  }),
  output: ROWS,
  effect: "read",
  sets: ["read"],
  async run(args, call) {
    const { ids, campaign_ids: campaignIds, ad_group_ids: adGroupIds, limit, offset, theme } = args;
    const { kind } = findKind(args.entity, KINDS, "people");
    if (ids === undefined && campaignIds === undefined && adGroupIds === undefined) {
      throw new ConfigurationError(
        "Cannot suggest bids for a whole account: name ids, campaign_ids or ad_group_ids",
      );
    }
    const profile = await call.context.profile(args.market, call.signal);
    const filter = { ids, campaignIds, adGroupIds, signal: call.signal };
    const options = { theme, signal: call.signal };
    if (kind === "sp.keywords") {
      const all = await profile.sp.keywords.list(filter);
      const rows = await keywordRows(profile, all.slice(offset, offset + limit), options);
      return rowsAnswer(rows, { noun: "keywords", offset, total: all.length });
    }
    if (kind === "sp.targets") {
      const all = await profile.sp.targets.list(filter);
      const rows = await targetRows(profile, all.slice(offset, offset + limit), options);
      return rowsAnswer(rows, { noun: "targets", offset, total: all.length });
    }
    throw new ConfigurationError(
      `Cannot suggest bids for ${spellKind(kind)}: only keywords and targets have them`,
    );
  },
});

interface Options {
  readonly theme: string | undefined;
  readonly signal: AbortSignal;
}

async function keywordRows(
  profile: ProfileClient,
  keywords: readonly Keyword[],
  options: Options,
): Promise<Row[]> {
  const bids = await profile.bids.forKeywords(keywords, options);
  return keywords.map(({ keywordId, keywordText, matchType, bid }) => ({
    keywordId,
    keywordText,
    matchType,
    bid: bid ?? null,
    ...prices(bids.get(keywordId)),
  }));
}

async function targetRows(
  profile: ProfileClient,
  targets: readonly Target[],
  options: Options,
): Promise<Row[]> {
  const { suggestions } = await profile.bids.forTargets(targets, options);
  const bids = new Map(suggestions.map((suggestion) => [suggestion.targetId, suggestion]));
  return targets.map((target) => ({
    targetId: target.targetId,
    target: targetLabel(target),
    bid: target.bid ?? null,
    ...prices(bids.get(target.targetId)),
  }));
}

function prices(bid: SuggestedBid | undefined): Row {
  const { low = null, suggested = null, high = null } = bid ?? {};
  return { low, suggested, high };
}

const MAX_EXPRESSIONS = MAX_ROWS / 2;

export const getSuggestedBidsForNew: Tool = tool({
  name: "get_suggested_bids_for_new",
  title: "Get suggested bids for a new ad group",
  description: "Suggested bids for a planned ad group: its products, and keywords or target products.",
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
  effect: "read",
  sets: ["read"],
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

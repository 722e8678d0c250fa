import type { OpenEnum } from "../entities/model/entity_fields.ts";
import type { Keyword, Target } from "../entities/model/sp_entities.ts";
import type { ProfileScope } from "../../platform/transport/profile_scope.ts";
import type { BidsByTheme, SuggestedBid, TargetSuggestion } from "./ask_bids.ts";
import { type BidExpression, bidExpression } from "./bid_expression.ts";

/** Occasion of a suggestion. */
export type BidTheme = OpenEnum<
  "CONVERSION_OPPORTUNITIES" | "BFCM_HOLIDAY" | "PRIME_DAY" | "FALL_PRIME_DEAL_EVENT"
>;

/**
 * Default theme of suggestions.
 *
 * @example
 * ```ts
 * import { DEFAULT_THEME, type ProfileClient } from "@platform/ads";
 *
 * async function themes(us: ProfileClient, campaignId: string, adGroupId: string): Promise<void> {
 *   const expressions = [{ type: "KEYWORD_EXACT_MATCH", value: "iron pan" }];
 *   const byTheme = await us.bids.forAdGroupAllThemes({ campaignId, adGroupId, expressions });
 *   console.log(byTheme.get(DEFAULT_THEME));
 * }
 * ```
 */
export const DEFAULT_THEME = "CONVERSION_OPPORTUNITIES";

const MAX_ASINS = 50;

/** Options of all bid suggestions. */
export interface BidOptions {
  /** Occasion of the suggestions. @default CONVERSION_OPPORTUNITIES */
  readonly theme?: BidTheme | undefined;
  /** Aborts the requests. */
  readonly signal?: AbortSignal | undefined;
}

/** Request for an existing ad group. */
export interface AdGroupBids extends BidOptions {
  /** Campaign of the ad group. */
  readonly campaignId: string;
  /** Id of an existing ad group. */
  readonly adGroupId: string;
  /** Targets to suggest bids for; match types and predicates in the spelling of campaigns are also accepted. */
  readonly expressions: readonly BidExpression[];
}

/** Request for a planned ad group. */
export interface NewAdGroupBids extends BidOptions {
  /** Products that the ad group will advertise, at most 50. */
  readonly asins: readonly string[];
  /** Targets to suggest bids for; match types and predicates in the spelling of campaigns are also accepted. */
  readonly expressions: readonly BidExpression[];
  /** How the campaign will adjust bids. @default "MANUAL" */
  readonly strategy?: OpenEnum<"MANUAL" | "AUTO_FOR_SALES" | "LEGACY_FOR_SALES" | "RULE_BASED"> | undefined;
  /** Bid premiums by placement, in percent from 0 to 900, for example `{ PLACEMENT_TOP: 50 }`. */
  readonly placementAdjustments?: Readonly<Record<string, number>> | undefined;
}

/** Suggestions for targeting clauses. */
export interface TargetBids {
  /** A suggestion for each clause that can have one, in input order. */
  readonly suggestions: readonly TargetSuggestion[];
  /** Clauses for which no bids are suggested, such as those with several predicates or expanded products. */
  readonly unsupported: readonly Target[];
}

/**
 * Bid suggestions of the platform.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 *
 * async function below(us: ProfileClient): Promise<void> {
 *   const keywords = await us.sp.keywords.list({ states: ["ENABLED"] });
 *   const suggestions = await us.bids.forKeywords(keywords);
 *   for (const { keywordId, keywordText, bid = 0 } of keywords) {
 *     const low = suggestions.get(keywordId)?.low; // in the marketplace's currency; undefined without a price
 *     if (low !== undefined && bid < low) console.log(keywordText, bid, low);
 *   }
 * }
 * ```
 */
export class SuggestedBids {
  readonly #scope: ProfileScope;

  /**
   * Creates the bid suggestions of a profile.
   *
   * @param scope The profile and the way to it.
   */
  constructor(scope: ProfileScope) {
    this.#scope = scope;
  }

  /**
   * Returns suggestions for an ad group, one for each expression, in the same order.
   *
   * @throws {TypeError} for an expression that no bid is suggested for. Nothing was sent.
   */
  async forAdGroup(question: AdGroupBids): Promise<SuggestedBid[]> {
    const { theme = DEFAULT_THEME } = question;
    const expressions = known(question.expressions);
    const byTheme = await this.#forAdGroup({ ...question, expressions });
    const { withoutPrices } = await asking();
    return byTheme.get(theme) ?? withoutPrices(expressions, theme);
  }

  /** Returns suggestions for an ad group under every current theme of the platform, by theme. */
  async forAdGroupAllThemes(question: Omit<AdGroupBids, "theme">): Promise<Map<string, SuggestedBid[]>> {
    const expressions = known(question.expressions);
    const byTheme = await this.#forAdGroup({ ...question, expressions });
    const { withoutPrices } = await asking();
    if (byTheme.size === 0) byTheme.set(DEFAULT_THEME, withoutPrices(expressions, DEFAULT_THEME));
    return byTheme;
  }

  /**
   * Returns suggestions for an ad group that does not exist yet, in the order of the expressions.
   *
   * @throws {TypeError} for an expression that no bid is suggested for. Nothing was sent.
   * @throws {RangeError} for no product, or more than 50. Nothing was sent.
   */
  async forNewAdGroup(question: NewAdGroupBids): Promise<SuggestedBid[]> {
    const { asins, strategy = "MANUAL", placementAdjustments, theme = DEFAULT_THEME, signal } = question;
    if (asins.length === 0 || asins.length > MAX_ASINS) {
      throw new RangeError(
        `Cannot suggest bids for an ad group of ${asins.length} products: give 1 to ${MAX_ASINS}`,
      );
    }
    const adjustments = Object.entries(placementAdjustments ?? {}).map(([predicate, percentage]) => ({
      predicate,
      percentage,
    }));
    const body = {
      recommendationType: "BIDS_FOR_NEW_AD_GROUP",
      asins,
      bidding: { strategy, ...(adjustments.length === 0 ? {} : { adjustments }) },
    };
    const expressions = known(question.expressions);
    const { askBids, withoutPrices } = await asking();
    const byTheme = await askBids(this.#scope, body, { expressions, signal });
    return byTheme.get(theme) ?? withoutPrices(expressions, theme);
  }

  /**
   * Returns suggestions for keywords, by keyword id in input order. The keywords may come from any ad groups; each
   * request covers up to 100 keywords of one ad group.
   */
  async forKeywords(
    keywords: readonly Keyword[],
    options: BidOptions = {},
  ): Promise<Map<string, SuggestedBid>> {
    const { theme = DEFAULT_THEME } = options;
    const asked = keywords.map((keyword) => ({
      ...place(keyword, keyword.keywordId, "keyword"),
      expression: bidExpression(keyword.matchType, keyword.keywordText),
    }));
    const found = await this.#forMany(asked, options);
    const { withoutPrices } = await asking();
    return new Map(keywords.map((keyword, index) => {
      const expression = { type: keyword.matchType, value: keyword.keywordText };
      return [keyword.keywordId, found[index] ?? withoutPrices([expression], theme)[0]!];
    }));
  }

  /** Returns suggestions for targeting clauses in input order, and the clauses that can have none. */
  async forTargets(targets: readonly Target[], options: BidOptions = {}): Promise<TargetBids> {
    const asked = targets.map((target) => {
      const [only, ...more] = target.expression;
      const expression = more.length > 0 || only === undefined
        ? undefined
        : bidExpression(only.type, only.value);
      return { ...place(target, target.targetId, "targeting clause"), expression };
    });
    const found = await this.#forMany(asked, options);
    return {
      suggestions: targets.flatMap(({ targetId }, index) =>
        found[index] === undefined ? [] : [{ targetId, ...found[index] }]
      ),
      unsupported: targets.filter((_, index) => found[index] === undefined),
    };
  }

  async #forAdGroup({ campaignId, adGroupId, expressions, signal }: AdGroupBids): Promise<BidsByTheme> {
    const body = { recommendationType: "BIDS_FOR_EXISTING_AD_GROUP", campaignId, adGroupId };
    const { askBids } = await asking();
    return await askBids(this.#scope, body, { expressions, signal });
  }

  async #forMany(
    asked: readonly { campaignId: string; adGroupId: string; expression: BidExpression | undefined }[],
    { theme = DEFAULT_THEME, signal }: BidOptions,
  ): Promise<(SuggestedBid | undefined)[]> {
    const found = new Array<SuggestedBid | undefined>(asked.length).fill(undefined);
    const priceable = [...asked.keys()].filter((index) => asked[index]!.expression !== undefined);
    const groups = Map.groupBy(
      priceable,
      (index) => `${asked[index]!.campaignId} ${asked[index]!.adGroupId}`,
    );
    for (const indexes of groups.values()) {
      const { campaignId, adGroupId } = asked[indexes[0]!]!;
      const expressions = indexes.map((index) => asked[index]!.expression!);
      const bids = await this.forAdGroup({ campaignId, adGroupId, expressions, theme, signal });
      indexes.forEach((index, at) => found[index] = bids[at]);
    }
    return found;
  }
}

/** Asking is loaded with the first question. */
const asking = (): Promise<typeof import("./ask_bids.ts")> => import("./ask_bids.ts");

function known(expressions: readonly BidExpression[]): BidExpression[] {
  return expressions.map(({ type, value }) => {
    const expression = bidExpression(type, value);
    if (expression === undefined) {
      throw new TypeError(`Cannot suggest a bid for an expression of type "${type}": the platform has none`);
    }
    return expression;
  });
}

function place(
  entity: { readonly campaignId: string; readonly adGroupId: string },
  id: string,
  noun: string,
): { campaignId: string; adGroupId: string } {
  const { campaignId, adGroupId } = entity;
  if (!campaignId || !adGroupId) {
    throw new TypeError(`Cannot suggest a bid for ${noun} ${id}: it lacks its campaignId or adGroupId`);
  }
  return { campaignId, adGroupId };
}

import type { ProfileClient } from "../../client/profile_client.ts";
import { addDays, type DayRange } from "../../base/time/calendar.ts";
import { counted, roundMoney } from "../../base/text/money_text.ts";
import { bidLimits } from "../../base/markets/market_limits.ts";
import { decimalsOf } from "../../base/markets/markets.ts";
import type { PlanDraft } from "../../client/entities/plan_draft.ts";
import type { Evidence } from "../../plans/model/change.ts";
import { evidence } from "../../plans/review/evidence_of.ts";
import {
  checkKeywordText,
  comparedText,
  isProductTerm,
} from "../../client/entities/model/check_keyword_text.ts";
import { Cooling, termEntities } from "./cooling.ts";
import { ensureStored } from "./ensure_stored.ts";
import { checkCount } from "./find_waste.ts";
import { type HarvestLine, type HarvestTarget, linesFor, resolveHarvestMap } from "./harvest_map.ts";
import { type JobPlanOptions, type JobResult, judgedBy, type LeftOut } from "./job_result.ts";
import { chosenTerms, type NamedTerm, readSearchTerms, type SearchTermFigures } from "./search_terms.ts";
import { type NegativePlaces, readNegativePlaces } from "./negative_places.ts";
import { type Places, readPlaces, readSomePlaces, stoppedPlace } from "./places.ts";
import { type HarvestSuggestion, suggestHarvestTargets } from "./suggest_harvest_targets.ts";
import { withoutDenied } from "./without_denied.ts";

/** Options of {@linkcode planHarvest}. */
export interface HarvestOptions extends JobPlanOptions {
  /** Target ad groups for the search terms of each source ad group. */
  readonly map: readonly HarvestLine[];
  /** Minimum number of orders. @default 2 */
  readonly minOrders?: number | undefined;
  /** Maximum ACOS: 0.3 for 30 %. @default any */
  readonly maxAcos?: number | undefined;
  /**
   * Only these terms, whatever their orders. ASINs among them become product targets.
   *
   * @default all with enough orders; products are left out
   */
  readonly terms?: readonly NamedTerm[] | undefined;
  /** Number of days whose orders are counted. @default 30 */
  readonly days?: number | undefined;
  /**
   * Bid of new keywords that have no bid in the map: an amount in the account's currency, or `cpc` for the term's cost
   * per click.
   *
   * @default the default bid of the ad group
   */
  readonly bid?: number | "cpc" | undefined;
  /** Reason for the plan. @default the limits and the days */
  readonly note?: string | undefined;
}

/** A plan of harvested search terms, and suggestions for ad groups missing from the map. */
export interface HarvestResult extends JobResult {
  /** Ad groups missing from the map, with a possible target for each. They are not part of the plan. */
  readonly suggestions: readonly HarvestSuggestion[];
}

const DAYS = 30;
const MAX_DAYS = 64;

/**
 * Plans exact keywords for search terms that sell, in the target ad groups of a map. Each keyword is followed by an
 * exact negative keyword in the source ad group, which is sent only if the keyword exists. Existing keywords are left
 * out. For ad groups missing from the map, only a target is suggested. Sends nothing.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { planHarvest } from "@platform/ads/account";
 * import { Warehouse } from "@platform/ads/store";
 *
 * async function harvest(ca: ProfileClient): Promise<void> {
 *   await using store = await Warehouse.open("ads.sqlite");
 *   const map = [{ source: "Knife Set auto", target: "Knife Set exact" }];
 *   const { plan, suggestions } = await planHarvest(ca, { store, map, minOrders: 2, maxAcos: 0.3 });
 *   console.log(plan.toMarkdown(), suggestions);
 * }
 * ```
 * @throws {RangeError} with every line of the map that cannot be used, or for limits that make no sense.
 */
export async function planHarvest(profile: ProfileClient, options: HarvestOptions): Promise<HarvestResult> {
  const { store, maxAcos, days = DAYS, signal } = options;
  checkLimits(options);
  const minOrders = options.terms === undefined ? options.minOrders ?? 2 : 0;
  const lines = linesFor(options.map, profile);
  const whole = () => readPlaces(profile, ["sp"], { signal });
  const some = await chosenPlaces(profile, lines, options);
  const places = some ?? await whole();
  const targets = resolveHarvestMap(lines, places);
  const end = addDays(options.today ?? profile.reports.today, -1);
  const range = { start: addDays(end, 1 - days), end };
  const figures = await ensureStored(profile, ["sp_search_terms"], { ...options, days: range });
  const adGroupIds = options.terms?.map(({ adGroupId }) => adGroupId);
  const found = await readSearchTerms(store, {
    ...{ profileId: profile.profileId, days: range, minOrders, adGroupIds },
  });
  const terms = chosenTerms(found, options.terms);
  const takesProducts = options.terms !== undefined;
  const present = await readPresent(profile, { terms, targets, signal, takesProducts });

  const cooling = await Cooling.read(profile, { ...options, judged: range, today: addDays(end, 1) });
  const draft = profile.plan();
  const leftOut: LeftOut[] = [];
  const waiting = new Map<string, { terms: number; orders: number }>();
  const harvested = new Map<string, string | undefined>();
  const withDefaultBids = new Set<string>();
  for (const term of terms) {
    const { searchTerm, campaignId, adGroupId, orders } = term;
    const target = targets.get(adGroupId);
    const refusal = refusalOf(term, {
      ...{ target, maxAcos, places, present, takesProducts },
      marketplace: profile.countryCode,
    }) ??
      cooling.refusal(termEntities(term, present, target));
    if (target === undefined || refusal !== undefined) {
      const why = refusal ?? NO_TARGET;
      const label = `"${searchTerm}"`;
      const kind = takesProducts && isProductTerm(searchTerm) ? "sp.targets" : "sp.keywords";
      leftOut.push({ ...why, kind, id: null, label, campaignId, adGroupId });
      if (why.reason !== NO_TARGET.reason) continue;
      const { terms = 0, orders: before = 0 } = waiting.get(adGroupId) ?? {};
      waiting.set(adGroupId, { terms: terms + 1, orders: before + orders });
      continue;
    }
    const key = `${target.adGroupId} ${comparedText(searchTerm)}`;
    if (!harvested.has(key)) {
      const isThere = isProductTerm(searchTerm)
        ? present.isTargeted(target.adGroupId, searchTerm)
        : exactKeyword(present, target, searchTerm) !== undefined;
      const name = isThere ? undefined : `keyword-${harvested.size + 1}`;
      const bid = name === undefined
        ? 0
        : draftTargeting(draft, { name, term, target, profile, range, bid: options.bid });
      if (bid === undefined) withDefaultBids.add(target.adGroupId);
      harvested.set(key, name);
    }
    const name = harvested.get(key);
    const waits = name === undefined ? { evidence: evidenceOfTerm(term, range) } : { after: [name] };
    const place = { campaignId, adGroupId, state: "ENABLED" };
    if (isProductTerm(searchTerm)) {
      if (present.isProductNegated(term, searchTerm)) continue;
      draft.create("sp.negative_targets", { ...place, expression: productExpression(searchTerm) }, waits);
    } else if (!present.isNegated(term, searchTerm)) {
      const negative = { ...place, keywordText: searchTerm, matchType: "NEGATIVE_EXACT" };
      draft.create("sp.negative_keywords", negative, waits);
    }
  }
  const acos = maxAcos === undefined ? "" : `, ACOS of ${Math.round(maxAcos * 1000) / 10} % or less`;
  const note = options.note ??
    (takesProducts
        ? `${counted(terms.length, "chosen search term")}, figures from ${range.start} to ${range.end}`
        : `${minOrders} orders or more from ${range.start} to ${range.end}${acos}`) +
      defaultBidsText(withDefaultBids, places);
  const judged = { signal, ...judgedBy(options), changes: cooling.changes };
  const built = await draft.build({ note, ...judged, more: { warnings: cooling.warnings } });
  const { plan, denied } = await withoutDenied(built, profile, judged);
  leftOut.push(...denied);
  const suggestions = waiting.size === 0 ? [] : await suggestHarvestTargets(profile, waiting, {
    places: some === undefined ? places : await whole(),
    signal,
  });
  return { plan, considered: terms.length, leftOut, figures, suggestions };
}

/** Returns the ad groups that the chosen terms need; `undefined` if all are needed. */
async function chosenPlaces(
  profile: ProfileClient,
  lines: readonly HarvestLine[],
  { terms, signal }: Pick<HarvestOptions, "terms" | "signal">,
): Promise<Places | undefined> {
  if (terms === undefined) return undefined;
  const named = lines.flatMap(({ source, target }) => [source, target]);
  return await readSomePlaces(profile, [...terms.map(({ adGroupId }) => adGroupId), ...named], { signal });
}

function checkLimits({ minOrders = 2, maxAcos, days = DAYS, bid }: HarvestOptions): void {
  checkCount("minOrders", minOrders, 1);
  checkCount("days", days, 1);
  if (days > MAX_DAYS) {
    throw new RangeError(
      `Cannot look back ${days} days: the platform keeps search terms for ${MAX_DAYS} days`,
    );
  }
  if (maxAcos !== undefined && !(maxAcos > 0)) {
    throw new RangeError(`Cannot use ${maxAcos} as the highest ACOS: expected a share such as 0.3`);
  }
  if (typeof bid === "number" && !(bid > 0)) {
    throw new RangeError(`Cannot use ${bid} as a bid: expected an amount above 0`);
  }
}

async function readPresent(
  profile: ProfileClient,
  { terms, targets, signal, takesProducts }: {
    terms: readonly SearchTermFigures[];
    targets: ReadonlyMap<string, HarvestTarget>;
    signal: AbortSignal | undefined;
    takesProducts: boolean;
  },
): Promise<Present> {
  const mapped = terms.filter(({ adGroupId }) => targets.has(adGroupId));
  const ends = mapped.flatMap(({ adGroupId }) => targets.get(adGroupId) ?? []);
  const adGroupIds = [...new Set([...mapped, ...ends].map(({ adGroupId }) => adGroupId))];
  const campaignIds = [...new Set(mapped.map(({ campaignId }) => campaignId))];
  const negatives = await readNegativePlaces(profile, { adGroupIds, campaignIds, signal });
  const targeted = new Map<string, boolean>();
  if (takesProducts && mapped.some(({ searchTerm }) => isProductTerm(searchTerm))) {
    for await (const { adGroupId, expression, state } of profile.sp.targets.iter({ adGroupIds, signal })) {
      for (const { type, value } of expression) {
        if (type !== "ASIN_SAME_AS") continue;
        const key = `${adGroupId} ${value?.toUpperCase()}`;
        targeted.set(key, targeted.get(key) === true || state === "ENABLED");
      }
    }
  }
  return {
    ...negatives,
    isTargeted: (adGroupId, asin) => targeted.has(`${adGroupId} ${asin.trim().toUpperCase()}`),
    isTargetPaused: (adGroupId, asin) => targeted.get(`${adGroupId} ${asin.trim().toUpperCase()}`) === false,
  };
}

interface Present extends NegativePlaces {
  isTargeted(adGroupId: string, asin: string): boolean;
  isTargetPaused(adGroupId: string, asin: string): boolean;
}

type Refusal = Pick<LeftOut, "reason" | "message">;

const NO_TARGET: Refusal = {
  reason: "no_target",
  message: "Its ad group is not in the map",
};

function refusalOf(
  term: SearchTermFigures,
  { target, maxAcos, places, present, marketplace, takesProducts }: {
    target: HarvestTarget | undefined;
    maxAcos: number | undefined;
    places: Places;
    present: Present;
    marketplace: string;
    takesProducts: boolean;
  },
): Refusal | undefined {
  const { searchTerm, adGroupId, cost, sales } = term;
  const isProduct = isProductTerm(searchTerm);
  if (isProduct && !takesProducts) {
    return { reason: "product", message: "It is a product (ASIN), not a search text" };
  }
  if (maxAcos !== undefined && cost > maxAcos * sales) {
    return { reason: "acos_too_high", message: `Its ACOS is above ${Math.round(maxAcos * 1000) / 10} %` };
  }
  if (isProduct && present.isTargeted(adGroupId, searchTerm)) {
    return { reason: "own_target", message: "It is a product target of its own ad group" };
  }
  if (present.keywords(adGroupId, searchTerm).some(({ matchType }) => matchType === "EXACT")) {
    return { reason: "own_keyword", message: "It is an exact keyword of its own ad group" };
  }
  if (target === undefined) return NO_TARGET;
  const stopped = stoppedPlace(places, target);
  if (stopped !== undefined) {
    return { reason: "target_not_running", message: `${stopped.replace("Its", "The target's")}` };
  }
  const isNegated = isProduct
    ? present.isProductNegated(target, searchTerm)
    : present.isNegated(target, searchTerm);
  if (isNegated) {
    return { reason: "negated_in_target", message: "A negative in the target blocks it" };
  }
  if (isProduct && present.isTargetPaused(target.adGroupId, searchTerm)) {
    return { reason: "target_paused", message: "The target has this product, and it is paused" };
  }
  if (isProduct) {
    return present.isTargeted(target.adGroupId, searchTerm) && present.isProductNegated(term, searchTerm)
      ? { reason: "harvested", message: "The product target and the negative already exist" }
      : undefined;
  }
  const keyword = exactKeyword(present, target, searchTerm);
  if (keyword !== undefined && keyword["state"] !== "ENABLED") {
    return { reason: "keyword_paused", message: "The target has this keyword, and it is paused" };
  }
  if (keyword !== undefined && present.isNegated(term, searchTerm)) {
    return { reason: "harvested", message: "The keyword and the negative already exist" };
  }
  const [finding] = ["EXACT", "NEGATIVE_EXACT"].flatMap((matchType) =>
    checkKeywordText(searchTerm, { matchType, marketplace })
  );
  return finding && { reason: "invalid_text", message: finding.message };
}

function exactKeyword(
  present: NegativePlaces,
  { adGroupId }: HarvestTarget,
  searchTerm: string,
): Readonly<Record<string, unknown>> | undefined {
  return present.keywords(adGroupId, searchTerm).find(({ matchType }) => matchType === "EXACT");
}

const MAX_NAMED = 5;

function defaultBidsText(ids: ReadonlySet<string>, { adGroups }: Places): string {
  const named = [...ids].flatMap((id) => {
    const { name, defaultBid } = adGroups.get(id) ?? {};
    return defaultBid === undefined ? [] : [`${defaultBid} in ${name}`];
  });
  if (named.length === 0) return "";
  const more = named.length > MAX_NAMED ? ` and ${named.length - MAX_NAMED} more ad groups` : "";
  return `; new keywords bid their ad group's default: ${named.slice(0, MAX_NAMED).join(", ")}${more}`;
}

function productExpression(asin: string): readonly { readonly type: string; readonly value: string }[] {
  return [{ type: "ASIN_SAME_AS", value: asin.trim().toUpperCase() }];
}

function draftTargeting(
  draft: PlanDraft,
  { name, term, target, profile, range, bid: usual }: {
    name: string;
    term: SearchTermFigures;
    target: HarvestTarget;
    profile: ProfileClient;
    range: DayRange;
    bid: HarvestOptions["bid"];
  },
): number | undefined {
  const { countryCode } = profile;
  const limits = bidLimits(countryCode, "sp");
  const wanted = target.bid ?? (usual === "cpc" ? term.cost / Math.max(1, term.clicks) : usual);
  const isBounded = usual === "cpc" && target.bid === undefined && limits !== undefined && !limits.doubtful;
  const bounded = wanted === undefined || !isBounded
    ? wanted
    : Math.min(limits.max, Math.max(limits.min, wanted));
  const bid = bounded === undefined ? undefined : roundMoney(bounded, decimalsOf(countryCode));
  const common = {
    campaignId: target.campaignId,
    adGroupId: target.adGroupId,
    state: "ENABLED",
    ...(bid === undefined ? {} : { bid }),
  };
  const options = { as: name, evidence: evidenceOfTerm(term, range) };
  if (isProductTerm(term.searchTerm)) {
    const expression = productExpression(term.searchTerm);
    draft.create("sp.targets", { ...common, expression, expressionType: "MANUAL" }, options);
  } else {
    const keyword = { ...common, keywordText: term.searchTerm, matchType: "EXACT" };
    draft.create("sp.keywords", keyword, options);
  }
  return bid;
}

function evidenceOfTerm({ cost, orders, sales }: SearchTermFigures, { start, end }: DayRange): Evidence {
  return evidence({ from: start, to: end }, { cost, orders, sales });
}

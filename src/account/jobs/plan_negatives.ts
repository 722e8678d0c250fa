import { counted } from "../../base/text/money_text.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { evidence } from "../../plans/review/evidence_of.ts";
import type { DraftOptions } from "../../client/entities/build_draft.ts";
import { checkKeywordText, isProductTerm } from "../../client/entities/model/check_keyword_text.ts";
import { Cooling, termEntities } from "./cooling.ts";
import { findWaste, type Waste, type WasteOptions } from "./find_waste.ts";
import { type JobPlanOptions, type JobResult, judgedBy, type LeftOut } from "./job_result.ts";
import { chosenTerms, type NamedTerm, type SearchTermFigures } from "./search_terms.ts";
import { type NegativePlaces, readNegativePlaces } from "./negative_places.ts";
import { type Places, readPlaces, stoppedPlace } from "./places.ts";
import { withoutDenied } from "./without_denied.ts";

/** Thresholds and scope of {@linkcode planNegatives}. */
export interface NegativesOptions extends WasteOptions, JobPlanOptions {
  /** Only these terms, whatever their clicks and orders. @default all that are wasted */
  readonly terms?: readonly NamedTerm[] | undefined;
  /** Reason for the plan. @default the limits and the days */
  readonly note?: string | undefined;
}

/** A plan of negatives, and the wasted search terms it is based on. */
export interface NegativesResult extends JobResult {
  /** The wasted search terms and their cost. */
  readonly waste: Waste;
}

const MATCH = "NEGATIVE_EXACT";

/**
 * Plans negatives for search terms that cost money but sold nothing: an exact negative keyword in the ad group that
 * paid for the term, or a negative target if the term is a product. Sends nothing.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { planNegatives } from "@platform/ads/account";
 * import { Warehouse } from "@platform/ads/store";
 *
 * async function stopWaste(ca: ProfileClient): Promise<void> {
 *   await using store = await Warehouse.open("ads.sqlite");
 *   const { plan, waste } = await planNegatives(ca, { store, minClicks: 15, maxOrders: 0 });
 *   console.log(plan.toMarkdown(), waste.cost, waste.currency);
 * }
 * ```
 * @throws {RangeError} for limits that make no sense. Nothing was read.
 */
export async function planNegatives(
  profile: ProfileClient,
  options: NegativesOptions,
): Promise<NegativesResult> {
  const { signal } = options;
  const waste = options.terms === undefined
    ? await findWaste(profile, options)
    : await chosenWaste(profile, options);
  const { terms } = waste;
  const adGroupIds = [...new Set(terms.map(({ adGroupId }) => adGroupId))];
  const campaignIds = [...new Set(terms.map(({ campaignId }) => campaignId))];
  const places = await readPlaces(profile, ["sp"], { campaignIds, signal });
  const present = await readNegativePlaces(profile, { adGroupIds, campaignIds, signal });

  const days = { from: waste.clicksOf.firstDay, to: waste.clicksOf.lastDay };
  const wasted = (term: SearchTermFigures): DraftOptions => ({ evidence: evidence(days, term) });
  const judgedDays = { start: waste.clicksOf.firstDay, end: waste.clicksOf.lastDay };
  const today = options.today ?? profile.reports.today;
  const cooling = await Cooling.read(profile, { ...options, judged: judgedDays, today });
  const draft = profile.plan();
  const leftOut: LeftOut[] = [];
  for (const term of terms) {
    const { campaignId, adGroupId, searchTerm } = term;
    const refusal = refusalOf(term, { places, present, marketplace: profile.countryCode }) ??
      cooling.refusal(termEntities(term, present));
    const isProduct = isProductTerm(searchTerm);
    const kind = isProduct ? "sp.negative_targets" : "sp.negative_keywords";
    if (refusal !== undefined) {
      leftOut.push({ ...refusal, kind, id: null, label: `"${searchTerm}"`, campaignId, adGroupId });
      continue;
    }
    const place = { campaignId, adGroupId, state: "ENABLED" };
    if (isProduct) {
      const expression = [{ type: "ASIN_SAME_AS", value: searchTerm.trim().toUpperCase() }];
      draft.create("sp.negative_targets", { ...place, expression }, wasted(term));
    } else {
      draft.create(
        "sp.negative_keywords",
        { ...place, keywordText: searchTerm, matchType: MATCH },
        wasted(term),
      );
    }
  }
  const { minClicks = 15, maxOrders = 0 } = options;
  const { firstDay, lastDay } = waste.clicksOf;
  const limits = options.terms === undefined
    ? `${minClicks} clicks or more from ${firstDay} to ${lastDay}, ${maxOrders} orders or fewer`
    : `${counted(terms.length, "chosen search term")}, figures from ${firstDay} to ${lastDay}`;
  const note = options.note ?? limits;
  const judged = { signal, ...judgedBy(options), changes: cooling.changes };
  const whole = await draft.build({ note, ...judged, more: { warnings: cooling.warnings } });
  const { plan, denied } = await withoutDenied(whole, profile, judged);
  leftOut.push(...denied);
  return { plan, considered: terms.length, leftOut, figures: waste.figures, waste };
}

/** Reads the figures of terms that a person chose, up to yesterday, because the person has reviewed them. */
async function chosenWaste(profile: ProfileClient, options: NegativesOptions): Promise<Waste> {
  const adGroupIds = options.terms?.map(({ adGroupId }) => adGroupId);
  const all = { ...options, adGroupIds, minClicks: 1, maxOrders: Number.MAX_SAFE_INTEGER, lag: 0 };
  const found = await findWaste(profile, all);
  const terms = chosenTerms(found.terms, options.terms);
  return { ...found, terms, cost: Number(terms.reduce((sum, { cost }) => sum + cost, 0).toFixed(2)) };
}

function refusalOf(
  term: SearchTermFigures,
  { places, present, marketplace }: { places: Places; present: NegativePlaces; marketplace: string },
): Pick<LeftOut, "reason" | "message"> | undefined {
  const { searchTerm, adGroupId } = term;
  const stopped = stoppedPlace(places, term);
  if (stopped !== undefined) return { reason: "not_running", message: stopped };
  const isPresent = isProductTerm(searchTerm)
    ? present.isProductNegated(term, searchTerm)
    : present.isNegated(term, searchTerm);
  if (isPresent) return { reason: "negative_exists", message: "A negative already blocks it" };
  if (isProductTerm(searchTerm)) return undefined;
  if (present.keywords(adGroupId, searchTerm).length > 0) {
    return {
      reason: "own_keyword",
      message: "It is a keyword of this ad group: lower its bid or pause it instead",
    };
  }
  const [finding] = checkKeywordText(searchTerm, { matchType: MATCH, marketplace });
  return finding && { reason: "invalid_text", message: finding.message };
}

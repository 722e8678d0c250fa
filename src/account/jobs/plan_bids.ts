import { idKey, idOf } from "../../base/json/id_of.ts";
import { bidLimits } from "../../base/markets/market_limits.ts";
import { decimalsOf, marketOf } from "../../base/markets/markets.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { addDays, type DayRange } from "../../base/time/calendar.ts";
import type { EntityFields } from "../../plans/model/change.ts";
import type { EntityFigures } from "../../plans/review/estimate_money.ts";
import { evidenceFrom } from "../../plans/review/evidence_of.ts";
import { compileCondition, type Condition } from "../../plans/policy/condition.ts";
import { entityFacts } from "../../plans/policy/entity_facts.ts";
import type { ReportPresetName } from "../../client/reports/requests/presets.ts";
import { KINDS } from "../../client/entities/kinds/kinds.ts";
import { entityFigures } from "../../store/figures/entity_figures.ts";
import { ATTRIBUTION_DAYS } from "../../store/figures/immature_note.ts";
import { type LabelledPlaces, labelledPlaces } from "./account_labels.ts";
import { type AmountBounds, type AmountStep, parseStep, steppedAmount } from "./amount_step.ts";
import { Cooling, type JudgedEntity } from "./cooling.ts";
import { ensureStored, type StoredReports } from "./ensure_stored.ts";
import { type JobPlanOptions, type JobResult, judgedBy, type LeftOut } from "./job_result.ts";
import { checkCount } from "./find_waste.ts";
import { withIntervals } from "./rate_intervals.ts";
import { withoutDenied } from "./without_denied.ts";
import { type Places, readPlaces, stoppedPlace } from "./places.ts";

/** Kinds whose bids a job can change. */
export type BidKind = "sp.keywords" | "sp.targets" | "sb.keywords" | "sb.targets" | "sd.targets";

/** Selection, bid change and bounds for {@linkcode planBids}. */
export interface BidsOptions extends JobPlanOptions {
  /** Condition in the policy language: `acos30d < 0.20 && clicks30d >= 10`. */
  readonly where: string;
  /** `+10%`, `-5%`, `*1.2`, `+0.05`, or an amount in the account's currency. */
  readonly change: string;
  /** Lowest bid, in the account's currency. @default the lowest of the market */
  readonly min?: number | undefined;
  /** Highest bid, in the account's currency. @default the highest of the market */
  readonly max?: number | undefined;
  /** Kinds of entities whose bids are changed. @default those of Sponsored Products and Brands */
  readonly kinds?: readonly BidKind[] | undefined;
  /** Only these keywords and targets. @default all that meet the condition */
  readonly ids?: readonly string[] | undefined;
  /**
   * Most recent days to leave out, because their clicks may still lead to orders.
   *
   * @default 14 for a condition on sales, orders or ACOS, otherwise 0
   */
  readonly lag?: number | undefined;
  /** Days whose figures were used to choose `ids`. @default those of the condition */
  readonly judged?: DayRange | undefined;
  /** Only entities of these campaigns. */
  readonly campaignIds?: readonly string[] | undefined;
  /** Only entities of campaigns or ad groups with one of these account labels, by name. */
  readonly labels?: readonly string[] | undefined;
  /** Reason for the plan. @default the condition and the change */
  readonly note?: string | undefined;
}

const REPORTS: Readonly<Record<BidKind, ReportPresetName>> = {
  "sp.keywords": "sp_targeting",
  "sp.targets": "sp_targeting",
  "sb.keywords": "sb_targeting",
  "sb.targets": "sb_targeting",
  "sd.targets": "sd_targeting",
};

/**
 * The kinds whose bids {@linkcode planBids} can change.
 *
 * @example
 * ```ts
 * import { BID_KINDS } from "@platform/ads/account";
 *
 * console.log(BID_KINDS.join(", "));
 * ```
 */
export const BID_KINDS: readonly BidKind[] = [
  "sp.keywords",
  "sp.targets",
  "sb.keywords",
  "sb.targets",
  "sd.targets",
];

interface BidEntity {
  readonly kind: BidKind;
  readonly id: string;
  readonly fields: EntityFields;
  readonly bid: number | undefined;
  readonly isInherited: boolean;
}

/**
 * Plans new bids for keywords and targets that meet a condition. An entity without its own bid is judged by the
 * default bid of its ad group, and gets a bid of its own. Figures come from a store, which is brought up to date
 * first. A condition on sales leaves out the last 14 days, whose orders are incomplete. Sends nothing.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { countReasons, planBids } from "@platform/ads/account";
 * import { Warehouse } from "@platform/ads/store";
 *
 * async function raiseWinners(ca: ProfileClient): Promise<void> {
 *   await using store = await Warehouse.open("ads.sqlite");
 *   const where = "acos30d < 0.20 && clicks30d >= 10";
 *   const { plan, leftOut } = await planBids(ca, { store, where, change: "+10%", max: 2.5 });
 *   console.log(plan.toMarkdown(), countReasons(leftOut));
 * }
 * ```
 * @throws {RangeError} for a condition, change or bound that makes no sense. Nothing was read.
 * @throws {TypeError} for a label that the account does not have.
 */
export async function planBids(profile: ProfileClient, options: BidsOptions): Promise<JobResult> {
  const { signal, store } = options;
  const condition = compileCondition(options.where);
  const step = parseStep(options.change);
  const bounds = bidBounds(profile.countryCode, options);
  const { lag = condition.readsSales ? ATTRIBUTION_DAYS : 0 } = options;
  checkCount("lag", lag, 0);

  const kinds = options.kinds ?? BID_KINDS.filter((kind) => kind !== "sd.targets");
  const labelled = options.labels && await labelledPlaces(profile, options.labels, { signal });
  const campaignIds = options.campaignIds ??
    (labelled?.adGroupIds.size === 0 ? [...labelled.campaignIds] : undefined);
  // Few clicks are judged beside those of the whole account, also where only some of its campaigns are to change.
  const read = { campaignIds: condition.intervals.length > 0 ? undefined : campaignIds, signal };
  const place = await readPlaces(profile, kinds.map((kind) => kind.slice(0, 2)), read);
  const all: BidEntity[] = [];
  for (const kind of kinds) {
    for await (const fields of profile.resource(kind as string).iter(read)) {
      const id = idOf(fields, KINDS[kind].idField);
      if (id !== undefined) all.push(bidEntity(kind, { id, fields }, place));
    }
  }
  const [wanted, wantedCampaigns] = [options.ids, campaignIds].map((ids) => ids && new Set(ids));
  const entities = all.filter((entity) =>
    (wanted?.has(entity.id) ?? true) &&
    (wantedCampaigns?.has(campaignOf(entity, place)) ?? true) &&
    (labelled === undefined || isLabelled(entity, place, labelled))
  );
  const figures = await storedFigures(profile, { condition, entities, lag, options });
  const compared = condition.intervals.length > 0 ? all : entities;
  const sums = figures === undefined ? new Map<string, EntityFigures>() : await entityFigures(store, {
    profileId: profile.profileId,
    today: addDays(figures.lastDay, 1),
    entities: compared,
  });
  const byId = withIntervals(compared, sums, condition);
  const today = options.today ?? profile.reports.today;
  const judged = options.judged ?? (figures && { start: figures.firstDay, end: figures.lastDay });
  const cooling = await Cooling.read(profile, { ...options, judged, today });

  const draft = profile.plan();
  const leftOut: LeftOut[] = [
    ...notFound("keyword or target", { kind: kinds[0]!, ids: options.ids, known: all.map(({ id }) => id) }),
    ...notFound("campaign", {
      kind: "sp.campaigns",
      ids: options.campaignIds,
      known: place.campaigns.keys(),
    }),
  ];
  let inherited = 0;
  for (const entity of entities) {
    const refusal = judge(entity, { condition, place, figures: byId.get(entity.id) ?? {} }) ??
      cooling.refusal(amountsOf(entity));
    const bid = refusal ?? changedBid(entity, { step, bounds, countryCode: profile.countryCode });
    if (typeof bid !== "number") leftOut.push(leftOutOf(entity, bid));
    else {
      draft.update(entity.kind, { [KINDS[entity.kind].idField]: entity.id, bid }, {
        evidence: figures &&
          evidenceFrom(byId.get(entity.id), { days: condition.days, today: addDays(figures.lastDay, 1) }),
      });
      if (entity.isInherited) inherited += 1;
    }
  }
  // Days such as those of acos30d end where the lag begins.
  const until = figures === undefined ? "" : `, days to ${figures.lastDay} (lag ${lag})`;
  const note = options.note ?? `Bids ${step.text} where ${condition.text}${until}`;
  const judging = { signal, ...judgedBy(options), changes: cooling.changes };
  const whole = await draft.build({
    note,
    ...judging,
    more: {
      warnings: [
        ...cooling.warnings,
        ...(inherited === 0 ? [] : [
          `${inherited} without their own bid get one, based on their ad group's default bid`,
        ]),
      ],
    },
  });
  const { plan, denied } = await withoutDenied(whole, profile, judging);
  leftOut.push(...denied);
  return { plan, considered: entities.length, leftOut, figures };
}

/**
 * Checks a condition and a change as {@linkcode planBids} does, without a client or a store.
 *
 * @example
 * ```ts
 * import { checkBidsOptions } from "@platform/ads/account";
 *
 * checkBidsOptions({ where: "acos30d < 0.20", change: "+10%" }); // throws nothing
 * ```
 * @throws {RangeError} that says what is wrong.
 */
export function checkBidsOptions({ where, change }: Pick<BidsOptions, "where" | "change">): void {
  compileCondition(where);
  parseStep(change);
}

function notFound(
  noun: string,
  { kind, ids = [], known }: {
    readonly kind: string;
    readonly ids: readonly string[] | undefined;
    readonly known: Iterable<string>;
  },
): LeftOut[] {
  const has = new Set(known);
  return ids.filter((id) => !has.has(id)).map((id) => ({
    reason: "not_found",
    message: `The profile has no such ${noun} among the kinds that were read`,
    kind,
    id,
    label: `${noun} ${id}`,
  }));
}

function bidEntity(
  kind: BidKind,
  { id, fields }: Pick<BidEntity, "id" | "fields">,
  { adGroups }: Places,
): BidEntity {
  const own = fields["bid"];
  const inherited = adGroups.get(idKey(fields, "adGroupId"))?.["defaultBid"];
  const isInherited = typeof own !== "number";
  const bid = isInherited ? inherited : own;
  return { kind, id, fields, bid: typeof bid === "number" ? bid : undefined, isInherited };
}

function amountsOf({ id, fields, isInherited }: BidEntity): JudgedEntity[] {
  const own: JudgedEntity = { id, parts: ["bid", "state"] };
  return isInherited ? [own, { id: idKey(fields, "adGroupId"), parts: ["bid"] }] : [own];
}

function isLabelled(entity: BidEntity, place: Places, labelled: LabelledPlaces): boolean {
  return labelled.adGroupIds.has(idKey(entity.fields, "adGroupId")) ||
    labelled.campaignIds.has(campaignOf(entity, place));
}

/** Returns the campaign id of an entity. Display targets have only an ad group id, which leads to the campaign. */
function campaignOf({ fields }: BidEntity, { adGroups }: Places): string {
  return idKey(fields, "campaignId") ||
    idKey(adGroups.get(idKey(fields, "adGroupId")) ?? {}, "campaignId");
}

async function storedFigures(
  profile: ProfileClient,
  { condition, entities, lag, options }: {
    condition: Condition;
    entities: readonly BidEntity[];
    lag: number;
    options: BidsOptions;
  },
): Promise<StoredReports | undefined> {
  const reports = [...new Set(entities.map(({ kind }) => REPORTS[kind]))];
  if (condition.days === 0 || reports.length === 0) return undefined;
  const end = addDays(options.today ?? profile.reports.today, -1 - lag);
  const days = { start: addDays(end, 1 - condition.days), end };
  return await ensureStored(profile, reports, { ...options, days });
}

type Refusal = Pick<LeftOut, "reason" | "message" | "costWithoutSales">;

function judge(
  { kind, id, fields, bid }: BidEntity,
  { condition, place, figures }: {
    condition: Condition;
    place: Places;
    figures: Readonly<Record<string, number>>;
  },
): Refusal | undefined {
  const adGroup = place.adGroups.get(idKey(fields, "adGroupId"));
  const campaign = place.campaigns.get(idKey(fields, "campaignId"));
  const [family] = kind.split(".");
  const met = condition.judge({
    entity: { ...entityFacts(kind, id, fields) },
    figures,
    ...(adGroup === undefined ? {} : { adGroup: { ...entityFacts(`${family}.ad_groups`, null, adGroup) } }),
    ...(campaign === undefined
      ? {}
      : { campaign: { ...entityFacts(`${family}.campaigns`, null, campaign) } }),
    ...(bid === undefined ? {} : { bid }),
  });
  if (met === false) return { reason: "no_match", message: "It does not meet the condition" };
  if (met !== true) {
    const [, days] = /acos(\d+d) is unknown/.exec(met.unknown) ?? [];
    const cost = figures[`cost${days}`] ?? 0;
    const why = days !== undefined ? `${met.unknown}: it had no sales` : met.unknown;
    return {
      reason: "unknown_figure",
      message: `The condition cannot be judged: ${why}`,
      ...(cost > 0 ? { costWithoutSales: cost } : {}),
    };
  }
  const state = String(fields["state"] ?? "enabled").toLowerCase();
  const stopped = state === "enabled"
    ? stoppedPlace(place, { adGroupId: fields["adGroupId"], campaignId: fields["campaignId"] })
    : `It is ${state}`;
  if (stopped !== undefined) return { reason: "not_running", message: stopped };
  return undefined;
}

function changedBid(
  { bid }: BidEntity,
  { step, bounds, countryCode }: { step: AmountStep; bounds: AmountBounds; countryCode: string },
): number | Refusal {
  if (bid === undefined) {
    return { reason: "no_bid", message: "It has no bid, and its ad group has no default bid" };
  }
  const next = steppedAmount(bid, step, bounds);
  if (next !== undefined) return next;
  const currency = marketOf(countryCode)?.currency ?? "";
  if (step.direction > 0 && bid >= bounds.max) {
    return { reason: "at_maximum", message: `Its bid of ${bid} ${currency} is at or above ${bounds.max}` };
  }
  if (step.direction < 0 && bid <= bounds.min) {
    return { reason: "at_minimum", message: `Its bid of ${bid} ${currency} is at or below ${bounds.min}` };
  }
  return { reason: "same_bid", message: `Its bid stays ${bid} ${currency} after rounding` };
}

function leftOutOf({ kind, id, fields }: BidEntity, refusal: Refusal): LeftOut {
  const text = (name: string): Record<string, string> =>
    typeof fields[name] === "string" ? { [name]: fields[name] } : {};
  return {
    ...refusal,
    kind,
    id,
    label: KINDS[kind].label({ ...fields }),
    ...text("campaignId"),
    ...text("adGroupId"),
  };
}

function bidBounds(countryCode: string, { min, max }: Pick<BidsOptions, "min" | "max">): AmountBounds {
  const market = bidLimits(countryCode, "sp");
  const lowest = market === undefined || market.doubtful ? 0 : market.min;
  const highest = market === undefined || market.doubtful ? Infinity : market.max;
  const decimals = decimalsOf(countryCode);
  const currency = marketOf(countryCode)?.currency ?? "";
  for (const [name, value] of [["min", min], ["max", max]] as const) {
    if (value === undefined) continue;
    if (!(value >= lowest && value <= highest)) {
      throw new RangeError(
        `Cannot use ${value} ${currency} as the ${name} of bids: ${countryCode} takes ${lowest} to ${highest}`,
      );
    }
    if (value !== Number(value.toFixed(decimals))) {
      throw new RangeError(
        `Cannot use ${value} as the ${name} of bids: ${currency} has ${decimals} decimals`,
      );
    }
  }
  if (min !== undefined && max !== undefined && min > max) {
    throw new RangeError(`Cannot keep bids between ${min} and ${max}: the lowest is above the highest`);
  }
  return { min: min ?? lowest, max: max ?? highest, decimals };
}

import { marketOf, timeZoneOf } from "../../base/markets/markets.ts";
import { addDays, countDays, dayIn, type DayRange } from "../../base/time/calendar.ts";
import { ConfigurationError } from "../../errors.ts";
import type { Change } from "../../plans/model/change.ts";
import { isChangeRef } from "../../plans/model/change_ref.ts";
import type { ChangeOutcome } from "../../plans/model/change_result.ts";
import type { MoneyAtRisk, PlanData } from "../../plans/model/plan_data.ts";
import type { AppliedRecord } from "../../plans/store/applied_record.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { type EntityTotals, entityTotals } from "./entity_totals.ts";
import {
  compareOutcome,
  type Comparison,
  type EffectFigure,
  type OutcomeVerdict,
} from "./experiment_outcome.ts";
import { ATTRIBUTION_DAYS } from "./immature_note.ts";
import type { OutsideChanges } from "./touched_units.ts";

/** A plan's estimate and the actual figures. Amounts are per day, in the account's currency. */
export interface EstimateOutcome {
  /** Lower end of the estimate. */
  readonly low: number;
  /** Upper end of the estimate. */
  readonly high: number;
  /** Number of changes that the estimate covers. */
  readonly known: number;
  /** Number of changes that it does not cover. */
  readonly unknown: number;
  /** Change in spend of the changed entities, each counted once; `null` where no figures are stored. */
  readonly actual: number | null;
  /** Number of changes whose spend is stored before and after. */
  readonly measured: number;
  /** `above` and `below` mean outside the range; `unknown` if a change that was made was not measured. */
  readonly verdict: "within" | "above" | "below" | "unknown";
}

const ROUNDING = 0.005;

export function estimateOutcome(
  planned: readonly Change[],
  { perDay: { low, high }, known, unknown }: MoneyAtRisk,
  changes: readonly ChangedEntity[],
): EstimateOutcome {
  const outermost = outermostChanges(planned, changes);
  const measured = outermost.flatMap(({ before, after }) =>
    before === null || after === null ? [] : [after.cost_per_day - before.cost_per_day]
  );
  const actual = measured.length === 0 ? null : measured.reduce((sum, moved) => sum + moved);
  const isKnown = actual !== null && measured.length === outermost.length;
  return {
    low,
    high,
    known,
    unknown,
    actual,
    measured: measured.length,
    verdict: !isKnown
      ? "unknown"
      : actual > high + ROUNDING
      ? "above"
      : actual < low - ROUNDING
      ? "below"
      : "within",
  };
}

function outermostChanges(
  planned: readonly Change[],
  changes: readonly ChangedEntity[],
): ChangedEntity[] {
  const sent = changes.filter(({ outcome }) => ["done", "partial", "unknown"].includes(outcome));
  const ids = new Set(sent.map(({ id }) => id));
  const created = new Map(sent.map(({ change, id }) => [planned[change]?.ref, id]));
  const containers = ({ kind, campaignId, before, after }: Change): unknown[] => {
    if (kind.endsWith(".campaigns")) return [];
    const parents = [campaignId, after["campaignId"], after["adGroupId"] ?? before["adGroupId"]];
    return parents.map((parent) => isChangeRef(parent) ? created.get(parent.ref) : parent);
  };
  // The spend of a campaign or an ad group holds that of what is in it.
  return sent.filter(({ change, kind }) => {
    const own = planned[change];
    return own !== undefined && !kind.includes("negative") &&
      !containers(own).some((id) => typeof id === "string" && ids.has(id));
  });
}

/** Sums of an entity over the days before or after; amounts in the account's currency. */
export interface OutcomeFigures extends EntityTotals {
  /** Cost divided by the number of days. */
  readonly cost_per_day: number;
  /** Cost divided by sales, 0.25 for 25 %; `null` without sales. */
  readonly acos: number | null;
}

export function outcomeFigures(totals: EntityTotals | undefined, days: number): OutcomeFigures | null {
  if (totals === undefined) return null;
  const { cost, sales } = totals;
  return { ...totals, cost_per_day: cost / days, acos: sales > 0 ? cost / sales : null };
}

/** One change of a plan, with its figures before and after. */
export interface ChangedEntity {
  /** Position in the plan. */
  readonly change: number;
  /** Resource kind. */
  readonly kind: string;
  /** Id of the entity; `null` for one that was not created. */
  readonly id: string | null;
  /** Display name of the entity. */
  readonly label: string;
  /** Outcome of the change. */
  readonly outcome: ChangeOutcome;
  /** Sums over the days before; `null` if unknown. */
  readonly before: OutcomeFigures | null;
  /** Sums over the days after; `null` if unknown. */
  readonly after: OutcomeFigures | null;
}

/** Input for measuring the outcome of a plan. */
export interface PlanOutcomeRequest {
  /** The applied plan. */
  readonly plan: PlanData;
  /** Result of applying the plan; see {@linkcode PlanStore.applied}. */
  readonly applied: AppliedRecord;
  /** Maximum number of complete days to compare on each side of the application. @default 14 */
  readonly days?: number | undefined;
  /** IANA time zone of the profile. @default that of its market */
  readonly timeZone?: string | undefined;
  /** Current time in milliseconds since the epoch. @default now */
  readonly now?: number | undefined;
  /** The figure that the verdict is about. @default sales */
  readonly figure?: EffectFigure | undefined;
  /** Profit margin before advertising, as a share of sales: 0.3 for 30 %. Without it, profit is not measured. */
  readonly margin?: number | undefined;
  /** Plans applied to the profile later, whose changes invalidate a comparison. */
  readonly later?: readonly PlanData[] | undefined;
  /** Later changes by others, as shown by stored entities. @default not known */
  readonly outside?: OutsideChanges | undefined;
}

/** Measured outcome of an applied plan. Names are those of `--json`. */
export interface PlanOutcome {
  /** Id of the applied plan. */
  readonly plan_id: string;
  /** Profile that the plan was applied to, digits as text. */
  readonly profile_id: string;
  /** Country of that profile. */
  readonly country_code: string;
  /** Currency of amounts; `null` for an unknown market. */
  readonly currency: string | null;
  /** When the plan was applied, ISO 8601. That day belongs neither to the days before nor to the days after. */
  readonly applied_at: string;
  /** The days before that day. */
  readonly before: DayRange;
  /** The days after that day. */
  readonly after: DayRange;
  /** Number of days on each side. */
  readonly days: number;
  /** Days after the application whose orders and sales may still grow: the first one and their number. */
  readonly immature: { readonly from: string | null; readonly days: number };
  /** Verdict on the plan's effect; `not_known` without a held-back part. */
  readonly verdict: OutcomeVerdict;
  /** Basis of the verdict. */
  readonly comparison: Comparison;
  /** One line for each change of the plan. */
  readonly changes: readonly ChangedEntity[];
  /** Sums of the changes whose figures are stored on both sides, each entity counted once; `null` if there are none. */
  readonly totals: { readonly before: OutcomeFigures | null; readonly after: OutcomeFigures | null };
  /** The plan's estimate compared with actual spend; `null` if the plan has none. */
  readonly estimate: EstimateOutcome | null;
}

/**
 * Compares the same number of days before and after a plan was applied, change by change, and actual with estimated
 * spend. The effect of the plan is measured against its held-back part. Without one, the difference includes
 * everything that happened in these days, and the plan's own effect is unknown.
 *
 * @throws {ConfigurationError} when no complete day has passed since the plan was applied.
 *
 * @example
 * ```ts
 * import { ChangePlan, PlanStore } from "@platform/ads";
 * import { planOutcome, Warehouse } from "@platform/ads/store";
 *
 * async function show(store: Warehouse, path: string): Promise<void> {
 *   const plan = await ChangePlan.load(path);
 *   const applied = await PlanStore.around(path).applied(plan.id);
 *   if (applied === undefined) return;
 *   const { changes, estimate } = await planOutcome(store, { plan, applied });
 *   for (const { label, before, after } of changes) console.log(label, before?.cost, after?.cost);
 *   console.log(estimate?.verdict); // "within", "above", "below" or "unknown"
 * }
 * ```
 */
export async function planOutcome(
  store: Pick<Warehouse, "query" | "coverage">,
  { plan, applied, days = 14, timeZone, now = Date.now(), ...asked }: PlanOutcomeRequest,
): Promise<PlanOutcome> {
  if (!Number.isInteger(days) || days < 1) {
    throw new RangeError(`Cannot compare ${days} days: give 1 or more`);
  }
  const { countryCode, profileId } = plan;
  const zone = timeZone ?? timeZoneOf({ countryCode });
  const day = dayIn(zone, Date.parse(applied.appliedAt));
  const today = dayIn(zone, now);
  const passed = countDays({ start: addDays(day, 1), end: addDays(today, -1) });
  if (passed === 0) {
    throw new ConfigurationError(
      `Cannot tell the outcome of plan ${plan.id}: it was applied on ${day}, and no complete day has passed since. ` +
        "Sync the store on a later day and ask again",
    );
  }
  const length = Math.min(days, passed);
  const before = { start: addDays(day, -length), end: addDays(day, -1) };
  const after = { start: addDays(day, 1), end: addDays(day, length) };
  const matureUntil = addDays(today, -ATTRIBUTION_DAYS - 1);
  const immatureFrom = after.end <= matureUntil
    ? null
    : after.start > matureUntil
    ? after.start
    : addDays(matureUntil, 1);

  const verdicts = plan.changes.map((change, at) => {
    const { id = change.id, outcome = "not_sent" } = applied.changes[at] ?? {};
    return { at, change, id, outcome };
  });
  const entities = verdicts.flatMap(({ change: { kind }, id }) => id === null ? [] : [{ kind, id }]);
  const totals = await entityTotals(store, { profileId, entities, ranges: [before, after] });
  const changes = verdicts.map(({ at, change: { kind, label }, id, outcome }): ChangedEntity => {
    const [was, is] = totals.get(`${kind} ${id}`) ?? [];
    return {
      change: at,
      kind,
      id,
      label,
      outcome,
      before: outcomeFigures(was, length),
      after: outcomeFigures(is, length),
    };
  });
  const comparison = await compareOutcome(store, {
    ...asked,
    plan,
    isDone: (at) => applied.changes[at]?.outcome === "done",
    day,
    today,
    undoneOn: applied.undoneAt === undefined ? undefined : dayIn(zone, Date.parse(applied.undoneAt)),
    days: plan.experiment === null ? days : plan.experiment.weeks * 7,
  });
  return {
    plan_id: plan.id,
    profile_id: profileId,
    country_code: countryCode,
    currency: marketOf(countryCode)?.currency ?? null,
    applied_at: applied.appliedAt,
    before,
    after,
    days: length,
    immature: {
      from: immatureFrom,
      days: immatureFrom === null ? 0 : countDays({ start: immatureFrom, end: after.end }),
    },
    verdict: comparison.verdict,
    comparison,
    changes,
    totals: totalsOf(outermostChanges(plan.changes, changes), length),
    estimate: plan.money === null ? null : estimateOutcome(plan.changes, plan.money, changes),
  };
}

function totalsOf(changes: readonly ChangedEntity[], days: number): PlanOutcome["totals"] {
  const measured = changes.filter(({ before, after }) => before !== null && after !== null);
  return {
    before: sumOf(measured.flatMap(({ before }) => before ?? []), days),
    after: sumOf(measured.flatMap(({ after }) => after ?? []), days),
  };
}

function sumOf(side: readonly EntityTotals[], days: number): OutcomeFigures | null {
  const sum = (figure: "impressions" | "clicks" | "cost" | "sales" | "orders"): number =>
    side.reduce((total, one) => total + one[figure], 0);
  return outcomeFigures(
    side.length === 0 ? undefined : {
      impressions: sum("impressions"),
      clicks: sum("clicks"),
      cost: sum("cost"),
      sales: sum("sales"),
      orders: sum("orders"),
    },
    days,
  );
}

import type { Change } from "../../plans/model/change.ts";
import type { MoneyAtRisk } from "../../plans/model/plan_data.ts";
import { isChangeRef } from "../../plans/model/change_ref.ts";
import type { ChangedEntity } from "./outcome_figures.ts";

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

export function outermostChanges(
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

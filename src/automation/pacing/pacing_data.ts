import type { PacingStatus } from "./read_pacing.ts";

/**
 * Converts a status to plain data, with snake_case field names as in figures.
 *
 * @example
 * ```ts
 * import { pacingData, type PacingStatus } from "@platform/ads/pacing";
 *
 * function print(statuses: readonly PacingStatus[]): void {
 *   console.log(JSON.stringify(statuses.map(pacingData)));
 * }
 * ```
 */
export function pacingData(
  { budget, currency, pace, weights, weightsFrom, campaigns, notes }: PacingStatus,
): Readonly<Record<string, unknown>> {
  return {
    name: budget.name,
    currency,
    amount: budget.amount,
    over: budget.over ?? "alert",
    ...(pace === undefined ? { period: null } : {
      period: pace.period,
      spent: pace.spent,
      spent_today: pace.spentToday,
      ideal: pace.ideal,
      pace: pace.pace,
      days_left: pace.daysLeft,
      needed_today: pace.neededToday,
      forecast: pace.forecast ?? null,
      missing_days: pace.missing,
      immature_days: pace.immature,
      line: pace.line,
    }),
    weights,
    weights_from: weightsFrom,
    campaigns: campaigns.map(({ kind, id, name, budget, expected, isFull, isOn, roas }) => ({
      kind,
      campaign_id: id,
      campaign: name,
      enabled: isOn,
      budget,
      expected,
      runs_out: isFull,
      roas: roas === undefined ? null : Number(roas.toFixed(4)),
    })),
    notes,
  };
}

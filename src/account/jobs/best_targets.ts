import type { ProfileClient } from "../../client/profile_client.ts";
import type { ReportPresetName } from "../../client/reports/requests/presets.ts";
import { addDays, type DayRange } from "../../base/time/calendar.ts";
import { ATTRIBUTION_DAYS } from "../../store/figures/immature_note.ts";
import { readParts } from "./read_parts.ts";
import { ensureStored, type FigureOptions } from "./ensure_stored.ts";
import { checkCount } from "./find_waste.ts";

/** Ranking figure, number and period for {@linkcode bestTargets}. */
export interface BestTargetsOptions extends FigureOptions {
  /** Number of targets to return. */
  readonly count: number;
  /** Figure to rank by; `loss` is cost without sales, to find the worst. @default "sales" */
  readonly by?: "sales" | "orders" | "clicks" | "loss" | undefined;
  /** Number of days to count. @default 30 */
  readonly days?: number | undefined;
  /**
   * Most recent days to leave out, because their clicks may still lead to orders.
   *
   * @default 14 by sales or orders, otherwise 0
   */
  readonly lag?: number | undefined;
  /** Reports to read. @default those of Sponsored Products and Brands */
  readonly reports?: readonly ReportPresetName[] | undefined;
  /** Only targets in these campaigns. */
  readonly campaignIds?: readonly string[] | undefined;
}

/**
 * Returns the ids of the keywords and targets with the most sales, orders or clicks, best first; those with none are
 * left out. Reads only the store, which is brought up to date first.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { bestTargets, planBids } from "@platform/ads/account";
 * import { Warehouse } from "@platform/ads/store";
 *
 * async function raiseBest(ca: ProfileClient): Promise<void> {
 *   await using store = await Warehouse.open("ads.sqlite");
 *   const ids = await bestTargets(ca, { store, count: 20 });
 *   const { plan } = await planBids(ca, { store, ids, where: "true", change: "+8%" });
 *   console.log(plan.toMarkdown());
 * }
 * ```
 */
export async function bestTargets(profile: ProfileClient, options: BestTargetsOptions): Promise<string[]> {
  const { store, count, by = "sales", campaignIds } = options;
  const { reports = ["sp_targeting", "sb_targeting"] } = options;
  const range = bestTargetDays(profile, options);
  await ensureStored(profile, reports, {
    ...options,
    days: range,
  });
  const parts = await readParts(store, "keyword", {
    profileId: profile.profileId,
    days: range,
    campaignIds,
    by: 1,
    isRead: (report) => reports.includes(report),
  });
  const rank = (part: typeof parts[0]): number => by === "loss" ? part.cost - part.sales : part[by];
  return parts.filter((part) => rank(part) > 0).sort((a, b) => rank(b) - rank(a)).slice(0, count)
    .map(({ id }) => id);
}

/**
 * Returns the days that {@linkcode bestTargets} ranks by. Pass them as `judged` to `planBids`, which then leaves out
 * entities changed during or after these days.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { bestTargetDays } from "@platform/ads/account";
 *
 * function show(ca: ProfileClient): void {
 *   console.log(bestTargetDays(ca, { by: "sales" })); // 30 days that end 15 days ago
 * }
 * ```
 */
export function bestTargetDays(
  profile: ProfileClient,
  { by = "sales", days = 30, lag = by === "clicks" ? 0 : ATTRIBUTION_DAYS, today }: Pick<
    BestTargetsOptions,
    "by" | "days" | "lag" | "today"
  >,
): DayRange {
  checkCount("lag", lag, 0);
  const end = addDays(today ?? profile.reports.today, -1 - lag);
  return { start: addDays(end, 1 - days), end };
}

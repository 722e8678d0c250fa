import type { LeftOut } from "./job_result.ts";

/** Converts what was left out to data: counts by reason, and the entities, or those of them that are shown. */
export function leftOutData(leftOut: readonly LeftOut[], shown = leftOut): Record<string, unknown> {
  return {
    left_out_counts: Object.fromEntries(countReasons(leftOut)),
    left_out: shown.map(({ campaignId, adGroupId, costWithoutSales: cost, ...rest }) => ({
      ...rest,
      ...(cost === undefined ? {} : { cost_without_sales: cost }),
      campaign_id: campaignId ?? null,
      ad_group_id: adGroupId ?? null,
    })),
  };
}

/**
 * Counts how many entities were left out for each reason, the most frequent reason first.
 *
 * @example
 * ```ts
 * import { countReasons } from "@platform/ads/account";
 *
 * const out = { reason: "paused", message: "It is paused", kind: "sp.keywords", id: "1", label: "shoes" };
 * console.log(countReasons([out, { ...out, id: "2" }])); // Map(1) { "paused" => 2 }
 * ```
 */
export function countReasons(leftOut: readonly LeftOut[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { reason } of leftOut) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return new Map([...counts].sort(([, a], [, b]) => b - a));
}

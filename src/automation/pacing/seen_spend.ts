import { type BudgetKind, budgetUsageNow } from "../../account/jobs/budget_pressure.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { dayIn } from "../../base/time/calendar.ts";
import type { SeenSpend } from "../schedules/schedule_state.ts";

export interface SpendNow {
  readonly seen: SeenSpend;
  readonly reported: ReadonlySet<string>;
}

/**
 * Reads today's spend. Usage is attributed to the day of its timestamp, so usage from before midnight counts for
 * yesterday. If a request fails, the earlier figures are kept.
 */
export async function spendNow(
  profile: ProfileClient,
  campaigns: readonly { readonly kind: BudgetKind; readonly id: string }[],
  { before, today, signal }: {
    readonly before: SeenSpend;
    readonly today: string;
    readonly signal: AbortSignal | undefined;
  },
): Promise<SpendNow> {
  const seen = new Map([...before].map(([day, own]) => [day, new Map(own)] as const));
  const reported = new Set<string>();
  for (const [kind, own] of Map.groupBy(campaigns, (one) => one.kind)) {
    const usage = await usageOrNone(profile, kind, { ids: own.map(({ id }) => id), signal });
    for (const [id, { budget, budgetUsagePercent, usageUpdatedTimestamp }] of usage) {
      const moment = Date.parse(usageUpdatedTimestamp);
      if (Number.isNaN(moment)) continue;
      const day = dayIn(profile.timeZone, moment);
      // Before its first click of the day a campaign still shows the usage of yesterday.
      if (day <= today) reported.add(id);
      const costs = seen.get(day) ?? new Map<string, number>();
      costs.set(id, Math.max(costs.get(id) ?? 0, budget * budgetUsagePercent / 100));
      seen.set(day, costs);
    }
  }
  return { seen, reported };
}

async function usageOrNone(
  profile: ProfileClient,
  kind: BudgetKind,
  options: { readonly ids: readonly string[]; readonly signal: AbortSignal | undefined },
): Promise<Awaited<ReturnType<typeof budgetUsageNow>>> {
  try {
    return await budgetUsageNow(profile, kind, options);
  } catch {
    options.signal?.throwIfAborted();
    return new Map();
  }
}

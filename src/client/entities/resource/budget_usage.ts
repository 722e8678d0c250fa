import type { BatchResult } from "../../../platform/batch/batch_result.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import { checkIds } from "../model/check_items.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields } from "../model/resource_wire.ts";

/** Spend of a budget so far. */
export interface BudgetUsage {
  /** Id of the campaign, if the budget belongs to a campaign. */
  readonly campaignId?: string;
  /** Id of the portfolio, if the budget belongs to a portfolio. */
  readonly portfolioId?: string;
  /** The budget, in the marketplace's currency. */
  readonly budget: number;
  /** Percentage of the budget that is spent. */
  readonly budgetUsagePercent: number;
  /** Time of the measurement, ISO 8601. */
  readonly usageUpdatedTimestamp: string;
}

export async function askBudgetUsage(
  scope: ProfileScope,
  ids: readonly string[],
  where: { path: string; mediaType: string; spec: ResourceSpec; signal: AbortSignal | undefined },
): Promise<BatchResult<string, BudgetUsage>> {
  const { path, mediaType, spec, signal } = where;
  checkIds(spec, ids);
  const given = [...ids];
  const { askEach } = await import("./ask_each.ts");
  return await askEach<BudgetUsage>(given, {
    limit: 100,
    spec,
    ask: async (part) => {
      const response = await scope.request("POST", path, {
        json: { [`${spec.idField}s`]: part },
        contentType: mediaType,
        accept: mediaType,
        idempotent: true,
        signal,
      }) as { success?: Fields[]; error?: Fields[] } | undefined;
      return { success: response?.success ?? [], error: response?.error ?? [] };
    },
  });
}

import type { BatchResult } from "../../../platform/batch/batch_result.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import { askEach } from "./ask_each.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields } from "../model/resource_wire.ts";

/** Spent share of a budget. */
export interface BudgetUsage {
  /** Campaign the budget is of, for a campaign. */
  readonly campaignId?: string;
  /** Portfolio the budget is of, for a portfolio. */
  readonly portfolioId?: string;
  /** The budget, in the marketplace's currency. */
  readonly budget: number;
  /** Percent that is spent. */
  readonly budgetUsagePercent: number;
  /** When that was counted, ISO 8601. */
  readonly usageUpdatedTimestamp: string;
}

/**
 * Asks how much of some budgets is spent.
 *
 * @param where Address and media type of the question, and the kind of entities whose budgets they are.
 */
export function askBudgetUsage(
  scope: ProfileScope,
  ids: readonly string[],
  where: { path: string; mediaType: string; spec: ResourceSpec; signal: AbortSignal | undefined },
): Promise<BatchResult<string, BudgetUsage>> {
  const { path, mediaType, spec, signal } = where;
  return askEach<BudgetUsage>(ids, {
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

import { amountText } from "../../base/markets/amount_text.ts";
import { marketOf } from "../../base/markets/markets.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import type { HeldElsewhere, HoldBack } from "../../plans/model/experiment.ts";
import type { PlanOptions } from "../../client/entities/resource/plan_writes.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import type { ScheduledSource } from "../../plans/review/read_last_changes.ts";
import { figuresOf } from "../../store/figures/entity_figures.ts";
import type { FigureOptions, StoredReports } from "./ensure_stored.ts";

/** Source of figures for a job, and how much of its plan is held back for comparison. */
export interface JobPlanOptions extends FigureOptions {
  /** Holds back a random part of the plan, drawn by a seed. @default nothing is held back */
  readonly holdBack?: HoldBack | undefined;
  /** Units held back by experiments of other plans; changes to these units are left out. */
  readonly heldElsewhere?: HeldElsewhere | undefined;
  /**
   * True to include entities changed during or after the judged days, although their figures are from before the
   * change.
   *
   * @default false
   */
  readonly again?: boolean | undefined;
  /** Finds ids of scheduled entities, whose hourly moves do not count as changes. @default none */
  readonly scheduled?: ScheduledSource | undefined;
  /** Finds campaigns whose budgets are managed by pacing, with the name of each paced amount. @default none */
  readonly paced?: ((profileId: string, today: string) => Promise<ReadonlyMap<string, string>>) | undefined;
  /** Finds the folders of applied plans, whose held-back parts show whether a goal does harm. @default none */
  readonly plans?: (() => Promise<readonly PlanStore[]>) | undefined;
}

export function judgedBy(
  { store, holdBack, heldElsewhere }: JobPlanOptions,
): Pick<PlanOptions, "figures" | "holdBack" | "heldElsewhere"> {
  return { figures: figuresOf(store), holdBack, heldElsewhere };
}

/** An entity or search term that a job considered and left unchanged. */
export interface LeftOut {
  /** Stable code for programs, for example `no_match`. */
  readonly reason: string;
  /** Explanation for people. */
  readonly message: string;
  /** Resource kind. */
  readonly kind: string;
  /** Id of the entity; `null` if the job would have created it. */
  readonly id: string | null;
  /** Display name. */
  readonly label: string;
  /** Id of the entity's campaign, if it has one. */
  readonly campaignId?: string;
  /** Id of the entity's ad group, if it has one. */
  readonly adGroupId?: string;
  /**
   * Cost over the judged days, in the account's currency; set if there were no sales and therefore no ACOS to judge.
   */
  readonly costWithoutSales?: number;
}

/**
 * Counts entities with cost but no sales, which a condition on ACOS cannot judge; `undefined` if there are none.
 *
 * @example
 * ```ts
 * import { costWithoutSales } from "@platform/ads/account";
 *
 * console.log(costWithoutSales([])); // undefined
 * ```
 */
export function costWithoutSales(
  leftOut: readonly LeftOut[],
): { readonly count: number; readonly cost: number } | undefined {
  const costs = leftOut.flatMap((one) => one.costWithoutSales ?? []);
  if (costs.length === 0) return undefined;
  return { count: costs.length, cost: Number(costs.reduce((sum, cost) => sum + cost, 0).toFixed(2)) };
}

/** Says what the entities without sales cost; `undefined` if there are none. */
export function unsoldText({ plan, leftOut }: Pick<JobResult, "plan" | "leftOut">): string | undefined {
  const unsold = costWithoutSales(leftOut);
  if (unsold === undefined) return undefined;
  const currency = marketOf(plan.countryCode)?.currency ?? "USD";
  return `${unsold.count} of these cost ${amountText(unsold.cost, currency)} ${currency} without a sale`;
}

/** Result of a weekly job: an ordinary plan, and the entities left out of it with the reasons. */
export interface JobResult {
  /** The plan; without changes when there is nothing to do. Nothing was sent. */
  readonly plan: ChangePlan;
  /** Number of entities or search terms that the job considered. */
  readonly considered: number;
  /** Entities and search terms that are not in the plan, each with its reason. */
  readonly leftOut: readonly LeftOut[];
  /** The stored reports that the job used; `undefined` if it needed none. */
  readonly figures: StoredReports | undefined;
}

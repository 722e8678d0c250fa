import type { AppliedPlanNote } from "./plan_record.ts";

/**
 * Author of a change: `plan` — an applied plan; `platform` — the platform's own rules; `other` — the console, another
 * tool, or a call outside of plans.
 */
export type DriftMaker = "plan" | "platform" | "other";

/** One change in the account. */
export interface DriftEntry {
  /** Time, ISO 8601; `null` if only the current state reveals the change. */
  readonly at: string | null;
  /** Resource kind, for example `sp.keywords`; the history's entity type if no kind matches. */
  readonly kind: string;
  /** Id of the changed entity, digits as text. */
  readonly id: string;
  /** Display name of the entity; empty if it can no longer be read. */
  readonly label: string;
  /** Name of the entity's campaign, or its own name if it is a campaign; absent if unknown. */
  readonly campaign?: string | undefined;
  /** Id of that campaign; absent if unknown. */
  readonly campaignId?: string;
  /** Id of the global campaign that the campaign is a copy of; absent otherwise. */
  readonly globalCampaignId?: string;
  /**
   * Change type in the history, for example `BID_AMOUNT`; the field name if only the current state reveals the change.
   */
  readonly change: string;
  /** Value before the change. */
  readonly before: unknown;
  /** Value after the change. */
  readonly after: unknown;
  /** Author of the change. */
  readonly by: DriftMaker;
  /** The plan that made the change; `null` for other authors. */
  readonly plan: AppliedPlanNote | null;
  /** Experiment that held the entity back when it changed, and therefore no longer counts it; absent if none. */
  readonly heldBy?: { readonly planId: string; readonly until: string } | undefined;
}

export function driftCounts(entries: readonly DriftEntry[]): Readonly<Record<DriftMaker, number>> {
  const counts = { plan: 0, platform: 0, other: 0 };
  for (const { by } of entries) counts[by]++;
  return counts;
}

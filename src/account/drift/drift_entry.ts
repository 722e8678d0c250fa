import type { AppliedPlanNote } from "./plan_record.ts";

/**
 * Maker of a change: `plan` — a plan of ours; `platform` — the platform by its own rules; `other` — the console,
 * another tool or a call outside of plans.
 */
export type DriftMaker = "plan" | "platform" | "other";

/** One change of the account. */
export interface DriftEntry {
  /** When, ISO 8601; `null` where only the state shows it. */
  readonly at: string | null;
  /** Resource kind, for example `sp.keywords`; the history's own word where no kind has the entity. */
  readonly kind: string;
  /** Id of the changed entity, digits as text. */
  readonly id: string;
  /** Name of the entity for people; empty where it cannot be read any more. */
  readonly label: string;
  /** Name of the campaign that it is in, or is; absent where it is not known. */
  readonly campaign?: string | undefined;
  /** Id of the global campaign that the campaign is the copy of; absent for any other. */
  readonly globalCampaignId?: string;
  /** The change as the history names it, for example `BID_AMOUNT`, or the field where only the state shows it. */
  readonly change: string;
  /** Value before. */
  readonly before: unknown;
  /** Value after. */
  readonly after: unknown;
  /** Maker of the change. */
  readonly by: DriftMaker;
  /** The plan, where it was one of ours. */
  readonly plan: AppliedPlanNote | null;
  /** The experiment that held the entity back at that time, for which it counts no more; absent for none. */
  readonly heldBy?: { readonly planId: string; readonly until: string } | undefined;
}

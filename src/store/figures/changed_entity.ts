import type { ChangeOutcome } from "../../plans/change_result.ts";
import type { OutcomeFigures } from "./outcome_figures.ts";

/** One change of a plan, before and after. */
export interface ChangedEntity {
  /** Position in the plan. */
  readonly change: number;
  /** Resource kind. */
  readonly kind: string;
  /** Id of the entity; `null` for one that was not created. */
  readonly id: string | null;
  /** Name of the entity for people. */
  readonly label: string;
  /** Outcome of the change. */
  readonly outcome: ChangeOutcome;
  /** Sums over the days before; `null` where they are unknown. */
  readonly before: OutcomeFigures | null;
  /** Sums over the days after. */
  readonly after: OutcomeFigures | null;
}

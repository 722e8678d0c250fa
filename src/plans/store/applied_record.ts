import { fieldsOf } from "../../internal/fields_of.ts";
import type { ChangeOutcome } from "../change_result.ts";
import { type Override, readOverride } from "../override.ts";

/** The verdict on one change, as a result file has it. */
export interface AppliedVerdict {
  /** Id of the entity; `null` when it was not created, or its id did not come back. */
  readonly id: string | null;
  /** Whether it was done. */
  readonly outcome: ChangeOutcome;
  /** Why it is not done; absent where it is. */
  readonly message?: string;
}

/** What the result file of a plan says. */
export interface AppliedRecord {
  /** When the plan was applied, ISO 8601. */
  readonly appliedAt: string;
  /** True when every change is done. */
  readonly ok: boolean;
  /** Counts in words. */
  readonly summary: string;
  /** One verdict for each change of the plan, by its position. */
  readonly changes: readonly AppliedVerdict[];
  /** What was sent although findings spoke against it; `undefined` when nothing was. */
  readonly override: Override | undefined;
}

const OUTCOMES: readonly ChangeOutcome[] = ["done", "refused", "not_sent", "unknown", "already"];

/** Reads the data of a result file; `undefined` when it is damaged. */
export function appliedRecord(data: Readonly<Record<string, unknown>>): AppliedRecord | undefined {
  const { applied_at: appliedAt, ok, summary, changes } = data;
  if (typeof appliedAt !== "string" || Number.isNaN(Date.parse(appliedAt))) return undefined;
  if (typeof summary !== "string" || !Array.isArray(changes)) return undefined;
  const verdicts = changes.map((change) => {
    const { id, outcome, error } = fieldsOf(change);
    const known = OUTCOMES.find((one) => one === outcome);
    const { message } = fieldsOf(error);
    return known === undefined ? undefined : {
      id: typeof id === "string" ? id : null,
      outcome: known,
      ...(typeof message === "string" ? { message } : {}),
    };
  }).filter((verdict) => verdict !== undefined);
  if (verdicts.length !== changes.length) return undefined;
  return { appliedAt, ok: ok === true, summary, changes: verdicts, override: readOverride(data["override"]) };
}

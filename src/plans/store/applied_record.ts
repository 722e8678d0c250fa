import { fieldsOf } from "../../base/json/fields_of.ts";
import type { ChangeOutcome } from "../model/change_result.ts";
import { type Override, readOverride } from "../model/finding.ts";

/** The verdict on one change, as in a result file. */
export interface AppliedVerdict {
  /** Id of the entity; `null` if it was not created, or if its id was not returned. */
  readonly id: string | null;
  /** Outcome of the change. */
  readonly outcome: ChangeOutcome;
  /** Reason why the change is not done; absent if it is done. */
  readonly message?: string;
  /** The platform's code; absent if the change is done. */
  readonly code?: string;
}

/** Contents of a plan's result file. */
export interface AppliedRecord {
  /** When the plan was applied, ISO 8601. */
  readonly appliedAt: string;
  /** True when every change is done. */
  readonly ok: boolean;
  /** Counts as text. */
  readonly summary: string;
  /** One verdict for each change of the plan, by its position. */
  readonly changes: readonly AppliedVerdict[];
  /** Name of the approver; absent if the plan was sent without an approval. */
  readonly approvedBy?: string;
  /** Overridden findings; `undefined` for none. */
  readonly override: Override | undefined;
  /** When the plan was undone, at least in part, ISO 8601; absent if it was not. */
  readonly undoneAt?: string | undefined;
  /** True if some of it was not put back. */
  readonly isUndoneInPart?: true | undefined;
}

const OUTCOMES: readonly ChangeOutcome[] = ["done", "partial", "refused", "not_sent", "unknown", "already"];

export function appliedRecord(data: Readonly<Record<string, unknown>>): AppliedRecord | undefined {
  const { applied_at: appliedAt, ok, summary, changes } = data;
  if (typeof appliedAt !== "string" || Number.isNaN(Date.parse(appliedAt))) return undefined;
  if (typeof summary !== "string" || !Array.isArray(changes)) return undefined;
  const verdicts = changes.map((change) => {
    const { id, outcome, error } = fieldsOf(change);
    const known = OUTCOMES.find((one) => one === outcome);
    const { message, code } = fieldsOf(error);
    return known === undefined ? undefined : {
      id: typeof id === "string" ? id : null,
      outcome: known,
      ...(typeof message === "string" ? { message } : {}),
      ...(typeof code === "string" ? { code } : {}),
    };
  }).filter((verdict) => verdict !== undefined);
  if (verdicts.length !== changes.length) return undefined;
  const override = readOverride(data["override"]);
  const by = typeof data["approved_by"] === "string" ? data["approved_by"] : override?.by;
  return {
    appliedAt,
    ok: ok === true,
    summary,
    changes: verdicts,
    ...(by === undefined ? {} : { approvedBy: by }),
    override,
  };
}

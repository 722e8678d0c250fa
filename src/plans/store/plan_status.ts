import type { ChangePlan } from "../change_plan/change_plan.ts";

/** Progress of a plan. */
export type PlanStatus =
  /** Neither applied nor refused. */
  | { readonly state: "open" }
  /** A person declined, or made another plan of it. Final. */
  | {
    readonly state: "refused";
    readonly at: string;
    /** Id of the plan that was made from this one. */
    readonly replacedBy?: string;
    /**
     * Id of the plan that this one should replace. That plan is still open, because the replacement was interrupted.
     */
    readonly awaits?: string;
  }
  /** Applying it was started and has no result yet: it is still running, or was interrupted. */
  | { readonly state: "unfinished"; readonly at: string }
  /** Workers of the queue at `where` apply it. */
  | { readonly state: "queued"; readonly at: string; readonly where: string }
  | {
    readonly state: "applied";
    /** Time, ISO 8601. */
    readonly at: string;
    /** True when every change was accepted. */
    readonly ok: boolean;
    /** Counts as text, one line for each operation and kind. */
    readonly summary: string;
    /** True if changes were not sent or their outcome is unknown; resuming the plan resolves both. */
    readonly isCutOff?: true;
    /** Id of the plan that undoes this one; the newest, if an earlier one was refused by a person or was incomplete. */
    readonly rollbackPlanId: string | undefined;
    /**
     * Time of the last undo, ISO 8601, and the id of the plan that undid this one; absent if it was not undone.
     * `isPart` if some of it was not put back, or may not have been.
     */
    readonly undone?: { readonly at: string; readonly by: string; readonly isPart?: true };
  };

export type Undone = NonNullable<(PlanStatus & { state: "applied" })["undone"]>;

/** A plan of a store, as listed. */
export type StoredPlan =
  & {
    /** Id of the plan, or the id in its file name. */
    readonly id: string;
  }
  & (
    | {
      readonly path: string;
      readonly plan: ChangePlan;
      readonly status: PlanStatus;
    }
    | {
      /** Reason why the plan's files are unusable. */
      readonly problem: Error;
    }
  );

/** Word for the state of a plan in every interface; one that was undone in part is still applied. */
export function stateWord(status: PlanStatus): PlanStatus["state"] | "undone" {
  const isUndone = status.state === "applied" && status.undone !== undefined && !status.undone.isPart;
  return isUndone ? "undone" : status.state;
}

/** Time since when the plan is in the state that {@linkcode stateWord} gives; `undefined` for an open plan. */
export function stateSince(status: PlanStatus): string | undefined {
  if (status.state === "open") return undefined;
  return status.state === "applied" && stateWord(status) === "undone" ? status.undone?.at : status.at;
}

export function closedBecause(
  status: Exclude<PlanStatus, { state: "open" }>,
  { path, reverses }: { readonly path: string; readonly reverses?: string | undefined },
): string {
  switch (status.state) {
    case "refused":
      if (status.replacedBy !== undefined) {
        return `a person replaced it at ${status.at} by plan ${status.replacedBy}. Apply that plan`;
      }
      if (status.awaits !== undefined) {
        return `it was to replace plan ${status.awaits}, which was not closed. Apply that plan, or edit it again`;
      }
      return `a person refused these changes at ${status.at}, which is final. ` +
        (reverses === undefined
          ? "Plan them again only if that person asks for it"
          : `If they want them after all, undo() of "${reverses}" makes a new plan`);
    case "applied":
      return `it was applied at ${status.at} (${status.summary.replaceAll("\n", "; ")}). Make a new plan`;
    case "queued":
      return `it has been queued at ${status.where} since ${status.at}; workers there apply it`;
    case "unfinished":
      return `applying it began at ${status.at} and no result is saved yet. Either another process is applying it ` +
        `now, or it was interrupted: resumePlan("${path}") with lookOnly shows what was done`;
  }
}

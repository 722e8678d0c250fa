/** Progress of a plan. */
export type PlanStatus =
  /** Neither applied nor refused. */
  | { readonly state: "open" }
  /** A person declined. Final. */
  | { readonly state: "refused"; readonly at: string }
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
    /** Counts in words, one line for each operation and kind. */
    readonly summary: string;
    /** Id of the plan that undoes it. */
    readonly rollbackPlanId: string | undefined;
  };

/** Why such a plan cannot be applied, and the next step. */
export function closedBecause(status: Exclude<PlanStatus, { state: "open" }>, path: string): string {
  switch (status.state) {
    case "refused":
      return `a person refused it at ${status.at}, which is final. Make a new plan`;
    case "applied":
      return `it was applied at ${status.at} (${status.summary.replaceAll("\n", "; ")}). Make a new plan`;
    case "queued":
      return `it has been queued at ${status.where} since ${status.at}; workers there apply it`;
    case "unfinished":
      return `applying it began at ${status.at} and no result is saved yet. Either another process is applying it ` +
        `now, or it was interrupted: resumePlan("${path}") with lookOnly shows what was done`;
  }
}

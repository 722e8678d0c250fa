/** Progress of a plan. */
export type PlanStatus =
  /** Neither applied nor refused. */
  | { readonly state: "open" }
  /** A person said no. Final. */
  | { readonly state: "refused"; readonly at: string }
  /** Its application began and no result is there: it still runs, or it was cut off. */
  | { readonly state: "unfinished"; readonly at: string }
  /** It is on a queue, whose workers apply it; `where` is the location of the queue. */
  | { readonly state: "queued"; readonly at: string; readonly where: string }
  | {
    readonly state: "applied";
    /** When, ISO 8601. */
    readonly at: string;
    /** True when every change was accepted. */
    readonly ok: boolean;
    /** Counts in words, a line for each operation and kind. */
    readonly summary: string;
    /** Plan that undoes what was accepted. */
    readonly rollbackPlanId: string | undefined;
  };

/** Why a plan in such a state cannot be applied, and what to do. */
export function closedBecause(status: Exclude<PlanStatus, { state: "open" }>, path: string): string {
  switch (status.state) {
    case "refused":
      return `a person refused it at ${status.at}, which is final. Make a new plan`;
    case "applied":
      return `it was applied at ${status.at} (${status.summary.replaceAll("\n", "; ")}). Make a new plan`;
    case "queued":
      return `it was put on the queue of ${status.where} at ${status.at}, whose workers apply it`;
    case "unfinished":
      return `its application began at ${status.at} and no result is saved yet. Either another process is applying it ` +
        `now, or it was cut off: "adsctl plan resume --look ${path}" shows what was done`;
  }
}

/** How far a plan of a folder got. */
export type PlanStatus =
  /** Nobody applied or refused it. */
  | { readonly state: "open" }
  /** A person said no. Final. */
  | { readonly state: "refused"; readonly at: string }
  /** Its application began and no result is there: it still runs, or it was cut off. */
  | { readonly state: "unfinished"; readonly at: string }
  /** It was applied. */
  | {
    readonly state: "applied";
    /** When, ISO 8601. */
    readonly at: string;
    /** True when every change was accepted. */
    readonly ok: boolean;
    /** Counts in words, a group a line. */
    readonly summary: string;
    /** Plan that undoes what was accepted. */
    readonly rollbackPlanId: string | undefined;
  };

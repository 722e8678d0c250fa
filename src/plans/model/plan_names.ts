/** Names of the entities that changes are in, by id, as they were when the plan was made. */
export interface PlanNames {
  /** Names of campaigns. */
  readonly campaigns: Readonly<Record<string, string>>;
  /** Names of ad groups. */
  readonly ad_groups: Readonly<Record<string, string>>;
}

export const NO_NAMES: PlanNames = { campaigns: {}, ad_groups: {} };

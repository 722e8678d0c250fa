/** Names of the campaigns and ad groups of changed entities, by id, from the time the plan was made. */
export interface PlanNames {
  /** Names of campaigns. */
  readonly campaigns: Readonly<Record<string, string>>;
  /** Names of ad groups. */
  readonly ad_groups: Readonly<Record<string, string>>;
}

export const NO_NAMES: PlanNames = { campaigns: {}, ad_groups: {} };

/** Amount that a schedule changes. Placements are the adjustments of Sponsored Products campaigns, in percent. */
export type ScheduleMove =
  | "bid"
  | "budget"
  | "placement_top"
  | "placement_product"
  | "placement_rest"
  | "state";

/** A day of the week. */
export type Weekday = "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";

export const WEEKDAYS: readonly [Weekday, ...Weekday[]] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

export const PROPOSED_SCHEDULES = "schedules.proposed.yaml";

/** A factor for certain hours on certain days of the week. */
export interface ScheduleCell {
  /** Days of the week. @default every day */
  readonly days?: readonly Weekday[] | undefined;
  /**
   * Ranges of hours, end exclusive, separated by commas: `00-06`, or with quarter hours `06:15-07:45`.
   *
   * @default the whole day
   */
  readonly hours?: string | undefined;
  /** Factor applied to the base value; for `state`, 0 pauses. */
  readonly factor: number;
}

/** Days on which all factors are multiplied by an additional factor. */
export interface ScheduleEvent {
  /** Name, as in the file. */
  readonly name?: string | undefined;
  /** First day, `YYYY-MM-DD`. */
  readonly from: string;
  /** Last day, `YYYY-MM-DD`. */
  readonly to: string;
  /** Additional factor for these days. */
  readonly factor: number;
}

/** Campaigns of a schedule; a campaign must match all given conditions. */
export interface ScheduleSelect {
  /** Ids of campaigns. */
  readonly ids?: readonly string[] | undefined;
  /** Names of campaigns; `*` matches any text. */
  readonly names?: readonly string[] | undefined;
  /** Tags of campaigns, as `key:value`. */
  readonly labels?: readonly string[] | undefined;
  /** Condition on campaigns in the policy language, for example `campaign.budget < 50.0`. */
  readonly when?: string | undefined;
  /** Ad products of the campaigns. @default sp */
  readonly products?: readonly ("sp" | "sb" | "sd")[] | undefined;
}

/** Randomly drawn weeks with and without a schedule, to measure its effect. */
export interface ScheduleExperiment {
  /** Day on which the first week begins, `YYYY-MM-DD`. */
  readonly from: string;
  /** Number of weeks, in pairs: even, 12 to 52. */
  readonly weeks: number;
  /** Seed that makes the calendar repeatable; a different seed draws a different calendar. */
  readonly seed: string;
}

/** A schedule: a factor for each hour, applied to a base value. Hours outside the grid have a factor of 1. */
export interface Schedule {
  /** Name, as in the file. */
  readonly name: string;
  /** Campaigns of the schedule. @default every campaign of Sponsored Products */
  readonly select?: ScheduleSelect | undefined;
  /** Amount that the schedule changes: bid, budget, state, or the percentage of a placement. */
  readonly move: ScheduleMove;
  /** IANA time zone of the hours. @default that of the profile */
  readonly zone?: string | undefined;
  /**
   * Executor of the moves: this program, or platform rules, which stay active while it is not running. @default worker
   */
  readonly on?: "worker" | "platform" | undefined;
  /**
   * Hours without a tick after which the next tick restores the base values and stops the schedule. Only for `on:
   * worker`.
   *
   * @default none, and the next tick goes on
   */
  readonly expiresHours?: number | undefined;
  /** How to treat an entity that someone else changed after the last tick. @default keep */
  readonly foreignEdits?: "keep" | "adopt" | "insist" | undefined;
  /**
   * Priority if several schedules change the same entity: the highest applies, or the first in the file if equal.
   *
   * @default 0
   */
  readonly priority?: number | undefined;
  /**
   * How to combine several schedules of an entity: `multiply` multiplies the factor with that of the schedule in
   * effect.
   *
   * @default replace
   */
  readonly combine?: "replace" | "multiply" | undefined;
  /** Lowest amount in the account's currency, or percentage of a placement. */
  readonly min?: number | undefined;
  /** Highest amount in the account's currency, or percentage of a placement. */
  readonly max?: number | undefined;
  /** First day, `YYYY-MM-DD`; before it the factor is 1. */
  readonly from?: string | undefined;
  /** Last day, `YYYY-MM-DD`; after it the factor is 1. */
  readonly to?: string | undefined;
  /** Experiment with randomly drawn weeks without the schedule, in which the factor is 1. @default always on */
  readonly experiment?: ScheduleExperiment | undefined;
  /** Days with an additional factor. */
  readonly events?: readonly ScheduleEvent[] | undefined;
  /** Cells of the week, which must not overlap. */
  readonly grid: readonly ScheduleCell[];
}

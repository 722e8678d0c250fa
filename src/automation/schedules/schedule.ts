/** Amount that a schedule moves; placements are the adjustments of Sponsored Products campaigns, in percent. */
export type ScheduleMove =
  | "bid"
  | "budget"
  | "placement_top"
  | "placement_product"
  | "placement_rest"
  | "state";

/** A day of the week. */
export type Weekday = "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";

/** Days of the week, Monday first. */
export const WEEKDAYS: readonly [Weekday, ...Weekday[]] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** Name of the file in which an agent's server keeps the schedules that it proposes, in the folder of its plans. */
export const PROPOSED_SCHEDULES = "schedules.proposed.yaml";

/** Hours of some days of the week, and their factor. */
export interface ScheduleCell {
  /** Days of the week. @default every day */
  readonly days?: readonly Weekday[] | undefined;
  /**
   * Ranges of hours without their end, separated by commas: `00-06`, or in quarter hours `06:15-07:45`.
   *
   * @default the whole day
   */
  readonly hours?: string | undefined;
  /** Factor of the base. Of `state`, 0 pauses. */
  readonly factor: number;
}

/** Days on which all factors are multiplied by another one. */
export interface ScheduleEvent {
  /** Name, as in the file. */
  readonly name?: string | undefined;
  /** First day, `YYYY-MM-DD`. */
  readonly from: string;
  /** Last day, `YYYY-MM-DD`. */
  readonly to: string;
  /** Factor of the base. */
  readonly factor: number;
}

/** Campaigns of a schedule; all given conditions must match. */
export interface ScheduleSelect {
  /** Ids of campaigns. */
  readonly ids?: readonly string[] | undefined;
  /** Names of campaigns; `*` matches any text. */
  readonly names?: readonly string[] | undefined;
  /** Tags of campaigns, as `key:value`. */
  readonly labels?: readonly string[] | undefined;
  /** Condition on campaigns in the language of policies, for example `campaign.budget < 50.0`. */
  readonly when?: string | undefined;
  /** Products whose campaigns are meant. @default sp */
  readonly products?: readonly ("sp" | "sb" | "sd")[] | undefined;
}

/** Randomly drawn weeks with and without a schedule, to measure its effect. */
export interface ScheduleExperiment {
  /** Day on which the first week begins, `YYYY-MM-DD`. */
  readonly from: string;
  /** Number of weeks, in pairs: even, 12 to 52. */
  readonly weeks: number;
  /** Makes the calendar repeatable; another seed draws another one. */
  readonly seed: string;
}

/** A schedule: for each hour, a factor of a base value. Hours outside the grid have the factor 1. */
export interface Schedule {
  /** Name, as in the file. */
  readonly name: string;
  /** Campaigns of the schedule. @default every campaign of Sponsored Products */
  readonly select?: ScheduleSelect | undefined;
  /** Its bid, budget, state, or the percentage of a placement. */
  readonly move: ScheduleMove;
  /** IANA time zone of the hours. @default that of the profile */
  readonly zone?: string | undefined;
  /** Executor of the moves: this program, or rules of the platform that go on when it does not run. @default worker */
  readonly on?: "worker" | "platform" | undefined;
  /**
   * Hours without a tick after which the next one puts the bases back and stops the schedule, with `on: worker`.
   *
   * @default none, and the next tick goes on
   */
  readonly expiresHours?: number | undefined;
  /** Treatment of an entity changed by others after the last tick. @default keep */
  readonly foreignEdits?: "keep" | "adopt" | "insist" | undefined;
  /** Priority among schedules of one entity: the highest applies, then the first in the file. @default 0 */
  readonly priority?: number | undefined;
  /** `multiply`: its factor is multiplied with that of the schedule that counts. @default replace */
  readonly combine?: "replace" | "multiply" | undefined;
  /** Lowest amount in the account's currency, or percentage of a placement. */
  readonly min?: number | undefined;
  /** Highest amount in the account's currency, or percentage of a placement. */
  readonly max?: number | undefined;
  /** First day, `YYYY-MM-DD`; before it the factor is 1. */
  readonly from?: string | undefined;
  /** Last day, `YYYY-MM-DD`; after it the factor is 1. */
  readonly to?: string | undefined;
  /** Randomly drawn weeks without the schedule, in which its factor is 1. @default always on */
  readonly experiment?: ScheduleExperiment | undefined;
  /** Days with another factor on top. */
  readonly events?: readonly ScheduleEvent[] | undefined;
  /** Cells of the week; no two hold the same hour. */
  readonly grid: readonly ScheduleCell[];
}

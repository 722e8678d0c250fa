import type { MovedBid } from "./moved_today.ts";
import type { LastChanges } from "../model/amount_changes.ts";
import type { PriorState } from "../model/prior_state.ts";
import type { EntityFigures } from "../review/estimate_money.ts";
import type { FiguresSource } from "../review/figures_source.ts";
import type { Finding, FindingLevel } from "../model/finding.ts";
import type { JudgeablePlan, WritePolicy } from "../model/write_policy.ts";
import type { DayLedger, SentWrite } from "../state/day_ledger.ts";
import type { DayTotals, WriteTotals } from "../state/day_totals.ts";

/** Input of a policy, in addition to the plan. */
export interface PolicyContext {
  /** Figures by entity id: `clicks30d`, `cost30d`, `sales30d`, `orders30d`, `acos30d`, and the same for 7 and 14 days. */
  readonly figures?: ReadonlyMap<string, EntityFigures> | undefined;
  /** Totals applied to the profile since midnight in the market's time zone. @default nothing */
  readonly today?: DayTotals | undefined;
  /**
   * Totals that the plan adds to the day, including changes that are not judged.
   *
   * @default those over the judged changes
   *
   * @internal
   */
  readonly totals?: WriteTotals | undefined;
  /**
   * Daily totals of other profiles that have copies of global entities, by country. @default none
   *
   * @internal
   */
  readonly elsewhere?: ReadonlyMap<string, DayTotals> | undefined;
  /**
   * Positions of the changes that are judged. @default all
   *
   * @internal
   */
  readonly open?: ReadonlySet<number> | undefined;
  /**
   * Bids changed earlier that day, with their current values. @default none
   *
   * @internal
   */
  readonly moved?: readonly MovedBid[] | undefined;
  /** Earlier changes of bids, budgets and states, for `cooling`. @default none */
  readonly changes?: Pick<LastChanges, "dayOf"> | undefined;
  /** Current state of the account. @default the `before` values of the plan */
  readonly account?: PriorState | undefined;
  /** Current time in milliseconds since the epoch. @default now */
  readonly now?: number | undefined;
  /** IANA time zone of the profile. @default that of the market */
  readonly timeZone?: string | undefined;
  /**
   * Recorded writes of the plan that is undone. Restoring these values is exempt from limits on moves and daily limits,
   * and needs approval if the entity is protected or frozen or the value is above a fixed limit.
   * @default nothing
   */
  readonly sent?: readonly SentWrite[] | undefined;
}

/** Data sources of a policy, in addition to the plan and the account. */
export interface PolicySources {
  /** Records what was applied today. @default none: daily limits apply to each plan separately */
  readonly ledger?: DayLedger | undefined;
  /** Figures of entities by id, from a report store. @default none: a rule that asks for figures denies */
  readonly figures?: FiguresSource | undefined;
  /** Clock for limits of a day and for time windows, in epoch milliseconds. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** Name, level and message of a policy rule. */
export interface PolicyRuleName {
  /** Name of the rule; for a plain key, the key itself, for example `max_bid`. */
  readonly name: string;
  /** Required reaction when the rule is broken. */
  readonly level: FindingLevel;
  /** Message for a broken rule; absent for plain keys, which give the values instead. */
  readonly message?: string;
}

/** Rules that judge every write before it is sent. Made by `loadPolicy` or `parsePolicy`. */
export interface Policy extends WritePolicy {
  /** Source of the policy, for messages. */
  readonly source: string;
  /** The rules in the order in which they judge: plain keys first. */
  readonly rules: readonly PolicyRuleName[];
  /** The plain keys of the policy file with their values, for example `{ max_bid: { US: 3 } }`. */
  readonly limits: Readonly<Record<string, unknown>>;
  /** True when a rule asks for figures of the store. */
  readonly needsFigures: boolean;
  /** Applies the rules to a plan; findings about the whole plan come first. Sends and reads nothing. */
  check(plan: JudgeablePlan, context?: PolicyContext): Finding[];
  /** Computes the totals that a plan adds to those of the day. */
  totals(plan: JudgeablePlan, context?: PolicyContext): WriteTotals;
}

import type { Change } from "./change.ts";
import type { Experiment } from "./experiment.ts";
import type { Finding } from "./finding.ts";
import type { MoneyAtRisk } from "./money_at_risk.ts";
import type { PlanNames } from "./plan_names.ts";

/** A plan as plain data, without methods. */
export interface PlanData {
  /** Id of the plan; safe as a part of a file name. */
  readonly id: string;
  /** When the plan was made, ISO 8601. */
  readonly createdAt: string;
  /** Id of the profile the plan is for. */
  readonly profileId: string;
  /** Country of that profile. */
  readonly countryCode: string;
  /** In the order in which they are sent. */
  readonly changes: readonly Change[];
  /** Requested ids that the platform did not return. */
  readonly missing: readonly string[];
  /** Remarks to read before applying. */
  readonly warnings: readonly string[];
  /** Reason for the plan, in the maker's words; `null` when none was given. */
  readonly note: string | null;
  /** Id of the plan that this one undoes; `null` if it undoes none. */
  readonly reverses: string | null;
  /** Findings about the changes from the time the plan was made. */
  readonly findings: readonly Finding[];
  /** Possible change in spend a day; `null` without an estimate. */
  readonly money: MoneyAtRisk | null;
  /** Names of the entities that the changes are in, where they were read. */
  readonly names: PlanNames;
  /** The part that a draw held back for comparison; `null` for none. */
  readonly experiment: Experiment | null;
  /** Time of the account copy that the plan was made on, ISO 8601; `null` for the real account. */
  readonly rehearsal: string | null;
  /** SHA-256 over profile, country, changes, experiment and rehearsal, independent of id, time and note. */
  readonly fingerprint: string;
}

export interface ChangePlanFields {
  readonly profileId: string;
  readonly countryCode: string;
  /** Changes in their sending order. */
  readonly changes: readonly Change[];
  /** Requested ids that the platform did not return. */
  readonly missing?: readonly string[];
  /** Remarks to read before applying. */
  readonly warnings?: readonly string[];
  /** Reason for the plan, in the maker's words. */
  readonly note?: string | null;
  /** Id of the plan that this one undoes. */
  readonly reverses?: string | null;
  readonly findings?: readonly Finding[];
  /** Possible change in spend a day. */
  readonly money?: MoneyAtRisk | null;
  readonly names?: PlanNames;
  /** The part that a draw held back for comparison. */
  readonly experiment?: Experiment | null;
  /** Time of the account copy that the plan was made on, ISO 8601. */
  readonly rehearsal?: string | null;
  /** Id; made up when absent. */
  readonly id?: string;
  /** When the plan was made, ISO 8601; now when absent. */
  readonly createdAt?: string;
}

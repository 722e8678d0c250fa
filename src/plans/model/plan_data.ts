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
  /** Changes in sending order. */
  readonly changes: readonly Change[];
  /** Requested ids that the platform did not return. */
  readonly missing: readonly string[];
  /** Remarks to read before applying. */
  readonly warnings: readonly string[];
  /** Reason for the plan; `null` if none was given. */
  readonly note: string | null;
  /** Id of the plan that this one undoes; `null` if it undoes none. */
  readonly reverses: string | null;
  /** Findings about the changes from the time the plan was made. */
  readonly findings: readonly Finding[];
  /** Possible change in daily spend; `null` without an estimate. */
  readonly money: MoneyAtRisk | null;
  /** Names of the campaigns and ad groups of the changed entities, as far as they were read. */
  readonly names: PlanNames;
  /** Experiment with the held-back part of the plan; `null` for none. */
  readonly experiment: Experiment | null;
  /** Time of the account copy that the plan was made on, ISO 8601; `null` for the real account. */
  readonly rehearsal: string | null;
  /** SHA-256 over profile, country, changes, experiment and rehearsal, independent of id, time and note. */
  readonly fingerprint: string;
}

export interface ChangePlanFields {
  readonly profileId: string;
  readonly countryCode: string;
  readonly changes: readonly Change[];
  readonly missing?: readonly string[];
  readonly warnings?: readonly string[];
  readonly note?: string | null;
  readonly reverses?: string | null;
  readonly findings?: readonly Finding[];
  readonly money?: MoneyAtRisk | null;
  readonly names?: PlanNames;
  readonly experiment?: Experiment | null;
  readonly rehearsal?: string | null;
  readonly id?: string;
  readonly createdAt?: string;
}

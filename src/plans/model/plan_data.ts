import { fieldsOf } from "../../base/json/fields_of.ts";
import type { Change } from "./change.ts";
import type { Experiment } from "./experiment.ts";
import type { Finding } from "./finding.ts";

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

/** Names of the campaigns and ad groups of changed entities, by id, from the time the plan was made. */
export interface PlanNames {
  /** Names of campaigns. */
  readonly campaigns: Readonly<Record<string, string>>;
  /** Names of ad groups. */
  readonly ad_groups: Readonly<Record<string, string>>;
}

export const NO_NAMES: PlanNames = { campaigns: {}, ad_groups: {} };

/** Possible change in daily spend caused by a plan. Amounts are in the account's currency. */
export interface MoneyAtRisk {
  /** ISO 4217 code. */
  readonly currency: string;
  /** Range of the change in daily spend; negative amounts are savings. Covers the `known` changes only. */
  readonly perDay: { readonly low: number; readonly high: number };
  /** Number of changes whose effect could be estimated, or that do not affect spend. */
  readonly known: number;
  /** Number of changes whose effect is unknown; they are not counted as 0. */
  readonly unknown: number;
  /** Basis of the estimate in one line, then each reason for unknown changes; empty if no change affects spend. */
  readonly basis: readonly string[];
}

export function isMoneyAtRisk(value: unknown): value is MoneyAtRisk {
  const { currency, perDay, known, unknown, basis } = fieldsOf(value);
  const { low, high } = fieldsOf(perDay);
  return typeof currency === "string" && [low, high, known, unknown].every(Number.isFinite) &&
    Array.isArray(basis) && basis.every((ground) => typeof ground === "string");
}

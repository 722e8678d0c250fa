import { canonicalParts } from "../../internal/canonical_json.ts";
import { sha256 } from "../../internal/sha256.ts";
import type { ChangeOperation } from "../change.ts";
import type { Finding } from "../finding.ts";
import type { MoneyAtRisk } from "../money_at_risk.ts";
import type { PlanData } from "../plan_data.ts";
import type { PlanNames } from "../plan_names.ts";

/** The data of a plan file. */
export interface PlanFile {
  /** Version of the format. */
  readonly format: 2;
  /** Id of the plan. */
  readonly id: string;
  /** When it was made, ISO 8601. */
  readonly created_at: string;
  /** Digits, exact past 2^53. */
  readonly profile_id: string;
  /** Country of the profile. */
  readonly country_code: string;
  /** Why it was made. */
  readonly note: string | null;
  /** In the order in which they are sent. */
  readonly changes: readonly PlanFileChange[];
  /** Ids that the platform did not return. */
  readonly missing: readonly string[];
  /** What the reader should know. */
  readonly warnings: readonly string[];
  /** What was found about the changes. */
  readonly findings: readonly Finding[];
  /** What the plan may change in spend a day. */
  readonly money: MoneyAtRisk | null;
  /** Names of the entities that the changes are in. */
  readonly names: PlanNames;
  /** Id of the plan that this one undoes. */
  readonly reverses: string | null;
  /** SHA-256 over profile, country and changes. */
  readonly fingerprint: string;
  /** SHA-256 over everything above, so that nothing that a reader is shown can be edited. */
  readonly checksum: string;
}

/** A change, with the field names of saved files. */
export interface PlanFileChange {
  /** Resource kind. */
  readonly kind: string;
  /** What is done. */
  readonly op: ChangeOperation;
  /** Id of the entity, `null` for a new one. */
  readonly id: string | null;
  /** Changed fields now. */
  readonly before: Readonly<Record<string, unknown>>;
  /** Changed fields after. */
  readonly after: Readonly<Record<string, unknown>>;
  /** What a person calls the entity. */
  readonly label: string;
  /** Id of its campaign, when known. */
  readonly campaign_id?: string;
  /** Name of the change in its plan. */
  readonly ref?: string;
  /** Names of changes that must be done first. */
  readonly depends_on?: readonly string[];
}

/** Writes a plan as the text of a plan file. */
export function planFileText(plan: PlanData): string {
  const content: Omit<PlanFile, "checksum"> = {
    format: 2,
    id: plan.id,
    created_at: plan.createdAt,
    profile_id: plan.profileId,
    country_code: plan.countryCode,
    note: plan.note,
    changes: plan.changes.map(({ campaignId, dependsOn, ...change }) => ({
      ...change,
      ...(campaignId === undefined ? {} : { campaign_id: campaignId }),
      ...(dependsOn === undefined ? {} : { depends_on: dependsOn }),
    })),
    missing: plan.missing,
    warnings: plan.warnings,
    findings: plan.findings,
    money: plan.money,
    names: plan.names,
    reverses: plan.reverses,
    fingerprint: plan.fingerprint,
  };
  return JSON.stringify({ ...content, checksum: planChecksum(content) }, null, 2) + "\n";
}

/** SHA-256 over the content of a plan file, in whatever order its fields are written. */
export function planChecksum(content: object): string {
  return sha256(canonicalParts(content));
}

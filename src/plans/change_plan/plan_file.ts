import type { ChangeOperation, Evidence } from "../model/change.ts";
import type { Experiment } from "../model/experiment.ts";
import type { Finding } from "../model/finding.ts";
import type { MoneyAtRisk } from "../model/money_at_risk.ts";
import type { PlanData } from "../model/plan_data.ts";
import type { PlanNames } from "../model/plan_names.ts";
import { ChangeTexts, FILE_WORDS } from "./change_texts.ts";
import { PlanHash } from "./plan_hash.ts";

const PART = 250;

/** The data of a plan file. */
export interface PlanFile {
  /** Version of the format. */
  readonly format: 2;
  /** Id of the plan. */
  readonly id: string;
  /** When the plan was made, ISO 8601. */
  readonly created_at: string;
  /** The platform's id of the profile that the plan was made for, digits as text. */
  readonly profile_id: string;
  /** Country of the profile that the plan was made for. */
  readonly country_code: string;
  /** Reason for the plan. */
  readonly note: string | null;
  /** Changes in sending order. */
  readonly changes: readonly PlanFileChange[];
  /** Ids that were not found on the platform. */
  readonly missing: readonly string[];
  /** Remarks for the reader. */
  readonly warnings: readonly string[];
  /** Findings about the changes. */
  readonly findings: readonly Finding[];
  /** Possible change in daily spend. */
  readonly money: MoneyAtRisk | null;
  /** Names of the campaigns and ad groups of the changed entities. */
  readonly names: PlanNames;
  /** Id of the plan that this one undoes. */
  readonly reverses: string | null;
  /** Experiment with the held-back part of the plan; absent for none. */
  readonly experiment?: Experiment;
  /** Time of the account copy that the plan was made on, ISO 8601; absent for the real account. */
  readonly rehearsal?: string;
  /** SHA-256 over profile, country and changes, and over experiment and rehearsal if present. */
  readonly fingerprint: string;
  /** SHA-256 over all fields above, to detect edits. */
  readonly checksum: string;
}

/** A change, with the field names of saved files. */
export interface PlanFileChange {
  /** Resource kind. */
  readonly kind: string;
  /** Operation on the entity. */
  readonly op: ChangeOperation;
  /** Id of the entity, `null` for a new one. */
  readonly id: string | null;
  /** Current values of the changed fields. */
  readonly before: Readonly<Record<string, unknown>>;
  /** New values of the changed fields. */
  readonly after: Readonly<Record<string, unknown>>;
  /** Display name of the entity. */
  readonly label: string;
  /** Id of its campaign, when known. */
  readonly campaign_id?: string;
  /** Name of the change in its plan. */
  readonly ref?: string;
  /** Names of changes that must be done first. */
  readonly depends_on?: readonly string[];
  /** Figures behind the change. */
  readonly evidence?: Evidence;
}

export function planFileText(plan: PlanData): string {
  return [...planFileParts(plan)].join("");
}

/** Yields the text of a plan file in parts, because a million changes exceed the maximum string length. */
export function* planFileParts(plan: PlanData): Generator<string> {
  const above = {
    format: 2,
    id: plan.id,
    created_at: plan.createdAt,
    profile_id: plan.profileId,
    country_code: plan.countryCode,
    note: plan.note,
  };
  const below = {
    missing: plan.missing,
    warnings: plan.warnings,
    findings: plan.findings,
    money: plan.money,
    names: plan.names,
    reverses: plan.reverses,
    ...(plan.experiment === null ? {} : { experiment: plan.experiment }),
    ...(plan.rehearsal === null ? {} : { rehearsal: plan.rehearsal }),
    fingerprint: plan.fingerprint,
  };
  const texts = new ChangeTexts(FILE_WORDS);
  const checksum = new PlanHash();
  yield `${JSON.stringify(above, null, 2).slice(0, -2)},\n  "changes": [`;
  let readable: string[] = [];
  for (const change of plan.changes) {
    checksum.add(texts.canonical(change));
    readable.push(`${checksum.length === 1 ? "" : ","}\n${texts.readable(change)}`);
    if (readable.length < PART) continue;
    yield readable.join("");
    readable = [];
  }
  yield `${readable.join("")}${checksum.length === 0 ? "" : "\n  "}],\n`;
  const text = JSON.stringify({ ...below, checksum: checksum.hex({ ...above, ...below }) }, null, 2);
  yield `${text.slice(2)}\n`;
}

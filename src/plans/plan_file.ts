import { isCountryCode } from "../markets.ts";
import { ConfigurationError } from "../errors.ts";
import type { Change, ChangeOperation } from "./change.ts";
import type { ChangePlanFields, PlanData } from "./plan_data.ts";

const PLAN_ID = /^[A-Za-z0-9-]{1,64}$/;
const PROFILE_ID = /^\d{1,20}$/;
const ENTITY_ID = /^[A-Za-z0-9._-]{1,64}$/;
const KIND = /^[A-Za-z._-]{1,64}$/;

/** The data of a plan file. */
export interface PlanFile {
  /** Version of the format. */
  readonly format: 1;
  /** Id of the plan. */
  readonly id: string;
  /** When it was made, ISO 8601. */
  readonly created_at: string;
  /** Id of the profile. */
  readonly profile_id: string;
  /** Country of the profile. */
  readonly country_code: string;
  /** Why it was made. */
  readonly note: string | null;
  /** What is changed. */
  readonly changes: readonly PlanFileChange[];
  /** Ids that the platform did not return. */
  readonly missing: readonly string[];
  /** What the reader should know. */
  readonly warnings: readonly string[];
  /** Id of the plan that this one undoes. */
  readonly reverses: string | null;
  /** SHA-256 over profile, country and changes. */
  readonly fingerprint: string;
}

/** One change in a plan file. */
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
}

/** Writes a plan as the text of a plan file. */
export function planFileText(plan: PlanData): string {
  const file: PlanFile = {
    format: 1,
    id: plan.id,
    created_at: plan.createdAt,
    profile_id: plan.profileId,
    country_code: plan.countryCode,
    note: plan.note,
    changes: plan.changes.map(({ campaignId, ...change }) => ({
      ...change,
      ...(campaignId === undefined ? {} : { campaign_id: campaignId }),
    })),
    missing: plan.missing,
    warnings: plan.warnings,
    reverses: plan.reverses,
    fingerprint: plan.fingerprint,
  };
  return JSON.stringify(file, null, 2) + "\n";
}

/**
 * Reads the text of a plan file.
 *
 * @throws {ConfigurationError} when it is no plan, of another format, or was edited after it was made.
 */
export function parsePlanFile(
  text: string,
  options: {
    fingerprint: (plan: Pick<PlanData, "profileId" | "countryCode" | "changes">) => string;
    path?: string;
  },
): ChangePlanFields {
  const where = options.path === undefined ? "the plan" : `the plan file "${options.path}"`;
  const fail = (why: string): ConfigurationError => new ConfigurationError(`Cannot use ${where}: ${why}`);
  let file: Partial<PlanFile>;
  try {
    file = JSON.parse(text);
  } catch {
    throw fail("it is not JSON");
  }
  if (typeof file !== "object" || file === null || Array.isArray(file) || !("changes" in file)) {
    throw fail("it is not a plan");
  }
  if (file.format !== 1) {
    throw fail(`its format is ${JSON.stringify(file.format)}, and this version reads format 1`);
  }
  const { id, profile_id: profileId, country_code: countryCode, created_at: createdAt } = file;
  if (
    ![id, profileId, countryCode, createdAt, file.fingerprint].every((value) => typeof value === "string")
  ) {
    throw fail("its id, profile, country, time or fingerprint is missing");
  }
  if (!PLAN_ID.test(id!)) throw fail("its id holds characters that no plan id has");
  // What stands in the heading that a person reads is no place for other text.
  if (!PROFILE_ID.test(profileId!)) throw fail("its profile is not a row of digits");
  if (!isCountryCode(countryCode!)) throw fail("its country is not a code of two letters");
  const reverses = typeof file.reverses === "string" ? file.reverses : null;
  if (reverses !== null && !PLAN_ID.test(reverses)) throw fail("the plan it undoes is none");
  const changes = Array.isArray(file.changes) ? file.changes.map(readChange) : [undefined];
  if (changes.includes(undefined)) throw fail("one of its changes is malformed");
  const plan = { profileId: profileId!, countryCode: countryCode!, changes: changes as Change[] };
  if (options.fingerprint(plan) !== file.fingerprint) {
    throw fail(
      "it was edited after it was made, for its fingerprint does not match. Make a new plan instead",
    );
  }
  return {
    id: id!,
    createdAt: createdAt!,
    ...plan,
    missing: strings(file.missing),
    warnings: strings(file.warnings),
    note: typeof file.note === "string" ? file.note : null,
    reverses,
  };
}

function readChange(value: unknown): Change | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { kind, op, id, before, after, label, campaign_id: campaignId } = value as Partial<PlanFileChange>;
  const isOperation = op === "create" || op === "update" || op === "archive";
  const isKnown = op === "create" ? id === null : isText(id, ENTITY_ID);
  if (!isText(kind, KIND) || !isOperation || !isKnown || !isFields(before) || !isFields(after)) {
    return undefined;
  }
  if (typeof label !== "string") return undefined;
  if (campaignId !== undefined && !isText(campaignId, ENTITY_ID)) return undefined;
  return {
    kind,
    op,
    id: id!,
    before,
    after,
    label,
    ...(campaignId === undefined ? {} : { campaignId }),
  };
}

function isText(value: unknown, form: RegExp): value is string {
  return typeof value === "string" && form.test(value);
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

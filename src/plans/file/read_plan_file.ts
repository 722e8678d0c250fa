import { ConfigurationError } from "../../errors.ts";
import { fieldsOf } from "../../internal/fields_of.ts";
import { isCountryCode } from "../../markets.ts";
import type { Change } from "../change.ts";
import { type Finding, isFinding } from "../finding.ts";
import { isMoneyAtRisk, type MoneyAtRisk } from "../money_at_risk.ts";
import type { ChangePlanFields, PlanData } from "../plan_data.ts";
import { changeGraph } from "../graph/change_graph.ts";
import { planChecksum } from "./plan_file.ts";
import { NO_NAMES, type PlanNames } from "../plan_names.ts";

const PLAN_ID = /^[A-Za-z0-9-]{1,64}$/;
const PROFILE_ID = /^\d{1,20}$/;
const ENTITY_ID = /^[A-Za-z0-9._-]{1,64}$/;
const KIND = /^[A-Za-z._-]{1,64}$/;
const REF = /^[A-Za-z0-9._-]{1,64}$/;
/** Formats that are read: 1 had neither checksum nor findings, money, names and references. */
const FORMATS: readonly unknown[] = [1, 2];

/**
 * Reads the text of a plan file.
 *
 * @throws {ConfigurationError} when it is not a plan, of another format, or was edited after it was made.
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
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw fail("it is not JSON");
  }
  const file = fieldsOf(parsed);
  if (Array.isArray(parsed) || !("changes" in file)) throw fail("it is not a plan");
  if (!FORMATS.includes(file["format"])) {
    throw fail(`its format is ${JSON.stringify(file["format"])}, and this version reads the formats 1 and 2`);
  }
  const { id, profile_id: profileId, country_code: countryCode, created_at: createdAt, fingerprint } = file;
  if (
    !isString(id) || !isString(profileId) || !isString(countryCode) || !isString(createdAt) ||
    !isString(fingerprint)
  ) {
    throw fail("its id, profile, country, time or fingerprint is missing");
  }
  if (!PLAN_ID.test(id)) throw fail("its id holds characters that no plan id has");
  // What is in the heading that a person reads is no place for other text.
  if (!PROFILE_ID.test(profileId)) throw fail("its profile is not a row of digits");
  if (!isCountryCode(countryCode)) throw fail("its country is not a code of two letters");
  const reverses = isString(file["reverses"]) ? file["reverses"] : null;
  if (reverses !== null && !PLAN_ID.test(reverses)) throw fail("the id of the plan it undoes is malformed");

  const read = Array.isArray(file["changes"]) ? file["changes"].map(readChange) : [undefined];
  const changes = read.filter((change) => change !== undefined);
  if (changes.length < read.length) throw fail("one of its changes is malformed");
  try {
    changeGraph(changes);
  } catch (error) {
    throw fail(`its changes do not fit together. ${error instanceof Error ? error.message : error}`);
  }
  const isEdited = options.fingerprint({ profileId, countryCode, changes }) !== fingerprint;
  const { checksum, ...content } = file;
  if (isEdited || (file["format"] === 2 && planChecksum(content) !== checksum)) {
    throw fail(
      `it was edited after it was made, for its ${isEdited ? "fingerprint" : "checksum"} does not match. ` +
        "Make a new plan instead",
    );
  }
  const shown = file["format"] === 1 ? {} : readShown(file);
  if (shown === undefined) throw fail("its findings, money or names are malformed");
  return {
    id,
    createdAt,
    profileId,
    countryCode,
    changes,
    missing: strings(file["missing"]),
    warnings: strings(file["warnings"]),
    note: isString(file["note"]) ? file["note"] : null,
    reverses,
    ...shown,
  };
}

function readShown(
  { findings, money, names }: Readonly<Record<string, unknown>>,
): { findings: readonly Finding[]; money: MoneyAtRisk | null; names: PlanNames } | undefined {
  if (!Array.isArray(findings) || !findings.every(isFinding)) return undefined;
  if (money !== null && !isMoneyAtRisk(money)) return undefined;
  const { campaigns, ad_groups: adGroups } = { ...NO_NAMES, ...fieldsOf(names) };
  if (!isNames(campaigns) || !isNames(adGroups)) return undefined;
  return { findings, money, names: { campaigns, ad_groups: adGroups } };
}

function readChange(value: unknown): Change | undefined {
  const { kind, op, id, before, after, label, campaign_id: campaignId, ref, depends_on: dependsOn } =
    fieldsOf(value);
  if (op !== "create" && op !== "update" && op !== "archive" && op !== "call") return undefined;
  const hasNoId = op === "create" || op === "call";
  if (!isText(kind, KIND) || !(hasNoId ? id === null : isText(id, ENTITY_ID))) return undefined;
  if ((op === "call") !== (kind === "call")) return undefined;
  if (!isFields(before) || !isFields(after) || !isString(label)) return undefined;
  if (campaignId !== undefined && !isText(campaignId, ENTITY_ID)) return undefined;
  if (ref !== undefined && !isText(ref, REF)) return undefined;
  if (
    dependsOn !== undefined && !(Array.isArray(dependsOn) && dependsOn.every((name) => isText(name, REF)))
  ) {
    return undefined;
  }
  return {
    kind,
    op,
    id: isString(id) ? id : null,
    before,
    after,
    label,
    ...(campaignId === undefined ? {} : { campaignId }),
    ...(ref === undefined ? {} : { ref }),
    ...(dependsOn === undefined ? {} : { dependsOn }),
  };
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function isText(value: unknown, form: RegExp): value is string {
  return typeof value === "string" && form.test(value);
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNames(value: unknown): value is Record<string, string> {
  return isFields(value) && Object.values(value).every(isString);
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(isString) : [];
}

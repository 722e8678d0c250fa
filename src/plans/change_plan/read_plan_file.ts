import { fieldsOf, isObject } from "../../base/json/fields_of.ts";
import { ConfigurationError } from "../../errors.ts";
import { PlanStateError } from "../model/plan_errors.ts";
import { canonicalJson } from "../../base/json/canonical_json.ts";
import { splitJsonList } from "../../base/json/split_json_list.ts";
import { isCountryCode } from "../../base/markets/markets.ts";
import type { Change } from "../model/change.ts";
import { readExperiment } from "../model/experiment.ts";
import { type Finding, isFinding } from "../model/finding.ts";
import {
  type ChangePlanFields,
  isMoneyAtRisk,
  type MoneyAtRisk,
  NO_NAMES,
  type PlanNames,
} from "../model/plan_data.ts";
import { changeGraph } from "../model/change_ref.ts";
import { GatheredChanges } from "../model/gathered_changes.ts";
import {
  ChangeTexts,
  FILE_FIELDS,
  FILE_WORDS,
  type FingerprintedPlan,
  planFingerprint,
  PlanHash,
} from "./plan_file.ts";

const PLAN_ID = /^[A-Za-z0-9-]{1,64}$/;
const PROFILE_ID = /^\d{1,20}$/;
const ENTITY_ID = /^[A-Za-z0-9._-]{1,64}$/;
const KIND = /^[A-Za-z._-]{1,64}$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;
const REF = /^[A-Za-z0-9._-]{1,64}$/;
const FORMATS: readonly unknown[] = [1, 2];

interface PlanFileOptions {
  readonly path?: string | undefined;
}

/**
 * Streams a plan file, holding only a few changes as JSON at a time.
 *
 * @throws {ConfigurationError} when it is not a plan, or has an unknown format.
 * @throws {PlanStateError} when it was edited after it was made.
 */
export class PlanFileReader {
  readonly #where: string;
  readonly #changes = new GatheredChanges();
  readonly #unusual = new Map<number, string>();
  readonly #split = splitJsonList("changes", (text) => this.#addChange(this.#parsed(text)));
  #malformed = false;

  constructor({ path }: PlanFileOptions = {}) {
    this.#where = path === undefined ? "the plan" : `the plan file "${path}"`;
  }

  add(part: string): void {
    this.#split.add(part);
  }

  end(): ChangePlanFields {
    const parsed = this.#parsed(this.#split.rest());
    const file = fieldsOf(parsed);
    if (Array.isArray(parsed) || !("changes" in file)) throw this.#fail("it is not a plan");
    if (!FORMATS.includes(file["format"])) {
      throw this.#fail(
        `its format is ${JSON.stringify(file["format"])}, and this version reads the formats 1 and 2`,
      );
    }
    const { id, profile_id: profileId, country_code: countryCode, created_at: createdAt, fingerprint } = file;
    if (
      !isString(id) || !isString(profileId) || !isString(countryCode) || !isString(createdAt) ||
      !isString(fingerprint)
    ) {
      throw this.#fail("its id, profile, country, time or fingerprint is missing");
    }
    if (!PLAN_ID.test(id)) throw this.#fail("its id contains invalid characters");
    // What is in the heading that a person reads is no place for other text.
    if (!PROFILE_ID.test(profileId)) throw this.#fail("its profile is not a row of digits");
    if (!isCountryCode(countryCode)) throw this.#fail("its country is not a code of two letters");
    const reverses = isString(file["reverses"]) ? file["reverses"] : null;
    if (reverses !== null && !PLAN_ID.test(reverses)) {
      throw this.#fail("the id of the plan it undoes is malformed");
    }
    if (Array.isArray(file["changes"])) { for (const change of file["changes"]) this.#addChange(change); }
    else this.#malformed = true;
    if (this.#malformed) throw this.#fail("one of its changes is malformed");
    const changes = this.#changes.list();
    try {
      changeGraph(changes);
    } catch (error) {
      throw this.#fail(`its changes do not fit together. ${error instanceof Error ? error.message : error}`);
    }
    const experiment = readExperiment(file["experiment"]);
    if (experiment === undefined) throw this.#fail("its held-back part is malformed");
    const rehearsal = file["rehearsal"] ?? null;
    if (rehearsal !== null && !(isString(rehearsal) && MOMENT.test(rehearsal))) {
      throw this.#fail("its reference to an account copy is malformed");
    }
    this.#ensureUnedited(file, { profileId, countryCode, changes, experiment, rehearsal });
    const shown = file["format"] === 1 ? {} : readShown(file);
    if (shown === undefined) throw this.#fail("its findings, money or names are malformed");
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
      experiment,
      rehearsal,
      ...shown,
    };
  }

  #ensureUnedited(
    file: Readonly<Record<string, unknown>>,
    plan: FingerprintedPlan,
  ): void {
    const { checksum: stated, changes: _, ...content } = file;
    const isEdited = planFingerprint(plan) !== file["fingerprint"];
    const checksum = new PlanHash();
    const texts = new ChangeTexts(FILE_WORDS);
    if (!isEdited && file["format"] === 2) {
      for (const [at, change] of plan.changes.entries()) {
        checksum.add(this.#unusual.get(at) ?? texts.canonical(change));
      }
      if (checksum.hex(content) === stated) return;
    } else if (!isEdited) return;
    throw new PlanStateError(
      `Cannot use ${this.#where}: it was edited after it was made: its ${
        isEdited ? "fingerprint" : "checksum"
      } does not match. Make a new plan instead`,
      "edited",
    );
  }

  #addChange(value: unknown): void {
    const change = readChange(value);
    if (change === undefined) {
      this.#malformed = true;
      return;
    }
    if (!hasKnownFields(value)) this.#unusual.set(this.#changes.length, canonicalJson(value));
    this.#changes.add(change);
  }

  #parsed(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw this.#fail("it is not JSON");
    }
  }

  #fail(why: string): ConfigurationError {
    return new ConfigurationError(`Cannot use ${this.#where}: ${why}`);
  }
}

const KNOWN_FIELDS: ReadonlySet<string> = new Set(Object.values(FILE_FIELDS));

function hasKnownFields(value: unknown): boolean {
  for (const name in fieldsOf(value)) if (!KNOWN_FIELDS.has(name)) return false;
  return true;
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
  const {
    kind,
    op,
    id,
    before,
    after,
    label,
    campaign_id: campaignId,
    ref,
    depends_on: dependsOn,
    evidence,
  } = fieldsOf(value);
  if (op !== "create" && op !== "update" && op !== "archive" && op !== "call") return undefined;
  const hasNoId = op === "create" || op === "call";
  if (!isText(kind, KIND) || !(hasNoId ? id === null : isText(id, ENTITY_ID))) return undefined;
  if ((op === "call") !== (kind === "call")) return undefined;
  if (!isObject(before) || !isObject(after) || !isString(label)) return undefined;
  if (campaignId !== undefined && !isText(campaignId, ENTITY_ID)) return undefined;
  if (evidence !== undefined && !isObject(evidence)) return undefined;
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
    ...(evidence === undefined ? {} : { evidence }),
  };
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function isText(value: unknown, form: RegExp): value is string {
  return typeof value === "string" && form.test(value);
}

function isNames(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every(isString);
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(isString) : [];
}

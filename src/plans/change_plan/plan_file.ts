import { canonicalJson, canonicalParts } from "../../base/json/canonical_json.ts";
import { TextHash } from "../../base/text/sha256.ts";
import type { Change, ChangeOperation, Evidence } from "../model/change.ts";
import type { Experiment } from "../model/experiment.ts";
import type { Finding } from "../model/finding.ts";
import type { MoneyAtRisk, PlanData, PlanNames } from "../model/plan_data.ts";

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

export class PlanHash {
  readonly #hash = new TextHash();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(change: string): void {
    this.#hash.update(this.#length === 0 ? '{"changes":[' : ",");
    this.#hash.update(change);
    this.#length += 1;
  }

  hex(others: object): string {
    this.#hash.update(this.#length === 0 ? '{"changes":[]' : "]");
    let separator = ",";
    for (const part of canonicalParts(others)) {
      this.#hash.update(separator === "" ? part : separator + part.slice(1));
      separator = "";
    }
    return this.#hash.hex();
  }
}

export type FingerprintedPlan = Pick<
  PlanData,
  "profileId" | "countryCode" | "changes" | "experiment" | "rehearsal"
>;

export function planFingerprint(
  { profileId, countryCode, changes, experiment, rehearsal }: FingerprintedPlan,
): string {
  const hash = new PlanHash();
  const texts = new ChangeTexts(OWN_WORDS);
  for (const change of changes) hash.add(texts.canonical(change));
  return hash.hex({
    profile_id: profileId,
    country_code: countryCode,
    ...(experiment === null ? {} : { experiment }),
    ...(rehearsal === null ? {} : { rehearsal }),
  });
}

const MAX_KEPT = 10_000;

export const FILE_FIELDS = {
  kind: "kind",
  op: "op",
  id: "id",
  before: "before",
  after: "after",
  label: "label",
  campaignId: "campaign_id",
  ref: "ref",
  dependsOn: "depends_on",
  evidence: "evidence",
} as const satisfies Readonly<Record<keyof Change, string>>;

const COMMON: ReadonlySet<string> = new Set(Object.keys(FILE_FIELDS).filter((name) => name !== "evidence"));

interface FieldWords {
  readonly campaignId: string;
  readonly dependsOn: string;
  readonly evidence?: string;
}

export const OWN_WORDS: FieldWords = { campaignId: "campaignId", dependsOn: "dependsOn" };
export const FILE_WORDS: FieldWords = FILE_FIELDS;

export class ChangeTexts {
  readonly #words: FieldWords;
  readonly #canonical = new Texts(canonicalJson);
  readonly #readable = new Texts((value) => indented(value, "      "));

  constructor(words: FieldWords) {
    this.#words = words;
  }

  canonical(change: Change): string {
    const { kind, op, id, before, after, label, campaignId, ref, dependsOn } = change;
    if (!isCommon(change)) return canonicalJson(renamed(change, this.#words));
    const words = this.#words;
    const campaign = campaignId === undefined
      ? ""
      : `,"${words.campaignId}":${this.#canonical.of(campaignId)}`;
    const depends = dependsOn === undefined ? "" : `,"${words.dependsOn}":${canonicalJson(dependsOn)}`;
    return `{"after":${this.#canonical.of(after)},"before":${
      this.#canonical.of(before)
    }${campaign}${depends}` +
      `,"id":${textOf(id)},"kind":${this.#canonical.of(kind)},"label":${JSON.stringify(label)},"op":"${op}"` +
      `${ref === undefined ? "" : `,"ref":${JSON.stringify(ref)}`}}`;
  }

  readable(change: Change): string {
    const { kind, op, id, before, after, label, campaignId, ref, dependsOn } = change;
    if (!isCommon(change)) return `    ${indented(renamed(change, this.#words), "    ")}`;
    const words = this.#words;
    const named = ref === undefined ? "" : `,\n      "ref": ${JSON.stringify(ref)}`;
    const campaign = campaignId === undefined
      ? ""
      : `,\n      "${words.campaignId}": ${this.#canonical.of(campaignId)}`;
    const depends = dependsOn === undefined
      ? ""
      : `,\n      "${words.dependsOn}": ${indented(dependsOn, "      ")}`;
    return `    {\n      "kind": ${this.#canonical.of(kind)},\n      "op": "${op}",\n      "id": ${
      textOf(id)
    },\n` +
      `      "before": ${this.#readable.of(before)},\n      "after": ${this.#readable.of(after)},\n` +
      `      "label": ${JSON.stringify(label)}${named}${campaign}${depends}\n    }`;
  }
}

class Texts {
  readonly #known = new Map<unknown, string>();
  readonly #make: (value: unknown) => string;

  constructor(make: (value: unknown) => string) {
    this.#make = make;
  }

  of(value: unknown): string {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    if (this.#known.size >= MAX_KEPT) this.#known.clear();
    const text = this.#make(value);
    this.#known.set(value, text);
    return text;
  }
}

function isCommon(change: Change): boolean {
  if (typeof change.label !== "string" || !change.before || !change.after) return false;
  for (const name in change) if (!COMMON.has(name)) return false;
  return true;
}

function renamed(
  { campaignId, dependsOn, evidence, ...change }: Change,
  words: FieldWords,
): Record<string, unknown> {
  return {
    ...change,
    ...(evidence === undefined || words.evidence === undefined ? {} : { [words.evidence]: evidence }),
    ...(campaignId === undefined ? {} : { [words.campaignId]: campaignId }),
    ...(dependsOn === undefined ? {} : { [words.dependsOn]: dependsOn }),
  };
}

function textOf(id: string | null): string {
  return id === null ? "null" : /^[\w.-]+$/.test(id) ? `"${id}"` : JSON.stringify(id);
}

function indented(value: unknown, indent: string): string {
  return JSON.stringify(value, null, 2).replaceAll("\n", `\n${indent}`);
}

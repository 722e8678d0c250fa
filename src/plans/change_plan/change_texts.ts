import { canonicalJson } from "../../base/json/canonical_json.ts";
import type { Change } from "../model/change.ts";

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

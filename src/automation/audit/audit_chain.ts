import { canonicalJson } from "../../base/json/canonical_json.ts";
import { sha256 } from "../../base/text/sha256.ts";
import { visibleText } from "../../base/text/visible_text.ts";
import type { AuditEntry, AuditRecord, CutOffLine } from "./audit_log.ts";

const MAX_TEXT = 400;

export interface ChainEnd {
  readonly n: number;
  readonly hash: string;
}

export const NO_ENTRIES: ChainEnd = { n: 0, hash: "0".repeat(64) };

export function nextEntry(
  record: AuditRecord,
  { n, hash: previous }: ChainEnd,
  { at, cut }: { readonly at: string; readonly cut?: CutOffLine | undefined },
): AuditEntry {
  const { subject, kind, tenant } = record.who;
  const entry = {
    ...record,
    who: { subject: oneLine(subject), kind, tenant: tenant === undefined ? undefined : oneLine(tenant) },
    tool: oneLine(record.tool),
    plan: record.plan === undefined ? undefined : oneLine(record.plan),
    result: record.result === undefined ? undefined : oneLine(record.result),
    n: n + 1,
    at,
    cut,
    previous,
  };
  return { ...entry, hash: hashOf(entry) };
}

export function hashOf(entry: Omit<AuditEntry, "hash">): string {
  return sha256(canonicalJson({ ...entry, hash: undefined }));
}

export function entryText(entry: AuditEntry): string {
  return canonicalJson(entry);
}

/** Parses a line of the log without verifying its hash; `undefined` if the text is not an entry. */
export function parseEntry(text: string): AuditEntry | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isEntry(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function cutOff(text: string): CutOffLine {
  return { characters: text.length, sha256: sha256(text) };
}

function isEntry(value: unknown): value is AuditEntry {
  if (typeof value !== "object" || value === null) return false;
  return "n" in value && typeof value.n === "number" && "hash" in value && typeof value.hash === "string" &&
    "previous" in value && typeof value.previous === "string" && "at" in value &&
    typeof value.at === "string" &&
    "tool" in value && typeof value.tool === "string" && "who" in value && typeof value.who === "object" &&
    value.who !== null && "subject" in value.who && typeof value.who.subject === "string";
}

function oneLine(text: string): string {
  const clean = visibleText(text);
  return clean.length <= MAX_TEXT ? clean : `${clean.slice(0, MAX_TEXT)}…`;
}

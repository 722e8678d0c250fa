import { canonicalJson } from "../../base/json/canonical_json.ts";
import { sha256 } from "../../base/text/sha256.ts";
import { visibleText } from "../../base/text/visible_text.ts";
import type { AuditEntry, AuditRecord, CutOffLine } from "./audit_log.ts";

/** Most characters of a text in an entry. */
const MAX_TEXT = 400;

/** The end of a chain: what the next entry follows. */
export interface ChainEnd {
  readonly n: number;
  readonly hash: string;
}

/** The end of a chain without entries. */
export const NO_ENTRIES: ChainEnd = { n: 0, hash: "0".repeat(64) };

/** The entry that follows the end of a chain. */
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

/** Computes the hash that an entry must have. */
export function hashOf(entry: Omit<AuditEntry, "hash">): string {
  return sha256(canonicalJson({ ...entry, hash: undefined }));
}

/** The line of a file, or the text of a row, that holds an entry. */
export function entryText(entry: AuditEntry): string {
  return canonicalJson(entry);
}

/** An entry out of its text; `undefined` for a text that is not one. Whether it was changed, its hash says. */
export function parseEntry(text: string): AuditEntry | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isEntry(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A text that has no end of a line, as the entry after it names it. */
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

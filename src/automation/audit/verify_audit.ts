import { cutOff, hashOf, NO_ENTRIES, parseEntry } from "./audit_chain.ts";
import type { AuditEntry, AuditLine } from "./audit_log.ts";

/** A break in the hash chain of a log, with its place and kind. */
export interface AuditProblem {
  /** File or table. */
  readonly source: string;
  /** Number of the line, from 1. */
  readonly line: number;
  /** The break, in words. */
  readonly problem: string;
}

/** Result of verifying a log. */
export interface AuditVerdict {
  /** True if no entry was changed, removed or inserted. */
  readonly ok: boolean;
  /** Number of consecutive valid entries. */
  readonly entries: number;
  /** The first invalid line; `undefined` if there is none. */
  readonly broken: AuditProblem | undefined;
  /** Incomplete lines, left by a killed process or a full disk. */
  readonly cutOff: readonly AuditProblem[];
  /** Number of the first entry; greater than 1 if older files no longer exist. */
  readonly first: number | undefined;
  /** The last valid entry. */
  readonly last: Pick<AuditEntry, "n" | "at" | "hash"> | undefined;
  /** Number of calls without an end record: they are still running, or their process ended first. */
  readonly open: number;
}

const UNFINISHED = "it was not written to its end";

/**
 * Verifies the hash chain of a log. Stops at the first broken line.
 *
 * @example
 * ```ts
 * import { openAuditLog, verifyAudit } from "@platform/ads/mcp";
 *
 * async function isWhole(place: string): Promise<boolean> {
 *   const log = await openAuditLog(place);
 *   const { ok, broken } = await verifyAudit(log.lines());
 *   if (broken !== undefined) console.log(`line ${broken.line}: ${broken.problem}`);
 *   await log.close();
 *   return ok;
 * }
 * ```
 */
export async function verifyAudit(lines: AsyncIterable<AuditLine>): Promise<AuditVerdict> {
  const cut: AuditProblem[] = [];
  const begun = new Set<string>();
  let entries = 0;
  let first: number | undefined;
  let last: AuditEntry | undefined;
  let unread: AuditLine | undefined;
  const verdict = (broken: AuditProblem | undefined): AuditVerdict => ({
    ok: broken === undefined,
    entries,
    broken,
    cutOff: cut,
    first,
    last: last && { n: last.n, at: last.at, hash: last.hash },
    open: begun.size,
  });
  for await (const line of lines) {
    const entry = parseEntry(line.text);
    if (entry === undefined) {
      if (unread !== undefined) return verdict(problem(unread, "it is not an entry"));
      unread = line;
      continue;
    }
    const wrong = wrongWith(entry, last, unread);
    if (wrong !== undefined) {
      const isBefore = unread !== undefined && entry.cut === undefined;
      return verdict(
        isBefore && unread !== undefined ? problem(unread, "it is not an entry") : problem(line, wrong),
      );
    }
    if (unread !== undefined) cut.push(problem(unread, UNFINISHED));
    unread = undefined;
    entries++;
    first ??= entry.n;
    last = entry;
    if (entry.phase === "begin") begun.add(entry.call);
    else begun.delete(entry.call);
  }
  if (unread === undefined) return verdict(undefined);
  if (unread.isWhole) return verdict(problem(unread, "it is not an entry"));
  cut.push(problem(unread, UNFINISHED));
  return verdict(undefined);
}

function wrongWith(
  entry: AuditEntry,
  last: AuditEntry | undefined,
  unread: AuditLine | undefined,
): string | undefined {
  if (hashOf(entry) !== entry.hash) return "it was changed after it was written";
  const n = last?.n ?? (entry.n === 1 ? NO_ENTRIES.n : entry.n - 1);
  if (entry.n !== n + 1) {
    return entry.n <= n
      ? `entry ${entry.n} is there again`
      : `entries ${n + 1} to ${entry.n - 1} are missing before it`;
  }
  const previous = last?.hash ?? (entry.n === 1 ? NO_ENTRIES.hash : entry.previous);
  if (entry.previous !== previous) return "it does not follow the entry before it";
  if (unread === undefined) {
    return entry.cut === undefined ? undefined : "the unfinished line before it is missing";
  }
  return entry.cut?.sha256 === cutOff(unread.text).sha256
    ? undefined
    : "the unfinished line before it was changed";
}

function problem({ source, line }: AuditLine, what: string): AuditProblem {
  return { source, line, problem: what };
}

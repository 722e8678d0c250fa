import type { PlanData } from "../model/plan_data.ts";
import type { LedgerAttempt, LedgerLine, Reservation } from "./day_ledger.ts";
import { type DayTotals, type FirstValue, largerTotals, NO_WRITES, type WriteTotals } from "./day_totals.ts";

export function isLedgerLine(value: unknown): value is LedgerLine {
  if (typeof value !== "object" || value === null) return false;
  return "id" in value && "changes" in value && typeof value.changes === "number" && "first" in value &&
    Array.isArray(value.first);
}

/** Sums up the lines of a day. A later line of an entry replaces its counts but not its first values. */
export function totalsOf(lines: readonly LedgerLine[], leftOut?: string): DayTotals {
  const last = new Map<string, LedgerLine>();
  const first = new Map<string, FirstValue>();
  for (const line of lines) {
    if (line.id !== leftOut) last.set(line.id, line);
    for (const value of line.first) {
      const key = `${value.kind} ${value.id} ${value.field}`;
      if (!first.has(key)) first.set(key, value);
    }
  }
  const sum = { changes: 0, creates: 0, updates: 0, archives: 0 };
  let spend: number | undefined = 0;
  for (const { changes, creates, updates, archives, spendIncrease } of last.values()) {
    sum.changes += changes;
    sum.creates += creates;
    sum.updates += updates;
    sum.archives += archives;
    // JSON has no undefined: an increase that is unknown is absent or null.
    spend = spend === undefined || typeof spendIncrease !== "number" ? undefined : spend + spendIncrease;
  }
  return {
    ...sum,
    spendIncrease: spend,
    firstValue: (kind, id, field) => first.get(`${kind} ${id} ${field}`)?.value,
    moved: [...first.values()],
  };
}

export function ledgerKey({ id, fingerprint }: Pick<PlanData, "id" | "fingerprint">): string {
  return `${id} ${fingerprint}`;
}

function replacedBy(
  lines: readonly LedgerLine[],
  { key, resumes, exclusive = false }: LedgerAttempt,
): LedgerLine | undefined {
  const last = lines.findLast((line) => line.key === key);
  return resumes || exclusive && last?.exclusive === true ? last : undefined;
}

export function totalsBeside(lines: readonly LedgerLine[], attempt: LedgerAttempt | undefined): DayTotals {
  const replaced = attempt && replacedBy(lines, attempt);
  return { ...totalsOf(lines, replaced?.id), replaces: replaced && countsOf(replaced) };
}

/** JSON has no `undefined`: an unknown increase is absent or null. */
function countsOf({ changes, creates, updates, archives, spendIncrease }: WriteTotals): WriteTotals {
  const isKnown = typeof spendIncrease === "number";
  return { changes, creates, updates, archives, spendIncrease: isKnown ? spendIncrease : undefined };
}

export function reservedLine(
  lines: readonly LedgerLine[],
  reservation: Reservation,
  at: string,
): LedgerLine {
  const { key, exclusive = false, decide } = reservation;
  const earlier = replacedBy(lines, reservation);
  const attempt = crypto.randomUUID();
  const id = earlier?.id ?? attempt;
  const entry = decide(totalsBeside(lines, reservation));
  // The other attempt may be sending now, and what it has done weighs nothing any more by the account.
  const counts = earlier === undefined ? entry : largerTotals(entry, countsOf(earlier));
  return { ...entry, ...counts, id, key, at, attempt, ...(exclusive && { exclusive }) };
}

export function endedLine({ id, key, attempt }: LedgerLine, actual: WriteTotals, at: string): LedgerLine {
  return { ...actual, first: [], id, key, at, ...(attempt === undefined ? {} : { attempt }) };
}

export function withdrawnLine(
  lines: readonly LedgerLine[],
  own: LedgerLine,
  at: string,
): LedgerLine | undefined {
  const ofEntry = lines.filter(({ id }) => id === own.id);
  if (ofEntry.at(-1)?.attempt !== own.attempt) return undefined;
  const before = ofEntry.findLast(({ attempt }) => attempt !== own.attempt);
  return before === undefined ? endedLine(own, NO_WRITES, at) : { ...before, first: [], at };
}

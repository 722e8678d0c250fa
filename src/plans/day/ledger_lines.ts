import type { LedgerLine, Reservation } from "./day_ledger.ts";
import type { DayTotals, FirstValue } from "./day_totals.ts";

/** True for a line as it comes back from where it is kept. */
export function isLedgerLine(value: unknown): value is LedgerLine {
  if (typeof value !== "object" || value === null) return false;
  return "id" in value && "changes" in value && typeof value.changes === "number" && "first" in value &&
    Array.isArray(value.first);
}

/** A later line about an entry replaces its counts; the first values stay. One entry can be left out. */
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

/** The line of a reservation, decided by the lines of its day; of one that resumes, under the id of the earlier entry. */
export function reservedLine(
  lines: readonly LedgerLine[],
  { key, resumes, decide }: Reservation,
  at: string,
): LedgerLine {
  const earlier = resumes ? lines.findLast((line) => line.key === key)?.id : undefined;
  return { ...decide(totalsOf(lines, earlier)), id: earlier ?? crypto.randomUUID(), key, at };
}

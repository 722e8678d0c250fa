import type { ChangePlan } from "../plans/change_plan.ts";
import type { ChangeRow } from "../plans/change.ts";
import { planCounts } from "../plans/plan_markdown.ts";
import { visibleText } from "../internal/visible_text.ts";
import { firstWarnings } from "./results/first_warnings.ts";
import { textTable } from "./results/text_table.ts";

const ROWS_SHOWN = 40;
/** A person is to see what is sent, and not how it begins. */
const MAX_CELL = 1000;

/**
 * What a person reads before a plan is sent. Made of the plan's data alone, names shown for what they are. Of a plan
 * that is too long for a form the topChanges changes are shown, of each sort the topChanges at least, and everything is
 * counted, so that nothing can hide behind many small ones.
 *
 * @param options.checkDrift Whether the account is checked first.
 * @param options.file Path of the plan's file.
 */
export function planQuestion(plan: ChangePlan, options: { checkDrift: boolean; file: string }): string {
  const rows = plan.table();
  const lines = [
    `Send these changes to profile ${plan.profileId} (${plan.countryCode})? ${planCounts(plan.changes)}.`,
  ];
  if (plan.note !== null) lines.push(`The agent's note: ${visibleText(plan.note)}`);
  if (plan.reverses !== null) lines.push(`It undoes plan ${plan.reverses}.`);
  for (const warning of firstWarnings(plan.warnings)) lines.push(`Warning: ${visibleText(warning)}`);
  if (!options.checkDrift) {
    lines.push(
      "Warning: the agent asks to send them even if the account has changed since the plan was made",
    );
  }
  if (rows.length <= ROWS_SHOWN) lines.push("", tableOf(rows));
  else {
    lines.push(
      `In all: ${countedFields(rows)}.`,
      "",
      tableOf(topChanges(rows)),
      `These are the ${ROWS_SHOWN} topChanges of ${rows.length} changed fields; all of them are in ${options.file}`,
    );
  }
  if (rows.some(({ before, after }) => [before, after].some(isTooLong))) {
    lines.push(`Some values are too long to be shown whole here; they are in ${options.file}`);
  }
  lines.push("", `Plan ${plan.id}, fingerprint ${plan.fingerprint.slice(0, 12)}`);
  return lines.join("\n");
}

function tableOf(rows: readonly ChangeRow[]): string {
  return textTable(
    rows.map(({ kind, id, label, field, before, after }) => ({
      kind,
      id: id || "(new)",
      what: label,
      field,
      before: before ?? "—",
      after,
    })),
    { longestCell: MAX_CELL },
  );
}

function isTooLong(value: unknown): boolean {
  return JSON.stringify(value ?? null).length > MAX_CELL;
}

function topChanges(rows: readonly ChangeRow[]): ChangeRow[] {
  const sorted = [...rows].sort((a, b) => weight(b) - weight(a));
  const seen = new Set<string>();
  const ofEachSort = sorted.filter((row) => !seen.has(sortOf(row)) && seen.add(sortOf(row)));
  const shown = new Set(ofEachSort.slice(0, ROWS_SHOWN));
  for (const row of sorted) if (shown.size < ROWS_SHOWN) shown.add(row);
  return sorted.filter((row) => shown.has(row));
}

/** `sp.campaigns state to ARCHIVED`. */
function sortOf({ kind, field, after }: ChangeRow): string {
  return `${kind} ${field}${field === "state" ? ` to ${after}` : ""}`;
}

/** `340 sp.keywords bid, 2 sp.campaigns state to ARCHIVED`. */
function countedFields(rows: readonly ChangeRow[]): string {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(sortOf(row), (counts.get(sortOf(row)) ?? 0) + 1);
  return visibleText([...counts].map(([what, count]) => `${count} ${what}`).join(", "));
}

/** Archives before anything that is no number, those before numbers by how much they change. */
function weight({ field, before, after }: ChangeRow): number {
  if (field === "state" && /^archived$/i.test(String(after))) return Infinity;
  if (typeof after !== "number") return Number.MAX_VALUE;
  if (typeof before !== "number" || before === 0) return after;
  return Math.abs(after - before) / Math.abs(before);
}

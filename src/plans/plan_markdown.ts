import type { Change, ChangeRow } from "./change.ts";
import { markdownCell, visibleText } from "../internal/visible_text.ts";

/** The parts of a plan that its Markdown shows. */
export interface MarkdownPlan {
  /** Id of the plan. */
  readonly id: string;
  /** Id of the profile. */
  readonly profileId: string;
  /** Country of the profile. */
  readonly countryCode: string;
  /** What is changed. */
  readonly changes: readonly Change[];
  /** Ids that the platform did not return. */
  readonly missing: readonly string[];
  /** What the reader should know. */
  readonly warnings: readonly string[];
  /** Why the plan was made. */
  readonly note: string | null;
  /** Fingerprint. */
  readonly fingerprint: string;
  /** One row for each changed field. */
  table(): ChangeRow[];
}

/** A plan as Markdown: heading, table, missing ids, warnings, and one closing line of counts. */
export function planMarkdown(plan: MarkdownPlan): string {
  const lines = [`## Plan ${plan.id}`, "", `Profile ${plan.profileId} (${plan.countryCode})`];
  if (plan.note !== null) lines.push("", `Note: ${visibleText(plan.note)}`);
  lines.push("");
  const rows = plan.table();
  if (rows.length > 0) {
    lines.push("| kind | id | what | field | before | after |", "|---|---|---|---|---|---|");
    for (const row of rows) {
      const cells = [row.kind, row.id || "(new)", row.label, row.field, show(row.before), show(row.after)];
      lines.push(`| ${cells.map(markdownCell).join(" | ")} |`);
    }
    lines.push("");
  }
  if (plan.missing.length > 0) lines.push(`Not found: ${plan.missing.map(visibleText).join(", ")}`, "");
  for (const warning of plan.warnings) lines.push(`> Warning: ${visibleText(warning)}`, "");
  lines.push(`${planCounts(plan.changes)}. Fingerprint ${plan.fingerprint.slice(0, 12)}`);
  return lines.join("\n") + "\n";
}

/** Counts in words: `2 to create, 1 to change, 0 to archive`. */
export function planCounts(changes: readonly Change[]): string {
  const count = (op: string): number => changes.filter((change) => change.op === op).length;
  return `${count("create")} to create, ${count("update")} to change, ${count("archive")} to archive`;
}

function show(value: unknown): string {
  if (value === undefined) return "—";
  return typeof value === "string" ? value : JSON.stringify(value);
}

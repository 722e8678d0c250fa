import { markdownCell, nameInProse, visibleText } from "../../base/text/visible_text.ts";
import type { PlanData } from "../model/plan_data.ts";
import { fieldRows } from "./field_rows.ts";
import { accountText, countsText, findingText, totalLines } from "./plan_lines.ts";
import { planView } from "./plan_view.ts";

export function planMarkdown(plan: PlanData): string {
  const view = planView(plan);
  const account = accountText(view);
  const lines = [`## Plan ${plan.id}`, "", account.charAt(0).toUpperCase() + account.slice(1)];
  if (view.note !== null) lines.push("", `Note: ${visibleText(view.note)}`);
  if (view.reverses !== null) lines.push("", `Undoes plan ${view.reverses}`);
  lines.push("");
  const rows = fieldRows(view, view.campaigns);
  if (rows.length > 0) {
    const hasEvidence = rows.some(({ evidence }) => evidence !== "");
    lines.push(
      `| campaign | kind | id | what | field | before | after | change |${hasEvidence ? " evidence |" : ""}`,
      `|---|---|---|---|---|---|---|---|${hasEvidence ? "---|" : ""}`,
    );
    for (const { campaign, kind, id, what, field, before, after, change, evidence } of rows) {
      const cells = [campaign, kind, id, what, field, show(before), show(after), change];
      if (hasEvidence) cells.push(evidence);
      lines.push(`| ${cells.map(markdownCell).join(" | ")} |`);
    }
    lines.push("");
  }
  for (const { label, findings = [] } of view.campaigns.flatMap(({ changes }) => changes)) {
    for (const finding of findings) lines.push(`> ${nameInProse(label)}: ${findingText(finding)}`, "");
  }
  for (const finding of view.findings) lines.push(`> ${findingText(finding)}`, "");
  if (view.missing.length > 0) lines.push(`Not found: ${view.missing.map(visibleText).join(", ")}`, "");
  for (const warning of view.warnings) lines.push(`> Warning: ${visibleText(warning)}`, "");
  for (const total of totalLines(view)) lines.push(total, "");
  lines.push(`${countsText(view)}. Fingerprint ${plan.fingerprint.slice(0, 12)}`);
  return lines.join("\n") + "\n";
}

function show(value: unknown): string {
  if (value === null) return "—";
  return typeof value === "string" ? value : JSON.stringify(value);
}

import type { BatchError } from "../../platform/batch/batch_error.ts";
import type { Change } from "../model/change.ts";
import type { PlanResult } from "./change_plan.ts";
import { idText } from "../model/planned_call.ts";
import { visibleText } from "../../base/text/visible_text.ts";
import { kindNoun } from "../../platform/catalog/kind_names.ts";
import type { TextStyles } from "../view/terminal_text.ts";

const SHOWN = 50;

const MAX_RESPONSE = 500;

const MAX_MISSING = 10;

export function missingLines({ missing }: Pick<PlanResult["plan"], "missing">): string[] {
  if (missing.length === 0) return [];
  const ids = missing.slice(0, MAX_MISSING).map(visibleText).join(", ");
  const more = missing.length > MAX_MISSING ? ` and ${missing.length - MAX_MISSING} more` : "";
  return [`${missing.length} not found when planned: ${ids}${more}`];
}

export function outcomeText(
  result: PlanResult,
  { title, styles, whole = false }: { title: string; styles: TextStyles; whole?: boolean },
): string {
  const { plan } = result;
  const { failures } = result;
  const lines = [
    `${title}: plan ${plan.id} for profile ${plan.profileId} (${plan.countryCode})`,
    ...[...result.summary().split("\n"), ...missingLines(plan)].map((line) => `  ${line}`),
  ];
  for (const { change, response } of result.changes) {
    if (response === undefined) continue;
    const text = JSON.stringify(response);
    const cut = text.length > MAX_RESPONSE ? `${text.slice(0, MAX_RESPONSE)}…` : text;
    lines.push(`  ✓ ${visibleText(`${nameText(change)} responded ${cut}`)}`);
  }
  const shown = whole ? failures.length : SHOWN;
  // What is said of many is said once, below all of them.
  const reasons = Map.groupBy(failures.slice(0, shown), ({ error }) => reasonText(error));
  for (const [reason, alike] of reasons) {
    for (const { change, error } of alike) {
      const verb = error.outcome === "not_sent" ? "with" : "sent";
      const sent = change.op === "archive" ? "" : ` ${verb} ${JSON.stringify(change.after)}`;
      lines.push(styles.red(`  ✗ ${visibleText(nameText(change))}`) + visibleText(sent));
    }
    lines.push(`      ${visibleText(reason)}`);
  }
  if (failures.length > shown) {
    lines.push(`  ... and ${failures.length - shown} more, all in the result file`);
  }
  if (whole) {
    for (const { change, outcome, id } of result.changes) {
      if (outcome !== "done" && outcome !== "already") continue;
      const name = nameText({ ...change, id: id ?? change.id });
      lines.push(`  ${outcome === "done" ? "✓" : "="} ${visibleText(name)}`);
    }
  }
  return lines.join("\n") + "\n";
}

function reasonText(error: BatchError): string {
  const { code, message, lowerLimit, upperLimit, hint } = error;
  const range = lowerLimit === undefined && upperLimit === undefined
    ? ""
    : `. Allowed: ${lowerLimit ?? "any"} to ${upperLimit ?? "any"}`;
  return `${outcomeWord(error)}${code}: ${message}${range}${hint === undefined ? "" : `. ${hint}`}`;
}

function nameText(change: Change): string {
  return [kindNoun(change.kind), change.label, idText(change)].filter((part) => part !== "").join(" ");
}

function outcomeWord({ outcome }: BatchError): string {
  switch (outcome) {
    case "refused":
      return "";
    case "partial":
      return "done in part: ";
    case "not_sent":
      return "never sent: ";
    case "unknown":
      return "may have been done: ";
  }
}

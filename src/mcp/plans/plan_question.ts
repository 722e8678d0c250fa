import { visibleText } from "../../internal/visible_text.ts";
import type { PlanData } from "../../plans/plan_data.ts";
import { type FieldRow, fieldRows } from "../../plans/view/field_rows.ts";
import { countsText, findingText, totalLines } from "../../plans/view/plan_lines.ts";
import { planView } from "../../plans/view/plan_view.ts";
import { countedSorts, topChanges } from "../../plans/view/top_changes.ts";
import { firstWarnings } from "../results/first_warnings.ts";
import { textTable } from "../results/text_table.ts";

const CHANGES_SHOWN = 40;
/** A person is to see what is sent, and not only how it begins. */
const MAX_CELL = 1000;

/**
 * Text for a person to read before a plan is sent. Made of the plan's data alone, names shown for what they are. Of a
 * plan that is too long for a form the most important changes are shown, of each sort at least one, and everything is
 * counted, so that nothing can hide behind many small ones.
 *
 * @param options.checkDrift Whether the account is checked first.
 * @param options.file Path of the plan's file.
 * @param options.account Name of the account, where it has one.
 */
export function planQuestion(
  plan: PlanData,
  options: { checkDrift: boolean; file: string; account?: string | undefined },
): string {
  const view = planView(plan);
  const amounts = view.currency === null ? "" : ` Amounts are in ${view.currency}.`;
  const account = options.account === undefined ? "" : `${options.account}, `;
  const lines = [
    `Send these changes to ${account}profile ${view.profile_id} (${view.country_code})? ` +
    `${countsText(view)}.${amounts}`,
  ];
  if (view.note !== null) lines.push(`The agent's note: ${visibleText(view.note)}`);
  if (view.reverses !== null) lines.push(`It undoes plan ${view.reverses}.`);
  const found = view.campaigns.flatMap(({ changes }) =>
    changes.flatMap(({ label, findings = [] }) =>
      findings.map((finding) => `${visibleText(label)}: ${findingText(finding)}`)
    )
  );
  lines.push(...firstWarnings([...view.findings.map(findingText), ...found]));
  for (const warning of firstWarnings(view.warnings)) lines.push(`Warning: ${visibleText(warning)}`);
  if (!options.checkDrift) {
    lines.push(
      "Warning: the agent asks to send them even if the account has changed since the plan was made",
    );
  }
  lines.push(...totalLines(view));
  const isCut = plan.changes.length > CHANGES_SHOWN;
  if (isCut) lines.push(`In all: ${visibleText(countedSorts(view.campaigns))}.`);
  lines.push(
    "",
    tableOf(fieldRows(view, isCut ? topChanges(view.campaigns, CHANGES_SHOWN) : view.campaigns)),
  );
  if (isCut) {
    lines.push(
      `These are the ${CHANGES_SHOWN} most important of ${plan.changes.length} changes; all of them are in ${options.file}`,
    );
  }
  if (fieldRows(view, view.campaigns).some(({ before, after }) => [before, after].some(isTooLong))) {
    lines.push(`Some values are too long to be shown whole here; they are in ${options.file}`);
  }
  lines.push("", `Plan ${plan.id}, fingerprint ${plan.fingerprint.slice(0, 12)}`);
  return lines.join("\n");
}

function tableOf(rows: readonly FieldRow[]): string {
  const names = rows.some(({ campaign }) => campaign !== "");
  const differences = rows.some(({ change }) => change !== "");
  const cells = rows.map(({ campaign, change, kind, id, what, field, before, after }) => ({
    ...(names ? { campaign } : {}),
    kind,
    id,
    what,
    field,
    before: before ?? "—",
    after,
    ...(differences ? { change } : {}),
  }));
  return textTable(cells, { longestCell: MAX_CELL });
}

function isTooLong(value: unknown): boolean {
  return JSON.stringify(value ?? null).length > MAX_CELL;
}

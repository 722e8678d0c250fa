import { COOLING } from "../../../../../account/jobs/cooling.ts";
import { type JobResult, type LeftOut, unsoldText } from "../../../../../account/jobs/job_result.ts";
import { leftOutData } from "../../../../../account/jobs/left_out_data.ts";
import { spellReport } from "../../../../../client/reports/requests/presets.ts";
import type { Note } from "../../../shell/output/write_text.ts";
import { visibleText } from "../../../../../base/text/visible_text.ts";

const MAX_NAMED = 3;

export function jobData({ considered, leftOut, figures }: JobResult): Record<string, unknown> {
  return {
    considered,
    figures: figures === undefined
      ? null
      : { reports: figures.reports, first_day: figures.firstDay, last_day: figures.lastDay },
    ...leftOutData(leftOut),
  };
}

export function summary({ plan, considered, leftOut, figures }: JobResult): Note[] {
  const judged = figures === undefined
    ? []
    : [`Figures: ${figures.reports.map(spellReport).join(", ")}, ${figures.firstDay} to ${figures.lastDay}`];
  const changes = plan.changes.length === 1 ? "1 change" : `${plan.changes.length} changes`;
  // A search term may take several changes, and budgets may change where every bid is left out.
  const planned = considered - leftOut.length - (plan.experiment?.held.length ?? 0);
  const isPlain = planned === plan.changes.length || planned === 0;
  const lines: Note[] = [
    `Looked at ${considered}: ${
      isPlain ? changes : `${planned} planned in ${changes}`
    }, ${leftOut.length} left out`,
  ];
  const groups = [...Map.groupBy(leftOut, groupOf).values()].sort((a, b) => b.length - a.length);
  for (const group of groups) {
    const [first] = group;
    const names = first?.reason === "no_match"
      ? ""
      : `, for example ${group.slice(0, MAX_NAMED).map(({ label }) => visibleText(label)).join(", ")}`;
    lines.push({ detail: `  ${group.length}  ${visibleText(first?.message ?? "")}${names}` });
  }
  const unsold = unsoldText({ plan, leftOut });
  if (unsold !== undefined) lines.push(`${unsold}: plan bids --preset no-sales`);
  if (leftOut.some(({ reason }) => reason === COOLING)) {
    lines.push({
      detail: "  Recently changed entities are left out, because the figures are from before the change; " +
        "--again includes them",
    });
  }
  return [...judged, ...lines];
}

/** Groups skipped items by reason. A message that contains a day is counted separately for each day. */
function groupOf({ reason, message }: LeftOut): string {
  return reason === COOLING ? message : reason;
}

import type { Rollout, RolloutEntry } from "../../../../account/rollout/rollout.ts";
import { marketOf } from "../../../../markets.ts";
import { countsOf } from "../../../../plans/view/plan_view.ts";
import type { CliContext } from "../../../core/context.ts";
import { printRows } from "../../../output/print_rows.ts";
import { wantsData } from "../../../output/wants_data.ts";

const COLUMNS = [
  "country_code",
  "profile_id",
  "state",
  "create",
  "change",
  "archive",
  "spend_a_day",
  "findings",
  "plan_id",
];
const FIELDS = [...COLUMNS, "currency", "summary"];

/** A rollout as one review: a row for each profile, then totals on stderr. */
export async function printRollout(
  rollout: Rollout,
  entries: readonly RolloutEntry[],
  context: CliContext,
): Promise<void> {
  await printRows(entries.map(rolloutRow), { columns: COLUMNS, fields: FIELDS }, context);
  if (context.globals.quiet || wantsData(context)) return;
  await context.io.stderr.write(`${totalsText(rollout, entries)}\n`);
}

/** A line of totals: plans, changes, states, and profiles without a plan. */
export function totalsText({ data }: Rollout, entries: readonly RolloutEntry[]): string {
  const counts = countsOf(entries.flatMap(({ plan }) => plan.changes));
  const states = Map.groupBy(entries, ({ state }) => state);
  const shown = [...states].map(([state, own]) => `${own.length} ${state}`).join(", ");
  const reasons = Map.groupBy(data.left_out, ({ reason }) => reason);
  const leftOut = [...reasons].map(([reason, own]) => `${own.length} left out: ${reason}`);
  return [
    `${entries.length} plans (${
      shown || "none"
    }): ${counts.create} to create, ${counts.update} to change, ${counts.archive} to archive`,
    ...leftOut,
  ].join("\n");
}

function rolloutRow({ plan, state, summary }: RolloutEntry): Record<string, unknown> {
  const { create, update, archive } = countsOf(plan.changes);
  const { money } = plan;
  const perDay = money === null ? null : `${money.perDay.low} to ${money.perDay.high} ${money.currency}`;
  return {
    country_code: plan.countryCode,
    profile_id: plan.profileId,
    state,
    create,
    change: update,
    archive,
    spend_a_day: perDay,
    findings: plan.findings.filter(({ level }) => level !== "note").length,
    plan_id: plan.id,
    currency: marketOf(plan.countryCode)?.currency ?? null,
    summary: summary ?? null,
  };
}

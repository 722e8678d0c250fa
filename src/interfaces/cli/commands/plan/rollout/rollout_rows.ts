import type { Rollout, RolloutEntry } from "../../../../../account/rollout/rollout.ts";
import type { ProfileWithoutPlan } from "../../../../../account/rollout/rollout_file.ts";
import { visibleText } from "../../../../../base/text/visible_text.ts";
import { marketOf } from "../../../../../base/markets/markets.ts";
import { spendText } from "../../../../../plans/view/plan_lines.ts";
import { type Experiment, heldText } from "../../../../../plans/model/experiment.ts";
import type { PlanData } from "../../../../../plans/model/plan_data.ts";
import { countsOf } from "../../../../../plans/view/plan_view.ts";
import type { CliContext } from "../../../shell/context/context.ts";
import { printRows } from "../../../shell/output/print_rows.ts";
import { wantsData } from "../../../shell/output/wants_data.ts";

const COLUMNS = [
  "account_name",
  "country_code",
  "state",
  "spend_a_day",
  "findings",
  "change",
  "create",
  "archive",
  "profile_id",
  "plan_id",
];
const FIELDS = [...COLUMNS, "currency", "summary"];

export type ShownEntry = RolloutEntry & { readonly shown?: string };

export async function printRollout(
  rollout: Rollout,
  entries: readonly ShownEntry[],
  context: CliContext,
): Promise<void> {
  const failed = rollout.data.left_out.filter(({ failed }) => failed).map(failedRow);
  const names = accountNames(rollout);
  const rows = entries.map((entry) => rolloutRow(entry, names.get(entry.plan.profileId)));
  await printRows([...rows, ...failed], { columns: COLUMNS, fields: FIELDS }, context);
  if (context.globals.quiet || wantsData(context)) return;
  await context.io.stderr.write(`${totalsText(rollout, entries)}\n`);
}

export function accountNames({ data }: Rollout): Map<string, string | null | undefined> {
  return new Map(data.plans.map((one) => [one.profile_id, one.account_name]));
}

function failedRow(
  { profile_id, country_code, account_name = null, reason }: ProfileWithoutPlan,
): Record<string, unknown> {
  const none = Object.fromEntries(FIELDS.map((field) => [field, null]));
  return { ...none, account_name, country_code, profile_id, state: "not_planned", summary: reason };
}

export function totalsText(
  { data }: Rollout,
  entries: readonly (Pick<ShownEntry, "state" | "shown"> & { readonly plan: PlanData })[],
): string {
  const counts = countsOf(entries.flatMap(({ plan }) => plan.changes));
  const states = Map.groupBy(entries, ({ state, shown = state }) => shown);
  const shown = [...states].map(([state, own]) => `${own.length} ${state}`).join(", ");
  const reasons = Map.groupBy(data.left_out.filter(({ failed }) => !failed), ({ reason }) => reason);
  const leftOut = [...reasons].map(([reason, own]) => `${own.length} left out: ${reason}`);
  const failed = data.left_out.filter(({ failed }) => failed).map(({ profile_id, country_code, reason }) =>
    `not planned: profile ${profile_id} (${country_code}): ${visibleText(reason)}`
  );
  const unreachable = data.unreachable.map(({ name, reason }) =>
    `not planned: ${name}: ${visibleText(reason)}`
  );
  const held = heldLines(entries.flatMap(({ plan }) => plan.experiment ?? []));
  return [
    `${entries.length} plans (${
      shown || "none"
    }): ${counts.create} to create, ${counts.update} to change, ${counts.archive} to archive`,
    ...held,
    ...leftOut,
    ...failed,
    ...unreachable,
  ].join("\n");
}

function heldLines(experiments: readonly Experiment[]): string[] {
  return [...Map.groupBy(experiments, ({ unit }) => unit)].flatMap(([unit, own]) => {
    const [first] = own;
    if (first === undefined) return [];
    const draws = unit === "profile" ? [first] : own;
    const sum = (count: (one: Experiment) => number): number =>
      draws.reduce((total, one) => total + count(one), 0);
    return heldText({
      ...first,
      held: sum((one) => one.held.length),
      of: sum((one) => Object.keys(one.strata).length),
    });
  });
}

function rolloutRow(
  { plan, state, shown = state, summary }: ShownEntry,
  accountName: string | null = null,
): Record<string, unknown> {
  const { create, update, archive } = countsOf(plan.changes);
  const { money } = plan;
  // A part that is known to be 0 says nothing of what is unknown.
  const isUnknown = money === null || money.known === 0 ||
    money.unknown > 0 && money.perDay.low === 0 && money.perDay.high === 0;
  const perDay = isUnknown ? null : spendText(money, plan.countryCode);
  return {
    account_name: accountName,
    country_code: plan.countryCode,
    profile_id: plan.profileId,
    state: shown,
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

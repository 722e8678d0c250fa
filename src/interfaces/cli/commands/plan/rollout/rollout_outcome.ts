import { moneyText, roundMoney } from "../../../../../base/text/money_text.ts";
import { visibleText } from "../../../../../base/text/visible_text.ts";
import { decimalsOf } from "../../../../../base/markets/markets.ts";
import { compareRollout, rolloutOutcomes } from "../../../../../operations/reads/rollout_outcome.ts";
import type { EffectFigure } from "../../../../../store/figures/experiment_outcome.ts";
import type { PlanOutcome } from "../../../../../store/figures/plan_outcome.ts";
import type { CliContext } from "../../../shell/context/context.ts";
import { EXIT, RefusedError } from "../../../shell/io/cli_error.ts";
import { refusing } from "../../../shell/find_plan.ts";
import { openRollout } from "./open_rollout.ts";
import { openStore } from "../../../shell/connect/open_store.ts";
import { printJson, printRows, wantsData } from "../../../shell/output/print_rows.ts";
import type { StoreOptions } from "../../../shell/options/store_option.ts";
import { knownStores } from "../../../shell/connect/plan_folders.ts";
import { comparisonLines } from "../../../../../operations/reads/outcome_lines.ts";
import { accountNames } from "./rollout_rows.ts";

interface PlanOutcomeOptions extends StoreOptions {
  readonly file: string;
  readonly days?: number | undefined;
  readonly figure?: EffectFigure | undefined;
  readonly margin?: number | undefined;
}

const COLUMNS = [
  "account_name",
  "country_code",
  "cost_before",
  "cost_after",
  "orders_before",
  "orders_after",
  "acos_before",
  "acos_after",
  "verdict",
];
const FIELDS = [
  ...COLUMNS,
  "currency",
  "days",
  "clicks_before",
  "clicks_after",
  "sales_before",
  "sales_after",
  "spend_a_day",
  "estimate_low",
  "estimate_high",
  "estimate_verdict",
  "immature_days",
  "applied_at",
  "profile_id",
  "plan_id",
];

export async function showRolloutOutcome(options: PlanOutcomeOptions, context: CliContext): Promise<number> {
  const { io, globals } = context;
  const rollout = await openRollout(options.file, context);
  const entries = await refusing(() => rollout.entries());
  const [plans, store] = [await knownStores(context), await openStore(options, context)];
  const { days, figure, margin } = options;
  const input = { days, figure, margin };
  const at = { rollout, store, plans, now: io.now() };
  const { outcomes, without } = await rolloutOutcomes(entries, at, input);
  if (outcomes.length === 0) {
    throw new RefusedError(`Cannot tell the outcome of the rollout: ${without[0] ?? "it has no plans"}`);
  }
  const comparison = (await refusing(() => compareRollout(at, input)))?.comparison;
  const names = accountNames(rollout);
  if (wantsData(context) && globals.fields === undefined) {
    const data = outcomes.map((one) => ({ account_name: names.get(one.profile_id) ?? null, ...one }));
    const { verdict = "not_known" } = comparison ?? {};
    await printJson(
      { folder: options.file, verdict, comparison: comparison ?? null, plans: data, without },
      context,
    );
    return EXIT.done;
  }
  const rows = outcomes.map((one) => outcomeRow(one, names.get(one.profile_id)));
  await printRows(rows, { columns: COLUMNS, fields: FIELDS }, context);
  if (!globals.quiet && !wantsData(context)) {
    const lines = [
      ...sumLines(outcomes),
      ...without.map((one) => `no outcome: ${visibleText(one)}`),
      ...comparison === undefined || outcomes[0] === undefined
        ? []
        : comparisonLines(comparison, outcomes[0]),
    ];
    await io.stderr.write(lines.map((line) => line + "\n").join(""));
  }
  return EXIT.done;
}

function outcomeRow(outcome: PlanOutcome, name: string | null = null): Record<string, unknown> {
  const { totals: { before, after }, estimate, immature } = outcome;
  const decimals = decimalsOf(outcome.country_code);
  const money = (amount: number | null | undefined): number | null =>
    amount === null || amount === undefined ? null : roundMoney(amount, decimals);
  return {
    account_name: name,
    country_code: outcome.country_code,
    ...sideOf("before", before, decimals),
    ...sideOf("after", after, decimals),
    verdict: outcome.verdict,
    currency: outcome.currency,
    days: outcome.days,
    spend_a_day: money(estimate?.actual),
    estimate_low: money(estimate?.low),
    estimate_high: money(estimate?.high),
    estimate_verdict: estimate?.verdict ?? null,
    immature_days: immature.days,
    applied_at: outcome.applied_at,
    profile_id: outcome.profile_id,
    plan_id: outcome.plan_id,
  };
}

function sumLines(outcomes: readonly PlanOutcome[]): string[] {
  const byCurrency = Map.groupBy(outcomes, ({ currency }) => currency ?? "no known currency");
  return [...byCurrency].map(([currency, own]) => {
    const known = own.flatMap(({ totals: { before, after } }) =>
      before === null || after === null ? [] : [{ before, after }]
    );
    const missing = own.length - known.length;
    const rest = missing === 0 ? "" : `; ${missing} without stored figures`;
    if (known.length === 0) return `${currency}: unknown${rest}`;
    const decimals = decimalsOf(own[0]?.country_code ?? "");
    const sum = (side: "before" | "after"): string =>
      moneyText(
        roundMoney(known.reduce((total, one) => total + one[side].cost_per_day, 0), decimals),
        decimals,
      );
    return `${currency}: ${sum("before")} a day before, ${
      sum("after")
    } a day after, in ${known.length} accounts${rest}`;
  });
}

export function sideOf(
  side: "before" | "after",
  figures: PlanOutcome["changes"][number]["before"],
  decimals: number,
): Record<string, unknown> {
  const { cost, clicks, orders, sales, acos } = figures ?? {};
  const money = (amount: number | undefined): unknown =>
    amount === undefined ? null : roundMoney(amount, decimals);
  return {
    [`cost_${side}`]: money(cost),
    [`clicks_${side}`]: clicks ?? null,
    [`orders_${side}`]: orders ?? null,
    [`sales_${side}`]: money(sales),
    [`acos_${side}`]: acos === undefined || acos === null ? null : Number(acos.toFixed(4)),
  };
}

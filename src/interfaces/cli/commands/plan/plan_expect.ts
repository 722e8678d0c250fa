import { dayIn } from "../../../../base/time/calendar.ts";
import { moneyText, roundMoney } from "../../../../base/text/money_text.ts";
import { decimalsOf, marketOf, timeZoneOf } from "../../../../base/markets/markets.ts";
import { spendLimitText } from "../../../../plans/view/plan_lines.ts";
import { bidResponse } from "../../../../store/figures/bid_response.ts";
import {
  type ExpectedFigure,
  type ExpectedOutcome,
  expectedOutcome,
} from "../../../../store/figures/expected_outcome.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { readPlan } from "../../shell/find_plan.ts";
import { ownResponse } from "../../shell/connect/own_response.ts";
import type { StoreOptions } from "../../shell/options/store_option.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { writeText } from "../../shell/output/write_text.ts";
import type { ChangePlan } from "../../../../plans/change_plan/change_plan.ts";

export async function runPlanExpect(
  options: StoreOptions & { readonly file: string },
  context: CliContext,
): Promise<number> {
  const plan = await readPlan(options.file, context);
  const timeZone = timeZoneOf(plan);
  const today = dayIn(timeZone, context.io.now());
  const store = await openStore(options, context);
  const request = { profileId: plan.profileId, today, timeZone };
  const response = await ownResponse(request, { context, measure: (asked) => bidResponse(store, asked) });
  const expected = await expectedOutcome(store, { plan, today, response });
  if (wantsData(context)) await printJson(expected, context);
  else await writeText(expectedLines(expected, plan).map((line) => `${line}\n`).join(""), context);
  return EXIT.done;
}

function expectedLines(expected: ExpectedOutcome, { countryCode, money }: ChangePlan): string[] {
  const { verdict, reason, changes_used: used, exponents, bids, weighed } = expected;
  const { clicks_per_day: clicks, cost_per_day: cost } = expected;
  const estimate = money === null ? [] : [
    `Estimate of the plan: ${spendLimitText(money, countryCode)}`,
    ...money.basis.map((ground) => `  ${ground}`),
  ];
  if (verdict === "unknown" || exponents === null || clicks === null || cost === null) {
    return [`Unknown: ${reason}`, ...estimate];
  }
  const decimals = decimalsOf(countryCode);
  const currency = marketOf(countryCode)?.currency ?? "";
  const amount = (value: number): string => moneyText(roundMoney(value, decimals), decimals);
  const powers = ([["clicks", exponents.clicks], ["the cost of a click", exponents.cpc]] as const)
    .map(([name, { value, low, high }]) =>
      `${name} as bid^${value.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`
    );
  return [
    `Expected from ${used} bid changes by plans: ${powers.join(", and ")}`,
    line("Clicks a day", clicks, (value) => value.toFixed(1)),
    line("Spend a day", cost, amount, ` ${currency}`.trimEnd()),
    ...weighed === bids ? [] : [`${bids - weighed} of ${bids} bids have no stored figures and are left out`],
    "If bids were chosen by their figures, those regress to the mean on their own; this counts as response here",
    ...estimate,
  ];
}

function line(
  name: string,
  { before, value, low, high }: ExpectedFigure,
  text: (value: number) => string,
  unit = "",
): string {
  return `  ${name}: ${text(before)} now, ${text(value)} expected (${text(low)} to ${text(high)})${unit}`;
}

import { countDays } from "../../base/time/calendar.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import type { AccountReading } from "../state/account_reading.ts";
import { budgetAmount, readAmount } from "../state/amounts.ts";
import type { Step } from "../state/plan_state.ts";
import { known, Unread } from "../model/prior_state.ts";

export interface PortfolioCap {
  readonly portfolioId: string;
  /** Average cap a day, in the account's currency. */
  readonly perDay: number;
  readonly isSpent: boolean;
}

const MONTH = 30.4;

export async function portfolioCaps(
  steps: readonly Step[],
  account: AccountReading,
): Promise<ReadonlyMap<string, PortfolioCap>> {
  const portfolios = new Map<string, string>();
  for (const { campaign } of steps) {
    if (campaign === undefined || campaign instanceof Unread || campaign.id === undefined) continue;
    const portfolioId = campaign.before?.["portfolioId"];
    if (typeof portfolioId === "string") portfolios.set(campaign.id, portfolioId);
  }
  for (const id of portfolios.values()) account.want("portfolios", id);
  await account.read((kind) => kind === "portfolios");
  const caps = new Map<string, PortfolioCap>();
  for (const [campaignId, portfolioId] of portfolios) {
    const portfolio = known(account.entity("portfolios", portfolioId));
    const amount = readAmount(budgetAmount("portfolios", portfolio));
    if (portfolio === undefined || amount === undefined || !(amount > 0)) continue;
    const days = daysOf(portfolio["budget"]);
    caps.set(campaignId, {
      portfolioId,
      perDay: amount / days,
      isSpent: portfolio["inBudget"] === false,
    });
  }
  return caps;
}

function daysOf(budget: unknown): number {
  const { policy, startDate, endDate } = fieldsOf(budget);
  const [start, end] = [startDate, endDate].map((day) =>
    /^\d{4}-\d\d-\d\d$/.test(String(day)) ? String(day) : ""
  );
  const isRange = String(policy).toUpperCase() === "DATE_RANGE" && start && end && start <= end;
  return isRange ? countDays({ start, end }) : MONTH;
}

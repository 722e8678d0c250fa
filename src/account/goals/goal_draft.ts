import { ConfigurationError } from "../../errors.ts";
import { addDays } from "../../base/time/calendar.ts";
import { counted, moneyText } from "../../base/text/money_text.ts";
import { decimalsOf, marketOf } from "../../base/markets/markets.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { namePattern } from "../../plans/policy/name_pattern.ts";
import { ensureStored, type FigureOptions } from "../jobs/ensure_stored.ts";
import { campaignSums, type TargetSums, totalOf } from "./goal_figures.ts";
import { type GoalKind, parseGoals } from "./goals_file.ts";

export const DRAFT_DAYS = 30;

export interface DraftCampaign {
  readonly name: string;
  readonly sums: TargetSums;
}

export interface DraftFigures {
  readonly currency: string;
  readonly decimals: number;
  readonly campaigns: readonly DraftCampaign[];
}

export interface GoalAnswers {
  /** Campaign names; `*` matches any text, empty selects all. */
  readonly select: readonly string[];
  readonly aim: GoalKind;
  /** ACOS or margin as a percentage, or cost per order. */
  readonly target: string;
  readonly month: string;
  readonly never: readonly string[];
}

export async function readDraftFigures(
  profile: ProfileClient,
  options: FigureOptions,
): Promise<DraftFigures> {
  const { today } = profile.reports;
  const range = { start: addDays(today, -DRAFT_DAYS), end: addDays(today, -1) };
  await ensureStored(profile, ["sp_campaigns"], { ...options, days: range });
  const sums = await campaignSums(options.store, { profileId: profile.profileId, range });
  const campaigns: DraftCampaign[] = [];
  for await (
    const { campaignId, name } of profile.sp.campaigns.iter({ states: ["ENABLED"], signal: options.signal })
  ) {
    campaigns.push({ name, sums: sums.get(campaignId) ?? totalOf([]) });
  }
  return {
    currency: profile.profile.currencyCode ?? marketOf(profile.countryCode)?.currency ?? "",
    decimals: decimalsOf(profile.countryCode),
    campaigns,
  };
}

export function draftCampaigns(
  { campaigns }: DraftFigures,
  names: readonly string[],
): readonly DraftCampaign[] {
  const patterns = names.map(namePattern);
  return names.length === 0
    ? campaigns
    : campaigns.filter(({ name }) => patterns.some((matches) => matches(name)));
}

export function draftLine(
  { currency, decimals }: DraftFigures,
  campaigns: readonly DraftCampaign[],
): string {
  const { cost, sales, orders } = totalOf(campaigns.map(({ sums }) => sums));
  const money = (amount: number): string => moneyText(Number(amount.toFixed(decimals)), decimals);
  const acos = sales > 0 ? `, ACOS ${(100 * cost / sales).toFixed(1)} %` : "";
  const perOrder = orders > 0 ? `, ${money(cost / orders)} an order` : "";
  return `${counted(campaigns.length, "campaign")}: ${
    money(cost)
  } ${currency} in the last ${DRAFT_DAYS} days for ` +
    `${money(sales)} of sales${acos}, ${counted(orders, "order")}${perOrder}`;
}

export function goalsText(figures: DraftFigures, answers: GoalAnswers): string {
  const { select, aim, target, month, never } = answers;
  const chosen = draftCampaigns(figures, select);
  const { cost, sales, orders } = totalOf(chosen.map(({ sums }) => sums));
  const money = (amount: number): string =>
    moneyText(Number(amount.toFixed(figures.decimals)), figures.decimals);
  const names = (list: readonly string[]): string => `[${list.map((one) => JSON.stringify(one)).join(", ")}]`;
  const last = `in the last ${DRAFT_DAYS} days`;
  const field = { sales: "acos", profit: "margin", orders: "cost_per_order", spend: undefined }[aim];
  const beside = aim === "orders"
    ? `at most; ${orders > 0 ? money(cost / orders) : "no order"} ${last}`
    : aim === "sales"
    ? `at most; ${sales > 0 ? `${(100 * cost / sales).toFixed(1)} %` : "no sales"} ${last}`
    : "profit before advertising, as a share of sales; margins: { ASIN: 35% } for single products";
  const touched = draftCampaigns(figures, never).length;
  const limits = [
    ...(month === "" ? [] : [`      month: ${month} # ${money(cost)} ${last}`]),
    ...(never.length === 0 ? [] : [
      `      never: { names: ${names(never)} } # ${
        counted(touched, "campaign")
      }, and keywords of these names`,
    ]),
  ];
  const text = [
    `# ${draftLine(figures, figures.campaigns)}`,
    "version: 1",
    "hold_back: 20% # random share of bids left unchanged, to compare with",
    "goals:",
    "  main:",
    ...(figures.currency === "" ? [] : [`    currency: ${figures.currency}`]),
    ...(select.length === 0
      ? []
      : [`    select: { names: ${names(select)} } # ${draftLine(figures, chosen)}`]),
    `    aim: ${aim}`,
    ...(field === undefined ? [] : [`    ${field}: ${target} # ${beside}`]),
    ...(limits.length === 0 ? [] : ["    limits:", ...limits]),
    "",
  ].join("\n");
  parseGoals(text, "the answers");
  if (chosen.length === 0) {
    throw new ConfigurationError(
      `Cannot write a goal: no running campaign of Sponsored Products has a name like ${select.join(", ")}`,
    );
  }
  return text;
}

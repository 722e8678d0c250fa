import { addDays, dayAt, daySpans, eachDay } from "../../core/day_span.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { nextSeasons } from "../../core/seasons.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import { readObject, readTexts } from "../../routing/read_request.ts";
import type { Route } from "../../routing/route.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { campaignDay } from "../../traffic/campaign_day.ts";
import { Market } from "../../traffic/market.ts";
import { type Family, readCampaigns } from "../../traffic/read_campaigns.ts";
import { effectiveBudget, type ServedCampaign } from "../../traffic/served_campaign.ts";
import { advertisedProducts } from "../../traffic/vocabulary.ts";
import { recommendBudgets, recommendFlatBudgets, recommendInitialBudget } from "./budget_recommendations.ts";
import { BUDGET_RULE_ROUTES, BULK_BUDGET_RULE_ROUTES } from "./budget_rules.ts";
import { OPTIMIZATION_RULE_ROUTES } from "./optimization_rules.ts";
import { demandCampaign, type Program } from "./rule_ties.ts";

const MAX_IDS = 100;

interface Budgeted {
  readonly collection: string;
  readonly idField: string;
  readonly listField: string;
  readonly budgetOf: (entity: JsonObject) => number | undefined;
  readonly shares: (ids: readonly string[], context: Context) => BudgetShare;
}

function getBudgetUsage(kind: Budgeted, context: Context): HttpResponse {
  const body = readObject(context.body, [kind.listField]);
  const ids = readTexts(body[kind.listField], kind.listField, MAX_IDS);
  const collection = context.profile.collection(kind.collection);
  const share = kind.shares(ids, context);
  const success: JsonObject[] = [];
  const error: JsonObject[] = [];
  for (const [index, id] of ids.entries()) {
    const entity = collection.get(id);
    const budget = entity === undefined ? undefined : kind.budgetOf(entity);
    const place = { [kind.idField]: id, index };
    if (entity === undefined) error.push({ ...place, code: "NOT_FOUND", details: `${id} was not found` });
    else if (budget === undefined) {
      error.push({ ...place, code: "INVALID_ARGUMENT", details: `${id} has no budget` });
    } else {
      const { used, raised } = share(entity);
      const percent = Math.min(100, 100 * used);
      success.push({
        ...place,
        budget: Number((budget * (1 + raised / 100)).toFixed(2)),
        budgetUsagePercent: Number(percent.toFixed(2)),
        usageUpdatedTimestamp: new Date(usageMoment(context)).toISOString(),
      });
    }
  }
  return jsonResponse(207, { success, error }, { type: context.responseType });
}

function recommendBudgetRules(program: Program, context: Context): HttpResponse {
  const { campaignId } = readObject(context.body, ["campaignId"]);
  if (typeof campaignId !== "string") throw refusal(400, "campaignId is required", "details");
  demandCampaign(program, campaignId, context);
  const today = context.clock.day(context.profile.record.timezone);
  const recommendedBudgetRuleEvents = nextSeasons(today, 4).map((season) => ({
    eventId: season.key,
    eventName: season.name,
    startDate: season.startDate,
    endDate: season.endDate,
    suggestedBudgetIncreasePercent: season.increasePercent,
  }));
  return jsonResponse(200, { recommendedBudgetRuleEvents }, { type: context.responseType });
}

const CAMPAIGN: Budgeted = {
  collection: "sp.campaigns",
  idField: "campaignId",
  listField: "campaignIds",
  budgetOf: productsBudget,
  shares: campaignShares("sp"),
};

function flatCampaign(program: "sb" | "sd"): Budgeted {
  return {
    collection: `${program}.campaigns`,
    idField: "campaignId",
    listField: "campaignIds",
    budgetOf: flatBudget,
    shares: campaignShares(program),
  };
}

const PORTFOLIO: Budgeted = {
  collection: "portfolios",
  idField: "portfolioId",
  listField: "portfolioIds",
  budgetOf: (portfolio) => amountOf(portfolio.budget, "amount"),
  shares: portfolioShares,
};

export const CAMPAIGN_BUDGET_ROUTES: readonly Route[] = [
  ...BUDGET_RULE_ROUTES,
  ...BULK_BUDGET_RULE_ROUTES,
  ...OPTIMIZATION_RULE_ROUTES,
  post("sponsored-brands-v4:sbCampaignsBudgetUsage", {
    path: "/sb/campaigns/budget/usage",
    type: "application/vnd.sbcampaignbudgetusage.v1+json",
    handle: (context) => getBudgetUsage(flatCampaign("sb"), context),
  }),
  post("sponsored-display:sdCampaignsBudgetUsage", {
    path: "/sd/campaigns/budget/usage",
    type: "application/vnd.sdcampaignbudgetusage.v1+json",
    handle: (context) => getBudgetUsage(flatCampaign("sd"), context),
  }),
  post("sponsored-brands-v3:SBGetBudgetRulesRecommendation", {
    path: "/sb/campaigns/budgetRules/recommendations",
    type: "application/vnd.sbbudgetrulesrecommendation.v3+json",
    handle: (context) => recommendBudgetRules("sb", context),
  }),
  post("sponsored-brands-v4:GetBudgetRecommendations", {
    path: "/sb/campaigns/budgetRecommendations",
    type: "application/vnd.sbbudgetrecommendation.v4+json",
    handle: (context) => recommendFlatBudgets("sb", context),
  }),
  post("sponsored-display:getSDBudgetRecommendations", {
    path: "/sd/campaigns/budgetRecommendations",
    type: "application/vnd.sdbudgetrecommendations.v3+json",
    handle: (context) => recommendFlatBudgets("sd", context),
  }),
  post("sponsored-products:spCampaignsBudgetUsage", {
    path: "/sp/campaigns/budget/usage",
    type: "application/vnd.spcampaignbudgetusage.v1+json",
    handle: (context) => getBudgetUsage(CAMPAIGN, context),
  }),
  post("portfolios:portfolioBudgetUsage", {
    path: "/portfolios/budget/usage",
    type: "application/vnd.portfoliobudgetusage.v1+json",
    handle: (context) => getBudgetUsage(PORTFOLIO, context),
  }),
  post("sponsored-products:getBudgetRecommendations", {
    path: "/sp/campaigns/budgetRecommendations",
    type: "application/vnd.budgetrecommendation.v3+json",
    typedErrors: true,
    handle: recommendBudgets,
  }),
  post("sponsored-products:getBudgetRecommendation", {
    path: "/sp/campaigns/initialBudgetRecommendation",
    type: "application/vnd.spinitialbudgetrecommendation.v3.4+json",
    typedErrors: true,
    handle: recommendInitialBudget,
  }),
  post("sponsored-products:SPGetBudgetRulesRecommendation", {
    path: "/sp/campaigns/budgetRules/recommendations",
    type: "application/vnd.spbudgetrulesrecommendation.v3+json",
    typedErrors: true,
    handle: (context) => recommendBudgetRules("sp", context),
  }),
];

function post(
  operation: string,
  { path, type, typedErrors = false, handle }: {
    path: string;
    type: string;
    typedErrors?: boolean;
    handle: Route["handle"];
  },
): Route {
  return {
    operation,
    method: "POST",
    path,
    requestTypes: [type],
    responseTypes: [type],
    typedErrors,
    errors: "details",
    handle,
  };
}

function amountOf(budget: Json | undefined, field: string): number | undefined {
  const amount = isObject(budget) ? budget[field] : undefined;
  return typeof amount === "number" ? amount : undefined;
}

function productsBudget({ budget }: JsonObject): number | undefined {
  return amountOf(budget, "budget");
}

function flatBudget({ budget }: JsonObject): number | undefined {
  return typeof budget === "number" ? budget : undefined;
}

const QUARTER = 15 * 60_000;
const MAX_DAYS = 100;

type BudgetShare = (entity: JsonObject) => { readonly used: number; readonly raised: number };

/** Returns the time up to which usage is known: the last quarter of an hour. */
function usageMoment({ clock }: Pick<Context, "clock">): number {
  return Math.floor(clock.now() / QUARTER) * QUARTER;
}

function campaignShares(
  family: Family,
): (campaignIds: readonly string[], context: Context) => BudgetShare {
  return (campaignIds, context) => sharesOf(family, campaignIds, context);
}

function sharesOf(family: Family, campaignIds: readonly string[], context: Context): BudgetShare {
  const ids = new Set(campaignIds);
  const asOf = usageMoment(context);
  const today = dayOf(asOf, context);
  const costs = spent(context.profile, {
    seed: context.state.seed,
    asOf,
    family,
    days: [today, today],
    of: ({ id }) => ids.has(id),
  });
  const shares = new Map(
    costs.map(({ campaign, cost }) => [campaign.id, {
      used: cost / effectiveBudget(campaign, asOf),
      raised: campaign.budgetRaise?.(asOf) ?? 0,
    }]),
  );
  return ({ campaignId }) => shares.get(String(campaignId)) ?? { used: 0, raised: 0 };
}

function portfolioShares(_: readonly string[], context: Context): BudgetShare {
  const asOf = usageMoment(context);
  const today = dayOf(asOf, context);
  const earliest = addDays(today, -MAX_DAYS);
  return ({ portfolioId, budget }) => {
    const { amount, startDate, policy } = budget as JsonObject;
    const begins = policy === "DATE_RANGE" && startDate ? String(startDate) : `${today.slice(0, 7)}-01`;
    const costs = (["sp", "sb", "sd"] as const satisfies readonly Family[]).flatMap((family) =>
      spent(context.profile, {
        seed: context.state.seed,
        asOf,
        family,
        days: [begins > earliest ? begins : earliest, today],
        of: ({ entity }) => entity.portfolioId === portfolioId,
      })
    );
    return { used: costs.reduce((sum, { cost }) => sum + cost, 0) / Number(amount), raised: 0 };
  };
}

function dayOf(moment: number, { profile }: Context): string {
  return dayAt(moment, profile.record.timezone);
}

interface SpentWhere {
  readonly seed: string;
  readonly asOf: number;
  readonly family: Family;
  readonly days: readonly [start: string, end: string];
  readonly of: (campaign: ServedCampaign) => boolean;
}

interface Spent {
  readonly campaign: ServedCampaign;
  readonly cost: number;
}

/** Spend of each campaign over some days, equal to the reports of those days. */
function spent(profile: ProfileState, { seed, asOf, family, days, of }: SpentWhere): Spent[] {
  const market = new Market(profile, { seed, asOf });
  const asins = advertisedProducts(profile);
  const spans = daySpans(eachDay(...days), market.timeZone);
  return readCampaigns(profile, family, market).filter(of).map((campaign) => {
    const clicks = spans.flatMap((span) => campaignDay(campaign, span, { market, asins }))
      .flatMap(({ clauses }) => clauses.flatMap((clause) => clause.clicks));
    return { campaign, cost: clicks.reduce((sum, click) => sum + click.cost, 0) / market.unit };
  });
}

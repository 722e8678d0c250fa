import { assign, measureEffect, type UnitTotals } from "../../../src/base/statistics/mod.ts";
import { type Figures, figuresOf } from "../../statistics/support.ts";
import { type BenchLine, benchLine, median } from "../bench.ts";

/** Accounts of each kind whose biases are looked at. */
const ACCOUNTS = 200;
/** Tries for each effect of which the intervals are looked at. */
const TRIES = 2000;
/** Campaigns of an account, and keywords of each. */
const [CAMPAIGNS, KEYWORDS] = [120, 6];

/** What a season does to demand in the days after, and what share of their sales is in by then. */
const KINDS = [
  { name: "", season: 1, mature: 1 },
  { name: " and a season of +15 %", season: 1.15, mature: 1 },
  { name: ", a season of -10 % and late sales", season: 0.9, mature: 0.85 },
] as const;

type Kind = typeof KINDS[number];

interface Keyword {
  readonly id: string;
  /** Clicks a day that are to be had. */
  readonly demand: number;
  readonly rate: number;
  readonly price: number;
}

interface Campaign {
  readonly id: string;
  readonly keywords: readonly Keyword[];
  /** Clicks a day that its budget pays for: four fifths of what is to be had, or more than that. */
  readonly budget: number;
}

function account({ normal, uniform }: Figures): Campaign[] {
  return Array.from({ length: CAMPAIGNS }, (_, at): Campaign => {
    const level = Math.exp(0.6 * normal());
    const keywords = Array.from({ length: KEYWORDS }, (_, number): Keyword => ({
      id: `c${at} k${number}`,
      demand: 2 * level * Math.exp(0.8 * normal()),
      rate: 0.1 * Math.exp(0.5 * normal()),
      price: 25 * Math.exp(0.3 * normal()),
    }));
    const wanted = keywords.reduce((sum, { demand }) => sum + demand, 0);
    return { id: `c${at}`, keywords, budget: wanted * (uniform() < 0.7 ? 0.8 : 2) };
  });
}

/** What is expected of the clicks of a campaign's keywords a day: keywords that want more take from the others. */
function clicks({ keywords, budget }: Campaign, factor: (keyword: Keyword) => number): number[] {
  const wanted = keywords.map((one) => one.demand * factor(one));
  const all = wanted.reduce((sum, one) => sum + one, 0);
  return wanted.map((one) => one * Math.min(1, budget / all));
}

interface Sales {
  readonly campaign: Campaign;
  readonly keyword: Keyword;
  readonly before: number;
  readonly spend: number;
}

/** Sales of each keyword of 30 days before, and the half of the campaigns that looked the best. */
function past(campaigns: readonly Campaign[], { count }: Figures): { all: Sales[]; chosen: Set<string> } {
  const all = campaigns.flatMap((campaign) =>
    clicks(campaign, () => 1).map((expected, at): Sales => {
      const keyword = campaign.keywords[at]!;
      const clicked = count(30 * expected);
      return { campaign, keyword, spend: clicked, before: count(clicked * keyword.rate) * keyword.price };
    })
  );
  const ratios = [...Map.groupBy(all, ({ campaign }) => campaign.id)].map(([id, own]) => ({
    id,
    ratio: own.reduce((sum, { before }) => sum + before, 0) /
      (1 + own.reduce((sum, { spend }) => sum + spend, 0)),
  }));
  const best = ratios.toSorted((a, b) => b.ratio - a.ratio).slice(0, CAMPAIGNS / 2);
  return { all, chosen: new Set(best.map(({ id }) => id)) };
}

type Unit = "keyword" | "campaign";

/** A draw among the keywords or campaigns that were chosen: units with their sales before and after, held back or not. */
function drawn(
  { all, chosen }: ReturnType<typeof past>,
  { unit, seed, after }: {
    readonly unit: Unit;
    readonly seed: string;
    /** Sales after, where these keywords are changed. */
    readonly after: (one: Sales, isChanged: (keyword: Sales) => boolean) => number;
  },
): { readonly treated: UnitTotals[]; readonly held: UnitTotals[]; readonly others: UnitTotals[] } {
  const idOf = ({ campaign, keyword }: Sales): string => unit === "keyword" ? keyword.id : campaign.id;
  const mine = all.filter(({ campaign }) => chosen.has(campaign.id));
  const spends = [...Map.groupBy(mine, idOf)].map(([id, own]) => ({
    id,
    spend: own.reduce((sum, { spend }) => sum + spend, 0),
  }));
  const { held, strata } = assign(spends, { share: 0.25, seed });
  const isHeld = new Set(held);
  const isChanged = (one: Sales): boolean => chosen.has(one.campaign.id) && !isHeld.has(idOf(one));
  const totals = (units: readonly Sales[]): UnitTotals[] =>
    [...Map.groupBy(units, idOf)].map(([id, own]) => ({
      id,
      stratum: strata.get(id) ?? 0,
      before: own.reduce((sum, { before }) => sum + before, 0),
      after: own.reduce((sum, one) => sum + after(one, isChanged), 0),
    }));
  return {
    treated: totals(mine.filter((one) => !isHeld.has(idOf(one)))),
    held: totals(mine.filter((one) => isHeld.has(idOf(one)))),
    others: totals(all.filter(({ campaign }) => !chosen.has(campaign.id))),
  };
}

/** Error of each way to tell the effect of raised bids, by kind of account, in percent: the middle of all accounts. */
export function sharedBudgetBiases(lift: number): BenchLine[] {
  return KINDS.flatMap((kind) => {
    const found: Record<string, number[]> = {};
    for (let number = 0; number < ACCOUNTS; number++) {
      const figures = figuresOf(`shared ${lift} ${kind.season} ${number}`);
      const campaigns = account(figures);
      const known = past(campaigns, figures);
      const truth = trueEffect(campaigns.filter(({ id }) => known.chosen.has(id)), { kind, lift });
      for (const unit of ["keyword", "campaign"] as const) {
        const groups = drawn(known, {
          unit,
          seed: `${number}`,
          after: ({ campaign, keyword }, isChanged) => {
            const at = campaign.keywords.indexOf(keyword);
            const expected = clicks(
              campaign,
              (one) =>
                kind.season * (isChanged({ campaign, keyword: one, before: 0, spend: 0 }) ? 1 + lift : 1),
            );
            return figures.count(14 * expected[at]! * keyword.rate * kind.mature) * keyword.price;
          },
        });
        const growth = (units: readonly UnitTotals[]): number => {
          const sum = (name: "before" | "after"): number => units.reduce((all, one) => all + one[name], 0);
          return sum("after") / 14 / (sum("before") / 30);
        };
        const note = (way: string, effect: number): void => {
          (found[way] ??= []).push(100 * (effect - truth));
        };
        const changed = growth(groups.treated);
        note(`25 % of the ${unit}s held back`, changed / growth(groups.held) - 1);
        if (unit === "keyword") continue;
        note("before and after", changed - 1);
        note("against those left alone", changed / growth(groups.others) - 1);
      }
    }
    return Object.entries(found).map(([way, errors]) =>
      benchLine(
        `error where budgets are shared${kind.name}, bids that want +${100 * lift} %: ${way}`,
        median(errors),
        { unit: "%" },
      )
    );
  });
}

/** The effect on the sales of campaigns if all of their keywords are changed. */
function trueEffect(
  campaigns: readonly Campaign[],
  { kind, lift }: { readonly kind: Kind; readonly lift: number },
): number {
  const sales = (factor: number): number =>
    campaigns.reduce(
      (sum, campaign) =>
        clicks(campaign, () => kind.season * factor).reduce((all, expected, at) => {
          const { rate, price } = campaign.keywords[at]!;
          return all + expected * rate * price;
        }, sum),
      0,
    );
  return sales(1 + lift) / sales(1) - 1;
}

/** How many of the 95 % intervals of a draw of campaigns hold an effect on what a click sells, in percent. */
export function sharedBudgetCoverage(truth: number): BenchLine[] {
  return KINDS.map((kind) => {
    let covered = 0;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const figures = figuresOf(`shared coverage ${truth} ${kind.season} ${attempt}`);
      const groups = drawn(past(account(figures), figures), {
        unit: "campaign",
        seed: `${attempt}`,
        after: ({ campaign, keyword }, isChanged) => {
          const expected = clicks(campaign, () => kind.season)[campaign.keywords.indexOf(keyword)]!;
          const effect = isChanged({ campaign, keyword, before: 0, spend: 0 }) ? 1 + truth : 1;
          return figures.count(14 * expected * keyword.rate * kind.mature * effect) * keyword.price;
        },
      });
      const { low, high } = measureEffect({ ...groups, seed: attempt, redraws: 399 });
      if (low <= truth && truth <= high) covered++;
    }
    const sign = truth < 0 ? "-" : "+";
    return benchLine(
      `intervals of 95 % where budgets are shared${kind.name}, that hold ${sign}${
        Math.abs(100 * truth).toFixed(0)
      } %`,
      100 * covered / TRIES,
      { unit: "%", baseline: 95 },
    );
  });
}

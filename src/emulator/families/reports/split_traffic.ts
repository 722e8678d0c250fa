import type { AdGroupDay } from "../../traffic/campaign_day.ts";
import { type ClauseDay, PLACEMENT_WEIGHTS, PLACEMENTS } from "../../traffic/clause_day.ts";
import type { RowFinder } from "./column.ts";

/** Every split preserves the totals. */
export type TrafficSplit = (groups: readonly AdGroupDay[], row: RowFinder, asOf: number) => void;

export const byCampaign: TrafficSplit = (groups, row, asOf) => {
  const tally = () => row("", {});
  for (const { clauses } of groups) for (const clause of clauses) addWhole(tally(), clause, asOf);
};

export const byPlacement: TrafficSplit = (groups, row, asOf) => {
  for (const { impressions, clicks } of groups.flatMap(({ clauses }) => clauses)) {
    for (const [place, count] of allocate(impressions - clicks.length, PLACEMENT_WEIGHTS).entries()) {
      if (count > 0) at(place).addImpressions(count);
    }
    for (const click of clicks) {
      const tally = at(click.placement);
      tally.addImpressions(1);
      tally.addClick(click, asOf);
    }
  }
  function at(place: number) {
    const placement = PLACEMENTS[place] ?? PLACEMENTS[0];
    return row(placement, { placement });
  }
};

export const byAdGroup: TrafficSplit = (groups, row, asOf) => {
  for (const { adGroup, clauses } of groups) {
    for (const clause of clauses) addWhole(row(adGroup.id, { adGroup }), clause, asOf);
  }
};

export const byTargeting: TrafficSplit = (groups, row, asOf) => {
  for (const { adGroup, clauses } of groups) {
    for (const day of clauses) {
      const { clause } = day;
      addWhole(row(clause.id, { adGroup, clause }), day, asOf);
    }
  }
};

export const bySearchTerm: TrafficSplit = (groups, row, asOf) => {
  for (const { adGroup, clauses } of groups) {
    for (const { clause, impressions, clicks } of clauses) {
      const weights = clicks.map(() => 1);
      const shown = allocate(Math.floor((impressions - clicks.length) * 0.7), weights);
      for (const [index, click] of clicks.entries()) {
        const { term } = click;
        const tally = row(`${clause.id} ${term}`, { adGroup, clause, term });
        tally.addImpressions(1 + (shown[index] ?? 0));
        tally.addClick(click, asOf);
      }
    }
  }
};

export const byAd: TrafficSplit = (groups, row, asOf) => {
  for (const { adGroup, ads, clauses } of groups) {
    for (const { impressions, clicks } of clauses) {
      const counts = allocate(impressions - clicks.length, ads.map(() => 1));
      for (const [index, ad] of ads.entries()) {
        if ((counts[index] ?? 0) > 0) row(ad.id, { adGroup, ad }).addImpressions(counts[index] ?? 0);
      }
      for (const click of clicks) {
        const tally = row(click.ad.id, { adGroup, ad: click.ad });
        tally.addImpressions(1);
        tally.addClick(click, asOf);
      }
    }
  }
};

export const byPurchase: TrafficSplit = (groups, row, asOf) => {
  for (const { adGroup, clauses } of groups) {
    for (const { clause, clicks } of clauses) {
      for (const click of clicks) {
        const { ad, order } = click;
        if (order === undefined || order.knownAt > asOf) continue;
        const tally = row(`${clause.id} ${ad.id} ${order.asin}`, { adGroup, clause, ad, asin: order.asin });
        tally.addOrder(order);
        tally.addPages(click, asOf);
      }
    }
  }
};

export const byBrandPurchase: TrafficSplit = (groups, row, asOf) => {
  for (const { adGroup, clauses } of groups) {
    for (const { order } of clauses.flatMap(({ clicks }) => clicks)) {
      if (order === undefined || order.knownAt > asOf) continue;
      const { asin, promoted } = order;
      row(`${adGroup.id} ${asin} ${promoted}`, { adGroup, asin, promoted }).addOrder(order);
    }
  }
};

export const byAudience: TrafficSplit = (groups, row, asOf) => {
  const at = (segment: string) => row(segment, { segment });
  for (const { impressions, clicks } of groups.flatMap(({ clauses }) => clauses)) {
    const counts = allocate(impressions - clicks.length, SEGMENTS.map(({ weight }) => weight));
    for (const [index, { name }] of SEGMENTS.entries()) {
      if ((counts[index] ?? 0) > 0) at(name).addImpressions(counts[index] ?? 0);
    }
    for (const click of clicks) {
      const tally = at((click.moment % 3 === 0 ? RECENT : OTHERS).name);
      tally.addImpressions(1);
      tally.addClick(click, asOf);
    }
  }
};

const RECENT = { name: "Shoppers with recent interest", weight: 3 };
const OTHERS = { name: "Other shoppers", weight: 7 };
const SEGMENTS = [RECENT, OTHERS];

export const byMatchedProduct = {
  ofCampaign: matchedProduct(() => ({ key: "", subject: {} })),
  ofAdGroup: matchedProduct((adGroup) => ({ key: adGroup.id, subject: { adGroup } })),
  ofTarget: matchedProduct((adGroup, clause) => ({ key: clause.id, subject: { adGroup, clause } })),
} as const;

function matchedProduct(
  place: (
    adGroup: AdGroupDay["adGroup"],
    clause: ClauseDay["clause"],
  ) => { key: string; subject: Parameters<RowFinder>[1] },
): TrafficSplit {
  return (groups, row, asOf) => {
    for (const { adGroup, clauses } of groups) {
      for (const { clause, clicks } of clauses) {
        const { key, subject } = place(adGroup, clause);
        for (const click of clicks) {
          const tally = row(`${key} ${click.term}`, { ...subject, term: click.term });
          tally.addImpressions(1);
          tally.addClick(click, asOf);
        }
      }
    }
  };
}

export const byOtherPurchase: TrafficSplit = (groups, row, asOf) => {
  for (const { adGroup, clauses } of groups) {
    for (const { ad, order } of clauses.flatMap(({ clicks }) => clicks)) {
      if (order === undefined || order.promoted || order.knownAt > asOf) continue;
      row(`${ad.id} ${order.asin}`, { adGroup, ad, asin: order.asin }).addOrder(order);
    }
  }
};

const PART_WEIGHTS = [5, 3, 2];

export function byPart(depth: number): TrafficSplit {
  return (groups, row, asOf) => {
    for (const { adGroup, clauses } of groups) {
      for (const { clause, impressions, clicks } of clauses) {
        const key = depth === 0 ? "" : depth === 1 ? adGroup.id : clause.id;
        const subject = depth === 0 ? {} : depth === 1 ? { adGroup } : { adGroup, clause };
        const at = (part: number) => row(`${key} ${part}`, { ...subject, part });
        for (const [part, count] of allocate(impressions - clicks.length, PART_WEIGHTS).entries()) {
          if (count > 0) at(part).addImpressions(count);
        }
        for (const click of clicks) {
          const tally = at(click.moment % PART_WEIGHTS.length);
          tally.addImpressions(1);
          tally.addClick(click, asOf);
        }
      }
    }
  };
}

function addWhole(tally: ReturnType<RowFinder>, day: ClauseDay, asOf: number): void {
  tally.addImpressions(day.impressions, day.topShare);
  for (const click of day.clicks) tally.addClick(click, asOf);
}

/** Distributes a whole number by weights without rounding losses. */
export function allocate(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  let given = 0;
  let passed = 0;
  return weights.map((weight) => {
    passed += weight;
    const until = Math.round((total * passed) / sum);
    const part = until - given;
    given = until;
    return part;
  });
}

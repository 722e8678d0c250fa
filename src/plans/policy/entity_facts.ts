import { isObject } from "../../base/json/fields_of.ts";
import { adjustmentsOf, bidField, budgetAmount, readAmount } from "../state/amounts.ts";
import type { EntityFields } from "../model/change.ts";

export interface EntityFacts {
  readonly kind: string;
  readonly id?: string;
  readonly name?: string;
  readonly state?: string;
  /** Bid of a keyword or target, default bid of an ad group; in the account's currency. */
  readonly bid?: number;
  readonly budget?: number;
  /** The largest adjustment by placement or audience, 0.5 for 50 %. */
  readonly adjustment?: number;
  readonly keywordText?: string;
  readonly matchType?: string;
  readonly targetingType?: string;
  readonly strategy?: string;
  readonly campaignId?: string;
  readonly adGroupId?: string;
  readonly portfolioId?: string;
  readonly startDate?: string;
  readonly endDate?: string;
  readonly labels: readonly string[];
  readonly fields: EntityFields;
  readonly unreadable: readonly string[];
}

const TEXTS = [
  "name",
  "keywordText",
  "matchType",
  "targetingType",
  "campaignId",
  "adGroupId",
  "portfolioId",
  "startDate",
  "endDate",
] as const;

export function entityFacts(kind: string, id: string | null, fields: EntityFields): EntityFacts {
  const unreadable: string[] = [];
  const amount = (path: string, value: unknown): number | undefined => {
    const number = readAmount(value);
    if (!Number.isNaN(number)) return number;
    unreadable.push(path);
    return undefined;
  };
  // A field that means nothing for a kind must not stand for one that does.
  const hasBudget = kind === "portfolios" || kind.endsWith(".campaigns");
  const texts = TEXTS.flatMap((name) => {
    const value = fields[name];
    return typeof value === "string" || typeof value === "number" ? [[name, String(value)] as const] : [];
  });
  const facts = {
    kind,
    id: id ?? undefined,
    ...Object.fromEntries(texts),
    state: typeof fields["state"] === "string" ? fields["state"].toUpperCase() : undefined,
    bid: hasBudget ? undefined : amount("bid", fields[bidField(kind)]),
    budget: amount("budget", budgetAmount(kind, fields)),
    strategy: strategyOf(kind, fields),
    adjustment: largestAdjustment(fields, amount),
    labels: labelsOf(fields["tags"]),
    fields,
    unreadable,
  };
  // A field that has no value is absent, so that has() in a rule is false.
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as unknown as
    & EntityFacts
    & typeof facts;
}

function strategyOf(kind: string, fields: EntityFields): string | undefined {
  const [list, name] = kind.startsWith("sb.")
    ? ["bidding", "bidOptimizationStrategy"]
    : ["dynamicBidding", "strategy"];
  const bidding = fields[list];
  const strategy = isObject(bidding) ? bidding[name] : undefined;
  return typeof strategy === "string" ? strategy : undefined;
}

function largestAdjustment(
  fields: EntityFields,
  amount: (path: string, value: unknown) => number | undefined,
): number | undefined {
  const percents = [...adjustmentsOf(fields).values()].flatMap((list) => [...list.values()]);
  const shares = percents.flatMap((percent) => amount("percentage", percent) ?? []).map((percent) =>
    percent / 100
  );
  return shares.length === 0 ? undefined : Math.max(...shares);
}

function labelsOf(tags: unknown): string[] {
  if (Array.isArray(tags)) return tags.map(String);
  if (!isObject(tags)) return [];
  return Object.entries(tags).map(([key, value]) => `${key}:${String(value)}`);
}

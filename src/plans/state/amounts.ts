import { fieldsOf, isObject } from "../../base/json/fields_of.ts";
import { canonicalJson } from "../../base/json/canonical_json.ts";
import type { EntityFields } from "../model/change.ts";
import { isCampaignKind } from "../model/prior_state.ts";

/** Kinds with a bid of their own; without one they inherit the default bid of their ad group. */
const BIDDING_KINDS: ReadonlySet<string> = new Set([
  "sp.keywords",
  "sp.targets",
  "sb.keywords",
  "sb.targets",
  "sd.targets",
]);

export function inheritsBid(kind: string): boolean {
  return BIDDING_KINDS.has(kind);
}

/** Ad groups use `defaultBid`; on each kind the platform ignores the other field. */
export function bidField(kind: string): "bid" | "defaultBid" {
  return kind.endsWith(".ad_groups") ? "defaultBid" : "bid";
}

export const MONEY_FIELDS: ReadonlySet<string> = new Set([
  "bid",
  "defaultBid",
  "budget",
  "budget.budget",
  "budget.amount",
]);
export function isMoneyField(path: string): boolean {
  return MONEY_FIELDS.has(path) || /^marketplaces\.[A-Z]{2}\.(budget|bid|defaultBid)$/.test(path);
}

const MONEY_PATHS: readonly (readonly string[])[] = [...MONEY_FIELDS].map((path) => path.split("."));

export function plainAmount(text: string): number | undefined {
  return /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

export function withPlainAmounts(fields: EntityFields): EntityFields {
  let plain = fields;
  for (const [field = "", part] of MONEY_PATHS) {
    const value = plain[field];
    if (part === undefined) plain = withNumber(plain, field);
    else if (isObject(value)) {
      const amounts = withNumber(fieldsOf(value), part);
      if (amounts !== value) plain = { ...plain, [field]: amounts };
    }
  }
  return plain;
}

function withNumber(fields: EntityFields, field: string): EntityFields {
  const value = fields[field];
  const amount = typeof value === "string" ? plainAmount(value) : undefined;
  return amount === undefined ? fields : { ...fields, [field]: amount };
}

export function readAmount(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : NaN;
}

function readable(value: unknown): number | undefined {
  const amount = readAmount(value);
  return Number.isNaN(amount) ? undefined : amount;
}

/** The entity's own bid, or the default bid of an ad group; in the account's currency. */
export function ownBid(kind: string, fields: EntityFields | undefined): number | undefined {
  const hasNone = fields === undefined || kind === "portfolios" || isCampaignKind(kind) ||
    /negative/.test(kind);
  return hasNone ? undefined : readable(fields[bidField(kind)]);
}

export function budgetAmount(kind: string, fields: EntityFields | undefined): unknown {
  if (fields === undefined) return undefined;
  const budget = fields["budget"];
  if (kind === "portfolios") {
    const { amount, policy } = fieldsOf(budget);
    return policy === "NO_CAP" ? undefined : amount;
  }
  if (!isCampaignKind(kind)) return undefined;
  return isObject(budget) ? fieldsOf(budget)["budget"] : budget;
}

/** Daily budget of a campaign; `undefined` for a lifetime budget. */
export function dailyBudget(campaign: EntityFields | undefined): number | undefined {
  if (campaign === undefined) return undefined;
  const budget = campaign["budget"];
  const type = fieldsOf(budget)["budgetType"] ?? campaign["budgetType"];
  if (typeof type === "string" && type.toUpperCase() === "LIFETIME") return undefined;
  return readable(isObject(budget) ? fieldsOf(budget)["budget"] : budget);
}

/** Amount to compare, in the account's currency. Fields that the platform ignores for the kind do not count. */
export function comparedAmount(kind: string, fields: EntityFields | undefined): number | undefined {
  return isCampaignKind(kind) ? dailyBudget(fields) : ownBid(kind, fields);
}

/** Bid adjustments of a campaign in percent, by list and subject; they multiply across lists. */
export type Adjustments = ReadonlyMap<string, ReadonlyMap<string, number>>;

const NO_PERCENTS: ReadonlyMap<string, number> = new Map();

export function adjustmentsOf(campaign: EntityFields | undefined): Adjustments {
  const lists = new Map<string, Map<string, number>>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, part] of Object.entries(value)) {
      if (!Array.isArray(part)) {
        walk(part, `${path}.${name}`);
        continue;
      }
      part.forEach((item: unknown, at) => {
        const { percentage, ...rest } = fieldsOf(item);
        const percent = readAmount(percentage);
        if (percent === undefined) return walk(item, `${path}.${name}`);
        const list = lists.get(`${path}.${name}`) ?? new Map<string, number>();
        const [only = String(at), ...others] = Object.values(rest);
        // Two audiences are of one type, and each has its own percentage.
        const key = typeof only === "string" && others.length === 0 ? only : canonicalJson(rest);
        // Of one that is given twice nobody knows which holds.
        list.set(key, Math.max(percent, list.get(key) ?? percent));
        lists.set(`${path}.${name}`, list);
      });
    }
  };
  walk({ dynamicBidding: campaign?.["dynamicBidding"], bidding: campaign?.["bidding"] }, "");
  return lists;
}

/**
 * Highest bid factor of a strategy: at most 2 for up and down, 1 for down only and fixed. Rules and unknown strategies
 * count as up and down.
 */
export function strategyFactor(campaign: EntityFields | undefined): number {
  const strategy = fieldsOf(campaign?.["dynamicBidding"])["strategy"];
  if (strategy === undefined || strategy === null) return 1;
  return ["LEGACY_FOR_SALES", "MANUAL", "NONE"].includes(String(strategy).toUpperCase()) ? 1 : 2;
}

export function bidFactor(campaign: EntityFields | undefined): number {
  let factor = strategyFactor(campaign);
  for (const list of adjustmentsOf(campaign).values()) factor *= 1 + Math.max(0, ...list.values()) / 100;
  return factor;
}

/** Largest rise of the bid factor; 1 for no rise. Each placement is compared with itself. */
export function bidFactorRise(from: EntityFields | undefined, to: EntityFields | undefined): number {
  const [before, after] = [adjustmentsOf(from), adjustmentsOf(to)];
  let rise = strategyFactor(to) / strategyFactor(from);
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(name) ?? NO_PERCENTS, after.get(name) ?? NO_PERCENTS];
    // Placements without an adjustment keep their factor.
    let highest = 1;
    for (const key of [...was.keys(), ...is.keys()]) {
      highest = Math.max(highest, (100 + (is.get(key) ?? 0)) / (100 + (was.get(key) ?? 0)));
    }
    rise *= highest;
  }
  return rise;
}

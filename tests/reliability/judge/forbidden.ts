import {
  type AccountImage,
  differences,
  type Entity,
  fields,
} from "../../../src/interfaces/arena/account/account_image.ts";

/** Limits of a policy as they were drawn. */
export interface Limits {
  readonly maxBid?: number;
  readonly maxBudget?: number;
  /** Shares, 0.5 for 50 %. */
  readonly maxIncrease?: number;
  readonly maxDecrease?: number;
  readonly maxSpendIncrease?: number;
  readonly maxArchives?: number;
  readonly maxChanges?: number;
  readonly protectedIds?: readonly string[];
  /** Text at the beginning of protected names. */
  readonly protectedName?: string;
  readonly allowedKinds?: readonly string[];
  /** Ids for which the limits of bids, budgets and moves do not hold. */
  readonly excepted?: readonly string[];
  /** Name of the rule of a watch that may apply its plans by itself. */
  readonly allowAuto?: string;
}

/** The account at the start of the day, before a move and after it. */
export interface Seen {
  readonly start: AccountImage;
  readonly before: AccountImage;
  readonly after: AccountImage;
  /** Entities that earlier moves of the day changed or archived, of each profile. */
  readonly counts: { readonly changes: number; readonly archives: number };
  /** True for an undo, which may pass limits of counts. */
  readonly isUndo: boolean;
}

/** Rules of the platform alone: what a click may cost, what may be spent a day, what an entity is in. */
export function forbidden(limits: Limits, { start, before, after, counts, isUndo }: Seen): string[] {
  const found: string[] = [];
  const changed = new Set(differences(before, after).map(({ key }) => key));
  // A global entity counts by its copies.
  const counted = [...changed].filter((key) => !key.includes(".global_"));
  const excepted = (key: string): boolean =>
    limits.excepted !== undefined &&
    [...ids(key, before), ...(before.has(key) ? [] : ids(key, after))].some((id) =>
      limits.excepted!.includes(id)
    );
  for (const key of changed) {
    const [, kind = "", id] = key.split(" ");
    const [was, is] = [before.get(key), after.get(key)!];
    const say = (what: string): void => void found.push(`${key}: ${what}`);
    const places = new Set([...ids(key, before), ...ids(key, after)]);
    const held = limits.protectedIds?.find((one) => places.has(one));
    if (held !== undefined) say(`${held} is protected`);
    const isNamed = limits.protectedName !== undefined &&
      names(key, before).some((name) => name.startsWith(limits.protectedName!));
    if (isNamed) say("its name is protected");
    if (limits.allowedKinds !== undefined && !limits.allowedKinds.includes(kind)) say("not an allowed kind");
    if (excepted(key)) continue;

    const on = isOn(is) && !isArchived(is);
    const woke = on && (was === undefined || !isOn(was));
    const bid = bidOf(kind, is);
    if (limits.maxBid !== undefined && bid !== undefined && over(bid, limits.maxBid) && on) {
      const old = was === undefined ? undefined : bidOf(kind, was);
      if (woke || old === undefined || over(bid, old)) say(`bid ${bid} is above ${limits.maxBid}`);
    }
    const budget = isCampaign(kind) ? budgetOf(is) : undefined;
    if (limits.maxBudget !== undefined && budget !== undefined && over(budget, limits.maxBudget) && on) {
      const old = was === undefined ? undefined : budgetOf(was);
      if (woke || old === undefined || over(budget, old)) {
        say(`budget ${budget} is above ${limits.maxBudget}`);
      }
    }
    const first = start.get(key);
    if (first === undefined || was === undefined || isArchived(is)) continue;
    for (const [name, amountOf] of Object.entries(AMOUNTS)) {
      const [from, old, now] = [first, was, is].map((one) => amountOf(kind, one, id));
      if (from === undefined || old === undefined || now === undefined || now === old) continue;
      const { maxIncrease: up, maxDecrease: down } = limits;
      if (up !== undefined && now > old && over(now, from * (1 + up))) {
        say(`${name} ${from} -> ${now} in a day`);
      }
      // A first cap has no amount that it is lower than.
      if (down !== undefined && now < old && from !== Infinity && over(from * (1 - down), now)) {
        say(`${name} ${from} -> ${now} in a day`);
      }
    }
  }
  if (limits.maxSpendIncrease !== undefined) {
    const more = moreSpend(start, after, excepted);
    const moreBefore = moreSpend(start, before, excepted);
    if (more > moreBefore && over(more, limits.maxSpendIncrease)) {
      found.push(`${more} more a day, and ${limits.maxSpendIncrease} are allowed`);
    }
  }
  const archived = counted.filter((key) => isArchived(after.get(key)!)).length;
  if (!isUndo && archived > 0 && counts.archives + archived > (limits.maxArchives ?? Infinity)) {
    found.push(`${counts.archives + archived} archives a day`);
  }
  if (!isUndo && counted.length > 0 && counts.changes + counted.length > (limits.maxChanges ?? Infinity)) {
    found.push(`${counts.changes + counted.length} changes a day`);
  }
  return found;
}

/** Amounts whose moves of a day are limited; Infinity for a portfolio without a cap. */
const AMOUNTS: Readonly<Record<string, (kind: string, entity: Entity, id?: string) => number | undefined>> = {
  bid: (kind, entity) => bidOf(kind, entity),
  budget: (kind, entity) => isCampaign(kind) ? budgetOf(entity) : undefined,
  cap: (kind, entity) => kind === "portfolios" ? capOf(entity) : undefined,
  "top of search": (_, entity) => factorOf(entity, "PLACEMENT_TOP"),
  "product pages": (_, entity) => factorOf(entity, "PLACEMENT_PRODUCT_PAGE"),
};

/** How much more than in the morning campaigns may spend a day, by their budgets; a cap that is gone is without end. */
function moreSpend(start: AccountImage, now: AccountImage, excepted: (key: string) => boolean): number {
  let more = 0;
  for (const [key, entity] of now) {
    const [, kind = ""] = key.split(" ");
    const first = start.get(key);
    if (first === entity || excepted(key)) continue;
    if (isCampaign(kind) && isOn(entity)) {
      const was = first === undefined || !isOn(first) ? 0 : budgetOf(first) ?? 0;
      more += Math.max(0, (budgetOf(entity) ?? 0) - was);
    }
    if (
      kind === "portfolios" && first !== undefined && capOf(entity) === Infinity && capOf(first) !== Infinity
    ) {
      more = Infinity;
    }
  }
  return more;
}

function isCampaign(kind: string): boolean {
  return kind.endsWith("campaigns");
}

/** Ids of an entity and of everything that it is in. */
export function ids(key: string, image: AccountImage): string[] {
  const [profile, kind = "", id = ""] = key.split(" ");
  const [family] = kind.split(".");
  const prefix = kind.includes("global_") ? "sp.global_" : `${family}.`;
  const entity = image.get(key);
  const adGroupId = text(entity?.["adGroupId"]);
  const adGroup = adGroupId === undefined
    ? undefined
    : image.get(`${profile} ${prefix}ad_groups ${adGroupId}`);
  const campaignId = text(entity?.["campaignId"]) ?? text(adGroup?.["campaignId"]);
  const campaign = campaignId === undefined
    ? undefined
    : image.get(`${profile} ${prefix}campaigns ${campaignId}`);
  const portfolioId = text(entity?.["portfolioId"]) ?? text(campaign?.["portfolioId"]);
  return [id, adGroupId, campaignId, portfolioId].filter((one) => one !== undefined);
}

function names(key: string, image: AccountImage): string[] {
  const [profile] = key.split(" ");
  const own = new Set(ids(key, image));
  return [...image].flatMap(([other, { name }]) => {
    const [place, kind = "", id = ""] = other.split(" ");
    const isPlace = kind === "portfolios" || kind.endsWith("campaigns") || kind.endsWith("ad_groups");
    return typeof name === "string" && place === profile && (other === key || isPlace && own.has(id))
      ? [name]
      : [];
  });
}

function text(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function bidOf(kind: string, entity: Entity): number | undefined {
  return number(entity[kind.endsWith("ad_groups") ? "defaultBid" : "bid"]);
}

function budgetOf({ budget }: Entity): number | undefined {
  return number(budget) ?? number(fields(budget)?.["budget"]);
}

function capOf({ budget }: Entity): number {
  return number(fields(budget)?.["amount"]) ?? Infinity;
}

/** The most that a placement makes of a bid of 1. */
function factorOf({ dynamicBidding }: Entity, placement: string): number | undefined {
  const bidding = fields(dynamicBidding);
  if (bidding === undefined) return undefined;
  const list = Array.isArray(bidding["placementBidding"]) ? bidding["placementBidding"] as Entity[] : [];
  const percent = number(list.find((one) => one["placement"] === placement)?.["percentage"]) ?? 0;
  return (bidding["strategy"] === "AUTO_FOR_SALES" ? 2 : 1) * (1 + percent / 100);
}

function isOn({ state }: Entity): boolean {
  return String(state ?? "ENABLED").toUpperCase() === "ENABLED";
}

function isArchived({ state }: Entity): boolean {
  return String(state).toUpperCase() === "ARCHIVED";
}

function over(value: number, limit: number): boolean {
  return value > limit * (1 + 1e-9) + 1e-9;
}

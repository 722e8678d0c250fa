import {
  type AccountImage,
  differences,
  type Entity,
  fields,
} from "../../../src/interfaces/arena/account/account_image.ts";

/** An amount for the first market and one for the second. */
export type Amounts = readonly [number, number];

/** A range of time that the clock of the day is in, or not. */
type Range = "open" | "closed";

/** Limits of a policy as they were drawn. */
export interface Limits {
  readonly maxBid?: Amounts;
  /** A bid with its placements and strategy. */
  readonly maxEffectiveBid?: Amounts;
  readonly maxBudget?: Amounts;
  /** Shares, 0.5 for 50 %. */
  readonly maxIncrease?: number;
  readonly maxDecrease?: number;
  /** A share, 0.5 for 50 %. */
  readonly maxPlacement?: number;
  readonly maxSpendIncrease?: Amounts;
  readonly maxArchives?: number;
  readonly maxChanges?: number;
  /** Days for which a bid, budget or state stays. */
  readonly cooling?: number;
  /** Factor of schedules. */
  readonly maxFactor?: number;
  /** Hours in which schedules may raise something. */
  readonly scheduleHours?: Range;
  readonly hours?: Range;
  /** Closed where today is frozen. */
  readonly freeze?: Range;
  /** A rule in words of the policy language: no new keywords. */
  readonly ruled?: "creates";
  readonly protectedIds?: readonly string[];
  /** Ids with a protected label. */
  readonly protectedLabel?: readonly string[];
  readonly protectedKinds?: readonly string[];
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
  /** Position of the profile among the markets. */
  readonly at: 0 | 1;
  /** What earlier moves of the day did in the profile. */
  readonly day: DayOfProfile;
  /** True for an undo, which may pass limits of counts. */
  readonly isUndo: boolean;
  /** True for a schedule. */
  readonly isSchedule: boolean;
}

/** What the moves of a day did in a profile. */
export class DayOfProfile {
  changes = 0;
  archives = 0;
  /** Bids, budgets and states that were set, as `key part`. */
  readonly set = new Set<string>();
  /** Highest bid or budget of each entity. */
  readonly peaks = new Map<string, number>();

  /** Adds a move. */
  add({ before, after, isUndo }: Pick<Seen, "before" | "after" | "isUndo">): void {
    const changed = changedKeys(before, after);
    const counted = changed.filter((key) => !key.includes(".global_"));
    if (!isUndo) {
      this.changes += counted.length;
      this.archives += counted.filter((key) => isArchived(after.get(key)!)).length;
    }
    for (const key of changed) {
      for (const part of partsSet(key, { before, after })) this.set.add(`${key} ${part}`);
      for (const image of [before, after]) {
        const value = amountOf(key, image);
        if (value !== undefined) this.peaks.set(key, Math.max(value, this.peaks.get(key) ?? 0));
      }
    }
  }
}

/** Rules of the platform alone: what a click may cost, what may be spent a day, what an entity is in. */
export function forbidden(limits: Limits, seen: Seen): string[] {
  const { start, before, after, at, day, isUndo } = seen;
  const found: string[] = [];
  const changed = changedKeys(before, after);
  const [maxBid, maxBudget, maxSpend] = [limits.maxBid, limits.maxBudget, limits.maxSpendIncrease]
    .map((amounts) => amounts?.[at]);
  if (changed.length > 0 && [limits.hours, limits.freeze].includes("closed")) {
    found.push(`${changed[0]}: nothing may change at this time`);
  }
  // A global entity counts by its copies.
  const counted = changed.filter((key) => !key.includes(".global_"));
  const excepted = (key: string): boolean =>
    limits.excepted !== undefined &&
    [before, ...(before.has(key) ? [] : [after])].flatMap((image) => [
      ...ids(key, image),
      ...wholeIds(key, image),
    ]).some((id) => limits.excepted!.includes(id));
  for (const key of changed) {
    const [, kind = "", id] = key.split(" ");
    const [was, is] = [before.get(key), after.get(key)!];
    const say = (what: string): void => void found.push(`${key}: ${what}`);
    const places = new Set([before, after].flatMap((image) => [...ids(key, image), ...wholeIds(key, image)]));
    const held = [...limits.protectedIds ?? [], ...limits.protectedLabel ?? []].find((one) =>
      places.has(one)
    );
    if (held !== undefined) say(`${held} is protected`);
    if (limits.protectedKinds?.includes(kind)) say("its kind is protected");
    if (limits.ruled !== undefined && kind === "sp.keywords" && was === undefined) say("it is new");
    if (limits.cooling !== undefined) {
      for (const part of warmedParts(key, seen)) say(`its ${part} was set today and is set again`);
    }
    if (seen.isSchedule) {
      const [peak, now] = [
        Math.max(day.peaks.get(key) ?? 0, amountOf(key, before) ?? 0),
        amountOf(key, after),
      ];
      const factor = limits.scheduleHours === "closed" ? 1 : limits.maxFactor ?? Infinity;
      // A schedule starts from a value that was there, and rounds to cents.
      if (peak > 0 && now !== undefined && now > peak && now > peak * Math.max(1, factor) + 0.01) {
        say(`a schedule raised ${peak} to ${now}`);
      }
    }
    const isNamed = limits.protectedName !== undefined &&
      names(key, before).some((name) => name.startsWith(limits.protectedName!));
    if (isNamed) say("its name is protected");
    if (limits.allowedKinds !== undefined && !limits.allowedKinds.includes(kind)) say("not an allowed kind");
    if (excepted(key)) continue;

    const on = isOn(is) && !isArchived(is);
    const woke = on && (was === undefined || !isOn(was));
    const bid = bidOf(kind, is);
    if (maxBid !== undefined && bid !== undefined && over(bid, maxBid) && on) {
      const old = was === undefined ? undefined : bidOf(kind, was);
      if (woke || old === undefined || over(bid, old)) say(`bid ${bid} is above ${maxBid}`);
    }
    if (limits.maxPlacement !== undefined && isCampaign(kind)) {
      for (const [placement, percent] of placementsOf(is)) {
        const old = was === undefined ? undefined : placementsOf(was).get(placement);
        if (percent !== old && over(percent, limits.maxPlacement * 100)) {
          say(`${placement} gets ${percent} %`);
        }
      }
    }
    const budget = isCampaign(kind) ? budgetOf(is) : undefined;
    if (maxBudget !== undefined && budget !== undefined && over(budget, maxBudget) && on) {
      const old = was === undefined ? undefined : budgetOf(was);
      if (woke || old === undefined || over(budget, old)) {
        say(`budget ${budget} is above ${maxBudget}`);
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
  if (limits.maxEffectiveBid !== undefined && changed.length > 0) {
    const max = limits.maxEffectiveBid[at];
    for (const [key, { kind, cost }] of clickCosts(after)) {
      const old = over(cost, max) ? clickCosts(before, key).get(key)?.cost : cost;
      if (excepted(key) || old !== undefined && !over(cost, old)) continue;
      found.push(`${key}: a click of this ${kind} may cost ${cost}, above ${max}`);
    }
  }
  if (maxSpend !== undefined) {
    const more = moreSpend(start, after, excepted);
    const moreBefore = moreSpend(start, before, excepted);
    if (more > moreBefore && over(more, maxSpend)) {
      found.push(`${more} more a day, and ${maxSpend} are allowed`);
    }
  }
  const archived = counted.filter((key) => isArchived(after.get(key)!)).length;
  if (!isUndo && archived > 0 && day.archives + archived > (limits.maxArchives ?? Infinity)) {
    found.push(`${day.archives + archived} archives a day`);
  }
  if (!isUndo && counted.length > 0 && day.changes + counted.length > (limits.maxChanges ?? Infinity)) {
    found.push(`${day.changes + counted.length} changes a day`);
  }
  return found;
}

/** A change that asks for a person where there is no policy. */
interface OutOfProportion {
  readonly key: string;
  readonly change: string;
}

/** Changes that ask for a person where there is no policy: a bid or budget more than tripled, a cap raised or removed. */
export function outOfProportion({ before, after }: Pick<Seen, "before" | "after">): OutOfProportion[] {
  return changedKeys(before, after).flatMap((key): OutOfProportion[] => {
    const [, kind = ""] = key.split(" ");
    const [was, is] = [before.get(key), after.get(key)!];
    if (was === undefined || isArchived(is)) return [];
    const [capWas, capIs] = [was, is].map((one) => kind === "portfolios" ? capOf(one) : 0);
    if (capIs! > capWas!) return [{ key, change: `the cap ${capWas} became ${capIs}` }];
    const [from, to] = [before, after].map((image) => amountOf(key, image));
    return from !== undefined && to !== undefined && over(to, from * 3)
      ? [{ key, change: `${from} became ${to}` }]
      : [];
  });
}

function changedKeys(before: AccountImage, after: AccountImage): string[] {
  return [...new Set(differences(before, after).map(({ key }) => key))];
}

/** Bid of an entity, or budget of a campaign. */
function amountOf(key: string, image: AccountImage): number | undefined {
  const [, kind = ""] = key.split(" ");
  const entity = image.get(key);
  return entity && (isCampaign(kind) ? budgetOf(entity) : bidOf(kind, entity));
}

/** The bid, budget or state of an entity that was there, where a move sets it. */
function partsSet(key: string, { before, after }: Pick<Seen, "before" | "after">): string[] {
  const [, kind = ""] = key.split(" ");
  const [was, is] = [before.get(key), after.get(key)!];
  if (was === undefined || kind === "portfolios" || kind.includes(".global_")) return [];
  const part = isCampaign(kind) ? "budget" : "bid";
  return [
    ...amountOf(key, before) === amountOf(key, after) ? [] : [part],
    ...isOn(was) === isOn(is) ? [] : ["state"],
  ];
}

/** Parts that a move sets although they were set before on the day: pauses, archives and lower budgets pass. */
function warmedParts(key: string, seen: Seen): string[] {
  const { before, after, day, isUndo, isSchedule } = seen;
  if (isUndo || isSchedule || isArchived(after.get(key)!)) return [];
  return partsSet(key, seen).filter((part) => {
    if (!day.set.has(`${key} ${part}`)) return false;
    if (part === "state") return isOn(after.get(key)!);
    return part === "bid" || (amountOf(key, after) ?? Infinity) > (amountOf(key, before) ?? Infinity);
  });
}

/** The most that a click may cost, by the bids of what is on in campaigns of Sponsored Products. */
function clickCosts(
  image: AccountImage,
  only?: string,
): Map<string, { readonly kind: string; readonly cost: number }> {
  const costs = new Map<string, { kind: string; cost: number }>();
  for (const [key, entity] of only === undefined ? image : [[only, image.get(only)] as const]) {
    const [profile, kind = ""] = key.split(" ");
    if (entity === undefined || !/^sp\.(keywords|targets)$/.test(kind)) continue;
    const adGroup = image.get(`${profile} sp.ad_groups ${entity["adGroupId"]}`);
    const campaign = image.get(`${profile} sp.campaigns ${adGroup?.["campaignId"]}`);
    const own = [entity, adGroup, campaign];
    if (adGroup === undefined || campaign === undefined || !own.every((one) => isOn(one!))) continue;
    const bid = bidOf(kind, entity) ?? bidOf("sp.ad_groups", adGroup);
    const percent = Math.max(0, ...placementsOf(campaign).values());
    const double = fields(campaign["dynamicBidding"])?.["strategy"] === "AUTO_FOR_SALES" ? 2 : 1;
    if (bid !== undefined) costs.set(key, { kind, cost: bid * double * (1 + percent / 100) });
  }
  return costs;
}

/** Adjustments by placement, in percent. */
function placementsOf({ dynamicBidding, bidding }: Entity): Map<string, number> {
  const lists = [
    fields(dynamicBidding)?.["placementBidding"],
    fields(bidding)?.["bidAdjustmentsByPlacement"],
  ];
  return new Map(
    lists.flatMap((list) => Array.isArray(list) ? list as Entity[] : []).map((one) => [
      String(one["placement"]),
      number(one["percentage"]) ?? 0,
    ]),
  );
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

/** Ids of the global entities whose copies an entity is or is in: amounts of a global campaign are those of its copies. */
function wholeIds(key: string, image: AccountImage): string[] {
  const [profile] = key.split(" ");
  return ["sp.campaigns", "sp.ad_groups"].flatMap((kind) =>
    ids(key, image).flatMap((id) => {
      const copy = image.get(`${profile} ${kind} ${id}`);
      return [text(copy?.["globalCampaignId"]), text(copy?.["globalAdGroupId"])];
    })
  ).filter((one) => one !== undefined);
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

/** The platform keeps an amount beside `NO_CAP`, and it caps nothing. */
function capOf({ budget }: Entity): number {
  const { policy, amount } = fields(budget) ?? {};
  return policy === "NO_CAP" ? Infinity : number(amount) ?? Infinity;
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

import type { SeededRandom } from "../../support/seeded_random.ts";
import {
  type AccountImage,
  type Entity,
  fields,
} from "../../../src/interfaces/arena/account/account_image.ts";
import type { FieldValue } from "./published_writes.ts";
import type { Habits, World } from "./world.ts";

/** An entity that a move is about. */
export interface Subject {
  readonly profileId: string;
  readonly kind: string;
  readonly id: string;
  readonly entity: Entity;
}

/** The habits of a day. */
export function drawnHabits(random: SeededRandom): Habits {
  return { invents: random.pick([2, 4, 9]), returns: random.pick([4, 6, 9]) };
}

/** True so many times of ten. */
export function often(times: number, random: SeededRandom): boolean {
  return random.integer(0, 9) < times;
}

/** One of several, more often one that the day's work is about. */
export function pickSubject(
  all: readonly Subject[],
  { random, busy, habits }: Pick<World, "random" | "busy" | "habits">,
): Subject {
  const own = often(habits.returns, random) ? all.filter(({ id }) => busy.has(id)) : [];
  return random.pick(own.length === 0 ? all : own);
}

/** Every live entity of a profile. */
export function subjects(image: AccountImage, profileId: string): Subject[] {
  return [...image].flatMap(([key, entity]) => {
    const [profile = "", kind = "", id = ""] = key.split(" ");
    const isLive = String(entity["state"]).toUpperCase() !== "ARCHIVED";
    return profile === profileId && isLive ? [{ profileId, kind, id, entity }] : [];
  });
}

/** Collections whose ids a field may hold. */
const HOLDERS: readonly (readonly [field: RegExp, kind: RegExp])[] = [
  [/^campaignId/i, /campaigns$/],
  [/^adGroupId/i, /ad_groups$/],
  [/^portfolioId/i, /^portfolios$/],
  [/^keywordId/i, /keywords$/],
  [/^(targetId|negativeTargetId)/i, /(targets|keywords)$/],
];

/** Values for published fields: ids of the account, amounts near those of the subject, and now and then odd ones. */
export function valuesFor(
  subject: Subject,
  { random, all, markets, limits }:
    & { random: SeededRandom; all: readonly Subject[] }
    & Pick<World, "markets" | "limits">,
): FieldValue {
  const currencies = markets.map(({ currency }) => currency);
  const ownCurrency = currencies[subject.profileId === markets[0].profileId ? 0 : 1]!;
  const own = (name: string): number | undefined => {
    const { entity } = subject;
    const budget = fields(entity["budget"]);
    const value = name === "amount" || name === "budget" || name === "value"
      ? budget?.["amount"] ?? budget?.["budget"] ?? entity["budget"] ?? entity["defaultBid"] ?? entity["bid"]
      : entity["defaultBid"] ?? entity["bid"];
    return typeof value === "number" ? value : undefined;
  };
  const money = (name: string): unknown => {
    const near = own(name) ?? random.pick([0.5, 1, 20]);
    const amount = Math.round(near * random.pick([0.4, 0.8, 0.95, 1, 1.05, 1.25, 1.6, 3, 20]) * 100) / 100;
    return random.integer(0, 39) === 0 ? random.pick([String(amount), `${amount}e0`, null, -amount]) : amount;
  };
  const isId = (name: string): boolean => /Ids?$/.test(name);
  return (name, path) => {
    if (isId(name) || name === "include" && isId(path.at(-1)?.replace("Filter", "") ?? "")) {
      const field = name === "include" ? path.at(-1)!.replace("Filter", "") : name;
      const holders = HOLDERS.find(([pattern]) => pattern.test(field))?.[1];
      if (holders === undefined) return undefined;
      const isOwn = holders.test(subject.kind) && path.length <= 1;
      const value = isOwn && random.integer(0, 19) > 0
        ? subject.id
        : subject.entity[name] !== undefined && random.integer(0, 9) > 0
        ? subject.entity[name]
        : claimed(all.filter(({ kind }) => holders.test(kind)), { random, limits });
      return name === "include" || name.endsWith("Ids") ? [value] : value;
    }
    switch (name) {
      case "bid":
      case "defaultBid":
      case "amount":
      case "value":
        return path.includes("expression") || path.includes("tags") ? undefined : money(name);
      case "budget":
        return subject.kind === "portfolios" || subject.kind.startsWith("sp.") && path.at(-1) !== "budget"
          ? undefined
          : money(name);
      case "percentage":
        return random.pick([0, 10, 20, 45, 90, 300]);
      case "currencyCode":
      case "currency":
        return random.integer(0, 4) > 0 ? ownCurrency : random.pick(currencies);
      case "state":
        return random.integer(0, 3) === 0
          ? undefined
          // Portfolios have no other.
          : subject.kind === "portfolios" && random.integer(0, 9) > 0
          ? "ENABLED"
          : String(subject.entity["state"]) === String(subject.entity["state"]).toLowerCase()
          ? random.pick(["enabled", "paused"])
          : random.pick(["ENABLED", "PAUSED"]);
      case "name":
        return `${random.pick(["Plain", "Brand"])} ${random.integer(1, 9_999_999)}`;
      case "keywordText":
        return `word ${random.integer(0, 6)}`;
      case "endDate":
        return subject.kind.startsWith("sd.")
          ? "20271231"
          : random.pick(["2026-12-31", "2026-12-31", "2026-12-31", null]);
      case "startDate":
        return subject.kind.startsWith("sd.") ? "20261201" : "2026-12-01";
      case "policy":
        return random.pick(["MONTHLY_RECURRING", "MONTHLY_RECURRING", "NO_CAP"]);
    }
    return undefined;
  };
}

/** An id of a place, often one that limits do not hold for. */
export function claimed(
  places: readonly Subject[],
  { random, limits }: Pick<World, "random" | "limits">,
): string | undefined {
  const free = places.filter(({ id }) => limits.excepted?.includes(id));
  return random.pick(free.length > 0 && random.integer(0, 3) > 0 ? free : places)?.id;
}

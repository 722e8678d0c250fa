import { type JsonObject, objectsIn } from "../core/json.ts";
import { Random } from "../core/random.ts";
import type { ProfileState } from "../state/profile_state.ts";
import { PastValues } from "./timeline.ts";

const LETTERS = "0123456789BCDFGHJKLMNPQRSTVWXYZ";
const EXACT_TYPES = ["EXACT", "exact"];

export type AdvertisedProducts = (moment: number) => readonly string[];

/** Finds the advertised products. Each product counts from the day after its first ad. */
export function advertisedProducts(profile: ProfileState): AdvertisedProducts {
  const past = new PastValues(profile.history());
  const ads = profile.collection("sp.product_ads").all().map(({ adId, asin }) => ({
    asin: String(asin),
    from: past.creationOf(String(adId)) ?? -Infinity,
  }));
  const starts = distinctNumbers(ads.map(({ from }) => from));
  const lists = new Map<number, readonly string[]>();
  return (moment) => {
    const at = starts.findLast((start) => start <= moment) ?? -Infinity;
    let list = lists.get(at);
    if (list === undefined) {
      list = distinct(ads.filter(({ from }) => from <= at).map(({ asin }) => asin));
      lists.set(at, list);
    }
    return list;
  };
}

export class Vocabulary {
  readonly #phrases: readonly string[];
  readonly #words: readonly string[];

  /** @param isKnown Excludes keywords created after the described moment, by id. */
  constructor(profile: ProfileState, isKnown: (keywordId: string) => boolean = () => true) {
    const texts = (...kinds: string[]) =>
      kinds.flatMap((kind) =>
        profile.collection(kind).all().filter(({ keywordId }) => isKnown(String(keywordId)))
          .map((each) => String(each.keywordText))
      );
    const phrases = texts("sp.keywords", "sb.keywords");
    const unwanted = texts("sp.negative_keywords", "sp.campaign_negative_keywords", "sb.negative_keywords");
    this.#phrases = distinct(phrases).slice(0, 2000);
    this.#words = distinct([...this.#phrases.slice(0, 400).flatMap((text) => text.split(" ")), ...unwanted]);
  }

  termsOfKeyword(text: string, matchType: string, seed: string): string[] {
    const random = new Random(`terms ${seed}`);
    const own = text.toLowerCase();
    const turned = own.split(" ").reverse().join(" ");
    if (EXACT_TYPES.includes(matchType)) return distinct([own, turned]).slice(0, 2);
    const longer = Array.from(
      { length: 5 },
      (_, index) => index % 2 === 0 ? `${this.#word(random)} ${own}` : `${own} ${this.#word(random)}`,
    );
    const loose = matchType.toUpperCase() === "BROAD"
      ? [turned, ...Array.from({ length: 4 }, () => `${this.#word(random)} ${own} ${this.#word(random)}`)]
      : [];
    return distinct([own, ...longer, ...loose]);
  }

  termsOfTarget(expression: readonly JsonObject[], seed: string): string[] {
    const random = new Random(`terms ${seed}`);
    const { type, value } = expression[0] ?? {};
    const several = (count: number, make: () => string) => distinct(Array.from({ length: count }, make));
    switch (type) {
      case "QUERY_HIGH_REL_MATCHES":
        return several(14, () => this.#phrase(random));
      case "QUERY_BROAD_REL_MATCHES":
        return several(18, () => `${this.#phrase(random)} ${random.chance(0.5) ? this.#word(random) : ""}`);
      case "ASIN_SAME_AS":
        return [String(value).toLowerCase()];
      case "ASIN_EXPANDED_FROM":
        return [String(value).toLowerCase(), ...several(3, () => otherAsin(random))];
      default:
        return several(9, () => otherAsin(random));
    }
  }

  #phrase(random: Random): string {
    return this.#phrases.length === 0 ? otherAsin(random) : random.pick(this.#phrases).toLowerCase();
  }

  #word(random: Random): string {
    return this.#words.length === 0 ? "new" : random.pick(this.#words).toLowerCase();
  }
}

/** Uses Sponsored Products types, such as `ASIN_SAME_AS`. */
export function expressionOf({ expression, expressions }: JsonObject): JsonObject[] {
  const parts = expression ?? expressions;
  return (objectsIn(parts) ?? []).map((part) => ({
    ...part,
    type: String(part.type).replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase(),
  }));
}

function otherAsin(random: Random): string {
  const letter = () => LETTERS[random.integer(0, LETTERS.length - 1)];
  return `b0${Array.from({ length: 8 }, letter).join("")}`.toLowerCase();
}

function distinctNumbers(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.trim().replace(/\s+/g, " ")))];
}

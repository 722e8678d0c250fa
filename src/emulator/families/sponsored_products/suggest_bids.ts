import { hash } from "../../core/random.ts";
import { bidRange, decimalsOf, usualBid } from "../../core/marketplaces.ts";
import { type Expression, isProductExpression } from "./bid_request.ts";

interface BidPlace {
  readonly countryCode: string;
  readonly strategy: string;
  readonly theme: string;
}

const TYPE_FACTORS: Readonly<Record<string, number>> = {
  KEYWORD_EXACT_MATCH: 1.2,
  KEYWORD_PHRASE_MATCH: 1,
  KEYWORD_BROAD_MATCH: 0.85,
  PAT_ASIN: 0.8,
  CLOSE_MATCH: 0.9,
};
const OTHER_FACTOR = 0.65;
const SEASON_FACTOR = 1.3;
const SPREAD = [0.75, 1, 1.45];
const WITHOUT_PRODUCT_BIDS = ["AU"];
/** Out of this many expressions, one is left out, one has no bid, and one has a single bid. */
const RARE = 23;

/**
 * Suggests bids, sorted from low to high and deterministic: usually three, for some expressions one or none.
 * `undefined` means the response omits the expression. Australia has none for products.
 */
export function suggestBids(expression: Expression, place: BidPlace): number[] | undefined {
  const { countryCode, theme, strategy } = place;
  if (WITHOUT_PRODUCT_BIDS.includes(countryCode) && isProductExpression(expression)) return undefined;
  const text = `${expression.type} ${(expression.value ?? "").toLowerCase()}`;
  const rarity = (hash(`rare ${text}`) >>> 0) % RARE;
  if (rarity === 0) return undefined;
  if (rarity === 1) return [];
  const [low, high] = bidRange(countryCode, "sp");
  const variety = 0.6 + 0.8 * (hash(text) >>> 0) / 2 ** 32;
  const season = theme === "CONVERSION_OPPORTUNITIES" ? 1 : SEASON_FACTOR;
  const dynamic = strategy === "AUTO_FOR_SALES" ? 0.9 : 1;
  const middle = usualBid(countryCode) * variety * season * dynamic *
    (TYPE_FACTORS[expression.type] ?? OTHER_FACTOR);
  const decimals = decimalsOf(countryCode);
  const bids = SPREAD.map((factor) =>
    Math.min(Math.max(Number((middle * factor).toFixed(decimals)), low), high)
  );
  return rarity === 2 ? bids.slice(1, 2) : bids;
}

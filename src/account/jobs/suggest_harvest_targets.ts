import type { ProfileClient } from "../../client/profile_client.ts";
import { type Places, stoppedPlace } from "./places.ts";

/** An ad group missing from the map, with a possible target for its search terms. It is not part of the plan. */
export interface HarvestSuggestion {
  /** Id of the ad group whose search terms have no target. */
  readonly sourceAdGroupId: string;
  /** Current name of this ad group; empty if it is archived. */
  readonly sourceName: string;
  /** Number of search terms without a target. */
  readonly terms: number;
  /** Number of orders from these terms. */
  readonly orders: number;
  /** Id of an ad group with exact keywords that advertises the same products; `null` when there is none. */
  readonly targetAdGroupId: string | null;
  /** Current name of that ad group; `null` if there is none. */
  readonly targetName: string | null;
  /** Number of products that both ad groups advertise. */
  readonly sharedProducts: number;
  /** Words that the names of both ad groups share if they share no product: a weaker match. */
  readonly sharedWords: readonly string[];
}

const TARGETING_WORDS = new Set([
  "auto",
  "exact",
  "phrase",
  "broad",
  "manual",
  "products",
  "keywords",
  "research",
]);

const MIN_SHARED = 0.5;

/**
 * Suggests a target for each ad group missing from the map: the one that shares most products, then most words of the
 * name. An ad group with exact keywords is never a source.
 */
export async function suggestHarvestTargets(
  { sp }: Pick<ProfileClient, "sp">,
  waiting: ReadonlyMap<string, { readonly terms: number; readonly orders: number }>,
  { places, signal }: { readonly places: Places; readonly signal?: AbortSignal | undefined },
): Promise<HarvestSuggestion[]> {
  if (waiting.size === 0) return [];
  // A seller's ad names the SKU, a vendor's the ASIN; the platform may add the other.
  const products = new Map<string, string[][]>();
  for await (const { adGroupId, asin, sku } of sp.productAds.iter({ states: ["ENABLED"], signal })) {
    const names = [asin, sku].filter((name) => name !== undefined);
    products.set(adGroupId, [...products.get(adGroupId) ?? [], names]);
  }
  const nameOf = (id: string): string => String(places.adGroups.get(id)?.["name"] ?? "");
  const running = [...places.adGroups.keys()].filter((adGroupId) =>
    stoppedPlace(places, { adGroupId, campaignId: places.adGroups.get(adGroupId)?.["campaignId"] }) ===
      undefined
  );
  const alike = new Map([...waiting.keys()].map((sourceAdGroupId) => {
    const own = new Set((products.get(sourceAdGroupId) ?? []).flat());
    const words = nameWords(nameOf(sourceAdGroupId));
    const found = running.filter((id) => id !== sourceAdGroupId).map((id) => {
      const shared = nameWords(nameOf(id)).filter((word) => words.includes(word));
      return {
        id,
        products: (products.get(id) ?? []).filter((names) => names.some((name) => own.has(name))).length,
        words: shared.length >= words.length * MIN_SHARED ? shared : [],
      };
    }).filter((one) => one.products + one.words.length > 0);
    return [sourceAdGroupId, found];
  }));
  // Keywords are most of an account: only those of ad groups that come into question are read.
  const adGroupIds = [...new Set([...alike].flatMap(([id, found]) => [id, ...found.map((one) => one.id)]))];
  const exact = new Map<string, number>();
  for await (
    const { adGroupId, matchType } of sp.keywords.iter({ adGroupIds, states: ["ENABLED"], signal })
  ) {
    if (matchType === "EXACT") exact.set(adGroupId, (exact.get(adGroupId) ?? 0) + 1);
  }
  const sources = [...waiting].filter(([adGroupId]) => !exact.has(adGroupId));
  const suggestions = sources.map(([sourceAdGroupId, counts]): HarvestSuggestion => {
    const ranked = (alike.get(sourceAdGroupId) ?? []).filter(({ id }) => exact.has(id)).sort((a, b) =>
      b.products - a.products || b.words.length - a.words.length ||
      (exact.get(b.id) ?? 0) - (exact.get(a.id) ?? 0)
    );
    const [best] = ranked;
    return {
      sourceAdGroupId,
      sourceName: nameOf(sourceAdGroupId),
      ...counts,
      targetAdGroupId: best?.id ?? null,
      targetName: best === undefined ? null : nameOf(best.id),
      sharedProducts: best?.products ?? 0,
      sharedWords: best === undefined || best.products > 0 ? [] : best.words,
    };
  });
  return suggestions.sort((a, b) => b.orders - a.orders);
}

function nameWords(name: string): string[] {
  return [...new Set(name.toLowerCase().split(/[^\p{L}\p{N}]+/u))].filter((word) =>
    word !== "" && !TARGETING_WORDS.has(word)
  );
}

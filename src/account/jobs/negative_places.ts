import type { ProfileClient } from "../../client/profile_client.ts";
import type { EntityFields } from "../../plans/model/change.ts";
import { comparedText, holdsPhrase } from "../../client/entities/model/check_keyword_text.ts";

export interface NegativePlaces {
  isNegated(place: { readonly adGroupId: string; readonly campaignId: string }, text: string): boolean;
  isProductNegated(place: { readonly adGroupId: string; readonly campaignId: string }, asin: string): boolean;
  archived(adGroupId: string, text: string): readonly string[];
  keywords(adGroupId: string, text: string): readonly EntityFields[];
}

export async function readNegativePlaces(
  { sp }: Pick<ProfileClient, "sp">,
  { adGroupIds, campaignIds, signal }: {
    readonly adGroupIds: readonly string[];
    readonly campaignIds: readonly string[];
    readonly signal?: AbortSignal | undefined;
  },
): Promise<NegativePlaces> {
  const exact = new Set<string>();
  const phrases = new Map<string, string[]>();
  const products = new Set<string>();
  const own = new Map<string, EntityFields[]>();
  const archived = new Map<string, string[]>();
  const addText = (place: string, { keywordText, matchType }: { keywordText: string; matchType: string }) => {
    const text = comparedText(keywordText);
    if (/exact$/i.test(matchType)) exact.add(`${place} ${text}`);
    else phrases.set(place, [...phrases.get(place) ?? [], text]);
  };
  const addProducts = (place: string, expression: readonly { type: string; value?: string }[]) => {
    for (const { type, value } of expression) {
      if (type === "ASIN_SAME_AS") products.add(`${place} ${value?.toUpperCase()}`);
    }
  };
  for await (const one of sp.negativeKeywords.iter({ adGroupIds, signal })) addText(one.adGroupId, one);
  for await (const one of sp.campaignNegativeKeywords.iter({ campaignIds, signal })) {
    addText(one.campaignId, one);
  }
  for await (const one of sp.negativeTargets.iter({ adGroupIds, signal })) {
    addProducts(one.adGroupId, one.expression);
  }
  for await (const one of sp.campaignNegativeTargets.iter({ campaignIds, signal })) {
    addProducts(one.campaignId, one.expression);
  }
  for await (const one of sp.keywords.iter({ adGroupIds, signal })) {
    const key = `${one.adGroupId} ${comparedText(one.keywordText)}`;
    own.set(key, [...own.get(key) ?? [], one]);
  }
  const gone = { adGroupIds, states: ["ARCHIVED"], signal };
  const addGone = (adGroupId: string, text: string, id: string): void => {
    const key = `${adGroupId} ${comparedText(text)}`;
    archived.set(key, [...archived.get(key) ?? [], id]);
  };
  if (adGroupIds.length > 0) {
    for await (const one of sp.negativeKeywords.iter(gone)) {
      addGone(one.adGroupId, one.keywordText, one.keywordId);
    }
    for await (const one of sp.keywords.iter(gone)) addGone(one.adGroupId, one.keywordText, one.keywordId);
    for await (const one of sp.negativeTargets.iter(gone)) {
      for (const { value } of one.expression) {
        if (value !== undefined) addGone(one.adGroupId, value, one.targetId);
      }
    }
  }
  return {
    archived: (adGroupId, text) => archived.get(`${adGroupId} ${comparedText(text)}`) ?? [],
    isNegated: ({ adGroupId, campaignId }, searchTerm) => {
      const text = comparedText(searchTerm);
      return [adGroupId, campaignId].some((place) =>
        exact.has(`${place} ${text}`) ||
        (phrases.get(place) ?? []).some((phrase) => holdsPhrase(text, phrase))
      );
    },
    isProductNegated: ({ adGroupId, campaignId }, asin) =>
      [adGroupId, campaignId].some((place) => products.has(`${place} ${asin.toUpperCase()}`)),
    keywords: (adGroupId, text) => own.get(`${adGroupId} ${comparedText(text)}`) ?? [],
  };
}

/**
 * Compile-only: `deno check` reads this file, nothing runs it. Each `@ts-expect-error` fails the check when the line
 * below it compiles after all.
 */
import type { ProfileClient } from "../../mod.ts";
import type { SuggestedBid } from "../../src/client/insights/mod.ts";
import type { Ad as SbAd, Keyword as SbKeyword } from "../../src/client/entities/sb.ts";
import type { Keyword, Target } from "../../src/client/entities/sp.ts";
import { asin, checkKeywordText } from "../../mod.ts";

declare const us: ProfileClient;
declare const target: Target;

/** Lines that must compile. */
export async function accepted(): Promise<void> {
  const keywords: Keyword[] = await us.sp.keywords.list({ states: null });
  const bids: Map<string, SuggestedBid> = await us.bids.forKeywords(keywords, {
    theme: "A_THEME_OF_NEXT_YEAR",
  });
  const price: number | undefined = bids.get("1")?.suggested;
  const _known: "EXACT" | "PHRASE" | "BROAD" | (string & Record<never, never>) = keywords[0]!.matchType;
  const _unknown: unknown = keywords[0]!["aFieldOfNextYear"];
  await us.sp.keywords.update([{ keywordId: "1", bid: price ?? 1 }]);
  const brands: SbKeyword[] = await us.sb.keywords.list();
  await us.sb.keywords.update(brands);
  const made: number | undefined = (await us.sb.campaigns.list({ extended: true }))[0]?.extendedData
    ?.creationDate;
  const day: string | undefined = (await us.sp.campaigns.get("1"))?.extendedData?.creationDateTime;
  console.log(made, day);
  const ad: SbAd | undefined = await us.sb.ads.get("1");
  await us.sb.ads.create([{
    adFormat: "aFormatOfNextYear",
    adGroupId: "1",
    name: "a",
    state: "ENABLED",
    creative: { ...ad?.creative, headline: "b" },
  }]);
  for await (const { entityType, metadata } of us.history.events({ entityTypes: ["KEYWORD"] })) {
    checkKeywordText(metadata.keyword ?? entityType, { marketplace: us.countryCode });
  }
  const product: string | undefined = asin(target);
  await us.sp.targets.productCounts({ category: product ?? "" });
  await (await us.history.rollbackPlan(new Date(), { changes: ["STATUS"] })).apply(us);
}

/** Lines that must not. */
export async function refused(): Promise<void> {
  // @ts-expect-error an id is text
  await us.sp.keywords.get(1);
  // @ts-expect-error a filter has its name
  await us.sp.keywords.list({ campaignId: "1" });
  // @ts-expect-error a price may be missing
  const price: number =
    (await us.bids.forAdGroup({ campaignId: "1", adGroupId: "2", expressions: [] }))[0]!.low;
  // @ts-expect-error what an entity holds is not changed in place
  (await us.sp.keywords.get("1"))!.bid = price;
  // @ts-expect-error a change type is asked for by an option
  await us.history.valueAt("KEYWORD", "1", "BID_AMOUNT");
}

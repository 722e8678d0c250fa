import type { Random } from "../../core/random.ts";
import type { JsonObject } from "../../core/json.ts";
import { Money } from "../../demo/money.ts";
import { bidRange } from "../../rules/marketplaces.ts";

/** Parts of a demo profile's Brands targets. */
export interface BrandsTargetsDemo {
  /** The marketplace, two letters. */
  readonly countryCode: string;
  /** Source of variety. */
  readonly random: Random;
  /** Makes ids. */
  readonly newId: () => string;
  /** The profile's collections so far. */
  readonly collections: Readonly<Record<string, readonly JsonObject[]>>;
}

/** Themes, product targets and negative product targets of a demo profile: some in every second Brands ad group. */
export function buildBrandsTargets(parts: BrandsTargetsDemo): Record<string, JsonObject[]> {
  const { random, newId, collections, countryCode } = parts;
  const products = collections["sp.product_ads"] ?? [];
  if (products.length === 0) return {};
  const money = new Money(countryCode, random);
  const [low, high] = bidRange(countryCode, "sbVideo");
  const bid = () => Math.min(high, Math.max(low, money.bid()));
  const made: Record<string, JsonObject[]> = { "sb.themes": [], "sb.targets": [], "sb.negative_targets": [] };
  const adGroups = (collections["sb.ad_groups"] ?? []).filter((_, index) => index % 2 === 0);
  for (const [index, adGroup] of adGroups.entries()) {
    const place = { adGroupId: adGroup.adGroupId, campaignId: adGroup.campaignId };
    const rest = { state: index % 4 === 3 ? "paused" : "enabled", extendedData: adGroup.extendedData };
    made["sb.themes"]?.push({
      themeId: newId(),
      ...place,
      themeType: index % 2 === 0
        ? "KEYWORDS_RELATED_TO_YOUR_BRAND"
        : "KEYWORDS_RELATED_TO_YOUR_LANDING_PAGES",
      bid: bid(),
      ...rest,
    });
    const [target, kept] = random.shuffled(products);
    const expressions = [{ type: "asinSameAs", value: String(target?.asin) }];
    made["sb.targets"]?.push({
      targetId: newId(),
      ...place,
      expressions,
      resolvedExpressions: expressions,
      bid: bid(),
      ...rest,
    });
    const negative = [{ type: "asinSameAs", value: String((kept ?? target)?.asin) }];
    made["sb.negative_targets"]?.push({
      targetId: newId(),
      ...place,
      expressions: negative,
      resolvedExpressions: negative,
      ...rest,
      state: "enabled",
    });
  }
  return made;
}

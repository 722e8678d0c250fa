import type { JsonObject } from "../../core/json.ts";

const PROMPTS: readonly ((name: string) => string)[] = [
  (name) => `Who is ${name} made for?`,
  (name) => `How long does ${name} last?`,
  (name) => `What goes well with ${name}?`,
];

const ADS_PER_EXTENSION = 3;

export function buildAdExtensions(
  { newId }: { newId: () => string },
  collections: Readonly<Record<string, readonly JsonObject[]>>,
): Record<string, JsonObject[]> {
  const names = (family: string): Map<unknown, unknown> =>
    new Map((collections[`${family}.ad_groups`] ?? []).map(({ adGroupId, name }) => [adGroupId, name]));
  const extend = (family: "sp" | "sb", ads: string): JsonObject[] => {
    const groups = names(family);
    return (collections[ads] ?? []).filter((_, at) => at % ADS_PER_EXTENSION === 0).map((
      ad,
      at,
    ): JsonObject => ({
      adExtensionId: newId(),
      campaignId: ad.campaignId!,
      adGroupId: ad.adGroupId!,
      adId: ad.adId!,
      ...(family === "sp" && at % 4 === 3 ? { adExtensionType: "VIDEO", videoType: "SPOTLIGHT" } : {
        adExtensionType: "PROMPTS",
        promptText: PROMPTS[at % PROMPTS.length]!(String(groups.get(ad.adGroupId))),
      }),
      state: at % 5 === 4 ? "PAUSED" : "ENABLED",
      extendedData: momentsOf(ad),
    }));
  };
  return { "sp.ad_extensions": extend("sp", "sp.product_ads"), "sb.ad_extensions": extend("sb", "sb.ads") };
}

/** Brands stores times as numbers; extensions need text. */
function momentsOf({ extendedData }: JsonObject): JsonObject {
  const { creationDateTime, creationDate } = extendedData as JsonObject;
  const created = creationDateTime ?? new Date(Number(creationDate)).toISOString();
  return { creationDateTime: created, lastUpdateDateTime: created };
}

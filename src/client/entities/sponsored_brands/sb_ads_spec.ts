import type { Kind } from "../model/resource_spec.ts";
import {
  checkOneImage,
  DEFAULT_SB_AD_FORMAT,
  type NewSbAd,
  SB_AD_FORMATS,
  type SbAd,
  sbAdFormatOf,
  type SbAdUpdate,
} from "./entities/ads.ts";
import { Resource } from "../resource/resource.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import { nameLabel } from "../model/label.ts";
import type { Fields } from "../model/resource_wire.ts";
import { SB_STATES } from "./sb_words.ts";
import { lateOlder, lateUnified } from "../wire/late_wire.ts";

const GIVEN = [
  "type",
  "creativeStatus",
  "creativeVersion",
  "brandLogoUrl",
  "customImageUrl",
  "originalHeadline",
  "originalVideoAssetIds",
];

/** Parts of a creative that the unified family does not read. */
const LOST = GIVEN.flatMap((name) => name === "type" ? [] : `creative.${name}`);

const IMAGES = ["customImageAssetId", "customImageCrop", "customImages"].map((name) => `creative.${name}`);

/** The kind `sb.ads`. Each format has its own endpoint for creates; everything else is shared. */
export const sbAds: Kind<Resource<SbAd, NewSbAd, SbAdUpdate>> = {
  kind: "sb.ads",
  noun: "Brands ad",
  plural: "Brands ads",
  idField: "adId",
  idFields: ["adId", "adGroupId", "campaignId"],
  repeatable: true,
  updatable: ["name", "state", "creative", "tags"],
  clearable: ["tags"],
  advice: {
    landingPage: "Where a click leads is set by a version of the creative: " +
      'call("sponsored-brands-v4:CreateBrandVideoCreative", { adId, creative }), or the operation of its format',
  },
  computed: { creative: GIVEN },
  numeric: [],
  ...SB_STATES,
  filters: ["campaignIds", "adGroupIds", "name", "nameMatch"],
  label: nameLabel,
  createGroup: sbAdFormatOf,
  checkCreate,
  required: ["adGroupId", "name", "state", "creative"],
  parents: { campaignId: "sb.campaigns", adGroupId: "sb.ad_groups" },
  historyType: "AD",
  columns: ["adId", "adGroupId", "campaignId", "name", "state"],
  moreFields: ["creative", "landingPage", "tags"],
  operations: {
    list: "sponsored-brands-v4:ListSponsoredBrandsAds",
    create: [
      "sponsored-brands-v4:CreateSponsoredBrandsProductCollectionAds",
      "sponsored-brands-v4:CreateSponsoredBrandsExtendedProductCollectionAds",
      "sponsored-brands-v4:CreateSponsoredBrandStoreSpotlightAds",
      "sponsored-brands-v4:CreateSponsoredBrandsVideoAds",
      "sponsored-brands-v4:CreateSponsoredBrandsBrandVideoAds",
      "sponsored-brands-v4:CreateSponsoredBrandsAutoCollectionAds",
      "sponsored-brands-v4:CreateSponsoredBrandsManualCollectionAds",
    ],
    update: [
      "sponsored-brands-v4:UpdateSponsoredBrandsAds",
      "sponsored-brands-v4:CreateExtendedProductCollectionCreative",
      "sponsored-brands-v4:CreateStoreSpotlightCreative",
      "sponsored-brands-v4:CreateVideoCreative",
      "sponsored-brands-v4:CreateBrandVideoCreative",
      "sponsored-brands-v4:UpdateSponsoredBrandsManualCollectionAds",
      "sponsored-brands-v4:UpdateSponsoredBrandsAutoCollectionAds",
    ],
    delete: "sponsored-brands-v4:DeleteSponsoredBrandsAds",
  },
  create: (scope) => new Resource(scope, sbAds),
  unified: lateUnified(() => import("../wire/unified/sb_ads_unified.ts"), "sbAdsUnified", {
    lost: ({ creative }) =>
      fieldsOf(creative)["customImageAssetId"] === undefined ? LOST : [...LOST, ...IMAGES],
  }),
  wire: lateOlder(async () => (await import("./sb_ads_wire.ts")).sbAdsWire(), { hasTags: false }),
};

function checkCreate(ads: readonly Fields[]): void {
  for (const format of new Set(ads.map(sbAdFormatOf))) {
    if (!(SB_AD_FORMATS as readonly string[]).includes(format)) {
      throw new TypeError(
        `Cannot create an ad of format "${format}": "adFormat" is one of ${SB_AD_FORMATS.join(", ")}`,
      );
    }
  }
  for (const ad of ads) {
    if (sbAdFormatOf(ad) === DEFAULT_SB_AD_FORMAT) checkOneImage(fieldsOf(ad["creative"]));
  }
}

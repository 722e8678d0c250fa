import { byProduct } from "../model/identity.ts";
import { productLabel } from "../model/label.ts";
import type { Kind } from "../model/resource_spec.ts";
import { Resource } from "../resource/resource.ts";
import type { NewSdProductAd, SdProductAd, SdProductAdUpdate } from "./entities.ts";
import { SD_EXTENDED_FIELDS, SD_STATES, sdWire } from "./sd_wire.ts";
import { lateUnified } from "../wire/late_wire.ts";

const ID_FIELDS = ["adId", "campaignId", "adGroupId"];

export const sdProductAds: Kind<Resource<SdProductAd, NewSdProductAd, SdProductAdUpdate>> = {
  kind: "sd.product_ads",
  noun: "Display ad",
  plural: "Display ads",
  idField: "adId",
  idFields: ID_FIELDS,
  integerIds: true,
  updatable: ["state"],
  numeric: [],
  ...SD_STATES,
  filters: ["campaignIds", "adGroupIds", "extended"],
  label: productLabel,
  required: ["campaignId", "adGroupId", "state"],
  choices: { landingPageType: ["STORE", "MOMENT", "OFF_PLATFORM_LINK"] },
  identity: byProduct,
  parents: { campaignId: "sd.campaigns", adGroupId: "sd.ad_groups" },
  columns: ["adId", "asin", "sku", "state", "campaignId", "adGroupId"],
  moreFields: ["adName", "landingPageType", "landingPageURL"],
  extendedFields: SD_EXTENDED_FIELDS,
  operations: {
    list: ["sponsored-display:listProductAds", "sponsored-display:listProductAdsEx"],
    create: "sponsored-display:createProductAds",
    update: "sponsored-display:updateProductAds",
    delete: "sponsored-display:archiveProductAd",
  },
  create: (scope) => new Resource(scope, sdProductAds),
  unified: lateUnified(() => import("../wire/unified/sd_unified.ts"), "sdProductAdsUnified", {
    lost: ({ sku }) => sku === undefined ? [] : ["asin"],
  }),
  wire: sdWire({ path: "/sd/productAds", idField: "adId", idFields: ID_FIELDS }),
};

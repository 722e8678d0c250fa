import { byProduct } from "../model/identity.ts";
import { SP_EXTENDED_FIELDS } from "../model/extended_fields.ts";
import type { Kind } from "../model/resource_spec.ts";
import type { NewProductAd, ProductAd, ProductAdUpdate } from "./entities/ad_groups.ts";
import { Resource } from "../resource/resource.ts";
import { productLabel } from "../model/label.ts";
import { SP_STATES } from "./sp_states.ts";
import { lateJson, lateUnified } from "../wire/late_wire.ts";

export const spProductAds: Kind<Resource<ProductAd, NewProductAd, ProductAdUpdate>> = {
  kind: "sp.product_ads",
  noun: "product ad",
  plural: "product ads",
  idField: "adId",
  idFields: ["adId", "campaignId", "adGroupId"],
  updatable: ["state", "tags"],
  clearable: ["tags"],
  numeric: [],
  ...SP_STATES,
  filters: ["campaignIds", "adGroupIds", "extended"],
  label: productLabel,
  required: ["campaignId", "adGroupId", "state"],
  identity: byProduct,
  parents: { campaignId: "sp.campaigns", adGroupId: "sp.ad_groups" },
  historyType: "AD",
  columns: ["adId", "asin", "sku", "state", "campaignId", "adGroupId"],
  moreFields: ["customText", "globalStoreSetting", "tags"],
  extendedFields: SP_EXTENDED_FIELDS,
  operations: {
    list: "sponsored-products:ListSponsoredProductsProductAds",
    create: "sponsored-products:CreateSponsoredProductsProductAds",
    update: "sponsored-products:UpdateSponsoredProductsProductAds",
    delete: "sponsored-products:DeleteSponsoredProductsProductAds",
  },
  create: (scope) => new Resource(scope, spProductAds),
  unified: lateUnified(() => import("../wire/unified/sp_unified.ts"), "spProductAdsUnified"),
  wire: lateJson({
    path: "/sp/productAds",
    mediaType: "application/vnd.spProductAd.v3+json",
    collection: "productAds",
    idFilter: "adIdFilter",
    resultIdField: "adId",
    hasTags: false,
  }),
};

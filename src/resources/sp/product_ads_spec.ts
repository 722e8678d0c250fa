import { productLabel } from "../label.ts";
import { jsonWire } from "../json_wire.ts";
import type { ResourceSpec } from "../resource_spec.ts";
import { SP_STATES } from "./sp_states.ts";

/** Sponsored Products ads. */
export const spProductAds: ResourceSpec = {
  kind: "sp.product_ads",
  noun: "product ad",
  idField: "adId",
  idFields: ["adId", "campaignId", "adGroupId"],
  updatable: ["state"],
  numeric: [],
  ...SP_STATES,
  filters: ["campaignIds", "adGroupIds", "extended"],
  label: productLabel,
  wire: jsonWire({
    path: "/sp/productAds",
    mediaType: "application/vnd.spProductAd.v3+json",
    collection: "productAds",
    idFilter: "adIdFilter",
    resultIdField: "adId",
  }),
};

import type { IneligibleProduct } from "../../account/jobs/ineligible_products.ts";
import { defineOperation } from "../model/operation.ts";
import type { ReadContext } from "./read_operation.ts";

export interface ProductProblems {
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly note: string;
}

export const productProblems = defineOperation<ReadContext, ProductProblems>()({
  name: "account product-problems",
  effect: "read",
  tool: "find_product_problems",
  title: "Find products out of stock",
  summary: "List ads of products that are out of stock or not eligible",
  details:
    "Prints a row for each affected enabled ad, with the platform's own status. Changes nothing; to stop an ad, plan " +
    "an update of its state to PAUSED.",
  brief:
    "Advertised products that are out of stock, suppressed or not eligible, one row per enabled ad. To stop " +
    "ads, use plan_update on their entity with adId and state PAUSED.",
  examples: [{ input: {}, about: "check every campaign of the profile" }],
  library: "await findIneligibleProducts(profile)",
  input: { campaign_ids: { type: "ids", help: "only ads of these campaigns" } },
  async run({ profile, signal }, { campaign_ids: campaignIds }): Promise<ProductProblems> {
    const { findIneligibleProducts } = await import("../../account/jobs/ineligible_products.ts");
    const { products, checked } = await findIneligibleProducts(profile, { campaignIds, signal });
    return {
      rows: products.flatMap(rowsOf),
      note: `${checked} advertised products checked, ${products.length} with problems`,
    };
  },
});

function rowsOf({ asin, sku, status, reasons, ads }: IneligibleProduct): ProductProblems["rows"] {
  return ads.map(({ kind, adId, adGroupId, campaignId }) => ({
    asin,
    ...(sku === undefined ? {} : { sku }),
    status,
    reasons: reasons.map(({ name }) => name).join(", "),
    entity: kind.replace(".", "_"),
    ad_id: adId,
    ad_group_id: adGroupId,
    campaign_id: campaignId,
  }));
}

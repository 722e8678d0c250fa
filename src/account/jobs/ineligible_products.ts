import { fieldsOf } from "../../base/json/fields_of.ts";
import { chunks } from "../../base/json/chunks.ts";
import type { OpenEnum } from "../../client/entities/model/entity_fields.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { readPlaces, stoppedPlace } from "./places.ts";

/** Scope of {@linkcode findIneligibleProducts}. */
export interface IneligibleProductsOptions {
  /** Only the ads of these campaigns. */
  readonly campaignIds?: readonly string[] | undefined;
  /** Aborts reading the account. */
  readonly signal?: AbortSignal | undefined;
}

/** An advertised product that is not eligible for ads, or eligible with a warning. */
export interface IneligibleProduct {
  /** ASIN of the product. */
  readonly asin: string;
  /** The seller's SKU. */
  readonly sku: string | undefined;
  /** The platform's verdict. */
  readonly status: OpenEnum<"ELIGIBLE_WITH_WARNING" | "INELIGIBLE">;
  /** The platform's reasons. */
  readonly reasons: readonly IneligibleReason[];
  /** Enabled ads of the product, in enabled ad groups and campaigns. */
  readonly ads: readonly AdvertisedIn[];
}

/** A reason for the platform's verdict on a product. */
export interface IneligibleReason {
  /** The platform's name for the reason. */
  readonly name: OpenEnum<"LISTING_SUPRESSED" | "MISSING_IMAGE" | "NOT_IN_BUYBOX" | "OUT_OF_STOCK">;
  /** The platform's explanation. */
  readonly message: string;
}

/** An ad of a product. */
export interface AdvertisedIn {
  /** Kind of the ad. */
  readonly kind: "sp.product_ads" | "sd.product_ads";
  /** Id of the ad, digits. */
  readonly adId: string;
  /** Id of the ad group that contains the ad, digits. */
  readonly adGroupId: string;
  /** Id of the campaign that contains the ad, digits. */
  readonly campaignId: string;
}

const MAX_PRODUCTS = 50;

/**
 * Finds advertised products that are out of stock or otherwise not eligible for ads, with their live ads of Sponsored
 * Products and Display. Nothing is changed.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { findIneligibleProducts } from "@platform/ads/account";
 *
 * async function pauseOutOfStock(us: ProfileClient): Promise<void> {
 *   const { products } = await findIneligibleProducts(us);
 *   const out = products.filter(({ reasons }) => reasons.some(({ name }) => name === "OUT_OF_STOCK"));
 *   const ads = out.flatMap(({ ads }) => ads).filter(({ kind }) => kind === "sp.product_ads");
 *   const plan = await us.sp.productAds.planUpdate(ads.map(({ adId }) => ({ adId, state: "PAUSED" })));
 *   console.log(plan.toMarkdown());
 * }
 * ```
 */
export async function findIneligibleProducts(
  profile: ProfileClient,
  { campaignIds, signal }: IneligibleProductsOptions = {},
): Promise<{ readonly products: readonly IneligibleProduct[]; readonly checked: number }> {
  const products: IneligibleProduct[] = [];
  let checked = 0;
  const places = await readPlaces(profile, ["sp", "sd"], { campaignIds, signal });
  for (const product of ["sp", "sd"] as const) {
    const kind = `${product}.product_ads` as const;
    const byAsin = new Map<string, { sku: string | undefined; ads: AdvertisedIn[] }>();
    const ads = profile[product].productAds.iter({ states: ["ENABLED"], campaignIds, signal });
    for await (const { adId, adGroupId, campaignId, asin, sku } of ads) {
      if (asin === undefined || stoppedPlace(places, { adGroupId, campaignId }) !== undefined) continue;
      const one = byAsin.get(asin) ?? { sku, ads: [] };
      one.ads.push({ kind, adId, adGroupId, campaignId });
      byAsin.set(asin, one);
    }
    const asins = [...byAsin.keys()];
    checked += asins.length;
    for (const part of chunks(asins, MAX_PRODUCTS)) {
      const productDetailsList = part.map((asin) => {
        const { sku } = byAsin.get(asin)!;
        return { asin, ...(sku === undefined ? {} : { sku }) };
      });
      const body = { adType: product, productDetailsList };
      const options = signal === undefined ? {} : { signal };
      const response = await profile.call("eligibility:productEligibility", body, options);
      for (const { asin, status, reasons } of verdicts(response)) {
        const own = byAsin.get(asin);
        if (own !== undefined && status !== "ELIGIBLE") products.push({ asin, ...own, status, reasons });
      }
    }
  }
  return { products, checked };
}

function verdicts(response: unknown): Pick<IneligibleProduct, "asin" | "status" | "reasons">[] {
  const list = fieldsOf(response)["productResponseList"];
  return (Array.isArray(list) ? list : []).map((one) => {
    const { productDetails, overallStatus, eligibilityStatusList: reasons } = fieldsOf(one);
    return {
      asin: String(fieldsOf(productDetails)["asin"]),
      status: String(overallStatus),
      reasons: (Array.isArray(reasons) ? reasons : []).map((reason) => {
        const { name, message } = fieldsOf(reason);
        return { name: String(name), message: typeof message === "string" ? message : "" };
      }),
    };
  });
}

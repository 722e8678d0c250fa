import { fieldsOf } from "../../internal/fields_of.ts";
import { asExtendedCollection } from "../../resources/sponsored_brands/sb_creative_versions.ts";
import type { Fields } from "../../resources/wire/resource_wire.ts";

/** Formats of ads by the type of creative that they are read with; collections of products are made extended ones. */
const FORMATS: Readonly<Record<string, string>> = {
  PRODUCT_COLLECTION: "productCollectionExtended",
  STORE_SPOTLIGHT: "storeSpotlight",
  VIDEO: "video",
  BRAND_VIDEO: "brandVideo",
  AUTO_COLLECTION: "autoCollection",
  MANUAL_COLLECTION: "manualCollection",
};

/** A Brands ad as it would be created: with the format that its creative shows. A video's landing page follows from its product. */
export function creativeForFile(ad: Fields): Fields {
  const { creative, landingPage, ...rest } = ad;
  if (typeof creative !== "object" || creative === null) return ad;
  const parts = fieldsOf(creative);
  const adFormat = FORMATS[String(parts["type"])];
  return {
    ...rest,
    ...(adFormat === undefined ? {} : { adFormat }),
    ...(landingPage === undefined || adFormat === "video" ? {} : { landingPage }),
    creative: adFormat === "productCollectionExtended" ? asExtendedCollection(parts) : parts,
  };
}

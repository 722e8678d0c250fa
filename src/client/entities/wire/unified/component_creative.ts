import { fieldsOf } from "../../../../base/json/fields_of.ts";
import { DEFAULT_SB_AD_FORMAT } from "../../model/sb_ads.ts";
import { asExtendedCollection } from "../../model/sb_ads.ts";
import { words } from "./forms.ts";
import { FieldTable, NotOnWire, type UnifiedField, type UnifiedForm } from "./unified_field.ts";

const GIVEN: readonly UnifiedField[] = [
  { own: "creativeStatus", wire: "moderationStatus.moderationStatus", sent: "implied" },
  { own: "originalHeadline", wire: "untranslatedHeadlines[0]", sent: "implied" },
];
const UNREAD = ["type", "creativeVersion", "brandLogoUrl", "customImageUrl", "originalVideoAssetIds"];

/** An asset: one text with id and version in the toolkit, two required fields on the wire. */
const ASSET: UnifiedForm = {
  toWire: (value) => {
    const [, assetId, assetVersion] = /^(.+):([^:]+)$/.exec(String(value)) ?? [];
    if (assetId !== undefined) return { assetId, assetVersion };
    throw new NotOnWire(
      `The unified family needs the version of the asset ${JSON.stringify(value)}: write <id>:<version>`,
    );
  },
  toOwn: (value) => {
    const { assetId, assetVersion } = fieldsOf(value);
    if (assetId === undefined) return undefined;
    return assetVersion === undefined ? assetId : `${assetId}:${assetVersion}`;
  },
};

function listOf(one: UnifiedForm): UnifiedForm {
  return {
    toWire: (value, place, op) => list(value).map((each) => one.toWire(each, place, op)),
    toOwn: (value, place) => list(value).map((each) => one.toOwn(each, place)),
  };
}

const PRODUCT: UnifiedForm = {
  toWire: (value) => ({ productId: value, productIdType: "ASIN" }),
  toOwn: (value) => fieldsOf(value)["productId"],
};

const IMAGE: UnifiedForm = {
  toWire: (value, place, op) => {
    const { assetId, crop, url: _, ...others } = fieldsOf(value);
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) {
      throw new NotOnWire(`The unified family has no field for customImages.${unknown}`);
    }
    return {
      ...fieldsOf(ASSET.toWire(assetId, place, op)),
      ...(crop === undefined ? {} : { formatProperties: [crop] }),
    };
  },
  toOwn: (value, place) => {
    const [crop] = list(fieldsOf(value)["formatProperties"]);
    return { assetId: ASSET.toOwn(value, place), ...(crop === undefined ? {} : { crop }) };
  },
};

const CARD: UnifiedForm = {
  toWire: (value) => {
    const { asin, pageTitle, url } = fieldsOf(value);
    return {
      headline: pageTitle,
      landingPage: { landingPageType: "STORE", landingPageUrl: url },
      products: { productId: asin, productIdType: "ASIN" },
    };
  },
  toOwn: (value) => {
    const { headline, landingPage, products } = fieldsOf(value);
    const page = {
      asin: fieldsOf(products)["productId"],
      pageTitle: headline,
      url: fieldsOf(landingPage)["landingPageUrl"],
    };
    return Object.fromEntries(Object.entries(page).filter(([, part]) => part !== undefined));
  },
};

const PAGES: Readonly<Record<string, string>> = {
  PRODUCT_LIST: "ASIN_LIST",
  STORE: "STORE",
  CUSTOM_URL: "CUSTOM_URL",
  DETAIL_PAGE: "DETAIL_PAGE",
};

function landingPage(types: readonly string[], more: readonly UnifiedField[] = []): UnifiedField[] {
  const known = Object.fromEntries(types.map((type) => [type, PAGES[type]]));
  return [
    {
      own: "landingPage.pageType",
      wire: "landingPage.landingPageType",
      form: words("landingPage.pageType of this format", known),
    },
    { own: "landingPage.url", wire: "landingPage.landingPageUrl" },
    ...more,
  ];
}

const WORDS: readonly UnifiedField[] = [
  { own: "brandName", wire: "brand" },
  { own: "headline", wire: "headlines[0]" },
  { own: "brandLogoAssetID", wire: "brandLogos[0]", form: ASSET },
  { own: "brandLogoCrop", wire: "brandLogos[0].formatProperties[0]" },
];
const TRANSLATED: UnifiedField = { own: "consentToTranslate", wire: "enableCreativeAutoTranslation" };
const OPTIMIZED: UnifiedField = { own: "creativePropertiesToOptimize", wire: "creativePropertiesToOptimize" };
const SHARED: readonly UnifiedField[] = [
  { own: "brandName", wire: "sharedSettings.brand" },
  { own: "brandLogoAssetID", wire: "sharedSettings.brandLogos", form: ASSET },
  { own: "brandLogoCrop", wire: "sharedSettings.brandLogos.formatProperties[0]" },
  { own: "creativeStatus", wire: "sharedSettings.moderationStatus.moderationStatus", sent: "implied" },
];
const PRODUCTS: UnifiedField = { own: "asins", wire: "products", form: listOf(PRODUCT) };
const VIDEOS: UnifiedField = { own: "videoAssetIds", wire: "videos", form: listOf(ASSET) };

interface Format {
  readonly name: string;
  readonly type: string;
  readonly settings: string;
  readonly table: FieldTable;
  readonly needs: readonly string[];
}

function format(
  [name, type, settings]: readonly [name: string, type: string, settings: string],
  needs: readonly string[],
  fields: readonly UnifiedField[],
): Format {
  return { name, type, settings, needs, table: new FieldTable(fields) };
}

const COLLECTION = [
  ...GIVEN,
  ...WORDS,
  TRANSLATED,
  OPTIMIZED,
  PRODUCTS,
  { own: "customImages", wire: "customImages", form: listOf(IMAGE) },
  ...landingPage(["PRODUCT_LIST", "STORE", "CUSTOM_URL"], [
    { own: "landingPage.asins", wire: "landingPage.landingPageAsins.asins" },
  ]),
];
const SUBPAGES: UnifiedField = { own: "subpages", wire: "cards", form: listOf(CARD) };
const EXCLUSIONS: UnifiedField = { own: "asinExclusions", wire: "productExclusions", form: listOf(PRODUCT) };
const TITLE: UnifiedField = { own: "title", wire: "title", clearable: true };
const EVERY_FIELD = new FieldTable([...COLLECTION, VIDEOS, SUBPAGES, EXCLUSIONS, TITLE]);
const FORMATS: readonly Format[] = [
  format(
    ["productCollectionExtended", "PRODUCT_COLLECTION", "productCollectionSettings"],
    ["brandName", "brandLogoAssetID", "customImages", "headline", "landingPage"],
    COLLECTION,
  ),
  format(
    ["storeSpotlight", "STORE_SPOTLIGHT", "storeSpotlightSettings"],
    ["brandName", "brandLogoAssetID", "headline", "subpages", "landingPage"],
    [
      ...GIVEN,
      ...WORDS,
      TRANSLATED,
      OPTIMIZED,
      SUBPAGES,
      ...landingPage(["STORE"]),
    ],
  ),
  format(["video", "VIDEO", "productVideoSettings"], ["videoAssetIds"], [
    ...GIVEN,
    TRANSLATED,
    PRODUCTS,
    VIDEOS,
    ...landingPage(["DETAIL_PAGE", "STORE"]),
  ]),
  format(["brandVideo", "BRAND_VIDEO", "productVideoSettings"], ["brandName", "videoAssetIds"], [
    ...GIVEN,
    ...WORDS,
    TRANSLATED,
    PRODUCTS,
    VIDEOS,
    ...landingPage(["DETAIL_PAGE", "STORE"]),
  ]),
  format(["autoCollection", "AUTO_COLLECTION", "autoCollectionSettings"], ["brandName"], [
    ...SHARED,
    EXCLUSIONS,
  ]),
  format(
    ["manualCollection", "MANUAL_COLLECTION", "manualCollectionSettings"],
    ["brandName", "asins", "landingPage"],
    [
      ...SHARED,
      { own: "asins", wire: "productInclusions", form: listOf(PRODUCT) },
      TITLE,
      ...landingPage(["PRODUCT_LIST", "STORE"]),
    ],
  ),
];

/**
 * Creative and landing page: separate fields in the toolkit, one setting on the wire. Updates send the whole setting,
 * because it is undocumented whether omitted fields are kept.
 */
export const COMPONENT: UnifiedForm = {
  toWire: (value, place, op) => {
    const { adFormat, creative, landingPage } = fieldsOf(value);
    const { type } = fieldsOf(creative);
    const isNew = op === "create" && type === undefined;
    const found = formatOf(adFormat ?? (isNew ? DEFAULT_SB_AD_FORMAT : undefined), type);
    const shown = Object.fromEntries(
      Object.entries(asExtendedCollection(fieldsOf(creative))).filter(([name]) => !UNREAD.includes(name)),
    );
    const item = landingPage === undefined ? shown : { ...shown, landingPage };
    if (found === undefined && op === "create") {
      throw new NotOnWire(`The unified family has no ads of the format ${JSON.stringify(adFormat)}`);
    }
    // The changes of an update tell no format before they are completed by what the ad shows.
    const { body, problems } = (found?.table ?? EVERY_FIELD).toWire(item, place, op);
    const missing = op === "update" ? [] : found?.needs.filter((name) => item[name] === undefined) ?? [];
    const messages = [
      ...problems.map(({ message }) => message),
      ...missing.map((name) => `The unified family needs ${name} for the format ${found?.name}`),
    ];
    if (messages.length > 0) throw new NotOnWire(messages.join("; "));
    return found === undefined ? undefined : { [found.settings]: body };
  },
  toOwn: (value, place) => {
    const [[settings, parts] = []] = Object.entries(fieldsOf(value));
    const isBrand = fieldsOf(parts)["brand"] !== undefined;
    const found = FORMATS.find((one) =>
      one.settings === settings &&
      (settings !== "productVideoSettings" || (one.name === "brandVideo") === isBrand)
    );
    if (found === undefined) return { creative: { type: "OTHER" } };
    const { landingPage, ...creative } = found.table.toOwn(fieldsOf(parts), place);
    return {
      creative: { ...creative, type: found.type },
      ...(landingPage === undefined ? {} : { landingPage }),
    };
  },
};

function formatOf(name: unknown, type: unknown): Format | undefined {
  const wanted = name === "productCollection" ? "productCollectionExtended" : name;
  return FORMATS.find((one) => wanted === undefined ? one.type === type : one.name === wanted);
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

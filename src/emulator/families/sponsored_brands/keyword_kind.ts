/** One of the two kinds of keywords that Sponsored Brands keeps behind its version 3. */
export interface BrandsKeywordKind {
  readonly collection: "sb.keywords" | "sb.negative_keywords";
  readonly path: string;
  readonly operations: {
    readonly list: string;
    readonly get: string;
    readonly create: string;
    readonly update: string;
    readonly archive: string;
  };
  /** Media types of a list, the preferred one first; the last is also that of one keyword. */
  readonly listTypes: readonly string[];
  readonly matchTypes: readonly string[];
  /** States an update may set, and a list may ask for. */
  readonly states: readonly string[];
  /** True if a list takes several states at once. */
  readonly severalStates: boolean;
  readonly hasBid: boolean;
  /** Type of the entity in the change history. */
  readonly entityType: string;
}

export const BRANDS_KEYWORDS: BrandsKeywordKind = {
  collection: "sb.keywords",
  path: "/sb/keywords",
  operations: {
    list: "sponsored-brands-v3:listKeywords",
    get: "sponsored-brands-v3:getKeyword",
    create: "sponsored-brands-v3:createKeywords",
    update: "sponsored-brands-v3:updateKeywords",
    archive: "sponsored-brands-v3:archiveKeyword",
  },
  listTypes: ["application/vnd.sbkeyword.v3.2+json", "application/vnd.sbkeyword.v3+json"],
  matchTypes: ["broad", "exact", "phrase"],
  states: ["enabled", "paused", "archived"],
  severalStates: true,
  hasBid: true,
  entityType: "KEYWORD",
};

/** Negative keywords: without a bid, never paused, listed one state at a time. */
export const BRANDS_NEGATIVE_KEYWORDS: BrandsKeywordKind = {
  collection: "sb.negative_keywords",
  path: "/sb/negativeKeywords",
  operations: {
    list: "sponsored-brands-v3:listNegativeKeywords",
    get: "sponsored-brands-v3:getNegativeKeyword",
    create: "sponsored-brands-v3:createNegativeKeywords",
    update: "sponsored-brands-v3:updateNegativeKeywords",
    archive: "sponsored-brands-v3:archiveNegativeKeyword",
  },
  listTypes: ["application/vnd.sbnegativekeyword.v3.2+json", "application/vnd.sbnegativekeyword.v3+json"],
  matchTypes: ["negativeExact", "negativePhrase"],
  states: ["enabled", "archived"],
  severalStates: false,
  hasBid: false,
  entityType: "NEGATIVE_KEYWORD",
};

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
  /** Preferred type first; the last one is also used for a single keyword. */
  readonly listTypes: readonly string[];
  readonly matchTypes: readonly string[];
  readonly states: readonly string[];
  readonly severalStates: boolean;
  readonly hasBid: boolean;
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

/** No bid, never paused, and lists accept one state per request. */
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

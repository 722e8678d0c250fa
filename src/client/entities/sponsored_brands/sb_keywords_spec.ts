import { byKeyword } from "../model/identity.ts";
import type { Kind } from "../model/resource_spec.ts";
import type {
  NewSbKeyword,
  NewSbNegativeKeyword,
  SbKeyword,
  SbKeywordUpdate,
  SbNegativeKeyword,
  SbNegativeKeywordUpdate,
} from "./entities/keywords.ts";
import { Resource } from "../resource/resource.ts";
import { keywordLabel } from "../model/label.ts";
import { SB_KEYWORD_WIRE } from "./sb_words.ts";
import type { Fields } from "../model/resource_wire.ts";
import { lateFlat, lateUnified, SHARED_IDS } from "../wire/late_wire.ts";

/** The kind `sb.keywords`: lower-case states and integer ids; every update must repeat the parents. */
export const sbKeywords: Kind<Resource<SbKeyword, NewSbKeyword, SbKeywordUpdate>> = {
  kind: "sb.keywords",
  noun: "Brands keyword",
  plural: "Brands keywords",
  idField: "keywordId",
  idFields: ["keywordId", "campaignId", "adGroupId"],
  integerIds: true,
  bornEnabled: true,
  updatable: ["state", "bid"],
  repeated: ["campaignId", "adGroupId"],
  numeric: ["bid"],
  defaultStates: ["enabled", "paused"],
  stateCase: "lower",
  settableStates: ["ENABLED", "PAUSED"],
  filters: ["campaignIds", "adGroupIds"],
  label: keywordLabel,
  normalize: (item) =>
    item["matchType"] === undefined ? item : { ...item, matchType: String(item["matchType"]).toLowerCase() },
  required: ["campaignId", "adGroupId", "keywordText", "matchType"],
  choices: { matchType: ["broad", "exact", "phrase"] },
  identity: byKeyword,
  parents: { campaignId: "sb.campaigns", adGroupId: "sb.ad_groups" },
  historyType: "KEYWORD",
  columns: ["keywordId", "keywordText", "matchType", "state", "bid", "campaignId", "adGroupId"],
  moreFields: ["nativeLanguageKeyword", "nativeLanguageLocale"],
  operations: {
    list: "sponsored-brands-v3:listKeywords",
    create: "sponsored-brands-v3:createKeywords",
    update: "sponsored-brands-v3:updateKeywords",
    delete: "sponsored-brands-v3:archiveKeyword",
  },
  create: (scope) => new Resource(scope, sbKeywords),
  unified: lateUnified(() => import("../wire/unified/sb_unified.ts"), "sbKeywordsUnified", SHARED_IDS),
  wire: lateFlat({
    ...SB_KEYWORD_WIRE,
    path: "/sb/keywords",
    listType: "application/vnd.sbkeyword.v3.2+json",
  }),
};

const MATCH_TYPES: Readonly<Record<string, string>> = {
  exact: "negativeExact",
  phrase: "negativePhrase",
  negativeexact: "negativeExact",
  negativephrase: "negativePhrase",
};

/** The kind `sb.negative_keywords`, which cannot be paused; lists accept one state per request. */
export const sbNegativeKeywords: Kind<
  Resource<SbNegativeKeyword, NewSbNegativeKeyword, SbNegativeKeywordUpdate>
> = {
  kind: "sb.negative_keywords",
  noun: "Brands negative keyword",
  plural: "Brands negative keywords",
  idField: "keywordId",
  idFields: ["keywordId", "campaignId", "adGroupId"],
  integerIds: true,
  bornEnabled: true,
  updatable: ["state"],
  repeated: ["campaignId", "adGroupId"],
  numeric: [],
  defaultStates: ["enabled"],
  stateCase: "lower",
  settableStates: ["ENABLED"],
  filters: ["campaignIds", "adGroupIds"],
  label: keywordLabel,
  normalize: withMatchType,
  required: ["campaignId", "adGroupId", "keywordText", "matchType"],
  choices: { matchType: ["negativeExact", "negativePhrase"] },
  identity: byKeyword,
  parents: { campaignId: "sb.campaigns", adGroupId: "sb.ad_groups" },
  historyType: "NEGATIVE_KEYWORD",
  columns: ["keywordId", "keywordText", "matchType", "state", "campaignId", "adGroupId"],
  operations: {
    list: "sponsored-brands-v3:listNegativeKeywords",
    create: "sponsored-brands-v3:createNegativeKeywords",
    update: "sponsored-brands-v3:updateNegativeKeywords",
    delete: "sponsored-brands-v3:archiveNegativeKeyword",
  },
  create: (scope) => new Resource(scope, sbNegativeKeywords),
  unified: lateUnified(
    () => import("../wire/unified/sb_unified.ts"),
    "sbNegativeKeywordsUnified",
    SHARED_IDS,
  ),
  wire: lateFlat({
    ...SB_KEYWORD_WIRE,
    path: "/sb/negativeKeywords",
    listType: "application/vnd.sbnegativekeyword.v3.2+json",
    stateLimit: 1,
  }),
};

function withMatchType(item: Fields): Fields {
  const given = item["matchType"];
  if (given === undefined) return item;
  const known = MATCH_TYPES[String(given).replaceAll("_", "").toLowerCase()];
  return { ...item, matchType: known ?? given };
}

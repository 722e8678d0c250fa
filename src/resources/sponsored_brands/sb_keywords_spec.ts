import { byKeyword } from "../fields/identity.ts";
import type { Kind } from "../kind.ts";
import type { NewSbKeyword, SbKeyword, SbKeywordUpdate } from "./sb_keyword.ts";
import { Resource } from "../resource.ts";
import { keywordLabel } from "../fields/label.ts";
import { flatWire } from "../wire/flat_wire.ts";
import { SB_KEYWORD_WIRE } from "./sb_keyword_wire.ts";

/** Sponsored Brands keywords: lower-case states, integer ids, parents repeated in every update. */
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
  wire: flatWire({
    ...SB_KEYWORD_WIRE,
    path: "/sb/keywords",
    listType: "application/vnd.sbkeyword.v3.2+json",
  }),
};

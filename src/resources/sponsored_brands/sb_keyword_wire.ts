import type { FlatWireOptions } from "../wire/flat_wire.ts";

/** Common wire facts of keywords and negative keywords of Sponsored Brands. */
export const SB_KEYWORD_WIRE: Pick<FlatWireOptions, "writeType" | "idField" | "idFields"> = {
  writeType: "application/vnd.sbkeywordresponse.v3+json",
  idField: "keywordId",
  idFields: ["keywordId", "campaignId", "adGroupId"],
};

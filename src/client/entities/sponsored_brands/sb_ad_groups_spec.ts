import { SB_EXTENDED_FIELDS } from "../model/extended_fields.ts";
import type { Kind } from "../model/resource_spec.ts";
import type { NewSbAdGroup, SbAdGroup, SbAdGroupUpdate } from "./entities/campaigns.ts";
import { Resource } from "../resource/resource.ts";
import { nameLabel } from "../model/label.ts";
import { SB_LIMITS, SB_STATES } from "./sb_words.ts";
import { lateJson, lateUnified } from "../wire/late_wire.ts";

export const sbAdGroups: Kind<Resource<SbAdGroup, NewSbAdGroup, SbAdGroupUpdate>> = {
  kind: "sb.ad_groups",
  noun: "Brands ad group",
  plural: "Brands ad groups",
  idField: "adGroupId",
  idFields: ["adGroupId", "campaignId"],
  repeatable: true,
  updatable: ["name", "state", "tags"],
  clearable: ["tags"],
  numeric: [],
  ...SB_STATES,
  filters: ["campaignIds", "name", "nameMatch", "extended"],
  label: nameLabel,
  required: ["campaignId", "name", "state"],
  parents: { campaignId: "sb.campaigns" },
  historyType: "AD_GROUP",
  columns: ["adGroupId", "campaignId", "name", "state"],
  moreFields: ["tags"],
  extendedFields: SB_EXTENDED_FIELDS,
  operations: {
    list: "sponsored-brands-v4:ListSponsoredBrandsAdGroups",
    create: "sponsored-brands-v4:CreateSponsoredBrandsAdGroups",
    update: "sponsored-brands-v4:UpdateSponsoredBrandsAdGroups",
    delete: "sponsored-brands-v4:DeleteSponsoredBrandsAdGroups",
  },
  create: (scope) => new Resource(scope, sbAdGroups),
  unified: lateUnified(() => import("../wire/unified/sb_unified.ts"), "sbAdGroupsUnified"),
  wire: lateJson({
    path: "/sb/v4/adGroups",
    mediaType: "application/vnd.sbadgroupresource.v4+json",
    collection: "adGroups",
    idFilter: "adGroupIdFilter",
    resultIdField: "adGroupId",
    ...SB_LIMITS,
    hasTags: false,
  }),
};

import { byName } from "../model/identity.ts";
import { SP_EXTENDED_FIELDS } from "../model/extended_fields.ts";
import type { Kind } from "../model/resource_spec.ts";
import type { AdGroup, AdGroupUpdate, NewAdGroup } from "./entities/ad_groups.ts";
import { Resource } from "../resource/resource.ts";
import { nameLabel } from "../model/label.ts";
import { SP_STATES } from "./sp_states.ts";
import { lateJson, lateUnified } from "../wire/late_wire.ts";

export const spAdGroups: Kind<Resource<AdGroup, NewAdGroup, AdGroupUpdate>> = {
  kind: "sp.ad_groups",
  noun: "ad group",
  plural: "ad groups",
  idField: "adGroupId",
  idFields: ["adGroupId", "campaignId"],
  updatable: ["name", "state", "defaultBid", "tags"],
  clearable: ["tags"],
  numeric: ["defaultBid"],
  ...SP_STATES,
  filters: ["campaignIds", "name", "nameMatch", "extended"],
  label: nameLabel,
  required: ["campaignId", "name", "defaultBid", "state"],
  identity: byName("campaignId"),
  parents: { campaignId: "sp.campaigns" },
  historyType: "AD_GROUP",
  columns: ["adGroupId", "campaignId", "name", "state", "defaultBid"],
  moreFields: ["tags"],
  extendedFields: SP_EXTENDED_FIELDS,
  operations: {
    list: "sponsored-products:ListSponsoredProductsAdGroups",
    create: "sponsored-products:CreateSponsoredProductsAdGroups",
    update: "sponsored-products:UpdateSponsoredProductsAdGroups",
    delete: "sponsored-products:DeleteSponsoredProductsAdGroups",
  },
  create: (scope) => new Resource(scope, spAdGroups),
  unified: lateUnified(() => import("../wire/unified/sp_unified.ts"), "spAdGroupsUnified"),
  wire: lateJson({
    path: "/sp/adGroups",
    mediaType: "application/vnd.spAdGroup.v3+json",
    collection: "adGroups",
    idFilter: "adGroupIdFilter",
    resultIdField: "adGroupId",
    hasTags: false,
  }),
};

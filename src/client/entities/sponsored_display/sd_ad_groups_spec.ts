import { byName } from "../model/identity.ts";
import { nameLabel } from "../model/label.ts";
import type { Kind } from "../model/resource_spec.ts";
import { Resource } from "../resource/resource.ts";
import type { NewSdAdGroup, SdAdGroup, SdAdGroupUpdate } from "./entities.ts";
import { SD_EXTENDED_FIELDS, SD_STATES, sdWire, withSdWords } from "./sd_wire.ts";
import { lateUnified } from "../wire/late_wire.ts";

const ID_FIELDS = ["adGroupId", "campaignId"];

export const sdAdGroups: Kind<Resource<SdAdGroup, NewSdAdGroup, SdAdGroupUpdate>> = {
  kind: "sd.ad_groups",
  noun: "Display ad group",
  plural: "Display ad groups",
  idField: "adGroupId",
  idFields: ID_FIELDS,
  integerIds: true,
  updatable: ["name", "state", "defaultBid", "bidOptimization"],
  numeric: ["defaultBid"],
  ...SD_STATES,
  filters: ["campaignIds", "name", "extended"],
  label: nameLabel,
  normalize: withSdWords,
  required: ["campaignId", "name", "state"],
  choices: { bidOptimization: ["clicks", "conversions", "reach"], creativeType: ["IMAGE", "VIDEO"] },
  identity: byName("campaignId"),
  parents: { campaignId: "sd.campaigns" },
  columns: ["adGroupId", "campaignId", "name", "state", "defaultBid", "bidOptimization"],
  moreFields: ["creativeType", "tactic"],
  extendedFields: SD_EXTENDED_FIELDS,
  operations: {
    list: ["sponsored-display:listAdGroups", "sponsored-display:listAdGroupsEx"],
    create: "sponsored-display:createAdGroups",
    update: "sponsored-display:updateAdGroups",
    delete: "sponsored-display:archiveAdGroup",
  },
  create: (scope) => new Resource(scope, sdAdGroups),
  unified: lateUnified(() => import("../wire/unified/sd_unified.ts"), "sdAdGroupsUnified", {
    lost: () => ["tactic"],
  }),
  wire: sdWire({ path: "/sd/adGroups", idField: "adGroupId", idFields: ID_FIELDS }),
};

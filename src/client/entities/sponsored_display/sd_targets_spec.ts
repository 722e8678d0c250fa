import { byExpression } from "../model/identity.ts";
import { targetLabel } from "../model/label.ts";
import type { Kind } from "../model/resource_spec.ts";
import { Resource } from "../resource/resource.ts";
import { SD_EXTENDED_FIELDS, SD_STATES, sdWire, withSdWords } from "./sd_wire.ts";
import type {
  NewSdNegativeTarget,
  NewSdTarget,
  SdNegativeTarget,
  SdNegativeTargetUpdate,
  SdTarget,
  SdTargetUpdate,
} from "./entities.ts";
import { lateUnified, SHARED_IDS } from "../wire/late_wire.ts";

const ID_FIELDS = ["targetId", "campaignId", "adGroupId"];

export const sdTargets: Kind<Resource<SdTarget, NewSdTarget, SdTargetUpdate>> = {
  kind: "sd.targets",
  noun: "Display target",
  plural: "Display targets",
  idField: "targetId",
  idFields: ID_FIELDS,
  integerIds: true,
  updatable: ["state", "bid"],
  clearable: ["bid"],
  numeric: ["bid"],
  ...SD_STATES,
  filters: ["campaignIds", "adGroupIds", "extended"],
  label: targetLabel,
  normalize: withSdWords,
  required: ["adGroupId", "expression", "expressionType"],
  choices: { expressionType: ["manual", "auto"] },
  identity: byExpression,
  parents: { campaignId: "sd.campaigns", adGroupId: "sd.ad_groups" },
  columns: ["targetId", "expression", "expressionType", "state", "bid", "campaignId", "adGroupId"],
  moreFields: ["resolvedExpression"],
  extendedFields: SD_EXTENDED_FIELDS,
  operations: {
    list: ["sponsored-display:listTargetingClauses", "sponsored-display:listTargetingClausesEx"],
    create: "sponsored-display:createTargetingClauses",
    update: "sponsored-display:updateTargetingClauses",
    delete: "sponsored-display:archiveTargetingClause",
  },
  create: (scope) => new Resource(scope, sdTargets),
  unified: lateUnified(() => import("../wire/unified/sd_unified.ts"), "sdTargetsUnified", SHARED_IDS),
  wire: sdWire({
    path: "/sd/targets",
    idField: "targetId",
    idFields: ID_FIELDS,
    // The published shape of a new target has no campaign.
    toCreate: ({ campaignId: _, ...target }) => target,
  }),
};

const NEGATIVE_ID_FIELDS = ["targetId", "adGroupId"];

export const sdNegativeTargets: Kind<
  Resource<SdNegativeTarget, NewSdNegativeTarget, SdNegativeTargetUpdate>
> = {
  kind: "sd.negative_targets",
  noun: "Display negative target",
  plural: "Display negative targets",
  idField: "targetId",
  idFields: NEGATIVE_ID_FIELDS,
  integerIds: true,
  updatable: ["state"],
  numeric: [],
  ...SD_STATES,
  filters: ["campaignIds", "adGroupIds", "extended"],
  label: targetLabel,
  normalize: withSdWords,
  required: ["adGroupId", "expression", "expressionType", "state"],
  choices: { expressionType: ["manual", "auto"] },
  identity: byExpression,
  parents: { adGroupId: "sd.ad_groups" },
  columns: ["targetId", "expression", "expressionType", "state", "adGroupId"],
  extendedFields: SD_EXTENDED_FIELDS,
  operations: {
    list: "sponsored-display:listNegativeTargetingClausesEx",
    create: "sponsored-display:createNegativeTargetingClauses",
    update: "sponsored-display:updateNegativeTargetingClauses",
    delete: "sponsored-display:archiveNegativeTargetingClause",
  },
  create: (scope) => new Resource(scope, sdNegativeTargets),
  unified: lateUnified(() => import("../wire/unified/sd_unified.ts"), "sdNegativeTargetsUnified", SHARED_IDS),
  wire: sdWire({
    path: "/sd/negativeTargets",
    // Only this list takes ids.
    listPath: "/sd/negativeTargets/extended",
    idField: "targetId",
    idFields: NEGATIVE_ID_FIELDS,
    toCreate: ({ campaignId: _, ...target }) => target,
  }),
};

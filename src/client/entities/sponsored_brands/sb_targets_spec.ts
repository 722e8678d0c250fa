import { byExpression } from "../model/identity.ts";
import { targetLabel } from "../model/label.ts";
import type { LateWire } from "../model/resource_wire.ts";
import type { Kind } from "../model/resource_spec.ts";
import { Resource } from "../resource/resource.ts";
import type {
  NewSbNegativeTarget,
  NewSbTarget,
  SbNegativeTarget,
  SbNegativeTargetUpdate,
  SbTarget,
  SbTargetUpdate,
} from "./entities/targets.ts";
import type { SbTargetsWireOptions } from "./sb_targets_wire.ts";
import { withSbPredicates } from "./sb_words.ts";
import { lateOlder, lateUnified, SHARED_IDS } from "../wire/late_wire.ts";

/** The kind `sb.targets`: lower-case words and integer ids; every update must repeat the parents. */
export const sbTargets: Kind<Resource<SbTarget, NewSbTarget, SbTargetUpdate>> = {
  kind: "sb.targets",
  noun: "Brands target",
  plural: "Brands targets",
  idField: "targetId",
  idFields: ["targetId", "campaignId", "adGroupId"],
  integerIds: true,
  bornEnabled: true,
  updatable: ["state", "bid"],
  repeated: ["campaignId", "adGroupId"],
  numeric: ["bid"],
  defaultStates: ["enabled", "paused"],
  stateCase: "lower",
  settableStates: ["ENABLED", "PAUSED"],
  filters: ["campaignIds", "adGroupIds"],
  label: targetLabel,
  normalize: withSbPredicates,
  required: ["campaignId", "adGroupId", "expressions"],
  identity: byExpression,
  parents: { campaignId: "sb.campaigns", adGroupId: "sb.ad_groups" },
  historyType: "PRODUCT_TARGETING",
  columns: ["targetId", "expressions", "state", "bid", "campaignId", "adGroupId"],
  moreFields: ["resolvedExpressions"],
  operations: {
    list: "sponsored-brands-v3:listTargets",
    get: "sponsored-brands-v3:getTarget",
    create: "sponsored-brands-v3:createTargets",
    update: "sponsored-brands-v3:updateTargets",
    delete: "sponsored-brands-v3:archiveTarget",
  },
  create: (scope) => new Resource(scope, sbTargets),
  unified: lateUnified(() => import("../wire/unified/sb_unified.ts"), "sbTargetsUnified", SHARED_IDS),
  wire: targetsWire({
    path: "/sb/targets",
    collection: "targets",
    bareAdGroupIds: true,
    types: {
      list: "sblisttargetsresponse.v3.2",
      one: "sbtarget.v3",
      create: "sbcreatetargetsresponse.v3",
      update: "updatetargetsresponse.v3",
      archive: "sbtargetresponse.v3",
    },
  }),
};

export const sbNegativeTargets: Kind<
  Resource<SbNegativeTarget, NewSbNegativeTarget, SbNegativeTargetUpdate>
> = {
  kind: "sb.negative_targets",
  noun: "Brands negative target",
  plural: "Brands negative targets",
  idField: "targetId",
  idFields: ["targetId", "campaignId", "adGroupId"],
  integerIds: true,
  bornEnabled: true,
  updatable: ["state"],
  repeated: ["adGroupId"],
  numeric: [],
  defaultStates: ["enabled"],
  stateCase: "lower",
  settableStates: ["ENABLED"],
  filters: ["campaignIds", "adGroupIds"],
  label: targetLabel,
  normalize: withSbPredicates,
  required: ["campaignId", "adGroupId", "expressions"],
  identity: byExpression,
  parents: { campaignId: "sb.campaigns", adGroupId: "sb.ad_groups" },
  columns: ["targetId", "expressions", "state", "campaignId", "adGroupId"],
  moreFields: ["resolvedExpressions"],
  operations: {
    list: "sponsored-brands-v3:listNegativeTargets",
    get: "sponsored-brands-v3:getNegativeTarget",
    create: "sponsored-brands-v3:createNegativeTargets",
    update: "sponsored-brands-v3:updateNegativeTargets",
    delete: "sponsored-brands-v3:archiveNegativeTarget",
  },
  create: (scope) => new Resource(scope, sbNegativeTargets),
  unified: lateUnified(() => import("../wire/unified/sb_unified.ts"), "sbNegativeTargetsUnified", SHARED_IDS),
  wire: targetsWire({
    path: "/sb/negativeTargets",
    collection: "negativeTargets",
    types: {
      list: "sblistnegativetargetsresponse.v3.2",
      one: "sbnegativetarget.v3",
      create: "sbcreatenegativetargetsrequest.v3",
      update: "updatenegativetargetsresponse.v3",
      archive: "sbnegativetarget.v3",
    },
  }),
};

function targetsWire(options: SbTargetsWireOptions): LateWire {
  return lateOlder(async () => (await import("./sb_targets_wire.ts")).sbTargetsWire(options));
}

import { byExpression } from "../../fields/identity.ts";
import { targetLabel } from "../../fields/label.ts";
import type { Kind } from "../../kind.ts";
import { Resource } from "../../resource.ts";
import type { NewSbTarget, SbTarget, SbTargetUpdate } from "./sb_target.ts";
import { sbTargetsWire } from "./sb_targets_wire.ts";
import { withSbPredicates } from "./with_sb_predicates.ts";

/** Sponsored Brands product targets: words in lower case, integer ids, parents repeated in every update. */
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
  wire: sbTargetsWire({
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

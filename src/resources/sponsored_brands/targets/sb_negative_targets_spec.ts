import { byExpression } from "../../fields/identity.ts";
import { targetLabel } from "../../fields/label.ts";
import type { Kind } from "../../kind.ts";
import { Resource } from "../../resource.ts";
import type { NewSbNegativeTarget, SbNegativeTarget, SbNegativeTargetUpdate } from "./sb_negative_target.ts";
import { sbTargetsWire } from "./sb_targets_wire.ts";
import { withSbPredicates } from "./with_sb_predicates.ts";

/** Sponsored Brands negative product targets: as the targets, but never paused, and updated by their ad group alone. */
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
  wire: sbTargetsWire({
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

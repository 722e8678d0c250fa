import { byExpression } from "../fields/identity.ts";
import { targetLabel } from "../fields/label.ts";
import type { Kind } from "../kind.ts";
import { Resource } from "../resource.ts";
import type {
  NewSdNegativeTarget,
  SdNegativeTarget,
  SdNegativeTargetUpdate,
} from "./entities/sd_negative_target.ts";
import { SD_STATES } from "./sd_states.ts";
import { SD_EXTENDED_FIELDS, sdWire } from "./sd_wire.ts";
import { withSdWords } from "./sd_words.ts";

const ID_FIELDS = ["targetId", "adGroupId"];

/** Sponsored Display negative targeting clauses. */
export const sdNegativeTargets: Kind<
  Resource<SdNegativeTarget, NewSdNegativeTarget, SdNegativeTargetUpdate>
> = {
  kind: "sd.negative_targets",
  noun: "Display negative target",
  plural: "Display negative targets",
  idField: "targetId",
  idFields: ID_FIELDS,
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
  wire: sdWire({
    path: "/sd/negativeTargets",
    // Only this list takes ids.
    listPath: "/sd/negativeTargets/extended",
    idField: "targetId",
    idFields: ID_FIELDS,
    toCreate: ({ campaignId: _, ...target }) => target,
  }),
};

import { byExpression } from "../fields/identity.ts";
import { targetLabel } from "../fields/label.ts";
import type { Kind } from "../kind.ts";
import { Resource } from "../resource.ts";
import { SD_STATES } from "./sd_states.ts";
import type { NewSdTarget, SdTarget, SdTargetUpdate } from "./entities/sd_target.ts";
import { SD_EXTENDED_FIELDS, sdWire } from "./sd_wire.ts";
import { withSdWords } from "./sd_words.ts";

const ID_FIELDS = ["targetId", "campaignId", "adGroupId"];

/** Sponsored Display targeting clauses. */
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
  wire: sdWire({
    path: "/sd/targets",
    idField: "targetId",
    idFields: ID_FIELDS,
    // The published shape of a new target has no campaign.
    toCreate: ({ campaignId: _, ...target }) => target,
  }),
};

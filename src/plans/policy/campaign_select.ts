import { z } from "zod";
import { idKey } from "../../base/json/id_of.ts";
import type { EntityFields } from "../model/change.ts";
import { compileCondition } from "./condition.ts";
import { entityFacts } from "./entity_facts.ts";
import { namePattern } from "./name_pattern.ts";

/** Campaigns selected in a file; all given conditions must match. */
export interface CampaignSelect {
  /** Ids or names of portfolios; `*` stands for any text. */
  readonly portfolios?: readonly string[] | undefined;
  /** Ids of campaigns. */
  readonly ids?: readonly string[] | undefined;
  /** Names of campaigns; `*` stands for any text. */
  readonly names?: readonly string[] | undefined;
  /** Tags of campaigns, as `key:value`. */
  readonly labels?: readonly string[] | undefined;
  /** Condition on campaigns in the policy language, for example `campaign.budget < 50.0`. */
  readonly when?: string | undefined;
}

const Id = z.union([
  z.string().regex(/^\d+$/, "Expected the digits of an id"),
  z.int().nonnegative().transform(String),
], { error: "Write this id in quotes, in full" });
const Names = z.array(z.string().min(1)).min(1);

const Label = z.string().regex(/^[^:]+:/, "Expected a label as key:value");

const When = z.string().min(1).superRefine((text, context) => {
  try {
    if (compileCondition(text).days === 0) return;
    throw new RangeError(
      "A selection uses current campaign fields, for example campaign.budget < 50.0, not figures",
    );
  } catch (error) {
    // Judged by itself, so that its problem is listed beside those of other fields.
    context.addIssue({ code: "custom", message: (error as Error).message });
  }
});

export const SELECT_FIELDS = {
  portfolios: z.array(z.union([z.string().min(1), z.int().positive().transform(String)])).min(1).optional(),
  ids: z.array(Id).min(1).optional(),
  names: Names.optional(),
  labels: z.array(Label).min(1).optional(),
  when: When.optional(),
};

export function isSelected(
  campaign: EntityFields,
  kind: string,
  { select = {} }: { readonly select?: CampaignSelect | undefined },
  portfolios?: ReadonlyMap<string, string>,
): boolean {
  const { ids, names, labels, when, portfolios: wanted } = select;
  if (wanted !== undefined) {
    const id = idKey(campaign, "portfolioId");
    const name = portfolios?.get(id);
    if (!wanted.some((one) => one === id || (name !== undefined && namePattern(one)(name)))) return false;
  }
  if (ids !== undefined && !ids.includes(idKey(campaign, "campaignId"))) return false;
  if (names !== undefined && !names.some((pattern) => namePattern(pattern)(String(campaign["name"])))) {
    return false;
  }
  const facts = entityFacts(kind, idKey(campaign, "campaignId"), campaign);
  if (labels !== undefined && !labels.some((label) => facts.labels.includes(label))) return false;
  if (when === undefined) return true;
  // What cannot be judged is not selected: nothing is moved on a guess.
  return compileCondition(when).judge({ entity: { ...facts }, campaign: { ...facts }, figures: {} }) === true;
}

import { sameValue } from "../../internal/canonical_json.ts";
import { isChangeRef } from "../../plans/graph/change_ref.ts";
import { isArchived } from "../fields/is_archived.ts";
import type { Fields } from "../wire/resource_wire.ts";
import { adGroupKind, RIVALS } from "./account_now.ts";
import type { CheckedChange, PreflightContext, PreflightRule, Problem } from "./problem.ts";

/** Where an entity is: parents that are missing or archived, and campaigns that do not take its kind. */
export const placeProblems: PreflightRule = (checked, context) => {
  if (!context.account.isRead) return [];
  const { change, spec, entity } = checked;
  if (change.op !== "create") {
    if (entity !== undefined && isArchived(entity)) {
      return [{ code: "ARCHIVED_ENTITY_CANNOT_BE_MODIFIED", message: `The ${spec.noun} is archived` }];
    }
    const closed = parentsOf(checked, context).find(({ parent }) =>
      parent !== undefined && isArchived(parent)
    );
    if (closed !== undefined) {
      return [{
        code: "PARENT_ARCHIVED_FORBIDS_UPDATES",
        message: `Its ${closed.noun} ${closed.id} is archived`,
      }];
    }
    return change.op === "archive" && entity?.["expressionType"] === "AUTO"
      ? [{
        code: "AUTO_TARGETING_CLAUSE_CANNOT_BE_ARCHIVED_MANUALLY",
        message: "Automatic targets cannot be archived",
      }]
      : [];
  }
  return newProblems(checked, context);
};

function newProblems(checked: CheckedChange, context: PreflightContext): Problem[] {
  const { spec, next } = checked;
  const parents = parentsOf(checked, context);
  // Some go out without their campaign, which the platform takes from the ad group: a wrong one does no harm.
  const refused = spec.parents["campaignId"] === undefined || spec.required.includes("campaignId");
  for (const { id, noun, parent } of parents) {
    if (parent === undefined) {
      const message = `There is no ${noun} ${id} in this profile`;
      return [{
        code: "PARENT_ENTITY_NOT_FOUND",
        message,
        refused: refused || !sameValue(id, next["campaignId"]),
      }];
    }
    const { campaignId } = parent;
    const own = next["campaignId"];
    if (own !== undefined && campaignId !== undefined && !sameValue(campaignId, own)) {
      const message = `The ${noun} ${id} is in campaign ${placeName(campaignId)}, not in ${placeName(own)}`;
      return [{ code: "PARENT_ENTITY_NOT_FOUND", message, refused }];
    }
    if (isArchived(parent)) {
      const isIn = refused || !sameValue(id, own) || sameValue(own, parents.at(-1)?.parent?.["campaignId"]);
      return [{ code: "PARENT_ENTITY_ARCHIVED", message: `The ${noun} ${id} is archived`, refused: isIn }];
    }
  }
  const rival = RIVALS[spec.kind];
  if (rival === undefined) return [];
  const campaign = context.account.entity("sp.campaigns", next["campaignId"]);
  if (campaign?.["targetingType"] === "AUTO") {
    return [{
      code: "TARGETING_TYPE_NOT_ALLOWED_FOR_AUTO_TARGETING_CAMPAIGN",
      message: `The campaign ${placeName(next["campaignId"])} chooses its targets itself`,
      hint: "Use a campaign with manual targeting",
    }];
  }
  return context.account.holds(rival, next["adGroupId"])
    ? [{
      code: "TYPE_CONFLICT_IN_AD_GROUP",
      message: `The ad group ${placeName(next["adGroupId"])} holds ${context.specOf(rival).plural}`,
      hint: `Use an ad group of its own for ${spec.plural}`,
    }]
    : [];
}

function placeName(id: unknown): string {
  return isChangeRef(id) ? `"${id.ref}" of this plan` : String(id);
}

/** The portfolio that a campaign is put into. */
export const portfolioProblems: PreflightRule = ({ change, spec }, { account }) => {
  const { portfolioId } = change.after;
  if (!account.isRead || !spec.updatable.includes("portfolioId") || typeof portfolioId !== "string") {
    return [];
  }
  if (account.entity("portfolios", portfolioId) !== undefined) return [];
  return [{ code: "ENTITY_NOT_FOUND", message: `There is no portfolio ${portfolioId} in this profile` }];
};

/** First and last day: in the past, or in the wrong order. Only days that change are looked at. */
export const dateProblems: PreflightRule = ({ change, entity, next }, { today }) => {
  if (change.op === "archive") return [];
  const isNew = (field: string): boolean =>
    typeof change.after[field] === "string" && change.after[field] !== entity?.[field];
  const [start, end] = [next["startDate"], next["endDate"]].map(isoDay);
  const began = isoDay(entity?.["startDate"]);
  if (isNew("startDate") && began !== undefined && began <= today) {
    const message = `The campaign has run since ${began}, and its first day cannot be changed any more`;
    return [{ code: "UPDATING_READ_ONLY_START_DATE", message }];
  }
  if (isNew("startDate") && start !== undefined && start < today) {
    return [{
      code: "START_DATE_EARLIER_THAN_TODAY",
      message: `startDate ${start} is in the past`,
      allowed: `from ${today} on`,
    }];
  }
  if (isNew("endDate") && end !== undefined && end < today) {
    return [{
      code: "END_DATE_EARLIER_THAN_TODAY",
      message: `endDate ${end} is in the past`,
      allowed: `from ${today} on`,
    }];
  }
  const touched = isNew("startDate") || isNew("endDate");
  if (touched && start !== undefined && end !== undefined && start > end) {
    return [{ code: "START_DATE_AFTER_END_DATE", message: `endDate ${end} is before startDate ${start}` }];
  }
  return [];
};

/** A day with hyphens, which Display leaves out. */
function isoDay(day: unknown): string | undefined {
  return typeof day === "string" ? day.replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3") : undefined;
}

interface Parent {
  readonly id: string;
  readonly noun: string;
  readonly parent: Fields | undefined;
}

/** What an entity is in, the campaign first; what names no id is left to the rules for missing fields. */
function parentsOf({ spec, next }: CheckedChange, { account, specOf }: PreflightContext): Parent[] {
  const parents = Object.entries(spec.parents).flatMap(([field, kind]): Parent[] => {
    const id = next[field];
    const { noun } = specOf(kind);
    if (isChangeRef(id)) {
      const parent = account.entity(kind, id);
      // What a parent lacks is said of the parent itself.
      return parent === undefined ? [] : [{ id: `"${id.ref}" of this plan`, noun, parent }];
    }
    return typeof id === "string" ? [{ id, noun, parent: account.entity(kind, id) }] : [];
  });
  const [last] = parents.slice(-1);
  const campaignId = last?.parent?.["campaignId"];
  // The platform does not say in which campaign a negative target of Display is.
  const campaigns = spec.parents["campaignId"] ??
    (parents.length > 0 ? specOf(adGroupKind(spec.kind)).parents["campaignId"] : undefined);
  if (next["campaignId"] !== undefined || typeof campaignId !== "string" || campaigns === undefined) {
    return parents;
  }
  return [...parents, { id: campaignId, noun: "campaign", parent: account.entity(campaigns, campaignId) }];
}

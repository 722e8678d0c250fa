import { isDay } from "../../../base/time/calendar.ts";
import { sameValue } from "../../../base/json/canonical_json.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import { isChangeRef } from "../../../plans/model/change_ref.ts";
import { isArchived } from "../model/identity.ts";
import type { Fields } from "../model/resource_wire.ts";
import { placeKinds } from "../../../plans/model/prior_state.ts";
import { RIVALS } from "../../../plans/state/read_prior_state.ts";
import type { CheckedChange, PreflightRule, Problem, StepContext } from "./problem.ts";

export const placeProblems: PreflightRule = (checked, context) => {
  if (context.account.unread !== undefined) return [];
  const { change, spec, entity } = checked;
  if (change.op !== "create") {
    if (entity !== undefined && isArchived(entity)) {
      return [{ code: "ARCHIVED_ENTITY_CANNOT_BE_MODIFIED", message: `The ${spec.noun} is archived` }];
    }
    const why = change.op === "update" && entity !== undefined
      ? spec.refuses?.(change.after, entity)
      : undefined;
    if (why !== undefined) return [{ code: "ACTION_NOT_SUPPORTED", message: why }];
    const closed = parentsOf(checked, context).find(({ parent }) =>
      parent !== undefined && isArchived(parent)
    );
    if (closed !== undefined) {
      return [{ code: "PARENT_ARCHIVED_FORBIDS_UPDATES", ...archivedText(closed, context, "Its") }];
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

function newProblems(checked: CheckedChange, context: StepContext): Problem[] {
  const { spec, next } = checked;
  const parents = parentsOf(checked, context);
  // Some go out without their campaign, which the platform takes from the ad group: a wrong one does no harm.
  const refused = spec.parents["campaignId"] === undefined || spec.required.includes("campaignId");
  for (const { kind, id, noun, parent } of parents) {
    if (parent === undefined) {
      const message = `There is no ${noun} ${id} in this profile`;
      return [{
        code: "PARENT_ENTITY_NOT_FOUND",
        message,
        refused: refused || !sameValue(id, next["campaignId"]),
      }];
    }
    const { campaignId, adGroupId } = parent;
    const group = next["adGroupId"];
    if (group !== undefined && adGroupId !== undefined && !sameValue(adGroupId, group)) {
      const message = `The ${noun} ${id} is in ad group ${placeName(adGroupId)}, not in ${placeName(group)}`;
      return [{ code: "PARENT_ENTITY_NOT_FOUND", message }];
    }
    const own = next["campaignId"];
    if (own !== undefined && campaignId !== undefined && !sameValue(campaignId, own)) {
      const message = `The ${noun} ${id} is in campaign ${placeName(campaignId)}, not in ${placeName(own)}`;
      return [{ code: "PARENT_ENTITY_NOT_FOUND", message, refused }];
    }
    if (isArchived(parent)) {
      const isIn = refused || !sameValue(id, own) || sameValue(own, parents.at(-1)?.parent?.["campaignId"]);
      return [{
        code: "PARENT_ENTITY_ARCHIVED",
        ...archivedText({ kind, id, noun }, context, "The"),
        refused: isIn,
      }];
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

function archivedText(
  { kind, id, noun }: Pick<Parent, "kind" | "id" | "noun">,
  { account }: StepContext,
  article: string,
): Pick<Problem, "message" | "hint"> {
  if (!account.archivedByPlan(kind, id)) return { message: `${article} ${noun} ${id} is archived` };
  return {
    message: `The plan archives its ${noun} ${id} before`,
    hint: "Leave one of the two out, or make a plan for each",
  };
}

function placeName(id: unknown): string {
  return isChangeRef(id) ? `"${id.ref}" of this plan` : String(id);
}

export const portfolioProblems: PreflightRule = ({ change, spec }, { account }) => {
  const { portfolioId } = change.after;
  if (
    account.unread !== undefined || !spec.updatable.includes("portfolioId") || typeof portfolioId !== "string"
  ) {
    return [];
  }
  if (account.entity("portfolios", portfolioId) !== undefined) return [];
  return [{ code: "ENTITY_NOT_FOUND", message: `There is no portfolio ${portfolioId} in this profile` }];
};

export const dateProblems: PreflightRule = ({ change, spec, entity, next }, { today }) => {
  if (change.op === "archive") return [];
  const isBudget = spec.kind === "portfolios";
  const [after, before, then] = [change.after, entity, next].map((fields) =>
    isBudget ? fieldsOf(fields?.["budget"]) : fields ?? {}
  );
  return daysProblems({ after, before: entity === undefined ? undefined : before, next: then }, {
    today,
    prefix: isBudget ? "budget." : "",
    noun: spec.noun,
  });
};

function daysProblems(
  { after = {}, before, next = {} }: Record<"after" | "before" | "next", Readonly<Fields> | undefined>,
  { today, prefix, noun }: { today: string; prefix: string; noun: string },
): Problem[] {
  const isNew = (field: string): boolean =>
    typeof after[field] === "string" && after[field] !== before?.[field];
  for (const field of ["startDate", "endDate"]) {
    if (!isNew(field) || isDay(isoDay(after[field]) ?? "")) continue;
    const message = `${prefix}${field} ${JSON.stringify(after[field])} is not a day`;
    return [{ code: "INVALID_DATE", message, allowed: "YYYY-MM-DD", hint: "Give a day of the calendar" }];
  }
  const [start, end] = [next["startDate"], next["endDate"]].map(isoDay);
  const began = isoDay(before?.["startDate"]);
  if (isNew("startDate") && began !== undefined && began <= today) {
    const message = `The ${noun} has run since ${began}, and its first day cannot be changed any more`;
    return [{ code: "UPDATING_READ_ONLY_START_DATE", message }];
  }
  for (const [field, day, code] of [["startDate", start, "START"], ["endDate", end, "END"]] as const) {
    if (!isNew(field) || day === undefined || day >= today) continue;
    const message = `${prefix}${field} ${day} is in the past`;
    return [{ code: `${code}_DATE_EARLIER_THAN_TODAY`, message, allowed: `from ${today} on` }];
  }
  const touched = isNew("startDate") || isNew("endDate");
  if (!touched || start === undefined || end === undefined || start <= end) return [];
  const message = `${prefix}endDate ${end} is before ${prefix}startDate ${start}`;
  return [{ code: "START_DATE_AFTER_END_DATE", message }];
}

function isoDay(day: unknown): string | undefined {
  return typeof day === "string" ? day.replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3") : undefined;
}

interface Parent {
  readonly kind: string;
  readonly id: string;
  readonly noun: string;
  readonly parent: Fields | undefined;
}

function parentsOf({ spec, next }: CheckedChange, { account, specOf }: StepContext): Parent[] {
  const parents = Object.entries(spec.parents).flatMap(([field, kind]): Parent[] => {
    const id = next[field];
    const { noun } = specOf(kind);
    if (isChangeRef(id)) {
      const parent = account.entity(kind, id);
      // What a parent lacks is said of the parent itself.
      return parent === undefined ? [] : [{ kind, id: `"${id.ref}" of this plan`, noun, parent }];
    }
    return typeof id === "string" ? [{ kind, id, noun, parent: account.entity(kind, id) }] : [];
  });
  const [last] = parents.slice(-1);
  const campaignId = last?.parent?.["campaignId"];
  // The platform does not say in which campaign a negative target of Display is.
  const campaigns = spec.parents["campaignId"] ??
    (parents.length > 0 ? specOf(placeKinds(spec.kind)!.adGroups).parents["campaignId"] : undefined);
  if (next["campaignId"] !== undefined || typeof campaignId !== "string" || campaigns === undefined) {
    return parents;
  }
  const parent = account.entity(campaigns, campaignId);
  return [...parents, { kind: campaigns, id: campaignId, noun: "campaign", parent }];
}

import type { ProfileClient } from "../../../client/profile_client.ts";
import { isEditable } from "../../../operations/plans/draft_items.ts";
import type { RevisedPlan } from "../../../operations/plans/check_draft.ts";
import { isRevisable, proposedChanges } from "../../../operations/plans/plan_edits.ts";
import { type DraftPlace, type Edit, placeKey } from "../../../plans/store/edit_draft.ts";
import type { ConsoleContext } from "../http/console_context.ts";
import { ApiProblem } from "../http/responses.ts";
import type { ApiCall } from "../http/route.ts";
import { foundPlan } from "../plans/found_plan.ts";

interface DraftOfCall {
  readonly place: DraftPlace;
  readonly key: string;
  readonly profile: () => Promise<ProfileClient>;
  readonly revises?: RevisedPlan;
  readonly problemOf: (edit: Edit) => string | undefined;
}

export async function draftOfCall({ context, params }: ApiCall): Promise<DraftOfCall> {
  const { id, profile: profileId = "" } = params;
  if (id === undefined) {
    return {
      place: { folder: ownFolder(context), profileId },
      key: profileId,
      profile: () => context.ads.profile(profileId),
      problemOf: ({ kind, field }) =>
        isEditable(kind, field) ? undefined : `"${field}" of ${kind} cannot be changed`,
    };
  }
  const { plan, store } = await foundPlan(id, context);
  const proposed = proposedChanges(plan);
  const edits = proposed.flatMap((one) => one.edits);
  const known = new Set(edits.map(placeKey));
  const byRow = new Map(proposed.map((one) => [`${one.row.kind} ${one.row.id}`, one]));
  return {
    place: { folder: store.path, profileId: plan.profileId, revises: { planId: plan.id, edits } },
    key: plan.id,
    profile: () => Promise.resolve(context.ads.profileFrom(plan.profileId, plan.countryCode)),
    revises: { plan, store },
    problemOf: (edit) => {
      const row = byRow.get(`${edit.kind} ${edit.id}`);
      if (row === undefined) return `${edit.kind} ${edit.id} is not in plan ${plan.id}`;
      if (isRevisable(row.change, row.edits, edit.field) || known.has(placeKey(edit))) return undefined;
      return `"${edit.field}" of ${edit.kind} ${edit.id} is not in plan ${plan.id}`;
    },
  };
}

export function ownFolder({ folders: [first] }: Pick<ConsoleContext, "folders">): string {
  if (first === undefined) throw new ApiProblem(409, "NO_FOLDER", "There is no plan folder");
  return first.store.path;
}

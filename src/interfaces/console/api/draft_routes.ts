import {
  changeDraft,
  draftPath,
  type DraftStep,
  type EditDraft,
  isEdit,
  readDraft,
} from "../../../plans/store/edit_draft.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import { checkDraft, type CheckedDraft, draftRefusal } from "../../../operations/plans/check_draft.ts";
import { ensureReplaceable, replacePlan } from "../../../operations/plans/replace_plan.ts";
import { storedSource } from "../grid/grid_source.ts";
import { draftOfCall } from "../grid/draft_of_call.ts";
import { planRows } from "../grid/plan_rows.ts";
import { ApiProblem, refusingBadInput } from "../http/responses.ts";
import { type ApiCall, listIn, type Route } from "../http/route.ts";
import { foundPlan } from "../plans/found_plan.ts";
import { spendOf } from "../plans/plan_summary.ts";
import { savePlan } from "../plans/save_plan.ts";

const REVISION = "of the draft that was shown; refused with DRAFT_CHANGED if the draft has changed since";
const DRAFT =
  "`revision`, `edits` with `kind`, `id`, `field`, `value`, `seen` and `label`, `plan_id` of the plan made of them, `file` for `adsctl plan from`";
const CHECKED =
  "`findings` by kind and id, `plan_findings`, `conflicts` with the current value (`now`), `done` for edits that the account already has, `missing`, `spend`, `warnings`";

export const DRAFT_ROUTES: readonly Route[] = [
  ...draftRoutes("/api/profiles/:profile/draft", {
    read: "Reads the draft edits of a profile",
    edit: "Adds edits to the draft of a profile and removes others; sends nothing to the platform",
    check:
      "Plans the edits with the operation `plan update`, without saving the plan, and compares them with the account",
    review:
      "Makes a plan from the edits with the operation `plan update`; edits stay in the draft until the account has their values",
    gives:
      "`plan_id`, `changes` and `revision` of the draft; `edited_since` if edits were made meanwhile, which are not in the plan",
  }),
  {
    method: "GET",
    path: "/api/plans/:id/grid",
    about: "Lists the changes of a plan as rows of the grid",
    gives:
      "`rows` with current values and evidence, each with the `fields` that can be edited, `proposed` edits of the plan, `state`, `note`, `profile_id`, `currency`",
    run: async ({ context, params }) => await planRows(await foundPlan(params["id"] ?? "", context)),
  },
  ...draftRoutes("/api/plans/:id/draft", {
    read: "Reads the draft of a plan; it begins with the edits that the plan proposes",
    edit: "Keeps edits of the plan, changes their values, or removes them, which rejects them",
    check: "Makes the plan that the edits leave, without saving it, and compares it with the account",
    review: "Makes the plan that the edits leave, and closes the one that it replaces",
    gives: "`plan_id`, `changes` and `revision` of the draft",
  }),
];

function draftRoutes(
  path: string,
  { read, edit, check, review, gives }: Readonly<
    Record<"read" | "edit" | "check" | "review" | "gives", string>
  >,
): Route[] {
  return [
    {
      method: "GET",
      path,
      about: read,
      gives: DRAFT,
      run: async (call) => {
        const { place } = await draftOfCall(call);
        return { ...draftData(await readDraft(place)), file: draftPath(place) };
      },
    },
    {
      method: "POST",
      path,
      about: edit,
      takes: {
        revision: REVISION,
        set: "edits to add or replace; an edit whose `value` equals `seen` is removed",
        discard: 'edits to remove, each by its kind, id and field; "all" for every one',
      },
      gives: DRAFT,
      changes: true,
      run: changeEdits,
    },
    { method: "POST", path: `${path}/check`, about: check, gives: CHECKED, changes: true, run: checkEdits },
    {
      method: "POST",
      path: `${path}/review`,
      about: review,
      takes: { revision: REVISION, note: "reason, saved in the plan" },
      gives,
      changes: true,
      run: reviewEdits,
    },
  ];
}

async function changeEdits(call: ApiCall): Promise<unknown> {
  const { body } = call;
  const { problemOf } = await draftOfCall(call);
  const set = listIn(body, "set");
  const problems = set.flatMap((one, at) =>
    isEdit(one) ? problemOf(one) ?? [] : [`edit ${at} is not { kind, id, field, value, seen, label }`]
  );
  if (problems.length > 0) {
    throw new ApiProblem(400, "BAD_REQUEST", `Cannot keep these edits: ${problems.slice(0, 20).join("; ")}`);
  }
  const discard = body["discard"] === "all" ? "all" : listIn(body, "discard").map((one) => {
    const { kind, id, field } = fieldsOf(one);
    return { kind: String(kind), id: String(id), field: String(field) };
  });
  return draftData(await step(call, { set: set.filter(isEdit), discard }));
}

async function step(call: ApiCall, change: Omit<DraftStep, "revision">): Promise<EditDraft> {
  const { context, body } = call;
  const { revision } = body;
  if (typeof revision !== "number") {
    throw new ApiProblem(400, "BAD_REQUEST", 'Cannot use this request: "revision" is missing');
  }
  const { place, key, profile, revises } = await draftOfCall(call);
  if (revises !== undefined) await ensureReplaceable(revises);
  // Nothing is kept for a profile that neither the login nor the store has; the platform may be out of reach.
  const isKept = (await readDraft(place)).revision > 0;
  if (!isKept && !await isStored(context, place.profileId)) await profile();
  const after = await refusingBadInput(() => changeDraft(place, { ...change, revision }));
  if (after === undefined) {
    throw new ApiProblem(
      409,
      "DRAFT_CHANGED",
      "This draft was changed in another tab. Nothing was changed here",
    );
  }
  context.events.send({ event: "draft", data: { draft: key, revision: after.revision } });
  return after;
}

/** True when the store has settings of the profile. */
async function isStored(context: ApiCall["context"], profileId: string): Promise<boolean> {
  return await storedSource(context, profileId).then(() => true, () => false);
}

async function checked(call: ApiCall): Promise<{ draft: EditDraft; found: CheckedDraft }> {
  const { body: { note }, signal } = call;
  const { place, profile, revises } = await draftOfCall(call);
  const draft = await readDraft(place);
  const options = {
    revises,
    note: typeof note === "string" && note.trim() !== "" ? note.trim() : undefined,
    signal,
  };
  const client = await profile();
  return { draft, found: await refusingBadInput(() => checkDraft(client, draft.edits, options)) };
}

async function checkEdits(call: ApiCall): Promise<unknown> {
  const { draft, found } = await checked(call);
  return { revision: draft.revision, ...checkData(found) };
}

async function reviewEdits(call: ApiCall): Promise<unknown> {
  const { context, body } = call;
  const { place, key, revises } = await draftOfCall(call);
  if (revises !== undefined) await ensureReplaceable(revises);
  const { draft, found } = await checked(call);
  if (draft.revision !== body["revision"]) {
    throw draftChanged();
  }
  const refusal = draftRefusal(found);
  if (refusal !== undefined) throw new ApiProblem(409, refusal.code, refusal.message);
  const { plan, counts } = found;
  if (plan === undefined) throw new ApiProblem(409, "NOTHING_LEFT", "Cannot make a plan of no edits");
  const made = { plan_id: plan.id, changes: plan.changes.length };
  if (revises !== undefined && counts !== undefined) {
    if (counts.changed + counts.rejected === 0) {
      throw new ApiProblem(
        409,
        "UNCHANGED",
        "Cannot make a new plan: every change is kept as it is. Open the plan",
      );
    }
    const { revision } = draft;
    if (!await replacePlan(revises, plan, { revision, counts, now: context.now() })) throw draftChanged();
    for (const id of [revises.plan.id, plan.id]) context.events.send({ event: "plan", data: { id } });
    return { ...made, revision };
  }
  await savePlan(plan, context);
  // Another tab may have edited while the account was read: the plan is made, of the edits before.
  const after = await changeDraft(place, { revision: draft.revision, planId: plan.id });
  const { revision } = after ?? await readDraft(place);
  const event = { draft: key, revision, plan_id: plan.id, is_whole: after !== undefined };
  context.events.send({ event: "draft", data: event });
  return { ...made, revision, ...(after === undefined ? { edited_since: true } : {}) };
}

function draftChanged(): ApiProblem {
  return new ApiProblem(409, "DRAFT_CHANGED", "This draft was changed in another tab. Reload it");
}

function draftData({ revision, edits, planId }: EditDraft): Record<string, unknown> {
  return { revision, edits, plan_id: planId ?? null };
}

function checkData(
  { plan, findings, refused, conflicts, done, missing, counts }: CheckedDraft,
): Record<string, unknown> {
  const refusals = refused.map(({ edits: [first], message }) => ({
    kind: first?.kind,
    id: first?.id,
    level: "deny",
    code: "BAD_VALUE",
    message,
  }));
  return {
    findings: [...refusals, ...plan === undefined ? [] : placed(findings, plan)],
    plan_findings: findings.filter(({ change }) => change === undefined),
    conflicts,
    done,
    missing,
    changes: plan?.changes.length ?? 0,
    spend: plan === undefined ? null : spendOf(plan),
    warnings: plan?.warnings ?? [],
    counts: counts ?? null,
  };
}

function placed(findings: CheckedDraft["findings"], { changes }: ChangePlan): Record<string, unknown>[] {
  return findings.flatMap(({ change, ...finding }) => {
    const about = change === undefined ? undefined : changes[change];
    return about === undefined ? [] : [{ ...finding, kind: about.kind, id: about.id }];
  });
}

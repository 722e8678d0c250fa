import type { ProfileClient } from "../../../client/profile_client.ts";
import {
  changeDraft,
  type DraftStep,
  type EditDraft,
  isEdit,
  readDraft,
} from "../../../plans/store/edit_draft.ts";
import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import { isEditable } from "../../../operations/plans/draft_items.ts";
import { jsonInput } from "../../../operations/model/field_schema.ts";
import { planCreate } from "../../../operations/plans/plan_writes.ts";
import { LISTED_TABLES, newItems } from "../grid/new_rows.ts";
import { GRID_TABLES, isGridTable } from "../grid/grid_tables.ts";
import { checkDraft, type CheckedDraft } from "../grid/check_draft.ts";
import { readGrid } from "../grid/read_grid.ts";
import type { ConsoleContext } from "../http/console_context.ts";
import { refusingBadInput } from "../http/refusing.ts";
import { ApiProblem } from "../http/responses.ts";
import { type ApiCall, type Route, textOf } from "../http/route.ts";
import { spendOf } from "../plans/plan_summary.ts";
import { savePlan } from "../plans/save_plan.ts";

const REVISION = "of the draft that was shown; refused with DRAFT_CHANGED if the draft has changed since";
const DRAFT =
  "`revision`, `edits` with `kind`, `id`, `field`, `value`, `seen` and `label`, `plan_id` of the plan made of them";

/** A table of the account that is edited, and the draft of its edits. */
export const GRID_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/profiles/:profile/grid/:table",
    about: `Lists a table of a profile: ${Object.keys(GRID_TABLES).join(", ")}`,
    gives:
      "`rows` with settings and stored figures of 30 days, `fields` that can be edited by kind and column, `names` of campaigns, ad groups and portfolios, `ad_group_campaigns` of Sponsored Products",
    run: async (call) => {
      const { table = "" } = call.params;
      if (!isGridTable(table)) {
        const known = Object.keys(GRID_TABLES).join(", ");
        throw new ApiProblem(404, "NO_TABLE", `Cannot show "${table}": expected one of ${known}`);
      }
      return await readGrid(await profileOf(call), table, call);
    },
  },
  {
    method: "POST",
    path: "/api/profiles/:profile/grid/:table/new",
    about: `Makes a plan of new ${LISTED_TABLES.join(", ")} from a list by the operation \`plan create\``,
    takes: {
      ad_group_id: "ad group of Sponsored Products that gets them",
      lines: "`text` with `match` (exact, phrase or broad) and `bid`; an ASIN becomes a product target",
      note: "reason, saved in the plan",
    },
    gives: "`plan_id` and `changes`, their number",
    changes: true,
    run: add,
  },
  {
    method: "GET",
    path: "/api/profiles/:profile/draft",
    about: "Reads the draft edits of a profile",
    gives: DRAFT,
    run: async ({ context, params }) =>
      draftData(await readDraft(folderOf(context), params["profile"] ?? "")),
  },
  {
    method: "POST",
    path: "/api/profiles/:profile/draft",
    about: "Adds edits to the draft of a profile and removes others; sends nothing to the platform",
    takes: {
      revision: REVISION,
      set: "edits to add or replace; an edit whose `value` equals `seen` is removed",
      discard: 'edits to remove, each by its kind, id and field; "all" for every one',
    },
    gives: DRAFT,
    changes: true,
    run: edit,
  },
  {
    method: "POST",
    path: "/api/profiles/:profile/draft/check",
    about:
      "Plans the edits with the operation `plan update`, without saving the plan, and compares them with the account",
    gives:
      "`findings` by kind and id, `plan_findings`, `conflicts` with the current value (`now`), `done` for edits that the account already has, `missing`, `spend`, `warnings`",
    changes: true,
    run: async (call) => {
      const { edits, revision } = await draftOf(call);
      const { note } = call.body;
      const checked = await checkDraft(await profileOf(call), edits, {
        note: typeof note === "string" ? note : undefined,
        signal: call.signal,
      });
      return { revision, ...checkData(checked) };
    },
  },
  {
    method: "POST",
    path: "/api/profiles/:profile/draft/review",
    about:
      "Makes a plan from the edits with the operation `plan update`; edits stay in the draft until the account has their values",
    takes: { revision: REVISION, note: "reason, saved in the plan" },
    gives: "`plan_id` and `revision` of the draft",
    changes: true,
    run: review,
  },
];

async function profileOf({ context, params }: ApiCall): Promise<ProfileClient> {
  return await context.ads.profile(params["profile"] ?? "");
}

/** Folder whose drafts the console keeps: that of its own plans. */
function folderOf({ folders: [first] }: Pick<ConsoleContext, "folders">): string {
  if (first === undefined) throw new ApiProblem(409, "NO_FOLDER", "There is no plan folder");
  return first.store.path;
}

async function draftOf({ context, params }: ApiCall): Promise<EditDraft> {
  return await readDraft(folderOf(context), params["profile"] ?? "");
}

async function add(call: ApiCall): Promise<unknown> {
  const { context, params, body, signal } = call;
  const table = LISTED_TABLES.find((one) => one === params["table"]);
  if (table === undefined) {
    throw new ApiProblem(
      404,
      "NO_TABLE",
      `Cannot add to "${params["table"]}": expected one of ${LISTED_TABLES.join(", ")}`,
    );
  }
  const profile = await profileOf(call);
  const adGroupId = textOf(body, "ad_group_id");
  const [adGroup] = await profile.sp.adGroups.list({ adGroupIds: [adGroupId], signal });
  if (adGroup === undefined) {
    throw new ApiProblem(
      400,
      "BAD_REQUEST",
      `Cannot add this list: Sponsored Products has no ad group ${adGroupId}`,
    );
  }
  const { note } = body;
  const plan = await refusingBadInput(async () => {
    const items = newItems(table, listOf(body["lines"], "lines"), {
      campaignId: adGroup.campaignId,
      adGroupId,
    });
    const given = typeof note === "string" && note.trim() !== ""
      ? note.trim()
      : `New ${table} in ${adGroup.name}`;
    const input = await jsonInput(planCreate, { entity: "keywords", items, note: given });
    return await planCreate.run({ profile, signal }, input);
  });
  await savePlan(plan, context);
  return { plan_id: plan.id, changes: plan.changes.length };
}

async function edit(call: ApiCall): Promise<unknown> {
  const { body } = call;
  const set = listOf(body["set"], "set");
  const problems = set.flatMap((one, at) => {
    if (!isEdit(one)) return [`edit ${at} is not { kind, id, field, value, seen, label }`];
    return isEditable(one.kind, one.field) ? [] : [`"${one.field}" of ${one.kind} cannot be changed`];
  });
  if (problems.length > 0) {
    throw new ApiProblem(400, "BAD_REQUEST", `Cannot keep these edits: ${problems.slice(0, 20).join("; ")}`);
  }
  const discard = body["discard"] === "all" ? "all" : listOf(body["discard"], "discard").map((one) => {
    const { kind, id, field } = fieldsOf(one);
    return { kind: String(kind), id: String(id), field: String(field) };
  });
  return draftData(await step(call, { set: set.filter(isEdit), discard }));
}

/** Changes the draft that the page has seen, and tells the other pages. */
async function step(
  { context, params, body }: ApiCall,
  change: Omit<DraftStep, "revision">,
): Promise<EditDraft> {
  const { profile = "" } = params;
  const { revision } = body;
  if (typeof revision !== "number") {
    throw new ApiProblem(400, "BAD_REQUEST", 'Cannot use this request: "revision" is missing');
  }
  // Nothing is kept for a profile that the login does not reach.
  await context.ads.profile(profile);
  const after = await refusingBadInput(() =>
    changeDraft(folderOf(context), profile, { ...change, revision })
  );
  if (after === undefined) {
    throw new ApiProblem(
      409,
      "DRAFT_CHANGED",
      "This draft was changed in another tab. Nothing was changed here",
    );
  }
  context.events.send({ event: "draft", data: { profile_id: profile, revision: after.revision } });
  return after;
}

async function review(call: ApiCall): Promise<unknown> {
  const { context, body, signal } = call;
  const draft = await draftOf(call);
  if (draft.revision !== body["revision"]) {
    throw new ApiProblem(409, "DRAFT_CHANGED", "This draft was changed in another tab. Reload it");
  }
  const { note } = body;
  const checked = await checkDraft(await profileOf(call), draft.edits, {
    note: typeof note === "string" && note.trim() !== "" ? note.trim() : undefined,
    signal,
  });
  const { plan, refused: [refused], conflicts } = checked;
  if (refused !== undefined) throw new ApiProblem(409, "BAD_EDITS", refused.message);
  if (conflicts.length > 0) {
    throw new ApiProblem(
      409,
      "CONFLICT",
      `Cannot make the plan: ${conflicts.length} ${
        conflicts.length === 1 ? "field has" : "fields have"
      } changed in the account in the meantime. Keep your value or take theirs for each`,
    );
  }
  if (plan === undefined || plan.changes.length === 0) {
    throw new ApiProblem(409, "NOTHING_LEFT", "Cannot make a plan: the account already has these values");
  }
  await savePlan(plan, context);
  const after = await step(call, { planId: plan.id });
  return { plan_id: plan.id, changes: plan.changes.length, revision: after.revision };
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new ApiProblem(400, "BAD_REQUEST", `Cannot use this request: "${name}" is not a list`);
}

function draftData({ revision, edits, planId }: EditDraft): Record<string, unknown> {
  return { revision, edits, plan_id: planId ?? null };
}

function checkData({ plan, refused, conflicts, done, missing }: CheckedDraft): Record<string, unknown> {
  const refusals = refused.map(({ edits: [first], message }) => ({
    kind: first?.kind,
    id: first?.id,
    level: "deny",
    code: "BAD_VALUE",
    message,
  }));
  return {
    findings: [...refusals, ...plan === undefined ? [] : findingsOf(plan)],
    plan_findings: plan?.findings.filter(({ change }) => change === undefined) ?? [],
    conflicts,
    done,
    missing,
    changes: plan?.changes.length ?? 0,
    spend: plan === undefined ? null : spendOf(plan),
    warnings: plan?.warnings ?? [],
  };
}

function findingsOf({ findings, changes }: ChangePlan): Record<string, unknown>[] {
  return findings.flatMap(({ change, ...finding }) => {
    const about = change === undefined ? undefined : changes[change];
    return about === undefined ? [] : [{ ...finding, kind: about.kind, id: about.id }];
  });
}

import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { readNamedFile } from "../../../../base/runtime/read_named_file.ts";
import { checkDraft, draftRefusal, type RevisedPlan } from "../../../../operations/plans/check_draft.ts";
import { allowedPlan } from "../../../../operations/plans/write_operation.ts";
import { ensureReplaceable, replacePlan } from "../../../../operations/plans/replace_plan.ts";
import { type EditDraft, parseDraft } from "../../../../plans/store/edit_draft.ts";
import { DRAFT_ENDING } from "../../../../plans/store/plan_places.ts";
import { PlanStore } from "../../../../plans/store/plan_store.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { UsageError } from "../../shell/io/cli_error.ts";
import type { MarketOptions } from "../../shell/options/market_options.ts";
import { finishAllowed } from "../../shell/finish_plan.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";

interface DraftOptions extends MarketOptions {
  readonly prune?: boolean | undefined;
  readonly skipDenied?: boolean | undefined;
  readonly note?: string | undefined;
  readonly out?: string | undefined;
}

export function isDraftFile(path: string): boolean {
  return path.endsWith(`.${DRAFT_ENDING}`);
}

export async function planFromDraft(
  path: string,
  options: DraftOptions,
  context: CliContext,
): Promise<number> {
  if (options.prune === true) {
    throw new UsageError("Cannot use --prune with a draft: it only removes entities that account files lack");
  }
  await refuseClosedPlan(path);
  const draft = parseDraft(await readNamedFile(path, "draft"), path);
  const market = options.market ?? draft.profileId;
  const profile = await connectProfile(market === undefined ? options : { ...options, market }, context);
  refuseOtherProfile(draft, profile.profileId);
  const { signal } = context.interruption;
  const revises = await revisedPlan(draft, path);
  if (revises !== undefined) await ensureReplaceable(revises);
  const { note, out, skipDenied } = options;
  const checked = await checkDraft(profile, draft.edits, { revises, note, signal });
  const refusal = draftRefusal(checked);
  if (refusal !== undefined) {
    const lines = refusal.lines.map((line) => `\n  ${visibleText(line)}`).join("");
    throw new UsageError(`${refusal.message}${lines}`);
  }
  const { plan, counts } = checked;
  if (plan === undefined) throw new UsageError(`Cannot make a plan of "${path}": it has no edits`);
  const allowed = await allowedPlan(plan, { profile, signal }, { skip_denied: skipDenied });
  if (revises === undefined || counts === undefined) {
    return await finishAllowed(allowed, { out, context });
  }
  if (out !== undefined) {
    throw new UsageError(
      `Cannot use --out "${out}" here: the new plan replaces plan ${revises.plan.id}, so it is saved beside it`,
    );
  }
  if (allowed.plan.changes.length === 0) {
    throw new UsageError("Cannot make a plan: the policy denies every change. Reject the plan instead");
  }
  const { revision } = draft;
  if (!await replacePlan(revises, allowed.plan, { revision, counts, now: context.io.now() })) {
    throw new UsageError(
      `Cannot replace plan ${revises.plan.id}: its draft has been edited since the version in "${path}". ` +
        `Run this again with the current draft`,
    );
  }
  const place = fileSystem().join(revises.store.path, `plan-${allowed.plan.id}.json`);
  return await finishAllowed(allowed, { out: place, context });
}

/** Explains that a draft is gone because its plan is closed. The message is about the plan, not the missing file. */
async function refuseClosedPlan(path: string): Promise<void> {
  const files = fileSystem();
  const [, id = ""] = /^plan-([A-Za-z0-9-]+)\.draft\.json$/.exec(files.basename(path)) ?? [];
  if (id === "" || await files.exists(path)) return;
  await PlanStore.around(path).ensureOpen(id);
}

async function revisedPlan({ revises }: EditDraft, path: string): Promise<RevisedPlan | undefined> {
  if (revises === undefined) return undefined;
  const store = PlanStore.around(path);
  return { plan: await store.get(revises), store };
}

function refuseOtherProfile({ profileId }: EditDraft, chosen: string): void {
  if (profileId === undefined || profileId === chosen) return;
  throw new UsageError(`Cannot use this draft for profile ${chosen}: its edits are of profile ${profileId}`);
}

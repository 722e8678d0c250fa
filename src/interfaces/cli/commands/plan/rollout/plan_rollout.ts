import { Rollout } from "../../../../../account/rollout/rollout.ts";
import { isRollout } from "../../../../../account/rollout/rollout_file.ts";
import type { ProfileClient } from "../../../../../client/profile_client.ts";
import type { ChangePlan } from "../../../../../plans/change_plan/change_plan.ts";
import type { CliContext } from "../../../shell/context/context.ts";
import { rememberPlans } from "../../../shell/connect/plan_folders.ts";
import { checkCounts, type HoldBack } from "../../../../../plans/model/experiment.ts";
import { WHY_PROFILES } from "../../../../../plans/review/hold_back_profiles.ts";
import { EXIT, refusingBadInput, UsageError } from "../../../shell/io/cli_error.ts";
import { type Note, sayNotes } from "../../../shell/output/write_text.ts";
import { wantsData } from "../../../shell/output/wants_data.ts";
import { type ProfileOutcomes, withProfiles } from "../../../shell/connect/with_profiles.ts";
import type { ManyProfilesOptions } from "../../../shell/options/many_profiles.ts";
import { nextCommand } from "../../../shell/context/shell_words.ts";
import { printRollout } from "./rollout_rows.ts";

interface PlanRolloutOptions extends ManyProfilesOptions {
  readonly note?: string | undefined;
  readonly out?: string;
}

type ProfilePlan = { readonly plan: ChangePlan } | { readonly leftOut: string };

const DEFAULT_FOLDER = "rollout";

interface RolloutMaker {
  readonly make: (profile: ProfileClient) => Promise<ProfilePlan>;
  /** Throws if the options cannot be used for these profiles; called before any profile is read. */
  readonly check?: (profiles: readonly ProfileClient[]) => void;
  readonly holdBack?: HoldBack | undefined;
  readonly lines?: ((rollout: Rollout) => Promise<readonly Note[]>) | undefined;
}

/** Plans every profile. A profile whose planning fails is listed in the rollout without a plan. */
export async function planRollout(
  options: PlanRolloutOptions,
  context: CliContext,
  { make, check, holdBack, lines }: RolloutMaker,
): Promise<number> {
  const { out: folder = DEFAULT_FOLDER } = options;
  if (await isRollout(folder)) {
    throw new UsageError(
      `Cannot make a rollout in "${folder}": the folder already has one. Choose another --out`,
    );
  }
  return await withProfiles(options, context, {
    check: (profiles) => {
      check?.(profiles);
      if (holdBack !== undefined) refuseFewProfiles(profiles.length, holdBack);
    },
    step: make,
    done: (all) => save(all, { ...options, folder, holdBack, lines }, context),
  });
}

async function save(
  { outcomes, unreachable, ok }: ProfileOutcomes<ProfilePlan>,
  { folder, note, holdBack, lines }: Pick<RolloutMaker, "holdBack" | "lines"> & {
    folder: string;
    note?: string | undefined;
  },
  context: CliContext,
): Promise<number> {
  const plans = outcomes.flatMap((one) => "result" in one && "plan" in one.result ? [one.result.plan] : []);
  const leftOut = outcomes.flatMap((one) => {
    const { profileId: profile_id, countryCode: country_code } = one.profile;
    const place = { profile_id, country_code, account_name: accountName(one.profile) };
    if ("error" in one) return [{ ...place, reason: one.error.message, failed: true }];
    return "leftOut" in one.result ? [{ ...place, reason: one.result.leftOut }] : [];
  });
  const accountNames = new Map(outcomes.map(({ profile }) => [profile.profileId, accountName(profile)]));
  const rollout = await refusingBadInput(() =>
    Rollout.create(folder, plans, {
      note,
      leftOut,
      unreachable,
      accountNames,
      holdBack,
      now: context.io.now,
    })
  );
  await finishRollout(rollout, context);
  if (!wantsData(context)) await sayNotes(await lines?.(rollout) ?? [], context);
  return ok ? EXIT.done : EXIT.someFailed;
}

function refuseFewProfiles(count: number, { share }: HoldBack): void {
  try {
    checkCounts(count, { share, unit: "profile", why: WHY_PROFILES });
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  }
}

export async function finishRollout(rollout: Rollout, context: CliContext): Promise<void> {
  const { io, globals } = context;
  await rememberPlans(rollout.folder, context);
  await printRollout(rollout, await rollout.entries(), context);
  if (!globals.quiet && rollout.data.plans.length > 0) {
    const next = nextCommand(["plan", "apply", rollout.folder, "--serial", "1,10%,100%"], globals);
    await io.stderr.write(
      `\nSaved to ${rollout.folder}. Nothing was sent. To apply it in stages:\n  ${next}\n`,
    );
  }
}

function accountName({ profile }: ProfileClient): string | null {
  return profile.accountInfo.name ?? null;
}

import { Rollout } from "../../../../account/rollout/rollout.ts";
import { isRollout } from "../../../../account/rollout/rollout_file.ts";
import type { PlatformAds } from "../../../../client/platform_ads.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import type { ChangePlan } from "../../../../plans/change_plan.ts";
import { withAds } from "../../../core/connect.ts";
import type { CliContext } from "../../../core/context.ts";
import { UsageError } from "../../../core/errors/cli_error.ts";
import { EXIT } from "../../../core/errors/exit_codes.ts";
import { chosenProfile, type MarketOptions } from "../../../options/market_options.ts";
import { nextCommand } from "../../../text/shell_words.ts";
import { printRollout } from "./rollout_rows.ts";

/** Which profiles get a plan, and where the plans go. */
export interface PlanRolloutOptions extends MarketOptions {
  /** Country codes or profile ids. */
  readonly profiles?: readonly string[];
  /** Every profile. */
  readonly allProfiles?: true;
  /** Why the plans are made. */
  readonly note?: string | undefined;
  /** Folder of the rollout. */
  readonly out?: string;
}

/** The plan of one profile, or why it has none. */
export type ProfilePlan = { readonly plan: ChangePlan } | { readonly leftOut: string };

const DEFAULT_FOLDER = "rollout";
/** Profiles that are read at the same time. */
const CONCURRENCY = 4;

/**
 * Makes a plan for each of many profiles and saves them as one rollout. When one of them cannot be made, none is saved.
 *
 * @param make Makes the plan of a profile.
 */
export async function planRollout(
  options: PlanRolloutOptions,
  context: CliContext,
  make: (profile: ProfileClient) => Promise<ProfilePlan>,
): Promise<number> {
  const { note, out: folder = DEFAULT_FOLDER } = options;
  const { io, globals, progress } = context;
  if (options.market !== undefined) {
    throw new UsageError("Cannot use -m with --profiles or --all-profiles: choose one of them");
  }
  if (await isRollout(folder)) {
    throw new UsageError(`Cannot make a rollout in "${folder}": it holds one already. Choose another --out`);
  }
  return await withAds(context, async (ads) => {
    const profiles = await chosenProfiles(ads, options, context);
    const found = new Map<ProfileClient, ProfilePlan>();
    const open = [...profiles];
    const takeOne = async (): Promise<void> => {
      for (let profile = open.shift(); profile !== undefined; profile = open.shift()) {
        try {
          found.set(profile, await make(profile));
        } catch (error) {
          open.length = 0;
          const { profileId, countryCode } = profile;
          if (error instanceof Error) {
            error.message = `Profile ${profileId} (${countryCode}): ${error.message}`;
          }
          throw error;
        }
        await progress.show([`Planned ${found.size} of ${profiles.length} profiles`]).catch(() => {});
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, takeOne));
    await progress.clear();
    const results = profiles.flatMap((profile) => {
      const made = found.get(profile);
      return made === undefined ? [] : [{ profile, made }];
    });
    const plans = results.flatMap(({ made }) => "plan" in made ? [made.plan] : []);
    const leftOut = results.flatMap(({ profile: { profileId, countryCode }, made }) =>
      "leftOut" in made ? [{ profile_id: profileId, country_code: countryCode, reason: made.leftOut }] : []
    );
    const rollout = await Rollout.create(folder, plans, { note, leftOut, now: io.now });
    await printRollout(rollout, await rollout.entries(), context);
    if (!globals.quiet && rollout.data.plans.length > 0) {
      const next = nextCommand(["plan", "apply", folder, "--serial", "1,10%,100%"], globals);
      await io.stderr.write(`\nSaved to ${folder}. Nothing was sent. To apply it in stages:\n  ${next}\n`);
    }
    return EXIT.done;
  });
}

async function chosenProfiles(
  ads: PlatformAds,
  { profiles, accountType, accountName }: PlanRolloutOptions,
  context: CliContext,
): Promise<ProfileClient[]> {
  const narrow = {
    ...(accountType === undefined ? {} : { accountType }),
    ...(accountName === undefined ? {} : { accountName }),
  };
  if (profiles !== undefined) {
    const chosen = [];
    for (const market of profiles) chosen.push(await chosenProfile(ads, { ...narrow, market }, context));
    return [...new Map(chosen.map((profile) => [profile.profileId, profile])).values()];
  }
  const all = await ads.profiles({ signal: context.interruption.signal });
  if (ads.regionFailures.length > 0) {
    const regions = ads.regionFailures.map(({ region, error }) => `${region}: ${error.message}`).join("; ");
    throw new UsageError(`Cannot plan for all profiles: not every region could be read. ${regions}`);
  }
  const wanted = all.filter(({ accountInfo: { type, name } }) =>
    (accountType === undefined || type === accountType) && (accountName === undefined || name === accountName)
  );
  const clients = [];
  for (const { profileId } of wanted) clients.push(await ads.profile(profileId));
  return clients;
}

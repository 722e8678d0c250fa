import type { ProfileClient } from "../../../../client/profile_client.ts";
import { AuthError } from "../../../../errors.ts";
import { refusesProfile } from "../../../../platform/transport/known_refusals.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import {
  checkManyProfiles,
  chosenProfiles,
  type ManyProfilesOptions,
  type Unreachable,
} from "../options/many_profiles.ts";
import { connectAds } from "./connect.ts";
import { RefusedProfiles } from "./refused_profiles.ts";
import type { CliContext } from "../context/context.ts";
import { UsageError } from "../errors/cli_error.ts";

/** Result of a step for one of many profiles, or the reason of its failure there. */
type ProfileOutcome<Result> =
  & { readonly profile: ProfileClient }
  & ({ readonly result: Result } | { readonly error: Error });

/** Results of a step for many profiles. */
export interface ProfileOutcomes<Result> {
  /** In the order of the profiles. */
  readonly outcomes: readonly ProfileOutcome<Result>[];
  /** Regions and markets whose profiles could not be listed. */
  readonly unreachable: readonly Unreachable[];
  /** True when every profile was reached and none failed; access that earlier days lacked too is no failure. */
  readonly ok: boolean;
}

/** Profiles that are worked on at the same time. */
const CONCURRENCY = 4;

/**
 * Connects, does a step for each of many profiles, and passes the outcomes to `done`. A profile that fails, or a region
 * that does not respond, is named on stderr and does not stop the others.
 *
 * @param each.step What is done for a profile.
 * @param each.done What is done with all of it; gives the exit code.
 * @param each.check Throws when the options cannot be used for these profiles.
 * @throws {AuthError} when the login fails.
 * @throws the first failure when every profile failed, so that bad input ends as it does for one profile.
 */
export async function withProfiles<Result>(
  options: ManyProfilesOptions,
  context: CliContext,
  each: {
    readonly check?: ((profiles: readonly ProfileClient[]) => void) | undefined;
    readonly step: (profile: ProfileClient) => Promise<Result>;
    readonly done: (all: ProfileOutcomes<Result>) => Promise<number>;
  },
): Promise<number> {
  checkManyProfiles(options);
  const { io, progress, interruption: { signal } } = context;
  const ads = await connectAds(context);

  const { profiles: chosen, unreachable } = await chosenProfiles(ads, options, context);
  const refused = await RefusedProfiles.read(context);
  const profiles = options.allProfiles ? await refused.withoutThoseOfToday(chosen) : chosen;
  for (const { name, reason } of unreachable) {
    await io.stderr.write(`error: ${visibleText(`${name}: ${reason}`)}\n`);
  }
  if (profiles.length === 0) {
    throw new UsageError(
      chosen.length === 0
        ? 'Cannot go on: no profile of the login fits. "adsctl auth profiles" lists them'
        : "Cannot go on: the login has no access to any of these profiles",
    );
  }
  each.check?.(profiles);
  const work = progress.work({ noun: "profile", total: profiles.length });
  const found = new Map<ProfileClient, ProfileOutcome<Result>>();
  const open = [...profiles];
  const takeOne = async (): Promise<void> => {
    for (let profile = open.shift(); profile !== undefined; profile = open.shift()) {
      const { countryCode, profileId } = profile;
      const name = `${countryCode} ${profileId}`;
      work.part(profileId, { name, state: "running" });
      try {
        found.set(profile, { profile, result: await each.step(profile) });
      } catch (error) {
        if (error instanceof AuthError || signal.aborted || !(error instanceof Error)) {
          open.length = 0;
          throw error;
        }
        found.set(profile, { profile, error });
      }
      work.part(profileId, { name, state: "error" in (found.get(profile) ?? {}) ? "failed" : "done" });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, takeOne));
  await work.end();
  const outcomes = profiles.flatMap((profile) => found.get(profile) ?? []);
  const failures = outcomes.flatMap((one) => "error" in one ? [one] : []);
  const isRefused = (one: ProfileOutcome<Result>): boolean => "error" in one && refusesProfile(one.error);
  const isKnown = (one: ProfileOutcome<Result>): boolean =>
    options.allProfiles === true && isRefused(one) && refused.isOld(one.profile.profileId);
  const news = failures.filter((one) => !isKnown(one)).length;
  await refused.keep(
    outcomes.map((one) => ({ profileId: one.profile.profileId, isRefused: isRefused(one) })),
  );
  const [first] = failures;
  if (first !== undefined && failures.length === outcomes.length) {
    const others = failures.length === 1
      ? ""
      : `\nThe same or another failure for ${failures.length - 1} more`;
    first.error.message = `${nameOf(first.profile)}: ${first.error.message}${others}`;
    throw first.error;
  }
  for (const failure of failures) {
    const { profile, error } = failure;
    const kind = isKnown(failure) ? "warning" : "error";
    await io.stderr.write(`${kind}: ${nameOf(profile)}: ${visibleText(error.message)}\n`);
  }
  return await each.done({ outcomes, unreachable, ok: news + unreachable.length === 0 });
}

/** How messages name a profile. */
export function nameOf({ profileId, countryCode }: Pick<ProfileClient, "profileId" | "countryCode">): string {
  return `Profile ${profileId} (${countryCode})`;
}

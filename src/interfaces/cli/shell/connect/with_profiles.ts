import type { ProfileClient } from "../../../../client/profile_client.ts";
import { AuthError } from "../../../../errors.ts";
import { refusesProfile } from "../../../../platform/transport/error_body.ts";
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
import { UsageError } from "../io/cli_error.ts";

type ProfileOutcome<Result> =
  & { readonly profile: ProfileClient }
  & ({ readonly result: Result } | { readonly error: Error });

export interface ProfileOutcomes<Result> {
  readonly outcomes: readonly ProfileOutcome<Result>[];
  readonly unreachable: readonly Unreachable[];
  /** Access that was already missing on earlier days is not a failure. */
  readonly ok: boolean;
}

const CONCURRENCY = 4;

/**
 * A failing profile or region is reported on stderr and does not stop the others.
 *
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

export function nameOf({ profileId, countryCode }: Pick<ProfileClient, "profileId" | "countryCode">): string {
  return `Profile ${profileId} (${countryCode})`;
}

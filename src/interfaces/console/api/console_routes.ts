import { marketOf, timeZoneOf } from "../../../base/markets/markets.ts";
import type { Profile } from "../../../client/profile.ts";
import { NetworkError, type PlatformAdsError, ServerError } from "../../../errors.ts";
import type { ConsoleContext } from "../http/console_context.ts";
import type { Route } from "../http/route.ts";
import { keyState } from "../plans/approve_shown.ts";
import { hasStore, withStore } from "../http/open_store.ts";

export const CONSOLE_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/console",
    about: "Describes this console: account, store and options",
    gives:
      "`demo`, `rehearsal` (when the copy was taken), `read_only`, `approval_key`: none, open or passphrase, `synced_at`: when the store got its last report, `converts_to`: currency that figures can be converted to, `command_options`: those of the account and of the store in suggested commands",
    run: async ({ context }) => ({
      demo: context.emulator !== undefined,
      rehearsal: context.ads.platform.rehearsal ?? null,
      read_only: context.readOnly,
      approval_key: await keyState(context.key),
      store: context.storePlace.replace(/\/\/[^@/]*@/, "//"),
      // Pages need the rest even if the store cannot be read.
      synced_at: await lastPull(context).catch(() => null),
      converts_to: context.conversion?.currency ?? null,
      command_options: context.commandOptions ?? { account: "", store: "" },
      now: new Date(context.now()).toISOString(),
    }),
  },
  {
    method: "GET",
    path: "/api/profiles",
    about: "Lists the advertising profiles of the login",
    gives: "`profiles`, those with stored figures first, and `failures` of regions that could not be read",
    run: async ({ context }) => {
      const { ads } = context;
      const stored = await storedProfiles(context);
      let listed: readonly Pick<
        Profile,
        "profileId" | "countryCode" | "currencyCode" | "timezone" | "accountInfo"
      >[];
      let unreachable: PlatformAdsError | undefined;
      try {
        listed = await (stored.size === 0 ? ads.profiles() : inTime((signal) => ads.profiles({ signal })));
      } catch (error) {
        if (!(error instanceof NetworkError || error instanceof ServerError) || stored.size === 0) {
          throw error;
        }
        // The grid shows what is stored until the platform can be reached.
        unreachable = error;
        listed = [...stored].map(([profileId, countryCode]) => {
          const currencyCode = marketOf(countryCode)?.currency;
          return { profileId, countryCode, accountInfo: {}, ...(currencyCode && { currencyCode }) };
        });
      }
      const profiles = listed.map((profile) => ({
        stored: stored.has(profile.profileId),
        profile_id: profile.profileId,
        country_code: profile.countryCode,
        currency: profile.currencyCode ?? null,
        time_zone: timeZoneOf(profile),
        name: profile.accountInfo.name ?? null,
        type: profile.accountInfo.type ?? null,
      }));
      const failed = unreachable === undefined
        ? ads.regionFailures
        : [{ region: "all" as const, error: unreachable }];
      return {
        profiles: profiles.sort((a, b) => Number(b.stored) - Number(a.stored)),
        failures: failed.map(({ region, error }) => ({ region, message: error.message })),
      };
    },
  },
  {
    method: "GET",
    path: "/api/events",
    about:
      "Server-sent events: `progress` of plans that are sent, `plan` when the state of one changed, `draft` when edits of a profile changed, `sync` as `/api/sync` shows it, `rollout` when a plan of one begins or ends",
    gives: "a stream",
    run: ({ context, signal }) =>
      context.events.stream(
        [...context.jobs.current(), ...context.sync.current(), ...context.rollouts.current()],
        AbortSignal.any([signal, context.stop]),
      ),
  },
];

/** Milliseconds to wait for the login's profiles if stored profiles can be shown instead. */
const MAX_WAIT = 3000;

/** @throws {NetworkError} when it takes too long. */
async function inTime<T>(read: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const message = "Cannot list the profiles: the platform has not responded yet";
  const late = new NetworkError(message, { method: "GET", url: "", mayHaveActed: false, timedOut: true });
  const timer = setTimeout(() => stop.abort(late), MAX_WAIT);
  try {
    return await read(stop.signal);
  } finally {
    clearTimeout(timer);
  }
}

async function lastPull(context: ConsoleContext): Promise<string | null> {
  if (!hasStore(context)) return null;
  const pulls = await withStore(
    context,
    async (store) => (await store.coverage()).map(({ lastPull }) => lastPull),
  );
  return pulls.sort().at(-1) ?? null;
}

/** Countries of the profiles with stored figures or settings, by id. */
async function storedProfiles(context: ConsoleContext): Promise<ReadonlyMap<string, string>> {
  if (!hasStore(context)) return new Map();
  const profiles = await withStore(context, (store) => store.profiles());
  return new Map(profiles.map(({ profileId, countryCode }) => [profileId, countryCode]));
}

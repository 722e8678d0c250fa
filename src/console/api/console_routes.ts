import { timeZoneOf } from "../../markets.ts";
import type { Route } from "../http/route.ts";
import { keyState } from "../plans/approve_shown.ts";

/** Routes used by every page. */
export const CONSOLE_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/console",
    about: "Says what this console works on",
    gives:
      "`demo`, `rehearsal` (when the copy was taken), `read_only`, `approval_key`: none, open or passphrase",
    run: async ({ context }) => ({
      demo: context.emulator !== undefined,
      rehearsal: context.ads.platform.rehearsal ?? null,
      read_only: context.readOnly,
      approval_key: await keyState(context.key),
      store: context.storePlace.replace(/\/\/[^@/]*@/, "//"),
      now: new Date(context.now()).toISOString(),
    }),
  },
  {
    method: "GET",
    path: "/api/profiles",
    about: "Lists the advertising profiles that the login reaches",
    gives: "`profiles`, and `failures` of regions that could not be asked",
    run: async ({ context: { ads } }) => ({
      profiles: (await ads.profiles()).map((profile) => ({
        profile_id: profile.profileId,
        country_code: profile.countryCode,
        currency: profile.currencyCode ?? null,
        time_zone: timeZoneOf(profile),
        name: profile.accountInfo.name ?? null,
        type: profile.accountInfo.type ?? null,
      })),
      failures: ads.regionFailures.map(({ region, error }) => ({ region, message: error.message })),
    }),
  },
  {
    method: "GET",
    path: "/api/events",
    about: "Server-sent events: `progress` of plans that are sent, `plan` when the state of one changed",
    gives: "a stream",
    run: ({ context, signal }) =>
      context.events.stream(context.jobs.current(), AbortSignal.any([signal, context.stop])),
  },
];

import { jsonInput } from "../../../operations/model/field_schema.ts";
import { sync } from "../../../operations/reads/sync.ts";
import { ApiProblem, refusingBadInput } from "../http/responses.ts";
import { describedRoute } from "../http/operation_route.ts";
import type { ApiCall, Route } from "../http/route.ts";

const VIEW =
  "`state`: none, running, done, stopped or failed; `total`, `done` and `failed` reports, `rows`, the slowest reports that are `running`, `problems`, `summary`";

export const SYNC_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/sync",
    about:
      "Shows how far the sync of this console is, or how the last one ended; `sync` events have the same",
    gives: VIEW,
    run: ({ context }) => context.sync.view(),
  },
  {
    method: "POST",
    path: "/api/sync",
    about: "Starts a sync of the store, as `adsctl sync` does; refused with SYNC_RUNS while one runs",
    takes: {
      profiles: "ids of profiles; all of the login when absent",
      ...describedRoute(sync).takes,
    },
    gives: VIEW,
    changes: true,
    run: start,
  },
  {
    method: "POST",
    path: "/api/sync/stop",
    about: "Stops the sync; what is stored stays, and the next sync continues",
    gives: VIEW,
    changes: true,
    run: async ({ context }) => {
      context.sync.stop();
      await context.sync.settled();
      return context.sync.view();
    },
  },
];

async function start({ context, body }: ApiCall): Promise<unknown> {
  const wanted = textsOf(body, "profiles");
  const { profiles: _, ...values } = body;
  const input = await refusingBadInput(() => jsonInput(sync, values));
  const all = await context.ads.profiles();
  const unknown = (wanted ?? []).filter((id) => !all.some(({ profileId }) => profileId === id));
  if (unknown.length > 0) {
    throw new ApiProblem(404, "NO_PROFILE", `Cannot sync: the login has no profile ${unknown.join(", ")}`);
  }
  const chosen = all.filter(({ profileId }) => wanted === undefined || wanted.includes(profileId));
  if (chosen.length === 0) throw new ApiProblem(409, "NO_PROFILE", "Cannot sync: the login has no profiles");
  const profiles = await Promise.all(chosen.map(({ profileId }) => context.ads.profile(profileId)));
  const { now, stop } = context;
  context.sync.start(profiles, {
    store: context.store,
    input,
    now,
    ended: stop,
  });
  return context.sync.view();
}

function textsOf(body: ApiCall["body"], name: string): readonly string[] | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string")) return value;
  throw new ApiProblem(400, "BAD_REQUEST", `Cannot sync: "${name}" is not a list of texts`);
}

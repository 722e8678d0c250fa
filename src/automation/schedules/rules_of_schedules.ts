import { contentOf, contentText, type LiveRule, readRules } from "../../account/diff/live_rules.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { ScheduleState } from "./schedule_state.ts";

/** A platform rule written by a schedule, compared with its live state. */
export interface RuleStanding {
  /** Schedule that wrote the rule, by the schedule's name in the file. */
  readonly schedule: string;
  /** Name of the rule: `adsctl`, the schedule, the campaign id and a number. */
  readonly name: string;
  /** Id of the rule; `null` if it is missing. */
  readonly id: string | null;
  /** Id of the campaign whose bids the rule raises. */
  readonly campaignId: string;
  /** Content of the rule as last sent by a tick, as text; `null` if no tick of this store sent it. */
  readonly wanted: string | null;
  /** Live content of the rule, as text; `null` if the rule is missing. */
  readonly live: string | null;
  /**
   * `as_wanted`; `paused` — by a tick or a stop; `changed` — by someone else; `missing`; `not_sent` — a tick was
   * interrupted or refused, and the next one sends it; `not_tied` — not associated with its campaign, so it raises
   * nothing; `not_ours` — named like a rule of a schedule, but not in this store.
   */
  readonly state: "as_wanted" | "paused" | "changed" | "missing" | "not_sent" | "not_tied" | "not_ours";
}

/**
 * Lists the platform rules written by a profile's schedules, each compared with its live state. Reads only; no request
 * is made if no schedule has rules.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { rulesOfSchedules, ScheduleState } from "@platform/ads/schedules";
 *
 * async function changed(us: ProfileClient): Promise<void> {
 *   await using state = await ScheduleState.open("ads.sqlite");
 *   for (const { name, wanted, live, state: is } of await rulesOfSchedules(us, state)) {
 *     if (is === "changed") console.log(name, wanted, live);
 *   }
 * }
 * ```
 */
export async function rulesOfSchedules(
  profile: ProfileClient,
  state: Pick<ScheduleState, "rules">,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<RuleStanding[]> {
  const kept = await state.rules(profile.profileId);
  if (kept.size === 0) return [];
  const sent = new Map(
    [...kept].flatMap(([schedule, { contents, before }]) =>
      [...contents].map(([name, content]) =>
        [name, { schedule, content, before: before?.get(name) }] as const
      )
    ),
  );
  const campaignOf = (name: string): string => name.split(" ").at(-2) ?? "";
  const campaigns = [...new Set([...sent.keys()].map(campaignOf))];
  const { ours, tied } = await readRules(profile, campaigns, { signal, counts: false });
  const names = [...new Set([...sent.keys(), ...ours.keys()])].sort();
  return names.map((name) => {
    const live = ours.get(name);
    const last = sent.get(name);
    return {
      schedule: last?.schedule ?? live?.schedule ?? "",
      name,
      id: live?.id ?? null,
      campaignId: campaignOf(name),
      wanted: last === undefined ? null : contentText(last.content),
      live: live === undefined ? null : contentText(contentOf(live.rule)),
      state: stateOf(live, { ...last, isTied: tied.has(name) }),
    };
  });
}

function stateOf(
  live: LiveRule | undefined,
  { content, before, isTied }: {
    readonly content?: string;
    readonly before?: string | undefined;
    readonly isTied: boolean;
  },
): RuleStanding["state"] {
  if (live === undefined) return "missing";
  if (content === undefined) return "not_ours";
  const now = contentOf(live.rule);
  if (now !== content) return now === before ? "not_sent" : "changed";
  if (!isTied) return "not_tied";
  return live.rule["status"] === "PAUSED" ? "paused" : "as_wanted";
}

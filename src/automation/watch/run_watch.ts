import type { ProfileClient } from "../../client/profile_client.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import type { Alert } from "./alert.ts";
import { completeAlerts } from "./complete_alerts.ts";
import { deliverAlerts } from "./deliver_alerts.ts";
import { findAlerts, type FoundAlerts } from "./find_alerts.ts";
import type { TimerRun } from "./live_facts.ts";
import type { WatchFile, WatchRule } from "./watch_file.ts";
import { isFigureOver } from "./watch_names.ts";
import type { WatchState } from "./watch_state.ts";

/** Rules, sources and destinations for watching a profile. */
export interface WatchOptions {
  /** Rules and channels. */
  readonly file: WatchFile;
  /** Stored figures. */
  readonly store: Warehouse;
  /** Storage of alerts. */
  readonly state: WatchState;
  /** Stores of plans; proposals are saved in the first. @default none, and nothing is proposed */
  readonly plans?: readonly PlanStore[] | undefined;
  /** Path or address of the store, for rules about schedules. @default that of `store` */
  readonly place?: string | undefined;
  /** Reads the last run of each service timer for the profile. @default none, and rules over timers are not judged */
  readonly timers?: (() => Promise<readonly TimerRun[]>) | undefined;
  /** Environment, for addresses and secrets of channels. @default none */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Writes an alert for the standard output channel. @default a line with its title */
  readonly write?: ((alert: Alert) => void | Promise<void>) | undefined;
  /** Sends requests to channels. @default the runtime's */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Rewrites advice in alerts, for example to name commands instead of library functions. @default none are changed */
  readonly words?: ((advice: string) => string) | undefined;
  /** True to keep alerts below `urgent` for a later check, for example at night. @default false */
  readonly urgentOnly?: boolean | undefined;
  /** Aborts the check. */
  readonly signal?: AbortSignal | undefined;
}

/** Result of one check of a profile. */
export interface WatchResult {
  /** Alerts that are new. */
  readonly raised: readonly Alert[];
  /** Rules that could not be judged, and why. */
  readonly unjudged: readonly { readonly rule: string; readonly why: string }[];
  /** Number of successful deliveries, including alerts from earlier checks. */
  readonly delivered: number;
  /** Failed deliveries, which will be retried at a later check. */
  readonly failed: readonly { readonly id: string; readonly channel: string; readonly problem: string }[];
  /** True if another process is watching the profile; nothing was done. */
  readonly busy: boolean;
}

/**
 * Checks a profile once: evaluates the rules, stores new alerts, makes the plans that rules propose, and delivers
 * alerts. Sends nothing to the platform except plans of rules with `auto` that are named in the client's policy; other
 * proposals wait for a person. If a check is killed, the next one finishes it.
 *
 * @example
 * ```ts
 * import { PlanStore, type ProfileClient } from "@platform/ads";
 * import { Warehouse } from "@platform/ads/store";
 * import { loadWatch, runWatch, WatchState } from "@platform/ads/watch";
 *
 * async function look(us: ProfileClient): Promise<void> {
 *   const file = await loadWatch("watch.yaml");
 *   await using store = await Warehouse.open("ads.sqlite");
 *   await using state = await WatchState.open("ads.sqlite");
 *   const { raised, failed } = await runWatch(us, { file, store, state, plans: [PlanStore.open("plans")] });
 *   console.log(raised.map(({ title }) => title), failed.length);
 * }
 * ```
 */
export async function runWatch(profile: ProfileClient, options: WatchOptions): Promise<WatchResult> {
  const { file, state, store, plans = [], signal } = options;
  const { profileId } = profile;
  const now = profile.transport.now();
  const done = await state.alone(profileId, async () => {
    const { alerts, unjudged } = await findAlerts(file.rules, {
      profile,
      store,
      plans,
      place: options.place,
      timers: options.timers,
      console: file.console,
      words: options.words,
      now,
      signal,
    });
    const byName = new Map(file.rules.map((rule) => [rule.name, rule]));
    const raised = await state.raise(alerts.map((alert) => {
      const { quietDays, channels, propose } = byName.get(alert.rule)!;
      const needsMore = isFigureOver(alert.over) || (propose !== undefined && plans.length > 0);
      return { alert, quietDays, channels, isComplete: !needsMore };
    }));
    await closeSettled({ alerts, unjudged }, { profileId, byName, state, now });
    const complete = await completeAlerts(await state.incomplete(profileId), {
      ...{ profile, store, place: options.place, state, plans, byName, now, signal },
      words: options.words ?? ((advice) => advice),
    });
    const deliveries = await deliverAlerts({
      state,
      profileId,
      isOwn: ({ over }) => over !== "pacing",
      channels: file.channels,
      env: options.env ?? {},
      write: options.write ?? (({ title }) => console.log(title)),
      fetch: options.fetch,
      urgentOnly: options.urgentOnly,
      now,
      signal,
    });
    return {
      raised: raised.map((alert) => complete.get(alert.id) ?? alert),
      unjudged,
      ...deliveries,
      busy: false,
    };
  });
  return done?.result ?? { raised: [], unjudged: [], delivered: 0, failed: [], busy: true };
}

/** Closes alerts about states that no longer exist. Alerts about events stay open until a person closes them. */
async function closeSettled(
  { alerts, unjudged }: FoundAlerts,
  { profileId, byName, state, now }: {
    readonly profileId: string;
    readonly byName: ReadonlyMap<string, WatchRule>;
    readonly state: WatchState;
    readonly now: number;
  },
): Promise<void> {
  const found = new Set(alerts.map(({ rule, key }) => `${rule} ${key}`));
  const unknown = new Set(unjudged.map(({ rule }) => rule));
  const open = await state.list({ profileId, state: ["new", "seen", "snoozed"], limit: Infinity, now });
  const settled = open.filter(({ rule: name, key }) => {
    const rule = byName.get(name);
    if (rule === undefined || unknown.has(name) || found.has(`${name} ${key}`)) return false;
    return rule.over === "reports" || rule.figures.some(({ days, of }) => days > 1 && of === "window");
  });
  await state.mark(settled.map(({ id }) => id), { state: "closed", now, reason: "it no longer holds" });
}

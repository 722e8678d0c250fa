import type { ProfileClient } from "../client/profile_client.ts";
import type { PlanStore } from "../plans/store/plan_store.ts";
import type { Warehouse } from "../store/warehouse.ts";
import type { Alert } from "./alert.ts";
import { deliverAlerts } from "./deliver_alerts.ts";
import { findAlerts, type FoundAlerts } from "./find_alerts.ts";
import { proposePlan } from "./propose_plan.ts";
import type { WatchFile, WatchRule } from "./watch_file.ts";
import type { WatchState } from "./watch_state.ts";

/** Rules, sources and destinations of a watched profile. */
export interface WatchOptions {
  /** Rules and channels. */
  readonly file: WatchFile;
  /** Stored figures. */
  readonly store: Warehouse;
  /** Storage of alerts. */
  readonly state: WatchState;
  /** Stores of plans; proposals are saved in the first. @default none, and nothing is proposed */
  readonly plans?: readonly PlanStore[] | undefined;
  /** Environment, for addresses and secrets of channels. @default none */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Writes an alert for the channel of standard output. @default a line with its title */
  readonly write?: ((alert: Alert) => void | Promise<void>) | undefined;
  /** Sends requests to channels. @default the runtime's */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** True to keep alerts below `urgent` for a later look, for example at night. @default false */
  readonly urgentOnly?: boolean | undefined;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

/** One look at a profile. */
export interface WatchResult {
  /** Alerts that are new. */
  readonly raised: readonly Alert[];
  /** Rules that could not be judged, and why. */
  readonly unjudged: readonly { readonly rule: string; readonly why: string }[];
  /** Deliveries that were made, also of alerts of earlier looks. */
  readonly delivered: number;
  /** Deliveries that failed, and are tried again at a later look. */
  readonly failed: readonly { readonly id: string; readonly channel: string; readonly problem: string }[];
  /** True where another program watches the profile at this moment, and nothing was done. */
  readonly busy: boolean;
}

/**
 * Looks at a profile once: judges the rules, keeps what is new, makes the plans that rules propose, and delivers. Nothing
 * is sent to the platform; a proposal waits for a person. A look that was killed is finished by the next.
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
    const { alerts, unjudged } = await findAlerts(file.rules, { profile, store, plans, now, signal });
    const byName = new Map(file.rules.map((rule) => [rule.name, rule]));
    const raised = await state.raise(alerts.map((alert) => {
      const { quietDays, channels, propose } = byName.get(alert.rule)!;
      return { alert, quietDays, channels, isComplete: propose === undefined || plans.length === 0 };
    }));
    await closeSettled({ alerts, unjudged }, { profileId, byName, state, now });
    const complete = await makeProposals(await state.incomplete(profileId), { byName, profile, options });
    const deliveries = await deliverAlerts({
      state,
      profileId,
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

/** Closes alerts of rules over lasting states that a look does not find any more. Those over events wait for a person. */
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
  const open = await state.list({ profileId, state: ["new", "seen", "snoozed"], limit: 1000, now });
  const settled = open.filter(({ rule: name, key }) => {
    const rule = byName.get(name);
    if (rule === undefined || unknown.has(name) || found.has(`${name} ${key}`)) return false;
    return rule.over === "reports" || rule.figures.some(({ days, of }) => days > 1 && of === "window");
  });
  await state.mark(settled.map(({ id }) => id), { state: "closed", now, reason: "it no longer holds" });
}

/** Makes one plan a rule for its alerts, and keeps the alerts with its id. */
async function makeProposals(
  alerts: readonly Alert[],
  { byName, profile, options }: {
    readonly byName: ReadonlyMap<string, WatchRule>;
    readonly profile: ProfileClient;
    readonly options: WatchOptions;
  },
): Promise<Map<string, Alert>> {
  const { store, state, plans: [folder] = [], signal } = options;
  const done = new Map<string, Alert>();
  for (const [name, own] of Map.groupBy(alerts, ({ rule }) => rule)) {
    const rule = byName.get(name);
    let line = "No plan was made: the rule is not in the file any more";
    let planId: string | null = null;
    if (rule?.propose !== undefined && folder !== undefined) {
      try {
        const plan = await proposePlan(rule, own, { profile, store, signal });
        line = "Proposed: nothing, for the job found nothing to change";
        if (plan.changes.length > 0) {
          await folder.save(plan);
          planId = plan.id;
          line = `Proposed: plan ${plan.id} with ${plan.changes.length} changes, which waits for a person`;
        }
      } catch (error) {
        signal?.throwIfAborted();
        line = `No plan could be made: ${(error as Error).message}`;
      }
    }
    for (const alert of own) {
      const complete = { ...alert, planId, text: `${alert.text}\n${line}` };
      await state.complete(complete);
      done.set(alert.id, complete);
    }
  }
  return done;
}

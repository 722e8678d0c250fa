import { basename } from "node:path";
import type { ProfileClient } from "../../../client/profile_client.ts";
import { dayIn } from "../../../base/time/calendar.ts";
import type { ScriptResult } from "../../scripts/run_script.ts";
import type { Alert } from "../../watch/alert.ts";
import { deliverAlerts } from "../../watch/deliver_alerts.ts";
import { alertId } from "../../watch/find_alerts.ts";
import { loadWatch, type WatchChannel } from "../../watch/watch_file.ts";
import { WatchState } from "../../watch/watch_state.ts";
import { isHeld, type WorkParts, type WorkRun } from "../model/work_run.ts";

const OUT: WatchChannel = { name: "out", kind: "stdout" };
const KEY = 200;

interface ScriptRun {
  readonly profile: Pick<ProfileClient, "profileId" | "countryCode" | "timeZone" | "transport">;
  readonly name: string;
  readonly state: WatchState;
  readonly channels?: readonly WatchChannel[] | undefined;
}

export async function keepScriptAlerts(
  { alerts, plans: made }: Pick<ScriptResult, "alerts" | "plans">,
  { profile, name, state, channels = [] }: ScriptRun,
): Promise<readonly Alert[]> {
  const { profileId, countryCode, timeZone } = profile;
  const now = profile.transport.now();
  const day = dayIn(timeZone, now);
  const found = await Promise.all(alerts.map(async ({ title, text = "", severity = "warning" }) => ({
    alert: {
      id: await alertId([profileId, name, title, day]),
      at: new Date(now).toISOString(),
      profileId,
      countryCode,
      rule: name,
      over: "script" as const,
      severity,
      key: title.slice(0, KEY),
      subject: "",
      day,
      since: day,
      title: `${countryCode}: ${title}`,
      text,
      facts: {},
      planId: made.length === 1 ? made[0]?.id ?? null : null,
    },
    quietDays: 1,
    channels: channels.map((channel) => channel.name),
    isComplete: true,
  })));
  return await state.raise(found);
}

/**
 * Saves alerts in the inbox, then delivers them. Failed deliveries are retried by the `watch` timer, so the script
 * need not run again. An identical alert is saved only once per day.
 */
export async function tellAlerts(
  result: ScriptResult,
  run: WorkRun,
  { place, env, fetch, onAlert }: WorkParts,
): Promise<{ readonly raised: readonly Alert[]; readonly failed: readonly { readonly channel: string }[] }> {
  if (result.alerts.length === 0) return { raised: [], failed: [] };
  const { profile, timer, file, now, signal } = run;
  const { profileId } = profile;
  const rules = file.timers.find(({ work }) => work === "watch")?.file;
  const channels = rules === undefined ? [OUT] : (await loadWatch(rules)).channels;
  const name = basename(timer.file ?? timer.name);
  const state = await WatchState.open(place);
  try {
    const raised = await keepScriptAlerts(result, { profile, name, state, channels });
    const { failed } = await deliverAlerts({
      state,
      profileId,
      isOwn: ({ over }) => over === "script",
      channels,
      env: env ?? {},
      write: onAlert ?? (({ title }) => console.log(title)),
      fetch,
      // Only the timer `watch` comes back to what waits for the morning.
      urgentOnly: rules !== undefined && isHeld(run),
      now,
      signal,
    });
    return { raised, failed };
  } finally {
    await state.close();
  }
}

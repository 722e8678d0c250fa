import { counted } from "../../../base/text/money_text.ts";
import type { Unit } from "./unit.ts";

/** Raises alerts by rules. */
export const watch = {
  usual: { at: "hourly" },
  file: {
    name: "watch.yaml",
    what: "rule file",
    key: "rules",
    library: 'await loadWatch("watch.yaml")',
    starter: async () => (await import("../../watch/ready_rules.ts")).READY_RULES,
    next: ["Check it once", "run", "-m", "US"],
    read: async (text, source) => {
      const { parseWatch } = await import("../../watch/watch_file.ts");
      const { rules, channels } = parseWatch(text, source);
      return { holds: `${counted(rules.length, "rule")}, ${counted(channels.length, "channel")}`, channels };
    },
  },
  after: ["sync", "entities"],
  run: async (run, { place, store, plans, env, fetch, onAlert }) => {
    const { runWatch } = await import("../../watch/run_watch.ts");
    const { loadWatch } = await import("../../watch/watch_file.ts");
    const { WatchState } = await import("../../watch/watch_state.ts");
    const { ServiceState } = await import("../model/service_state.ts");
    const { isHeld } = await import("../model/work_run.ts");
    const { throwUndelivered } = await import("./throw_undelivered.ts");
    const { profile, timer, signal } = run;
    const rules = await loadWatch(timer.file!);
    const state = await WatchState.open(place);
    const found = await runWatch(profile, {
      file: rules,
      store,
      state,
      plans: [plans],
      place,
      // The look itself is under way, and says nothing yet.
      timers: async () =>
        (await ServiceState.read(place, profile.profileId)).filter((one) => one.timer !== timer.name),
      env,
      fetch,
      write: onAlert,
      urgentOnly: isHeld(run),
      signal,
    }).finally(() => state.close());
    const { raised, delivered, failed, unjudged, busy } = found;
    if (busy) return "Skipped: another program was checking the rules";
    throwUndelivered(failed, rules.channels);
    const left = failed.length === 0
      ? ""
      : `, ${failed.length} for ${failed[0]!.channel}, which is not in the file`;
    const unjudgedText = unjudged.length === 0 ? "" : `, ${counted(unjudged.length, "rule")} not judged`;
    return `${counted(raised.length, "new alert")}, ${delivered} delivered${left}${unjudgedText}`;
  },
} satisfies Unit;

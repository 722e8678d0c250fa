import { counted } from "../../../base/text/money_text.ts";
import type { Unit } from "./unit.ts";

const STARTER = `# Pacing: an amount for a month or other dates, spent evenly.
# Check it with "adsctl auto check pacing", look at it with "adsctl auto show pacing".
version: 1
budgets:
  all:
    amount: 3000 # for each calendar month, in the profile's currency
    # currency: USD # refuses a profile of another currency
    # from: 2026-11-20 # dates other than months
    # to: 2026-12-02
    # select: { portfolios: ["Kitchen*"] } # also ids, names, labels (tags), products; otherwise the whole profile
    weekdays: learned # or a share for each day: { sat: 0.7, sun: 0.7 }
    max_step: 20% # largest change of a daily budget per day
    # floor: 5 # lowest daily budget; ceiling is the highest
    # ceiling: 200
    over: alert # lower: lowers daily budgets; pause: also pauses campaigns when the amount is spent
    alerts: [70, 90, 100] # percent of the amount
# channels: # as in watch.yaml; default: standard output
#   team: { kind: slack, url_env: TEAM_URL }
`;

/** Spends an amount evenly. */
export const pacing = {
  usual: { at: "nightly 05:00" },
  file: {
    name: "pacing.yaml",
    what: "pacing file",
    key: "budgets",
    library: 'await loadPacing("pacing.yaml")',
    starter: () => STARTER,
    next: ["Set your amount, then run", "show", "-m", "US"],
    read: async (text, source) => {
      const { parsePacing } = await import("../../pacing/pacing_file.ts");
      const { budgets, channels } = parsePacing(text, source);
      const names = budgets.map(({ name, over }) => `${name}: ${over}`).join(", ");
      return { holds: `${counted(budgets.length, "amount")} (${names})`, channels };
    },
  },
  after: ["sync", "entities"],
  run: async (run, { place, store, plans, env, fetch, onAlert }) => {
    const { loadPacing } = await import("../../pacing/pacing_file.ts");
    const { runPacing } = await import("../../pacing/run_pacing.ts");
    const { isHeld } = await import("../model/work_run.ts");
    const { throwUndelivered } = await import("./throw_undelivered.ts");
    const { profile, timer, signal } = run;
    const budgets = await loadPacing(timer.file!);
    const { result, kept, refused, unjudged, raised, failed, busy } = await runPacing(profile, {
      file: budgets,
      store,
      state: place,
      plans,
      env,
      fetch,
      write: onAlert,
      urgentOnly: isHeld(run),
      signal,
    });
    if (busy) return "Skipped: another program was moving budgets";
    if (result?.ok === false) throw new Error(result.summary().split("\n")[0]!);
    throwUndelivered(failed, budgets.channels);
    const left = [...kept, ...refused];
    return [
      result === undefined ? "Nothing to move" : counted(result.changes.length, "change"),
      counted(raised.length, "new alert"),
      ...(left.length === 0 ? [] : [`${left.length} left alone: ${left[0]!.why}`]),
      ...(unjudged.length === 0 ? [] : [`${unjudged[0]!.name} not judged: ${unjudged[0]!.why}`]),
    ].join("; ");
  },
} satisfies Unit;

import { counted } from "../../../base/text/money_text.ts";
import type { Unit } from "./unit.ts";

/** Stores the reports of a profile. */
export const sync = {
  usual: { at: "nightly 04:00", note: "yesterday's reports, and restated days" },
  run: async ({ profile, file: { reports, reporting, hours, months }, signal }, { store, poll }) => {
    const result = await store.sync([profile], {
      reports: reports as never,
      reporting,
      hours,
      months,
      signal,
      poll,
      maxPoll: poll,
    });
    const [failure] = result.failures;
    signal.throwIfAborted();
    if (failure !== undefined) {
      const count = result.failures.length;
      throw new Error(
        `${count} of ${result.outcomes.length} reports are not stored, first ${failure.report}: ${
          failure.error?.message ?? failure.state
        }`,
      );
    }
    return `${counted(result.outcomes.length, "report")}, ${counted(result.rows, "row")}`;
  },
} satisfies Unit;

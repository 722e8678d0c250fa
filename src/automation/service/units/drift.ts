import { counted } from "../../../base/text/money_text.ts";
import type { Unit } from "./unit.ts";

const DAY = 86_400_000;

/** Looks for changes that no plan made. */
export const drift = {
  usual: { at: "hourly", note: "changes that no plan made" },
  run: async ({ profile, since, now, signal }, { store, plans }) => {
    const { accountDrift } = await import("../../../account/diff/account_drift.ts");
    const { entries } = await accountDrift(profile, {
      since: since ?? now - DAY,
      plans: [plans],
      store,
      signal,
    });
    const others = entries.filter(({ by }) => by === "other");
    const [first] = others;
    const named = first === undefined ? "" : `, first ${first.change} of ${first.label}`;
    return `${counted(entries.length, "change")}, ${others.length} by others${named}`;
  },
} satisfies Unit;

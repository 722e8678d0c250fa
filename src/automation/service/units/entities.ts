import { counted } from "../../../base/text/money_text.ts";
import type { Unit } from "./unit.ts";

/** Stores the entities of a profile. */
export const entities = {
  usual: {
    at: "{ at: nightly 04:30, missed: run }",
    note: "campaigns to ads; missed: skip drops missed runs",
  },
  run: async ({ profile, signal }, { store, poll }) => {
    const { entities, entityFailures } = await store.sync([profile], { entities: "only", signal, poll });
    signal.throwIfAborted();
    const [failure] = entityFailures;
    if (failure !== undefined) {
      throw new Error(`Some kinds are not stored, first ${failure.kind}: ${failure.state}`);
    }
    return counted(entities.length, "kind");
  },
} satisfies Unit;

import type { ResourceSpec } from "../resource_spec.ts";

/** States of everything in Sponsored Display. */
export const SD_STATES: Pick<ResourceSpec, "defaultStates" | "stateCase" | "settableStates"> = {
  defaultStates: ["enabled", "paused"],
  stateCase: "lower",
  settableStates: ["ENABLED", "PAUSED"],
};

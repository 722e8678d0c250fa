import type { ResourceSpec } from "../model/resource_spec.ts";

/** How states work in Sponsored Products: archived entities are listed only on request. */
export const SP_STATES: Pick<ResourceSpec, "defaultStates" | "stateCase" | "settableStates"> = {
  defaultStates: ["ENABLED", "PAUSED"],
  stateCase: "upper",
  settableStates: ["ENABLED", "PAUSED", "PROPOSED"],
};

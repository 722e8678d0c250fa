import type { ResourceSpec } from "../model/resource_spec.ts";

/** Archived entities are only listed on request. */
export const SP_STATES: Pick<ResourceSpec, "defaultStates" | "stateCase" | "settableStates"> = {
  defaultStates: ["ENABLED", "PAUSED"],
  stateCase: "upper",
  settableStates: ["ENABLED", "PAUSED", "PROPOSED"],
};

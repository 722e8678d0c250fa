import type { ResourceSpec } from "../model/resource_spec.ts";

/** States of Sponsored Products entities: upper case, archived ones listed only when asked for. */
export const SP_STATES: Pick<ResourceSpec, "defaultStates" | "stateCase" | "settableStates"> = {
  defaultStates: ["ENABLED", "PAUSED"],
  stateCase: "upper",
  settableStates: ["ENABLED", "PAUSED", "PROPOSED"],
};

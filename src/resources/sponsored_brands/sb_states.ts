import type { ResourceSpec } from "../resource_spec.ts";

/** States of Sponsored Brands campaigns, ad groups and ads. */
export const SB_STATES: Pick<ResourceSpec, "defaultStates" | "stateCase" | "settableStates"> = {
  defaultStates: ["ENABLED", "PAUSED"],
  stateCase: "upper",
  settableStates: ["ENABLED", "PAUSED"],
};

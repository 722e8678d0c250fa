import { jsonWire } from "../json_wire.ts";
import { nameLabel } from "../label.ts";
import type { ResourceSpec } from "../resource_spec.ts";

/** Portfolios: every state is listed by default, a state filter takes one state, and nothing archives them. */
export const portfolios: ResourceSpec = {
  kind: "portfolios",
  noun: "portfolio",
  idField: "portfolioId",
  idFields: ["portfolioId"],
  updatable: ["name", "state", "budget", "budgetControls"],
  numeric: [],
  defaultStates: null,
  stateCase: "upper",
  settableStates: ["ENABLED", "PAUSED"],
  filters: ["name", "extended"],
  label: nameLabel,
  wire: jsonWire({
    path: "/portfolios",
    mediaType: "application/vnd.spPortfolio.v3+json",
    collection: "portfolios",
    idFilter: "portfolioIdFilter",
    resultIdField: "portfolioId",
    stateLimit: 1,
    sizedPages: false,
    writeLimit: 100,
    archivable: false,
  }),
};

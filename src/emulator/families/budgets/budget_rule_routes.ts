import type { Context } from "../../routing/context.ts";
import type { HttpResponse } from "../../http/http_response.ts";
import type { Route } from "../../routing/route.ts";
import {
  addBudgetRules,
  createBudgetRules,
  getBudgetRule,
  listAllBudgetRules,
  listBudgetRules,
  listCampaignsOfRule,
  removeBudgetRule,
  updateBudgetRules,
} from "./budget_rules.ts";
import type { Program } from "./rule_ties.ts";

const JSON_TYPES = ["application/json"];

const PROGRAMS: readonly (readonly [program: Program, api: string, word: string])[] = [
  ["sp", "sponsored-products", "SP"],
  ["sb", "sponsored-brands-v4", "SB"],
  ["sd", "sponsored-display", "SD"],
];

type Step = readonly [
  name: (word: string) => string,
  method: Route["method"],
  path: string,
  handle: (program: Program, context: Context) => HttpResponse,
];

const STEPS: readonly Step[] = [
  [(word) => `Get${word}BudgetRulesForAdvertiser`, "GET", "/budgetRules", listAllBudgetRules],
  [(word) => `CreateBudgetRulesFor${word}Campaigns`, "POST", "/budgetRules", createBudgetRules],
  [(word) => `UpdateBudgetRulesFor${word}Campaigns`, "PUT", "/budgetRules", updateBudgetRules],
  [
    (word) => `GetBudgetRuleByRuleIdFor${word}Campaigns`,
    "GET",
    "/budgetRules/{budgetRuleId}",
    getBudgetRule,
  ],
  [
    (word) => `GetCampaignsAssociatedWith${word}BudgetRule`,
    "GET",
    "/budgetRules/{budgetRuleId}/campaigns",
    listCampaignsOfRule,
  ],
  [
    (word) => `ListAssociatedBudgetRulesFor${word}Campaigns`,
    "GET",
    "/campaigns/{campaignId}/budgetRules",
    listBudgetRules,
  ],
  [
    (word) => `CreateAssociatedBudgetRulesFor${word}Campaigns`,
    "POST",
    "/campaigns/{campaignId}/budgetRules",
    addBudgetRules,
  ],
  [
    (word) => `DisassociateAssociatedBudgetRuleFor${word}Campaigns`,
    "DELETE",
    "/campaigns/{campaignId}/budgetRules/{budgetRuleId}",
    removeBudgetRule,
  ],
];

/** Budget rules of all three products, and the campaigns that they are tied to. */
export const BUDGET_RULE_ROUTES: readonly Route[] = PROGRAMS.flatMap(([program, api, word]) =>
  STEPS.map(([name, method, path, handle]): Route => ({
    operation: `${api}:${name(word)}`,
    method,
    path: `/${program}${path}`,
    ...(method === "POST" || method === "PUT" ? { requestTypes: JSON_TYPES } : {}),
    responseTypes: JSON_TYPES,
    errors: "details",
    handle: (context) => handle(program, context),
  }))
);

import { byIdOf, idOf, requiredId } from "../../base/json/id_of.ts";
import type { ProfileClient } from "../../client/profile_client.ts";

/** How to read one type of platform rule. Rules are not plan entities, so they need their own read operations. */
interface RuleSource {
  readonly collection: string;
  readonly what: string;
  readonly read: () => Promise<Record<string, unknown>[]>;
}

type Fields = Record<string, unknown>;

export function readRules(
  profile: ProfileClient,
  { hasDisplay, signal }: { hasDisplay: boolean; signal: AbortSignal | undefined },
): RuleSource[] {
  const all = async (operation: string, field: string | undefined, call: Call = {}): Promise<Fields[]> => {
    const { body, ...options } = call;
    const found: Fields[] = [];
    for await (
      const page of profile.pages(operation, body, {
        ...options,
        ...(signal === undefined ? {} : { signal }),
      })
    ) {
      const list = field === undefined ? page : (page as Fields | undefined)?.[field];
      if (Array.isArray(list)) found.push(...list);
    }
    return found;
  };
  const budgetRules = async (api: string, program: string): Promise<Fields[]> => {
    const rules = await all(
      `${api}:Get${program}BudgetRulesForAdvertiser`,
      "budgetRulesForAdvertiserResponse",
      {
        query: { pageSize: 30 },
      },
    );
    for (const [budgetRuleId, rule] of byIdOf(rules, "ruleId")) {
      const tied = await all(`${api}:GetCampaignsAssociatedWith${program}BudgetRule`, "associatedCampaigns", {
        pathParams: { budgetRuleId },
        query: { pageSize: 30 },
      });
      rule["campaignIds"] = tied.flatMap((one) => idOf(one, "campaignId") ?? []);
    }
    return rules;
  };
  const brandsRules = async (): Promise<Fields[]> => {
    const rules = await all("sponsored-brands-v4:ListSponsoredBrandsOptimizationRules", "optimizationRules", {
      body: {},
    });
    return rules.map((rule) => ({ ties: [], ...rule }));
  };
  return [
    {
      collection: "sp.budget_rules",
      what: "the budget rules of Sponsored Products",
      read: () => budgetRules("sponsored-products", "SP"),
    },
    {
      collection: "sb.budget_rules",
      what: "the budget rules of Sponsored Brands",
      read: () => budgetRules("sponsored-brands-v4", "SB"),
    },
    {
      collection: "sb.optimization_rules",
      what: "the optimization rules of Sponsored Brands",
      read: brandsRules,
    },
    {
      collection: "sb.themes",
      what: "the themes of Sponsored Brands",
      read: () => all("sponsored-brands-v3:sbListThemes", "themes", { body: {} }),
    },
    ...(hasDisplay
      ? [{
        collection: "sd.budget_rules",
        what: "the budget rules of Sponsored Display",
        read: () => budgetRules("sponsored-display", "SD"),
      }, {
        collection: "sd.creatives",
        what: "the creatives of Sponsored Display",
        read: async () =>
          (await all("sponsored-display:listCreatives", undefined)).map((one) => ({
            state: "enabled",
            ...one,
            // A bare number on the wire, unlike that of the ad group itself.
            adGroupId: requiredId(one, "adGroupId"),
          })),
      }, {
        collection: "sd.optimization_rules",
        what: "the optimization rules of Sponsored Display",
        read: () => all("sponsored-display:listOptimizationRules", undefined),
      }]
      : []),
  ];
}

interface Call {
  readonly body?: unknown;
  readonly pathParams?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
}

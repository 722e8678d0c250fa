import { PlatformAdsError } from "../../errors.ts";
import { byIdOf, idOf } from "../../base/json/id_of.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import { counted } from "../../base/text/money_text.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { EntityFields } from "../../plans/model/change.ts";
import { readRules } from "../diff/live_rules.ts";

/** Campaigns whose bids or budgets are changed by platform rules. */
export interface PlatformRules {
  /** Reason why the bids of a campaign are left alone, by campaign id. */
  readonly bids: ReadonlyMap<string, string>;
  /** Campaigns whose daily budgets a budget rule raises. */
  readonly budgets: ReadonlySet<string>;
  /** Reason why rules could not be read; `undefined` if all were read. */
  readonly unread: string | undefined;
}

/**
 * Finds the campaigns whose bids or budgets the platform changes itself: by schedule rules that adsctl did not write,
 * by budget rules, or by rule-based bidding (`RULE_BASED`).
 */
export async function platformRules(
  profile: ProfileClient,
  campaigns: ReadonlyMap<string, EntityFields>,
  signal: AbortSignal | undefined,
): Promise<PlatformRules> {
  const bids = new Map<string, string>();
  for (const [id, fields] of campaigns) {
    if (fieldsOf(fields["dynamicBidding"])["strategy"] !== "RULE_BASED") continue;
    bids.set(id, "The platform sets the bids of its campaign by a rule (RULE_BASED)");
  }
  const budgets = new Set<string>();
  const unread: string[] = [];
  const read = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof PlatformAdsError) || signal?.aborted) throw error;
      unread.push(`${what}: ${error.message.split("\n")[0]}`);
    }
  };
  await read("schedule rules", async () => {
    const { others } = await readRules(profile, [...campaigns.keys()], { signal });
    for (const [id, count] of others) {
      if (count > 0 && !bids.has(id)) {
        bids.set(id, "A schedule rule of the platform raises bids of its campaign");
      }
    }
  });
  await read("budget rules", async () => {
    for (const id of await campaignsWithBudgetRules(profile, signal)) {
      if (campaigns.has(id)) budgets.add(id);
    }
  });
  return { bids, budgets, unread: unread.length === 0 ? undefined : unread.join("; ") };
}

const RULES = "sponsored-products:GetSPBudgetRulesForAdvertiser";
const TIES = "sponsored-products:GetCampaignsAssociatedWithSPBudgetRule";
const PAGE = { pageSize: 30 };

async function campaignsWithBudgetRules(
  profile: ProfileClient,
  signal: AbortSignal | undefined,
): Promise<Set<string>> {
  const options = signal === undefined ? {} : { signal };
  const list = (page: unknown, field: string): Record<string, unknown>[] => {
    const rows = fieldsOf(page)[field];
    return Array.isArray(rows) ? rows.map(fieldsOf) : [];
  };
  const rules: Record<string, unknown>[] = [];
  for await (const page of profile.pages(RULES, undefined, { ...options, query: PAGE })) {
    rules.push(...list(page, "budgetRulesForAdvertiserResponse"));
  }
  const found = new Set<string>();
  for (const [budgetRuleId, { ruleState }] of byIdOf(rules, "ruleId")) {
    if (ruleState === "PAUSED") continue;
    const call = { ...options, pathParams: { budgetRuleId }, query: PAGE };
    for await (const page of profile.pages(TIES, undefined, call)) {
      for (const one of list(page, "associatedCampaigns")) found.add(idOf(one, "campaignId") ?? "");
    }
  }
  return found;
}

/** Returns warnings about bids and budgets that platform rules change. */
export function ruleWarnings(
  name: string,
  { budgets, unread }: PlatformRules,
  { campaigns, hasMonth }: {
    readonly campaigns: readonly { readonly id: string }[];
    readonly hasMonth: boolean;
  },
): string[] {
  const own = campaigns.filter(({ id }) => budgets.has(id));
  return [
    ...(own.length === 0 ? [] : [
      `${name}: budget rules of the platform raise ${counted(own.length, "daily budget")}` +
      (hasMonth ? "; limits.month does not count what a rule adds" : ", which this goal leaves alone"),
    ]),
    ...(unread === undefined ? [] : [
      `${name}: rules of the platform could not be read, so campaigns that they move are not known (${unread})`,
    ]),
  ];
}

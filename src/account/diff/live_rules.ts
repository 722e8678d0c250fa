import { idKey } from "../../base/json/id_of.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";

export const RULE_PREFIX = "adsctl";
export const RULE_API = "sponsored-products";
const MAX_FILTER = 100;

export type Rule = Readonly<Record<string, unknown>>;

export interface LiveRule {
  readonly name: string;
  readonly id: string;
  readonly schedule: string;
  readonly campaignId: string;
  readonly rule: Rule;
}

export function contentOf(rule: Rule): string {
  const recurrence = fieldsOf(rule["recurrence"]);
  const details = fieldsOf(fieldsOf(rule["action"])["actionDetails"]);
  const [window] = Array.isArray(recurrence["timesOfDay"]) ? recurrence["timesOfDay"] : [];
  const { startTime = "00:00", endTime = "24:00" } = fieldsOf(window);
  const days = Array.isArray(recurrence["daysOfWeek"]) ? recurrence["daysOfWeek"].map(String).toSorted() : [];
  const { endTime: ends, eventId } = fieldsOf(recurrence["duration"]);
  const limits = [ends, eventId, rule["conditions"]].map((one) => one ?? null);
  return JSON.stringify([
    rule["status"],
    details["value"],
    days.join(" "),
    startTime,
    endTime,
    // Rules of schedules have none of these.
    ...(limits.some((one) => one !== null && !(Array.isArray(one) && one.length === 0)) ? limits : []),
  ]);
}

/** Formats the content of a rule as text, for example `enabled, +100 %, 06:00-24:00, MONDAY TUESDAY`. */
export function contentText(content: string): string {
  const parts: unknown = JSON.parse(content);
  const [status, value, days, from, to, ends, eventId, conditions] = Array.isArray(parts) ? parts : [];
  return [
    String(status).toLowerCase(),
    `+${value} %`,
    `${from}-${to}`,
    ...(days === "" ? [] : [String(days)]),
    ...(typeof ends === "string" ? [`until ${ends}`] : []),
    ...(typeof eventId === "string" ? [`on ${eventId}`] : []),
    ...(Array.isArray(conditions) && conditions.length > 0 ? [`with ${conditions.length} conditions`] : []),
  ].join(", ");
}

export function isOn(rule: Rule): boolean {
  return rule["status"] === "ENABLED" || rule["status"] === "SCHEDULED";
}

export interface RulesNow {
  readonly ours: ReadonlyMap<string, LiveRule>;
  readonly tied: ReadonlySet<string>;
  readonly others: ReadonlyMap<string, number>;
}

export async function readRules(
  profile: ProfileClient,
  campaigns: readonly string[],
  { signal, counts = true }: {
    readonly signal?: AbortSignal | undefined;
    readonly counts?: boolean | undefined;
  } = {},
): Promise<RulesNow> {
  const search = async (filter: Rule): Promise<Rule[]> => {
    const found: Rule[] = [];
    const body = { ...filter, maxResults: 300 };
    const options = signal === undefined ? {} : { signal };
    for await (const page of profile.pages(`${RULE_API}:SearchOptimizationRules`, body as never, options)) {
      const list = fieldsOf(page)["optimizationRules"];
      if (Array.isArray(list)) found.push(...list.map(fieldsOf));
    }
    return found;
  };
  const ours = new Map<string, LiveRule>();
  const named = await search({
    optimizationRuleFilter: { ruleName: { filterType: "BROAD_MATCH", values: [`${RULE_PREFIX} `] } },
  });
  for (const rule of named) {
    const live = liveRule(rule);
    if (live !== undefined) ours.set(live.name, live);
  }
  const tied = new Set<string>();
  const others = new Map<string, number>();
  const byCampaigns = (ids: readonly string[]): Promise<Rule[]> =>
    search({ campaignFilter: { campaignId: { filterType: "EXACT_MATCH", values: ids } } });
  for (let at = 0; at < campaigns.length; at += MAX_FILTER) {
    const part = campaigns.slice(at, at + MAX_FILTER);
    const found = await byCampaigns(part);
    for (const rule of found) {
      const live = liveRule(rule);
      if (live !== undefined) tied.add(live.name);
    }
    const isOther = (rule: Rule): boolean =>
      liveRule(rule) === undefined && rule["ruleSubCategory"] === "SCHEDULE" && isOn(rule);
    if (!counts || !found.some(isOther)) continue;
    // A rule does not name its campaigns: where others have rules, each campaign is read by itself.
    for (const id of part) others.set(id, (await byCampaigns([id])).filter(isOther).length);
  }
  return { ours, tied, others };
}

export function liveRule(rule: Rule): LiveRule | undefined {
  const name = String(rule["ruleName"] ?? "");
  const [, schedule, campaignId] = new RegExp(`^${RULE_PREFIX} (\\S+) (\\d+) \\d+$`).exec(name) ?? [];
  if (schedule === undefined || campaignId === undefined) return undefined;
  // What a plan made has its id beside it.
  return { name, id: idKey(rule, "optimizationRuleId"), schedule, campaignId, rule };
}

import { ConfigurationError } from "../../errors.ts";
import { idKey, idOf } from "../../base/json/id_of.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import { capital } from "../../base/text/capital.ts";
import { counted } from "../../base/text/money_text.ts";
import { marketOf } from "../../base/markets/markets.ts";
import { KINDS } from "../../client/entities/kinds/kinds.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { EntityFields } from "../../plans/model/change.ts";
import { holderOf, holderText } from "../../plans/model/experiment.ts";
import { isSelected } from "../../plans/policy/campaign_select.ts";
import { namePattern } from "../../plans/policy/name_pattern.ts";
import { dailyBudget } from "../jobs/budget_pressure.ts";
import type { LeftOut } from "../jobs/job_result.ts";
import { type Places, readPlaces, stoppedPlace } from "../jobs/places.ts";
import type { Goal, GoalsFile } from "./goals_file.ts";
import { platformRules, ruleWarnings } from "./platform_rules.ts";

const SCHEDULED_TEXT =
  "A schedule moves its bid by the hour, so it stays; its clicks count with the mean bid of each week";

const GOAL_KINDS = ["sp.keywords", "sp.targets"] as const;

export interface GoalEntity {
  readonly kind: typeof GOAL_KINDS[number];
  readonly id: string;
  readonly label: string;
  readonly fields: EntityFields;
  readonly campaignId: string;
  readonly adGroupId: string;
  readonly bid: number;
  readonly isInherited: boolean;
  readonly products: readonly GoalProduct[];
  readonly locked: Pick<LeftOut, "reason" | "message"> | undefined;
  /** True if a schedule moves the bid by the hour, whatever else locks it. */
  readonly isScheduled: boolean;
}

export interface GoalProduct {
  readonly asin: string | undefined;
  readonly sku: string | undefined;
}

export interface GoalPlace {
  readonly id: string;
  readonly name: string;
  readonly fields: EntityFields;
  readonly budget: number;
  readonly highestBid: number;
  /** True for a budget that the goal never touches. */
  readonly isFixed: boolean;
  /** True for placement adjustments that the goal never touches. */
  readonly keepsPlacements: boolean;
  readonly isSharing: boolean;
}

export interface GoalAccount {
  readonly goal: Goal;
  readonly selected: ReadonlySet<string>;
  readonly campaigns: readonly GoalPlace[];
  readonly lenders: readonly { readonly id: string; readonly budget: number }[];
  readonly entities: readonly GoalEntity[];
  readonly leftOut: readonly LeftOut[];
  readonly warnings: readonly string[];
}

export async function readGoals(
  profile: ProfileClient,
  { source, goals }: Pick<GoalsFile, "source" | "goals">,
  { scheduled, paced, signal }: {
    readonly scheduled: ReadonlySet<string>;
    readonly paced: ReadonlyMap<string, string>;
    readonly signal: AbortSignal | undefined;
  },
): Promise<GoalAccount[]> {
  checkCurrency(profile, { source, goals });
  const places = await readPlaces(profile, ["sp"], { signal });
  const portfolios = new Map<string, string>();
  const sharing = new Set<string>();
  for await (const { portfolioId, name, budgetControls } of profile.portfolios.iter({ signal })) {
    portfolios.set(portfolioId, name);
    const { featureState } = fieldsOf(fieldsOf(budgetControls)["campaignUnspentBudgetSharing"]);
    if (featureState === "ENABLED") sharing.add(portfolioId);
  }
  const selected = new Map(goals.map((goal) => [
    goal,
    new Set(
      [...places.campaigns].flatMap(([id, fields]) =>
        isSelected(fields, "sp.campaigns", goal, portfolios) ? [id] : []
      ),
    ),
  ]));
  checkSelections(selected, { source, places, paced });
  const [products, entities, held] = [
    await productsOf(profile, signal),
    await biddingEntities(profile, signal),
    await profile.heldElsewhere(),
  ];
  const highestBids = highestBidsOf(places, entities);
  const ofGoals = new Set([...selected.values()].flatMap((ids) => [...ids]));
  const rules = await platformRules(
    profile,
    new Map([...places.campaigns].filter(([id]) => ofGoals.has(id))),
    signal,
  );
  return goals.map((goal): GoalAccount => {
    const own = selected.get(goal) ?? new Set();
    const isNever = neverOf(goal);
    const campaigns = [...own].flatMap((id): GoalPlace[] => {
      const fields = places.campaigns.get(id) ?? {};
      const budget = dailyBudget("sp.campaigns", fields);
      if (String(fields["state"]).toUpperCase() !== "ENABLED" || budget === undefined) return [];
      const name = String(fields["name"] ?? "");
      const isLeft = isNever([id], [name]) || scheduled.has(id) || holderOf(held, [id]) !== undefined;
      const keepsPlacements = isLeft || rules.bids.has(id);
      const isFixed = isLeft || paced.has(id) || goal.limits.month === undefined && rules.budgets.has(id);
      const isSharing = sharing.has(idKey(fields, "portfolioId"));
      const highestBid = highestBids.get(id) ?? 0;
      return [{ id, name, fields, budget, highestBid, isFixed, keepsPlacements, isSharing }];
    });
    const running = new Map(campaigns.map((one) => [one.id, one]));
    const leftOut: LeftOut[] = [];
    const found: GoalEntity[] = [];
    for (const { kind, id, fields } of entities) {
      const [campaignId, adGroupId] = [idKey(fields, "campaignId"), idKey(fields, "adGroupId")];
      if (!own.has(campaignId)) continue;
      const label = KINDS[kind].label({ ...fields });
      const leave = (reason: string, message: string): void =>
        void leftOut.push({ reason, message, kind, id, label, campaignId, adGroupId });
      const stopped = stoppedText(places, fields);
      const bid = fields["bid"] ?? places.adGroups.get(adGroupId)?.["defaultBid"];
      if (stopped !== undefined) leave("not_running", stopped);
      else if (!running.has(campaignId)) leave("no_budget", "Its campaign has no daily budget");
      else if (typeof bid !== "number" || bid <= 0) {
        leave("no_bid", "It has no bid, and its ad group has no default bid");
      } else {
        const place = running.get(campaignId);
        const isScheduled = scheduled.has(id);
        const holder = holderOf(held, [id, adGroupId, campaignId, profile.profileId]);
        const locked = isNever([id, adGroupId, campaignId], [place?.name ?? "", wordsOf(fields)])
          ? { reason: "never", message: "The goal never touches it" }
          : isScheduled
          ? { reason: "scheduled", message: SCHEDULED_TEXT }
          : rules.bids.has(campaignId)
          ? { reason: "platform_rule", message: rules.bids.get(campaignId) ?? "" }
          : holder === undefined
          ? undefined
          : { reason: "held_back", message: capital(holderText(holder)) };
        found.push({
          ...{ kind, id, label, fields, campaignId, adGroupId, bid, locked, isScheduled },
          isInherited: typeof fields["bid"] !== "number",
          products: products.get(adGroupId) ?? [],
        });
      }
    }
    return {
      goal,
      selected: own,
      campaigns,
      lenders: lendersOf(campaigns, { own, places }),
      entities: found,
      leftOut,
      warnings: [
        ...overlapWarnings(goal, found),
        ...pacedWarnings(goal, campaigns, paced),
        ...marginWarnings(goal, found),
        ...ruleWarnings(goal.name, rules, { campaigns, hasMonth: goal.limits.month !== undefined }),
      ],
    };
  });
}

function highestBidsOf(
  { adGroups }: Places,
  entities: readonly Pick<GoalEntity, "fields">[],
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const fields of [...adGroups.values(), ...entities.map((one) => one.fields)]) {
    const bid = Number(fields["bid"] ?? fields["defaultBid"] ?? 0);
    const id = idKey(fields, "campaignId");
    if (String(fields["state"]).toUpperCase() !== "ARCHIVED" && bid > (found.get(id) ?? 0)) {
      found.set(id, bid);
    }
  }
  return found;
}

/**
 * Returns the enabled campaigns outside the goal that share a portfolio with its sharing campaigns. Only campaigns of
 * the same product are included; others are not known.
 */
function lendersOf(
  campaigns: readonly GoalPlace[],
  { own, places }: { readonly own: ReadonlySet<string>; readonly places: Places },
): GoalAccount["lenders"] {
  const portfolios = new Set(
    campaigns.flatMap(({ fields, isSharing }) => isSharing ? [idKey(fields, "portfolioId")] : []),
  );
  return [...places.campaigns].flatMap(([id, fields]) => {
    const budget = dailyBudget("sp.campaigns", fields);
    const isLending = !own.has(id) && portfolios.has(idKey(fields, "portfolioId")) &&
      String(fields["state"]).toUpperCase() === "ENABLED";
    return isLending && budget !== undefined ? [{ id, budget }] : [];
  });
}

function checkCurrency(
  { profile, countryCode }: ProfileClient,
  { source, goals }: Pick<GoalsFile, "source" | "goals">,
): void {
  const currency = profile.currencyCode ?? marketOf(countryCode)?.currency ?? "";
  for (const { name, currency: wanted } of goals) {
    if (wanted === undefined || wanted === currency) continue;
    throw new ConfigurationError(
      `Cannot plan goal ${name} of ${source}: its amounts are in ${wanted}, and the profile pays in ${currency}`,
    );
  }
}

/** Throws if a campaign belongs to two goals, because its bids could not satisfy both. */
function checkSelections(
  selected: ReadonlyMap<Goal, ReadonlySet<string>>,
  { source, places, paced }: {
    readonly source: string;
    readonly places: Places;
    readonly paced: ReadonlyMap<string, string>;
  },
): void {
  const problems: string[] = [];
  const goalOf = new Map<string, string>();
  for (const [{ name, limits: { month } }, ids] of selected) {
    const [shared, ...others] = month === undefined ? [] : [...ids].filter((id) => paced.has(id));
    if (shared !== undefined) {
      const campaign = String(places.campaigns.get(shared)?.["name"] ?? shared);
      problems.push(
        `goal ${name} has limits.month, and the amount ${
          paced.get(shared)
        } of pacing owns campaign "${campaign}"${
          others.length === 0 ? "" : ` and ${others.length} more`
        }: take limits.month out of the goal, or these campaigns out of one of the files`,
      );
    }
    if (ids.size === 0) problems.push(`goal ${name} selects no campaign of Sponsored Products`);
    for (const id of ids) {
      const other = goalOf.get(id);
      if (other === undefined) goalOf.set(id, name);
      else {
        const campaign = String(places.campaigns.get(id)?.["name"] ?? id);
        problems.push(`campaign "${campaign}" belongs to goal ${other} and to goal ${name}`);
      }
    }
  }
  if (problems.length === 0) return;
  const more = problems.length > MAX_PROBLEMS ? `\n  and ${problems.length - MAX_PROBLEMS} more` : "";
  throw new ConfigurationError(
    `Cannot plan the goals of ${source}:\n  ${problems.slice(0, MAX_PROBLEMS).join("\n  ")}${more}`,
  );
}

const MAX_PROBLEMS = 20;

async function productsOf(
  profile: ProfileClient,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, readonly GoalProduct[]>> {
  const found = new Map<string, Map<string, GoalProduct>>();
  for await (const { adGroupId, asin, sku } of profile.sp.productAds.iter({ states: ["ENABLED"], signal })) {
    const product = { asin: asin?.toUpperCase(), sku: sku?.toUpperCase() };
    const own = found.get(adGroupId) ?? new Map<string, GoalProduct>();
    found.set(adGroupId, own.set(`${product.asin} ${product.sku}`, product));
  }
  return new Map([...found].map(([id, own]) => [id, [...own.values()]]));
}

async function biddingEntities(
  profile: ProfileClient,
  signal: AbortSignal | undefined,
): Promise<Pick<GoalEntity, "kind" | "id" | "fields">[]> {
  const found: Pick<GoalEntity, "kind" | "id" | "fields">[] = [];
  for (const kind of GOAL_KINDS) {
    for await (const fields of profile.resource(kind as string).iter({ signal })) {
      const id = idOf(fields, KINDS[kind].idField);
      if (id !== undefined) found.push({ kind, id, fields });
    }
  }
  return found;
}

function stoppedText(places: Places, fields: EntityFields): string | undefined {
  const state = String(fields["state"] ?? "enabled").toLowerCase();
  return state === "enabled"
    ? stoppedPlace(places, { adGroupId: fields["adGroupId"], campaignId: fields["campaignId"] })
    : `It is ${state}`;
}

function neverOf({ limits: { never } }: Goal): (ids: readonly string[], names: readonly string[]) => boolean {
  const ids = new Set(never?.ids);
  const patterns = (never?.names ?? []).map(namePattern);
  return (own, names) =>
    own.some((id) => ids.has(id)) || patterns.some((matches) => names.some((name) => matches(name)));
}

export function wordsOf(fields: EntityFields): string {
  return typeof fields["keywordText"] === "string" ? fields["keywordText"] : "";
}

function pacedWarnings(
  { name }: Goal,
  campaigns: readonly GoalPlace[],
  paced: ReadonlyMap<string, string>,
): string[] {
  const own = campaigns.filter(({ id }) => paced.has(id));
  if (own.length === 0) return [];
  return [
    `${name}: pacing owns ${
      counted(own.length, "daily budget")
    }, so this goal leaves them and decides bids alone`,
  ];
}

function marginWarnings({ name, aim, margin, margins }: Goal, entities: readonly GoalEntity[]): string[] {
  if (aim !== "profit" || margin === undefined || margins.size === 0) return [];
  const unnamed = new Set(
    entities.flatMap(({ products }) =>
      products.flatMap(({ asin = "", sku = "" }) =>
        margins.has(asin) || margins.has(sku) ? [] : [asin || sku]
      )
    ),
  );
  if (unnamed.size === 0) return [];
  const named = [...unnamed].slice(0, 5).join(", ");
  return [
    `${name}: margins do not name ${counted(unnamed.size, "product")}, which count with margin ${
      Number((100 * margin).toFixed(1))
    } %: ${named}${unnamed.size > 5 ? ", ..." : ""}`,
  ];
}

/** Warns about keywords in several campaigns: they compete with each other, which the response model ignores. */
function overlapWarnings({ name }: Goal, entities: readonly GoalEntity[]): string[] {
  const keywords = entities.filter(({ kind }) => kind === "sp.keywords");
  const groups = Map.groupBy(
    keywords,
    ({ fields }) => `${wordsOf(fields).toLowerCase()} ${String(fields["matchType"]).toUpperCase()}`,
  );
  const shared = [...groups.values()].filter((own) =>
    new Set(own.map(({ campaignId }) => campaignId)).size > 1
  );
  if (shared.length === 0) return [];
  const [first = []] = shared;
  return [
    `${name}: ${
      counted(shared.length, "keyword")
    } with the same match type in several campaigns, for example ${
      first[0]?.label ?? ""
    }: they compete, and clicks that move between them are counted twice`,
  ];
}

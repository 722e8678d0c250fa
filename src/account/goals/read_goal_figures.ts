import { counted } from "../../base/text/money_text.ts";
import { addDays, type Day, dayIn, type DayRange, eachDay } from "../../base/time/calendar.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { type ReportPresetName, spellReport } from "../../client/reports/requests/presets.ts";
import { ConfigurationError, PlatformAdsError } from "../../errors.ts";
import { type AmountChange, LastChanges } from "../../plans/model/amount_changes.ts";
import { readLastChanges } from "../../plans/review/read_last_changes.ts";
import { bidMovesIn } from "../../plans/store/bid_moves.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import { budgetUsageNow } from "../jobs/budget_pressure.ts";
import { fetchMissing, type MissingDays, type StoredReports } from "../jobs/ensure_stored.ts";
import type { JobPlanOptions } from "../jobs/job_result.ts";
import {
  campaignDays,
  dailySums,
  GOAL_WEEKS,
  type GoalFigures,
  maturities,
  placementSums,
  termSums,
  weeklySums,
  weeksOf,
} from "./goal_figures.ts";
import { placementChanges } from "./placement_changes.ts";
import type { GoalAccount } from "./read_goals.ts";

const REPORTS: readonly ReportPresetName[] = ["sp_targeting", "sp_campaigns", "sp_placement"];
const FEWEST_DAYS = 14;

interface ReadFigures {
  readonly figures: GoalFigures;
  readonly stored: StoredReports;
  readonly missing: readonly MissingDays[];
}

/**
 * Reads the figures of goals, after fetching missing days of the last 12 weeks. `missing` lists days that are still not
 * stored.
 *
 * @throws {ConfigurationError} if too few days are stored.
 */
export async function readGoalFigures(
  profile: ProfileClient,
  options: JobPlanOptions & { readonly explained?: readonly string[] | undefined },
  { today, accounts }: { readonly today: Day; readonly accounts: readonly GoalAccount[] },
): Promise<ReadFigures> {
  const { store, plans, signal, explained = [] } = options;
  const { profileId } = profile;
  const wanted = { start: addDays(today, -7 * GOAL_WEEKS), end: addDays(today, -1) };
  const { stored: judged, missing } = await fetchMissing(profile, REPORTS, { ...options, days: wanted });
  const known = await maturities(store, { profileId, range: wanted });
  const lacking = missing.filter(({ report }) => report === "sp_targeting");
  const stored = [...eachDay(wanted)].filter((day) =>
    known.days.has(day) && !lacking.some(({ start, end }) => start <= day && day <= end)
  );
  const end = stored.at(-1);
  if (end === undefined || stored.length < FEWEST_DAYS) {
    throw new ConfigurationError(
      `Cannot decide bids: the store ${store.location} has ${stored.length} of the days ${wanted.start} to ${wanted.end} ` +
        `of the report targeting, and needs ${FEWEST_DAYS}. ` +
        `Fetch them with sync() of ${profile.countryCode} with the reports ${
          REPORTS.map(spellReport).join(",")
        }`,
    );
  }
  const range = { start: stored[0] ?? end, end };
  const weeks = weeksOf(range);
  const { changes, warning } = await knownChanges(profile, { since: range.start, plans, signal });
  const placements = await placementChanges(profile, { since: range.start, signal });
  const changed = accounts.flatMap(({ entities }) =>
    entities.filter(({ id, adGroupId }) => [id, adGroupId].some((one) => changes.of(one, "bid").length > 0))
  );
  const ids = accounts.flatMap(({ campaigns }) => campaigns.map(({ id }) => id));
  const figures = {
    today,
    range,
    weeks,
    maturities: { ...known, days: new Map(stored.map((day) => [day, known.days.get(day) ?? 1])) },
    weekly: await weeklySums(store, { profileId, weeks }),
    daily: await dailySums(store, {
      profileId,
      range,
      ids: [...new Set([...changed.map(({ id }) => id), ...explained])],
    }),
    campaigns: await campaignDays(store, { profileId, range: wanted }),
    placements: await placementSums(store, { profileId, range }),
    ...await readTerms(store, { profileId, range, signal }),
    campaignGaps: new Set(
      missing.filter(({ report }) => report === "sp_campaigns").flatMap((days) => [...eachDay(days)]),
    ),
    changes,
    placementChanges: placements.changes,
    placementsUnread: placements.unread,
    changesWarning: warning,
    spentToday: await spentToday(profile, ids, { today, signal }),
  };
  return { figures, stored: { ...judged, firstDay: range.start, lastDay: range.end }, missing };
}

/** Terms are optional: a store that cannot say them in time ends no plan. */
async function readTerms(
  store: JobPlanOptions["store"],
  { signal, ...request }: {
    readonly profileId: string;
    readonly range: DayRange;
    readonly signal: AbortSignal | undefined;
  },
): Promise<Pick<GoalFigures, "terms" | "termsUnread">> {
  try {
    return { terms: await termSums(store, request) };
  } catch (error) {
    if (!(error instanceof PlatformAdsError) || signal?.aborted) throw error;
    return { terms: new Map(), termsUnread: error.message };
  }
}

async function spentToday(
  profile: ProfileClient,
  ids: readonly string[],
  { today, signal }: { readonly today: Day; readonly signal: AbortSignal | undefined },
): Promise<Map<string, number>> {
  try {
    const usage = await budgetUsageNow(profile, "sp.campaigns", { ids, signal });
    return new Map([...usage].flatMap(([id, { budget, budgetUsagePercent, usageUpdatedTimestamp }]) =>
      // Before its first click of the day a campaign still shows the usage of yesterday.
      dayIn(profile.timeZone, Date.parse(usageUpdatedTimestamp)) === today
        ? [[id, budget * budgetUsagePercent / 100] as const]
        : []
    ));
  } catch (error) {
    if (!(error instanceof PlatformAdsError) || signal?.aborted) throw error;
    return new Map();
  }
}

interface KnownChanges {
  readonly changes: LastChanges;
  readonly warning: string | undefined;
}

/**
 * Returns the known changes of bids. If the platform's history is unavailable, uses the bids that applied plans
 * changed.
 */
async function knownChanges(
  profile: ProfileClient,
  { since, plans, signal }: {
    readonly since: string;
    readonly plans: (() => Promise<readonly PlanStore[]>) | undefined;
    readonly signal: AbortSignal | undefined;
  },
): Promise<KnownChanges> {
  const changes = await readLastChanges(profile, { since, signal });
  const { unread } = changes;
  if (unread === undefined) return { changes, warning: undefined };
  const moves: AmountChange[] = [];
  for (const folder of new Set((await plans?.() ?? []).map(({ path }) => path))) {
    for (const { id, appliedAt, from, to } of await bidMovesIn(folder, profile)) {
      moves.push({ id, part: "bid", at: Date.parse(appliedAt), before: String(from), after: String(to) });
    }
  }
  const known = moves.length === 0
    ? "no applied plan shows one either, so no bid cools down (limits.cooling) and all days count at the current bids"
    : `${counted(moves.length, "bid")} of applied plans are known, so changes by others neither cool down ` +
      "(limits.cooling) nor change the bid of past days";
  return {
    changes: new LastChanges(moves, profile.timeZone, { unread }),
    warning: `The change history could not be read (${unread}); ${known}`,
  };
}

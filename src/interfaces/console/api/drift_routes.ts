import type { AccountDrift } from "../../../account/diff/account_drift.ts";
import { driftCounts, type DriftEntry } from "../../../account/diff/drift_entry.ts";
import { HISTORY_DAYS } from "../../../client/insights/history_event.ts";
import { addDays, dayIn } from "../../../base/time/calendar.ts";
import { drift, driftRow } from "../../../operations/reads/drift.ts";
import type { Warehouse } from "../../../store/warehouse/warehouse.ts";
import { ApiProblem } from "../http/responses.ts";
import type { ApiCall, Route } from "../http/route.ts";
import { hasStore, withStore } from "../http/open_store.ts";

const DEFAULT_DAYS = 7;
/** Two days less than the platform's history, so that the first day is covered in any time zone. */
const MAX_DAYS = HISTORY_DAYS - 2;

export const DRIFT_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/profiles/:profile/drift",
    about:
      "Lists changes in a profile, newest first, and who made them: a plan, the platform, or someone else",
    takes: {
      days: `number of days before today, in the market's time zone; ${DEFAULT_DAYS} when absent`,
      counts: "true for only the counts, from the history; otherwise synced entities are compared too",
    },
    gives:
      "`since`, `time_zone`, `counts` by plan, platform and other, `entries` with names of entities and campaigns",
    run: runDrift,
  },
];

async function runDrift(call: ApiCall): Promise<unknown> {
  const { context, params, query, signal } = call;
  const days = daysOf(query["days"]);
  const profile = await context.ads.profile(params["profile"] ?? "");
  const { timeZone } = profile;
  const since = addDays(dayIn(timeZone, context.now()), -days);
  const plans = context.folders.map((folder) => folder.store);
  const compare = (store?: Warehouse): Promise<AccountDrift> =>
    drift.run({ profile, plans, store, signal }, { since });
  const onlyCounts = query["counts"] === "true";
  const found = await (onlyCounts || !hasStore(context) ? compare() : withStore(context, compare));
  const common = { since: found.since, time_zone: timeZone, counts: driftCounts(found.entries) };
  return onlyCounts ? common : { ...common, entries: newestFirst(found.entries).map(entryView) };
}

function daysOf(text = String(DEFAULT_DAYS)): number {
  const days = Number(text);
  if (/^\d{1,2}$/.test(text) && days >= 1 && days <= MAX_DAYS) return days;
  throw new ApiProblem(
    400,
    "BAD_REQUEST",
    `Cannot look for drift: "days" is not a whole number from 1 to ${MAX_DAYS}`,
  );
}

function newestFirst(entries: readonly DriftEntry[]): DriftEntry[] {
  return entries.toSorted((a, b) => (b.at ?? "").localeCompare(a.at ?? ""));
}

function entryView(entry: DriftEntry): Readonly<Record<string, unknown>> {
  const { campaignId, ...row } = driftRow(entry);
  return { ...row, campaign_id: campaignId ?? null };
}

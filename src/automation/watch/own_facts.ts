import { kindNoun } from "../../platform/catalog/kind_names.ts";
import { accountDrift } from "../../account/diff/account_drift.ts";
import type { DriftEntry } from "../../account/diff/drift_entry.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { addDays, countDays } from "../../base/time/calendar.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import type { OpenFacts } from "../../plans/policy/only_rises.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import type { WatchSubject } from "./figure_facts.ts";

const DAY = 86_400_000;
export const NAMED = 5;

export interface OwnSubject extends WatchSubject {
  readonly lines: readonly string[];
  readonly next?: string;
}

export type OwnSubjects = readonly OwnSubject[] | {
  readonly subjects?: readonly OwnSubject[];
  readonly why: string;
  readonly open?: OpenFacts;
};

export async function reportSubjects(
  store: Pick<Warehouse, "coverage">,
  { profileId, today }: { readonly profileId: string; readonly today: string },
): Promise<OwnSubject[]> {
  const all = await store.coverage({ profileId });
  return all.map(({ report, firstDay, lastDay, gaps, available, lost, fetchBy }) => {
    // Days before the first stored one were never wanted; the oldest that the platform keeps is forgotten first.
    const wanted = available.find(({ start }) => start > firstDay)?.start;
    const oldest = available[0]?.start;
    const until = fetchBy === null || wanted === undefined || oldest === undefined
      ? undefined
      : addDays(fetchBy, (Date.parse(wanted) - Date.parse(oldest)) / DAY);
    const days = (ranges: readonly { readonly start: string; readonly end: string }[]): number =>
      ranges.reduce((sum, range) => sum + countDays(range), 0);
    return {
      key: report,
      label: report,
      facts: {
        report,
        late_days: Math.max(0, (Date.parse(today) - Date.parse(lastDay)) / DAY - 1),
        gap_days: days(gaps),
        lost_days: days(lost),
        ...(until === undefined ? {} : { expires_days: (Date.parse(until) - Date.parse(today)) / DAY }),
      },
      lines: [
        `The newest stored day is ${lastDay}`,
        ...(available[0] === undefined ? [] : [`${available[0].start} can be fetched until ${fetchBy}`]),
      ],
      ...(available[0] === undefined ? {} : { next: "sync() fetches every day that is not stored" }),
    };
  });
}

export async function driftSubjects(
  profile: ProfileClient,
  { plans, now, signal }: {
    readonly plans: readonly PlanStore[];
    readonly now: number;
    readonly signal: AbortSignal | undefined;
  },
): Promise<OwnSubject[]> {
  const { entries } = await accountDrift(profile, { since: new Date(now - DAY), plans, signal });
  const others = entries.filter(({ by }) => by === "other");
  return [...Map.groupBy(others, ({ campaign = "" }) => campaign)].map(([campaign, own]) => ({
    key: campaign,
    label: campaign,
    facts: { campaign, changes1d: own.length },
    lines: own.slice(0, NAMED).map(changeLine),
    ...(own.length > NAMED ? { next: `and ${own.length - NAMED} more: accountDrift() since -1d` } : {}),
  }));
}

export function changeLine({ at, label, kind, change, before, after }: DriftEntry): string {
  return `${at ?? "since then"}: ${kindNoun(kind)} ${label}: ${change} ${before ?? "none"} -> ${
    after ?? "none"
  }`;
}

export async function planSubjects(
  plans: readonly PlanStore[],
  { profileId, now }: { readonly profileId: string; readonly now: number },
): Promise<OwnSubject[]> {
  let open = 0;
  let oldest = 0;
  const counts = { refused: 0, unknown: 0 };
  const lines: string[] = [];
  for (const store of plans) {
    for (const found of await store.list()) {
      if (!("plan" in found) || found.plan.profileId !== profileId) continue;
      const { id, plan, status } = found;
      if (status.state === "open") {
        open++;
        oldest = Math.max(oldest, (now - Date.parse(plan.createdAt)) / DAY);
      }
      if (status.state !== "applied" || now - Date.parse(status.at) > DAY) continue;
      const verdicts = (await store.applied(id))?.changes ?? [];
      const refused = verdicts.filter(({ outcome }) => outcome === "refused" || outcome === "partial");
      const unknown = verdicts.filter(({ outcome }) => outcome === "unknown");
      counts.refused += refused.length;
      counts.unknown += unknown.length;
      if (refused.length + unknown.length > 0) {
        lines.push(
          `${id}: ${status.summary}${refused[0]?.message === undefined ? "" : `: ${refused[0].message}`}`,
        );
      }
    }
  }
  return [{
    key: "plans",
    label: "",
    facts: {
      open,
      oldest_days: Math.floor(oldest),
      refused1d: counts.refused,
      unknown1d: counts.unknown,
    },
    lines: lines.slice(0, NAMED),
  }];
}

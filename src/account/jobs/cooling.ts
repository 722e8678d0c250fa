import type { ProfileClient } from "../../client/profile_client.ts";
import { addDays, countDays, type DayRange } from "../../base/time/calendar.ts";
import { type ChangedPart, judgedAgainFrom, type LastChanges } from "../../plans/model/amount_changes.ts";
import { MONEY_DAYS } from "../../plans/review/figures_source.ts";
import { readLastChanges, type ScheduledSource } from "../../plans/review/read_last_changes.ts";
import type { NegativePlaces } from "./negative_places.ts";
import type { SearchTermFigures } from "./search_terms.ts";
import type { LeftOut } from "./job_result.ts";

export const COOLING = "changed_lately";

const SHORT = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

export interface JudgedEntity {
  readonly id: string;
  readonly parts: readonly ChangedPart[];
}

export class Cooling {
  readonly #judged: DayRange | undefined;
  readonly #lag: number;
  readonly #again: boolean;
  readonly changes: LastChanges;
  readonly warnings: readonly string[];

  private constructor(
    changes: LastChanges,
    { judged, lag, again, warnings }: {
      judged: DayRange | undefined;
      lag: number;
      again: boolean;
      warnings: readonly string[];
    },
  ) {
    this.changes = changes;
    this.#judged = judged;
    this.#lag = lag;
    this.#again = again;
    this.warnings = warnings;
  }

  static async read(
    profile: ProfileClient,
    { judged, today, again = false, scheduled, signal }: {
      readonly judged: DayRange | undefined;
      readonly today: string;
      readonly again?: boolean | undefined;
      /** Source of scheduled entities, because moves by schedules do not count as changes. */
      readonly scheduled?: ScheduledSource | undefined;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<Cooling> {
    const money = addDays(today, -MONEY_DAYS);
    const start = judged === undefined || money < judged.start ? money : judged.start;
    const lag = judged === undefined ? 0 : countDays({ start: judged.end, end: today }) - 2;
    const changes = await readLastChanges(profile, { since: start, scheduled, signal });
    const warnings = changes.unread === undefined ? [] : [
      `The change history could not be read: entities changed since ${start} may be changed again, ` +
      `based on older figures (${changes.unread})`,
    ];
    return new Cooling(changes, { judged, lag, again, warnings });
  }

  refusal(entities: readonly JudgedEntity[]): Pick<LeftOut, "reason" | "message"> | undefined {
    const judged = this.#judged;
    if (this.#again || judged === undefined) return undefined;
    const days = entities.map(({ id, parts }) => this.changes.dayNotIn(judged, id, parts));
    const changed = days.filter((day) => day !== undefined).sort().at(-1);
    if (changed === undefined) return undefined;
    const from = judgedAgainFrom(changed, { days: countDays(judged), lag: this.#lag });
    return { reason: COOLING, message: `Changed on ${short(changed)}, judged again from ${short(from)}` };
  }
}

function short(day: string): string {
  return SHORT.format(Date.parse(`${day}T00:00:00Z`));
}

/**
 * Returns the entities that a search term depends on: its source, and keywords or negatives made from it, including
 * those archived since (for example by an undo).
 */
export function termEntities(
  { searchTerm, adGroupId, campaignId }: Pick<SearchTermFigures, "searchTerm" | "adGroupId" | "campaignId">,
  present: NegativePlaces,
  target?: { readonly adGroupId: string },
): JudgedEntity[] {
  const adGroups = target === undefined ? [adGroupId] : [adGroupId, target.adGroupId];
  const made = adGroups.flatMap((place) => present.archived(place, searchTerm));
  return [adGroupId, campaignId, ...made].map((id) => ({ id, parts: ["state"] }));
}

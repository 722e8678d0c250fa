import type { ProfileClient } from "../../client/profile_client.ts";
import { addDays, countDays, type DayRange } from "../../base/time/calendar.ts";
import { type ChangedPart, judgedAgainFrom, type LastChanges } from "../../plans/model/amount_changes.ts";
import { MONEY_DAYS } from "../../plans/review/figures_source.ts";
import { readLastChanges, type ScheduledSource } from "../../plans/review/read_last_changes.ts";
import type { NegativePlaces } from "./negative_places.ts";
import type { SearchTermFigures } from "./search_terms.ts";
import type { LeftOut } from "./job_result.ts";

/** Reason of everything that is left out because it was changed lately. */
export const COOLING = "changed_lately";

const SHORT = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** An entity by whose figures a job judges, with the parts that these figures depend on. */
export interface JudgedEntity {
  readonly id: string;
  readonly parts: readonly ChangedPart[];
}

/** Entities that were changed inside or after the days that a job judges. */
export class Cooling {
  readonly #judged: DayRange | undefined;
  readonly #lag: number;
  readonly #again: boolean;
  /** Changes since the first judged day, and of the days by which money is weighed. */
  readonly changes: LastChanges;
  /** Warnings for the readers of the plan. */
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

  /** Reads the changes of a profile since the first day that is judged. */
  static async read(
    profile: ProfileClient,
    { judged, today, again = false, scheduled, signal }: {
      /** Days by whose figures is judged; `undefined` where none are. */
      readonly judged: DayRange | undefined;
      /** The day after the last one that could be judged. */
      readonly today: string;
      /** True to leave out nothing. */
      readonly again?: boolean | undefined;
      /** Finds entities that schedules move; hourly moves do not count as changes. */
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

  /** Why an entity is not judged now; `undefined` where it may be. */
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
 * The entities that the figures of a search term depend on: the place where it was found, and what was made of it there and
 * where it goes, and was archived since, as by an undo.
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

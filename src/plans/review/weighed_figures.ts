import { addDays } from "../../base/time/calendar.ts";
import type { ChangedPart, LastChanges } from "../model/amount_changes.ts";
import type { PlanTarget } from "../model/plan_target.ts";
import { Unread } from "../model/prior_state.ts";
import { ownBid } from "../state/amounts.ts";
import type { Step } from "../state/plan_state.ts";
import type { EntityFigures } from "./estimate_money.ts";
import { figureEntities, type FiguresSource, MONEY_DAYS } from "./figures_source.ts";
import { readLastChanges, type ScheduledSource } from "./read_last_changes.ts";

const PARTS: readonly ChangedPart[] = ["bid", "budget", "state"];

export class WeighedFigures {
  readonly #client: PlanTarget;
  readonly #today: string;
  readonly #source: FiguresSource | undefined;
  readonly #scheduled: ScheduledSource | undefined;
  readonly #signal: AbortSignal | undefined;
  #changes: LastChanges | undefined;

  constructor(client: PlanTarget, { today, figures, changes, scheduled, signal }: {
    readonly today: string;
    readonly figures?: FiguresSource | undefined;
    readonly changes?: LastChanges | undefined;
    readonly scheduled?: ScheduledSource | undefined;
    readonly signal?: AbortSignal | undefined;
  }) {
    this.#client = client;
    this.#today = today;
    this.#source = figures;
    this.#changes = changes;
    this.#scheduled = scheduled;
    this.#signal = signal;
  }

  get unread(): string | undefined {
    return this.#changes?.unread;
  }

  async of(steps: readonly Step[]): Promise<ReadonlyMap<string, EntityFigures> | undefined> {
    const request = { profileId: this.#client.profileId, today: this.#today };
    const found = await this.#source?.({
      ...request,
      get entities() {
        return figureEntities(steps);
      },
    });
    if (this.#source === undefined || found === undefined || found.size === 0) return found;
    // The history is read only where there are figures that it can make stale.
    this.#changes ??= await readLastChanges(this.#client, {
      since: addDays(this.#today, -MONEY_DAYS),
      scheduled: this.#scheduled,
      signal: this.#signal,
    });
    const changedOn = lastDays(steps, this.#changes);
    const entities = figureEntities(steps).filter(({ id }) => changedOn.has(id));
    if (entities.length === 0) return found;
    return new Map([...found, ...await this.#source({ ...request, changedOn, entities })]);
  }
}

function lastDays(steps: readonly Step[], changes: LastChanges): Map<string, string> {
  const days = new Map<string, string>();
  const add = (id: string, found: readonly (string | undefined)[]): void => {
    const last = found.filter((day) => day !== undefined).sort().at(-1);
    if (last !== undefined) days.set(id, last);
  };
  for (const { change: { kind, id }, before, campaign, adGroup } of steps) {
    if (id === null) continue;
    const inherits = before !== undefined && !(before instanceof Unread) &&
      ownBid(kind, before) === undefined;
    const bidOf = inherits ? idOf(adGroup) : undefined;
    add(id, [changes.dayOf(id, PARTS), bidOf === undefined ? undefined : changes.dayOf(bidOf, ["bid"])]);
    const campaignId = idOf(campaign);
    if (campaignId !== undefined) add(campaignId, [changes.dayOf(campaignId, PARTS)]);
  }
  return days;
}

function idOf(place: Step["campaign"]): string | undefined {
  return place instanceof Unread ? undefined : place?.id;
}

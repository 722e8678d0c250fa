import type { Step } from "../state/plan_state.ts";
import { Unread } from "../model/prior_state.ts";
import type { EntityFigures } from "./estimate_money.ts";

export const MONEY_DAYS = 30;

/** Request for the figures of entities. */
export interface FiguresRequest {
  /** Profile whose stored figures are read. */
  readonly profileId: string;
  /** The current day in the profile's time zone; figures end with the day before. */
  readonly today: string;
  /**
   * Day of the last change by entity id. Figures of these entities include `costSinceChange` and `daysSinceChange`, the
   * number of stored days after the change within the last 30.
   * @default none was changed
   */
  readonly changedOn?: ReadonlyMap<string, string> | undefined;
  /** Requested entities, computed on access. */
  readonly entities: readonly { readonly kind: string; readonly id: string }[];
}

/** Returns figures of entities by id, from a report store; entities whose figures are unknown are absent. */
export type FiguresSource = (request: FiguresRequest) => Promise<ReadonlyMap<string, EntityFigures>>;

export function figureEntities(
  steps: readonly Step[],
): { readonly kind: string; readonly id: string }[] {
  const entities = new Map<string, { kind: string; id: string }>();
  const add = (kind: string, id: string | null | undefined): void => {
    if (id !== null && id !== undefined) entities.set(`${kind} ${id}`, { kind, id });
  };
  for (const { change: { kind, id }, campaign } of steps) {
    add(kind, id);
    if (campaign !== undefined && !(campaign instanceof Unread)) add(campaign.kind, campaign.id);
  }
  return [...entities.values()];
}

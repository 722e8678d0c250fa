import type { DayRange } from "../../base/time/calendar.ts";
import { PlanStore } from "./plan_store.ts";
import { ownBid } from "../state/amounts.ts";

/** One bid that an applied plan changed. */
export interface BidMove {
  /** Kind of the changed entity, such as `sp.keywords`. */
  readonly kind: string;
  /** Id of the keyword or target. */
  readonly id: string;
  /** When its plan was applied, ISO 8601. */
  readonly appliedAt: string;
  /** Bid before the change, in the account's currency. */
  readonly from: number;
  /** Bid after. */
  readonly to: number;
  /** Days of the figures recorded with the change, which may have motivated it; `null` for none. */
  readonly evidence: DayRange | null;
}

const KINDS: ReadonlySet<string> = new Set([
  "sp.keywords",
  "sp.targets",
  "sb.keywords",
  "sb.targets",
  "sd.targets",
]);

/**
 * Bid changes of keywords and targets by the plans of a folder, oldest first. Plans made on a copy of the account are
 * left out, because the responses of a copy are not evidence.
 *
 * @param folder Path of the folder, as {@linkcode PlanStore.path} gives it.
 *
 * @example
 * ```ts
 * import { bidMovesIn } from "@platform/ads/plans";
 *
 * for (const { id, appliedAt, from, to } of await bidMovesIn("plans", { profileId: "12" })) {
 *   console.log(appliedAt, id, from, to);
 * }
 * ```
 */
export async function bidMovesIn(
  folder: string,
  { profileId }: { readonly profileId: string },
): Promise<BidMove[]> {
  const store = PlanStore.open(folder);
  const moves: BidMove[] = [];
  for (const stored of await store.list()) {
    if (!("plan" in stored) || stored.status.state !== "applied") continue;
    const { plan } = stored;
    if (plan.profileId !== profileId || plan.rehearsal !== null) continue;
    if (!plan.changes.some(({ kind, op }) => op === "update" && KINDS.has(kind))) continue;
    const applied = await store.applied(plan.id);
    for (const [at, { kind, op, id, before, after, evidence }] of plan.changes.entries()) {
      if (op !== "update" || id === null || !KINDS.has(kind)) continue;
      if (applied?.changes[at]?.outcome !== "done") continue;
      const [from, to] = [ownBid(kind, before), ownBid(kind, after)];
      if (from === undefined || to === undefined || !(from > 0) || !(to > 0) || from === to) continue;
      const days = evidence?.from === undefined || evidence.to === undefined
        ? null
        : { start: evidence.from, end: evidence.to };
      moves.push({ kind, id, appliedAt: applied.appliedAt, from, to, evidence: days });
    }
  }
  return moves.sort((a, b) => a.appliedAt < b.appliedAt ? -1 : 1);
}

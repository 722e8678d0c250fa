import { addDays } from "../../base/time/calendar.ts";
import { roundMoney } from "../../base/text/money_text.ts";
import type { Evidence } from "../model/change.ts";
import type { Step } from "../state/plan_state.ts";
import type { EntityFigures } from "./estimate_money.ts";

/**
 * `undefined` where figures are unknown.
 *
 * @param figures Names such as `clicks30d`, and `daysBack30d` if the newest days are not stored.
 * @param options `days`: 7, 14 or 30. `today`: the day after the newest possible figures.
 */
export function evidenceFrom(
  figures: EntityFigures | undefined,
  { days, today }: { readonly days: number; readonly today: string },
): Evidence | undefined {
  const figure = (name: string): number | undefined => figures?.[`${name}${days}d`];
  const [clicks, cost, orders, sales] = [figure("clicks"), figure("cost"), figure("orders"), figure("sales")];
  if (clicks === undefined || cost === undefined || orders === undefined || sales === undefined) {
    return undefined;
  }
  const to = addDays(today, -1 - (figure("daysBack") ?? 0));
  const known = evidence({ from: addDays(to, 1 - days), to }, { clicks, cost, orders, sales });
  const [acos, low, high] = ["est", "low", "high"].map((end) => figures?.[`acos${days}d_${end}`]);
  if (acos === undefined || low === undefined || high === undefined) return known;
  const short = (share: number): number => Number(share.toFixed(4));
  return { ...known, estimate: { acos: short(acos), low: short(low), high: short(high) } };
}

export function evidence(
  { from, to }: { readonly from: string; readonly to: string },
  { clicks, cost, orders, sales, goal, isTrial = false, reason }: {
    readonly clicks?: number;
    readonly cost: number;
    readonly orders?: number;
    readonly sales?: number;
    readonly goal?: string;
    readonly isTrial?: boolean;
    readonly reason?: string;
  },
): Evidence {
  return {
    from,
    to,
    ...(clicks === undefined ? {} : { clicks }),
    cost: roundMoney(cost, 2),
    ...(orders === undefined ? {} : { orders }),
    ...(sales === undefined ? {} : { sales: roundMoney(sales, 2) }),
    ...(sales === undefined || !(sales > 0) ? {} : { acos: Number((cost / sales).toFixed(4)) }),
    ...(goal === undefined ? {} : { goal }),
    ...(isTrial ? { isTrial } : {}),
    ...(reason === undefined ? {} : { reason }),
  };
}

export function evidenceOf(
  steps: readonly Step[],
  { figures, today }: {
    readonly figures: ReadonlyMap<string, EntityFigures> | undefined;
    readonly today: string;
  },
): ReadonlyMap<number, Evidence> {
  const found = new Map<number, Evidence>();
  if (figures === undefined || figures.size === 0) return found;
  for (const { at, change: { id } } of steps) {
    const one = id === null ? undefined : evidenceFrom(figures.get(id), { days: 30, today });
    if (one !== undefined) found.set(at, one);
  }
  return found;
}

import { idOf } from "../../base/json/id_of.ts";
import { ApiError } from "../../errors.ts";
import type { Change, EntityFields } from "../model/change.ts";
import type { PlanTarget } from "../model/plan_target.ts";
import { AccountReading } from "./account_reading.ts";
import { comparedAmount, inheritsBid } from "./amounts.ts";
import { type AccountScale, isCampaignKind, Unread } from "../model/prior_state.ts";

const MAX_READ = 1000;
const MIN_READ = 5;

/**
 * Reads up to 1,000 live entities of each kind whose amounts change, and live campaigns if campaigns change. They are
 * not read again by id.
 */
export async function readAccountScale(
  changes: readonly Change[],
  client: PlanTarget,
  options: { readonly account?: AccountReading | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<AccountScale> {
  const { account = new AccountReading(), signal } = options;
  if (account.scale !== undefined) return account.scale;
  const changing = Map.groupBy(changes, ({ kind }) => kind);
  const medians = new Map<string, number>();
  const kinds = new Set<string>();
  let liveCampaigns = 0;
  let dailyBudgets = 0;
  let touchesCampaigns = false;
  for (const { kind, op, after } of changes) {
    const inherits = inheritsBid(kind) && (op === "create" || "bid" in after);
    if (inherits || comparedAmount(kind, after) !== undefined) kinds.add(kind);
    touchesCampaigns ||= isCampaignKind(kind);
  }
  if (touchesCampaigns) {
    for (const kind of ["sp.campaigns", "sb.campaigns", "sd.campaigns"]) {
      kinds.add(kind);
    }
  }
  for (const kind of kinds) {
    const isCampaign = kind.endsWith(".campaigns");
    const amounts: number[] = [];
    const { idField } = client.resource(kind);
    const ids = new Set(changing.get(kind)?.map(({ id }) => id));
    const found = new Map<string, EntityFields>();
    for await (const entity of live(client, kind, signal)) {
      const id = idOf(entity, idField);
      if (id !== undefined && ids.has(id) && account.entity(kind, id) instanceof Unread) {
        found.set(id, entity);
      }
      const amount = comparedAmount(kind, entity);
      if (amount !== undefined) amounts.push(amount);
      if (isCampaign) {
        liveCampaigns += 1;
        dailyBudgets += amount ?? 0;
      } else if (amounts.length >= MAX_READ) break;
    }
    account.keep(kind, found);
    const median = amounts.toSorted((a, b) => a - b)[amounts.length >> 1];
    if (median !== undefined && amounts.length >= MIN_READ) medians.set(kind, median);
  }
  return account.scale = { medians, liveCampaigns, dailyBudgets };
}

async function* live(
  client: PlanTarget,
  kind: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<EntityFields> {
  const resource = client.resource(kind);
  try {
    if (resource.iter !== undefined) yield* resource.iter({ states: ["ENABLED"], signal });
  } catch (error) {
    // An account without a product refuses its lists; what is in the others can still be compared.
    if (!(error instanceof ApiError) || error.statusCode >= 500) throw error;
  }
}

import type { ProfileClient } from "../../../src/client/profile_client.ts";
import type { Emulator, JsonObject } from "../../../src/emulator/mod.ts";
import { KINDS, PROFILE_KINDS } from "../../../src/client/entities/kinds/kinds.ts";

/** An entity as the platform lists it. */
export type Row = Readonly<Record<string, unknown>>;

/** All entities of an account that are not archived, by kind and id. */
export type LiveKinds = ReadonlyMap<string, ReadonlyMap<string, Row>>;

/** Reads all kinds of an account. */
export async function readLiveKinds(free: ProfileClient): Promise<LiveKinds> {
  const kinds = new Map<string, Map<string, Row>>();
  for (const kind of PROFILE_KINDS) {
    const resource = free.resource(kind as string);
    const rows = await resource.list({ states: null }) as Row[];
    kinds.set(kind, new Map(rows.filter(isLive).map((row) => [String(row[resource.idField]), row])));
  }
  return kinds;
}

/** What the platform adds to an entity on its own side and a list does not show. */
const UNLISTED = ["extendedData", "resolvedExpression"];

/**
 * What lists of all kinds would show, taken from the emulator's state, which is much cheaper than asking for them. An
 * entity that nobody touched stays the same object from one reading to the next, and so does a kind without a change.
 */
export class KindsInState {
  readonly #rows = new WeakMap<JsonObject, Row>();
  readonly #last = new Map<
    string,
    { readonly held: readonly JsonObject[]; readonly rows: Map<string, Row> }
  >();
  readonly #emulator: Emulator;
  readonly #profileId: string;

  constructor(emulator: Emulator, { profileId }: { profileId: string }) {
    this.#emulator = emulator;
    this.#profileId = profileId;
  }

  /** The account as it is now. */
  read(): LiveKinds {
    const profile = this.#emulator.state.profile(this.#profileId)!;
    return new Map(PROFILE_KINDS.map((kind) => {
      const held = profile.collection(kind).all();
      const last = this.#last.get(kind);
      if (last?.held.length === held.length && held.every((row, at) => row === last.held[at])) {
        return [kind, last.rows];
      }
      const { idField } = KINDS[kind];
      const listed = held.filter(isLive).map((row) => this.#listed(row));
      const rows = new Map(listed.map((row) => [String(row[idField]), row]));
      this.#last.set(kind, { held: [...held], rows });
      return [kind, rows];
    }));
  }

  #listed(row: JsonObject): Row {
    let listed = this.#rows.get(row);
    if (listed === undefined) {
      listed = Object.fromEntries(Object.entries(row).filter(([name]) => !UNLISTED.includes(name)));
      this.#rows.set(row, listed);
    }
    return listed;
  }
}

/** The campaign that an entity is in, a campaign itself; `undefined` for a portfolio. */
export function campaignOf(kind: string, row: Row, live: LiveKinds): string | undefined {
  const family = kind.split(".")[0];
  const own = row["campaignId"] ??
    live.get(`${family}.ad_groups`)?.get(String(row["adGroupId"]))?.["campaignId"];
  return own === undefined ? undefined : String(own);
}

/** An amount of spending, as the platform would charge it. */
export interface LiveAmount {
  /** The same for what is archived and created anew. */
  readonly identity: string;
  readonly bid: number;
  /** Highest price of a click by each placement. */
  readonly clicks: ReadonlyMap<string, number>;
  /** True when it, its ad group and its campaign are enabled. */
  readonly isOn: boolean;
}

const BIDDERS: Readonly<Record<string, string>> = {
  "sp.ad_groups": "defaultBid",
  "sp.keywords": "bid",
  "sp.targets": "bid",
  "sb.keywords": "bid",
  "sb.targets": "bid",
  "sd.ad_groups": "defaultBid",
  "sd.targets": "bid",
};

const amountsOfRows = new WeakMap<Row, { campaign: Row; group: Row | undefined; amount: LiveAmount }>();
const amountsOfAccounts = new WeakMap<LiveKinds, Map<string, LiveAmount>>();

/** Every bid of an account, by kind and id. What nothing has touched stays the same object. */
export function amountsOf(live: LiveKinds): Map<string, LiveAmount> {
  const known = amountsOfAccounts.get(live);
  if (known !== undefined) return known;
  const amounts = new Map<string, LiveAmount>();
  for (const [kind, field] of Object.entries(BIDDERS)) {
    const family = kind.split(".")[0];
    const campaigns = live.get(`${family}.campaigns`);
    const groups = live.get(`${family}.ad_groups`);
    for (const [id, row] of live.get(kind) ?? []) {
      const campaign = campaigns?.get(campaignOf(kind, row, live) ?? "");
      const group = groups?.get(String(row["adGroupId"]));
      const bid = row[field] ?? group?.["defaultBid"];
      if (campaign === undefined || typeof bid !== "number") continue;
      let last = amountsOfRows.get(row);
      if (last?.campaign !== campaign || last.group !== group) {
        const clicks = new Map([...factorsOf(campaign)].map(([name, factor]) => [name, bid * factor]));
        const isOnNow = [row, group ?? row, campaign].every(isOn);
        last = {
          campaign,
          group,
          amount: { identity: identityOf(kind, id, row), bid, clicks, isOn: isOnNow },
        };
        amountsOfRows.set(row, last);
      }
      amounts.set(`${kind} ${id}`, last.amount);
    }
  }
  amountsOfAccounts.set(live, amounts);
  return amounts;
}

/** The budget of a campaign or the cap of a portfolio; `undefined` for none. */
export function budgetOf(row: Row | undefined): number | undefined {
  const { budget } = row ?? {};
  if (typeof budget !== "object" || budget === null) return typeof budget === "number" ? budget : undefined;
  const { budget: plain, amount } = budget as Record<string, unknown>;
  const value = plain ?? amount;
  return typeof value === "number" ? value : undefined;
}

/** True for an entity that is enabled itself. */
export function isOn(row: Row): boolean {
  return String(row["state"] ?? "ENABLED").toUpperCase() === "ENABLED";
}

function isLive(row: Row): boolean {
  return String(row["state"]).toUpperCase() !== "ARCHIVED";
}

function identityOf(kind: string, id: string, row: Row): string {
  const { adGroupId, keywordText, matchType, expression, expressions } = row;
  const text = keywordText ?? expression ?? expressions;
  return text === undefined ? `${kind} ${id}` : JSON.stringify([kind, adGroupId, text, matchType]);
}

/** Factor on a bid by placement: its adjustment times that of the strategy. */
function factorsOf(campaign: Row): Map<string, number> {
  const { dynamicBidding, bidding } = campaign as Record<string, Record<string, unknown> | undefined>;
  const raised = dynamicBidding?.["strategy"] === "AUTO_FOR_SALES" ? 2 : 1;
  const adjusted = dynamicBidding?.["placementBidding"] ?? bidding?.["bidAdjustmentsByPlacement"] ?? [];
  const factors = new Map([["any", raised]]);
  for (const { placement, percentage } of adjusted as { placement: string; percentage: number }[]) {
    factors.set(placement, raised * (1 + percentage / 100));
  }
  return factors;
}

import { idText } from "../../base/json/id_of.ts";
import { canonicalJson } from "../../base/json/canonical_json.ts";
import type { Change, ChangeOperation, EntityFields } from "../model/change.ts";
import { changeGraph, isChangeRef, sendingOrder } from "../model/change_ref.ts";
import { ByEntity } from "./by_entity.ts";
import { budgetAmount, inheritsBid, ownBid, readAmount } from "./amounts.ts";
import { mergeFields } from "./merge_fields.ts";
import {
  type Below,
  isAdGroupKind,
  isCampaignKind,
  isPlaceKind,
  known,
  type Looked,
  placeKinds,
  type PriorState,
  Unread,
} from "../model/prior_state.ts";

export interface Place {
  readonly kind: string;
  readonly id: string | undefined;
  readonly before: EntityFields | undefined;
  readonly after: EntityFields;
  /** False if the change to this entity may be rejected while the current change is still sent. */
  readonly isSure: boolean;
}

export interface Moved {
  readonly before: number | undefined | Unread;
  readonly after: number | undefined | Unread;
}

export interface Step {
  readonly at: number;
  readonly change: Change;
  readonly op: ChangeOperation;
  readonly before: Looked;
  readonly after: EntityFields;
  readonly campaign: Place | Unread | undefined;
  readonly adGroup: Place | Unread | undefined;
  readonly portfolios: readonly (Place | Unread)[];
  readonly replaces: EntityFields | undefined;
  readonly replacedId: string | undefined;
  readonly wakes: boolean;
  readonly bid: Moved;
  readonly cap: Moved | undefined;
  readonly below: Below | Unread | undefined;
  readonly market?: StepMarket;
}

interface StepMarket {
  readonly country: string;
  readonly currency: string;
  readonly isForeign: boolean;
  readonly isElsewhere: boolean;
}

interface PlannedState {
  readonly steps: readonly Step[];
}

/**
 * Applies changes in their sending order to the account as read. Pure.
 *
 * @param positions Positions in the whole plan.
 * @default positions in `changes`
 * @throws {TypeError} for a repeated or unknown name, or a cycle.
 */
export function planState(
  changes: readonly Change[],
  prior: PriorState,
  positions?: readonly number[],
): PlannedState {
  const graph = changeGraph(changes);
  const order = sendingOrder(changes, graph).flat().flatMap(({ places }) => places);
  const touchedPlaces = positionsByEntity(changes, ({ kind }) => isPlaceKind(kind));
  let touchedAll: ReadonlyMap<string, readonly number[]> | undefined;
  const isSure = (own: readonly number[], at: number): boolean => {
    const waits = new Set([at]);
    for (const one of waits) for (const need of graph.needs[one]!) waits.add(need);
    return own.every((one) => waits.has(one));
  };
  const played = new ByEntity<EntityFields>();
  const afters: EntityFields[] = [];
  const archived = new Map<string, Replaced>();
  const replaced = new Map<number, Replaced | undefined>();
  const named = new Map(changes.map((change) => [change.ref, change]));

  const playedId = ({ id, ref }: Change): string => id ?? `new ${ref}`;
  for (const at of order) {
    const change = changes[at]!;
    const op = operationOf(change);
    const id = playedId(change);
    const now = played.get(change.kind, id) ??
      (op === "create" ? {} : known(prior.entity(change.kind, change.id)) ?? {});
    const after = op === "create" ? change.after : merged(now, change.after);
    played.set(change.kind, id, after);
    afters[at] = after;
    if (op === "archive") {
      const gone = { id: change.id ?? undefined, fields: now };
      // What is renamed before it is archived was the other one when the plan began.
      for (const one of [known(prior.entity(change.kind, change.id)) ?? {}, now]) {
        archived.set(identityOf(change.kind, one), gone);
      }
    }
    if (op === "create" && archived.size > 0) replaced.set(at, archived.get(identityOf(change.kind, after)));
  }

  const unchanged = new ByEntity<Place>();
  const place = (kind: string, value: unknown, at: number): Place | Unread => {
    const change = isChangeRef(value) ? named.get(value.ref) : undefined;
    if (change !== undefined && operationOf(change) === "create") {
      return {
        kind,
        id: undefined,
        before: undefined,
        after: played.get(kind, playedId(change))!,
        isSure: true,
      };
    }
    const id = change?.id ?? idText(value);
    if (id === undefined) return new Unread(`${kind} is not named`);
    const before = prior.entity(kind, id);
    if (before instanceof Unread) return before;
    if (before === undefined) return new Unread(`${kind} ${id} is not in this profile`);
    const own = touchedPlaces.size === 0 ? undefined : touchedPlaces.get(`${kind} ${id}`);
    if (own !== undefined) {
      return { kind, id, before, after: played.get(kind, id) ?? before, isSure: isSure(own, at) };
    }
    // One that no change touches is the same for all that is in it.
    let untouched = unchanged.get(kind, id);
    if (untouched === undefined) {
      unchanged.set(kind, id, untouched = { kind, id, before, after: before, isSure: true });
    }
    return untouched;
  };
  const capOf = (fields: Looked, at: number): Moved["before"] => {
    if (fields instanceof Unread) return fields;
    const value = fields?.["portfolioId"];
    if (value === undefined || value === null) return undefined;
    const portfolio = place("portfolios", value, at);
    if (portfolio instanceof Unread) return portfolio;
    const cap = readAmount(budgetAmount("portfolios", portfolio.after));
    return Number.isNaN(cap) ? new Unread("the cap of its portfolio is not a number") : cap;
  };
  const portfoliosOf = (campaign: Step["campaign"], at: number): Step["portfolios"] => {
    if (campaign === undefined || campaign instanceof Unread) return NO_PORTFOLIOS;
    const values = [campaign.before?.["portfolioId"], campaign.after["portfolioId"]];
    const ids = values.filter((value) => value !== undefined && value !== null && value !== "");
    return ids.length === 0 ? NO_PORTFOLIOS : [...new Set(ids)].map((id) => place("portfolios", id, at));
  };
  return {
    steps: changes.map((change, at): Step => {
      const op = operationOf(change);
      const before = op === "create" || op === "call" ? undefined : lookUp(change, prior);
      const after = afters[at]!;
      const { fields: replaces, id: replacedId } = replaced.get(at) ?? {};
      const { campaign, adGroup } = placesOf(change, {
        before,
        after,
        place: (kind, value) => place(kind, value, at),
      });
      const bid = bidsOf(change.kind, { before: replaces ?? before, after, adGroup });
      const wakes = op !== "archive" && wakesUp(change, { op, before, after, campaign, adGroup });
      const isParent = isCampaignKind(change.kind) || isAdGroupKind(change.kind);
      const rebids = ["dynamicBidding", "bidding", "defaultBid"].some((field) => field in change.after);
      const below = isParent && op === "update" && change.id !== null && (wakes || rebids)
        ? prior.below(change.kind, change.id, (key) => {
          const own = (touchedAll ??= positionsByEntity(changes, () => true)).get(key);
          return own !== undefined && isSure(own, at);
        })
        : undefined;
      const leaves = op === "update" && isCampaignKind(change.kind) && "portfolioId" in change.after;
      return {
        at: positions?.[at] ?? at,
        change,
        op,
        before,
        after,
        campaign,
        adGroup,
        portfolios: portfoliosOf(campaign, at),
        replaces,
        replacedId,
        wakes,
        bid,
        cap: leaves ? { before: capOf(before, at), after: capOf(after, at) } : undefined,
        below,
      };
    }),
  };
}

function positionsByEntity(
  changes: readonly Change[],
  isMeant: (change: Change) => boolean,
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [at, change] of changes.entries()) {
    if (!isMeant(change)) continue;
    const key = `${change.kind} ${change.id}`;
    const own = found.get(key);
    if (own === undefined) found.set(key, [at]);
    else own.push(at);
  }
  return found;
}

const NO_PORTFOLIOS: Step["portfolios"] = [];

interface Replaced {
  readonly id: string | undefined;
  readonly fields: EntityFields;
}

function lookUp({ kind, id }: Change, prior: PriorState): EntityFields | Unread {
  return prior.entity(kind, id) ?? new Unread(`${kind} ${id} is not in this profile`);
}

/** Operation by effect: an archiving update is an archive, one without an id a create. */
export function operationOf({ op, id, after }: Change): ChangeOperation {
  if (op === "create" || (op === "update" && id === null)) return "create";
  const state = after["state"];
  return op === "update" && typeof state === "string" && state.toUpperCase() === "ARCHIVED" ? "archive" : op;
}

const IDLE: ReadonlySet<string> = new Set(["PAUSED", "ARCHIVED", "PROPOSED", "USER_DELETED"]);

export function isEnabled(fields: EntityFields | undefined): boolean {
  return !IDLE.has(String(fields?.["state"] ?? "ENABLED").toUpperCase());
}

function merged(now: EntityFields, after: EntityFields): EntityFields {
  const fields: Record<string, unknown> = { ...now };
  for (const [name, value] of Object.entries(after)) {
    const next = mergeFields(now[name], value);
    if (next === undefined || next === null) delete fields[name];
    else fields[name] = next;
  }
  return fields;
}

export function identityOf(kind: string, fields: EntityFields): string {
  const { campaignId, adGroupId, keywordText, matchType, expression, expressions, name, asin, sku } = fields;
  // A campaign and a portfolio are told apart by their names alone, an ad group within its campaign.
  const isInNone = isCampaignKind(kind) || kind === "portfolios";
  const place = isInNone ? null : isAdGroupKind(kind) ? campaignId : adGroupId ?? campaignId;
  const target = expression ?? expressions;
  const what = keywordText !== undefined
    ? [String(keywordText).trim(), String(matchType).replaceAll("_", "")]
    : target === undefined
    ? [typeof name === "string" ? name.trim() : name, asin, sku]
    : Array.isArray(target)
    ? target.map(canonicalJson).sort()
    : [target];
  const side = fields["negative"] === true ? ["negative"] : [];
  return canonicalJson([kind, place, ...what, ...side]).toLowerCase();
}

export function identityOfStep({ change: { kind }, before, after, market }: Step): string {
  const was = known(before);
  return market !== undefined && isCampaignKind(kind)
    ? canonicalJson([kind, market.country, was?.["name"] ?? after["name"]]).toLowerCase()
    : identityOf(kind, was ?? after);
}

function placesOf(
  { kind, id, campaignId }: Change,
  { before, after, place }: {
    before: Looked;
    after: EntityFields;
    place: (kind: string, value: unknown) => Place | Unread;
  },
): Pick<Step, "campaign" | "adGroup"> {
  const kinds = placeKinds(kind);
  if (kinds === undefined) return { campaign: undefined, adGroup: undefined };
  const entity = known(before);
  if (isCampaignKind(kind)) {
    return {
      campaign: { kind, id: id ?? undefined, before: entity, after, isSure: true },
      adGroup: undefined,
    };
  }
  if (before instanceof Unread) return { campaign: before, adGroup: before };
  const group = entity?.["adGroupId"] ?? after["adGroupId"];
  const own = entity?.["campaignId"] ?? after["campaignId"] ??
    (entity === undefined ? campaignId : undefined);
  if (group === undefined) return { campaign: place(kinds.campaigns, own), adGroup: undefined };
  const adGroup = place(kinds.adGroups, group);
  // The account's own words come first: of an entity that is there its own campaign, of a new one that of its ad group.
  const owner = adGroup instanceof Unread
    ? entity?.["campaignId"]
    : (adGroup.before ?? adGroup.after)["campaignId"] ?? own;
  const isLost = owner === undefined && adGroup instanceof Unread;
  return { campaign: isLost ? adGroup : place(kinds.campaigns, owner), adGroup };
}

export function bidsOf(
  kind: string,
  { before, after, adGroup }: { before: Looked; after: EntityFields; adGroup: Step["adGroup"] },
): Step["bid"] {
  const bidIn = (fields: Looked, when: "before" | "after"): number | undefined | Unread => {
    if (fields === undefined || fields instanceof Unread) return fields;
    const own = ownBid(kind, fields);
    if (own === undefined && before instanceof Unread && kind.endsWith(".ad_groups")) return before;
    if (own !== undefined || !inheritsBid(kind)) return own;
    if (adGroup instanceof Unread) return adGroup;
    if (adGroup === undefined) return new Unread("its ad group is not named");
    const [is, was] = [ownBid(adGroup.kind, adGroup[when]), ownBid(adGroup.kind, adGroup.before)];
    // A default bid that is lowered beside it may stay as it was.
    return adGroup.isSure || is === undefined || was === undefined ? is : Math.max(is, was);
  };
  return { before: bidIn(before, "before"), after: bidIn(after, "after") };
}

export function wakesUp(
  { after: wanted }: Change,
  { op, before, after, campaign, adGroup }: Pick<Step, "op" | "before" | "after" | "campaign" | "adGroup">,
): boolean {
  const places = [campaign, adGroup].flatMap((one) =>
    one === undefined || one instanceof Unread ? [] : [one]
  );
  if (!isEnabled(after)) return false;
  if (op === "create") return true;
  // Of what could not be read nobody knows whether it spent before.
  if (before instanceof Unread) return ["state", "startDate", "endDate"].some((field) => field in wanted);
  const revived = (was: EntityFields | undefined, is: EntityFields): boolean =>
    was !== undefined && (!isEnabled(was) && isEnabled(is) || runsLonger(was, is));
  return revived(before, after) || places.some((one) => revived(one.before, one.after));
}

function runsLonger(was: EntityFields, is: EntityFields): boolean {
  const day = (value: unknown): string => typeof value === "string" ? value.replaceAll("-", "") : "";
  const [wasEnd, isEnd] = [endOf(was), endOf(is)].map(day);
  const [wasStart, isStart] = [was["startDate"], is["startDate"]].map(day);
  return wasEnd !== "" && (isEnd === "" || isEnd! > wasEnd!) ||
    wasStart !== "" && isStart !== "" && isStart! < wasStart!;
}

function endOf(fields: EntityFields): unknown {
  const { budget } = fields;
  return fields["endDate"] ??
    (typeof budget === "object" && budget !== null && "endDate" in budget ? budget.endDate : undefined);
}

import type { Change, ChangeOperation, EntityFields } from "../plans/change.ts";
import { campaignIdOf } from "../plans/review/campaign_id_of.ts";
import { isChangeRef } from "../plans/graph/change_ref.ts";
import { type EntityFacts, entityFacts } from "./entity_facts.ts";
import type { AccountReading } from "../plans/review/account_reading.ts";
import type { DayTotals } from "../plans/day/day_totals.ts";
import { valuesNow } from "../plans/review/values_now.ts";

/** A change as rules judge it: by what it does, whatever it is called. */
export interface JudgedChange {
  /** Position in the plan. */
  readonly index: number;
  readonly change: Change;
  /** An update that sets an archived state is an archive; one without an id is a create. */
  readonly op: ChangeOperation;
  /** The entity as it is now; without fields for a create. */
  readonly before: EntityFacts;
  /** The entity as it will be. */
  readonly after: EntityFacts;
  /** Its campaign; for a campaign the entity itself. `undefined` where it has none or it could not be read. */
  readonly campaign: EntityFacts | undefined;
  /** True when the change names a campaign that could not be read. */
  readonly campaignUnknown: boolean;
  /** True when the plan itself creates that campaign. */
  readonly campaignIsNew: boolean;
  /** Names of the fields that change. */
  readonly fields: readonly string[];
}

/** What changes are brought to the form of rules with. */
export interface JudgingContext {
  /** The account as it is now. */
  readonly account: AccountReading;
  /** Labels of a policy by the ids that they name. @default none */
  readonly labels?: ReadonlyMap<string, readonly string[]> | undefined;
}

/** Brings the changes of a plan to the form that rules judge. */
export function judgedChanges(
  changes: readonly Change[],
  { account, labels }: JudgingContext,
): JudgedChange[] {
  const created = new Map(
    changes.flatMap((change) => change.ref === undefined ? [] : [[change.ref, change]]),
  );
  const factsOf = (kind: string, id: string | null, fields: EntityFields): EntityFacts =>
    labelled(entityFacts(kind, id, fields), labels);
  return changes.map((change, index) => {
    const op = operationOf(change);
    const read = account.entity(change.kind, change.id);
    const now = valuesNow({ ...change, op }, account);
    const merged = op === "create" ? change.after : { ...now, ...change.after };
    const after = factsOf(change.kind, change.id, merged);
    const before = op === "create"
      ? { ...entityFacts(change.kind, change.id, {}), labels: ownLabels(after, labels) }
      : factsOf(change.kind, change.id, now);
    const isCampaign = change.kind.endsWith(".campaigns");
    const parent = isCampaign || op !== "create" ? undefined : plannedCampaign(change, created);
    const campaignId = isCampaign ? undefined : parent?.campaignId ?? campaignIdOf(change, read);
    const campaign = campaignId === undefined ? undefined : account.campaign(change.kind, campaignId);
    const known = isCampaign
      ? (op === "create" ? after : before)
      : parent?.change !== undefined
      ? factsOf(parent.change.kind, null, parent.change.after)
      : campaign && campaignId && factsOf(`${change.kind.split(".")[0]}.campaigns`, campaignId, campaign) ||
        undefined;
    return {
      index,
      change,
      op,
      before,
      after,
      campaign: known,
      campaignUnknown: known === undefined && (campaignId !== undefined || parent !== undefined),
      campaignIsNew: parent?.change !== undefined,
      fields: Object.keys(change.after),
    };
  });
}

/**
 * The campaign that a change refers to by the name of another change, directly or through its ad group; `undefined` when
 * it refers to none.
 */
function plannedCampaign(
  { after }: Change,
  created: ReadonlyMap<string, Change>,
): { readonly change?: Change | undefined; readonly campaignId?: string } | undefined {
  const campaign = after["campaignId"];
  if (isChangeRef(campaign)) return { change: created.get(campaign.ref) };
  const adGroup = after["adGroupId"];
  if (!isChangeRef(adGroup)) return undefined;
  const owner = created.get(adGroup.ref)?.after["campaignId"];
  if (isChangeRef(owner)) return { change: created.get(owner.ref) };
  return owner === undefined ? {} : { campaignId: String(owner) };
}

/** Adds the policy's own labels: those of the entity, and of what it is in. */
function labelled(facts: EntityFacts, labels: JudgingContext["labels"]): EntityFacts {
  const own = ownLabels(facts, labels);
  return own.length === 0 ? facts : { ...facts, labels: [...new Set([...facts.labels, ...own])] };
}

function ownLabels(facts: EntityFacts, labels: JudgingContext["labels"]): string[] {
  if (labels === undefined || labels.size === 0) return [];
  const ids = [facts.id, facts.adGroupId, facts.campaignId, facts.portfolioId];
  return ids.flatMap((id) => id === undefined ? [] : labels.get(id) ?? []);
}

function operationOf(change: Change): ChangeOperation {
  const state = change.after["state"];
  if (change.op === "create" || (change.op === "update" && change.id === null)) return "create";
  return typeof state === "string" && state.toUpperCase() === "ARCHIVED" ? "archive" : change.op;
}

/**
 * By how much the bid or budget moves, as a share of what it was: 0.5 for half as much again, -0.5 for half of it.
 * Measured against the value at the start of the day where it was changed before, so that many small steps count as
 * one. `undefined` where it does not move, or there was no value.
 */
export function relativeMove(judged: JudgedChange, today: DayTotals): number | undefined {
  const field = judged.after.bid === undefined ? "budget" : "bid";
  const to = judged.after[field];
  const now = judged.before[field];
  if (to === undefined || now === undefined || to === now) return undefined;
  const from = today.firstValue(judged.change.kind, judged.change.id, field) ?? now;
  return from === 0 ? (to > 0 ? Infinity : 0) : (to - from) / from;
}

/** A change in words, for messages. */
export function nameOf({ change }: JudgedChange): string {
  return `${change.kind} ${change.id ?? "(new)"} ${change.label}`.replace(/\s+/g, " ").trim();
}

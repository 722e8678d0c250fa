import { idText } from "../../base/json/id_of.ts";
import type { Change, EntityFields } from "../model/change.ts";
import type { PlanNames } from "../model/plan_data.ts";
import type { PlanResource } from "../model/plan_target.ts";
import { known, placeKinds, type PriorState } from "../model/prior_state.ts";

interface NamesNow {
  readonly names: PlanNames;
  readonly corrected: ReadonlyMap<number, Partial<Change>>;
}

/** Uses only the account. Unread parents have no name, because a missing heading must not fail a plan. */
export function namesNow(
  changes: readonly Change[],
  account: Pick<PriorState, "entity">,
  client: { resource(kind: string): Pick<PlanResource, "labelOf"> },
): NamesNow {
  const campaigns: Record<string, string> = {};
  const adGroups: Record<string, string> = {};
  const corrected = new Map<number, Partial<Change>>();
  const resources = new Map<string, Pick<PlanResource, "labelOf">>();
  const labelOf = (kind: string, fields: EntityFields): string | undefined => {
    let resource = resources.get(kind);
    if (resource === undefined) resources.set(kind, resource = client.resource(kind));
    return resource.labelOf?.(fields);
  };
  for (const [at, change] of changes.entries()) {
    const { kind, op, id, after } = change;
    const kinds = placeKinds(kind);
    const entity = known(account.entity(kind, id));
    const groupId = idText(entity?.["adGroupId"]) ?? idText(after["adGroupId"]);
    const isPlaced = entity?.["campaignId"] !== undefined;
    const group = isPlaced ? undefined : known(account.entity(kinds?.adGroups ?? "", groupId ?? null));
    if (groupId !== undefined && group !== undefined) adGroups[groupId] = nameOf(group);
    const campaignId = idText(entity?.["campaignId"]) ?? idText(group?.["campaignId"]) ??
      (entity === undefined ? idText(after["campaignId"]) ?? change.campaignId : undefined);
    const campaign = known(account.entity(kinds?.campaigns ?? "", campaignId ?? null));
    if (campaignId !== undefined && campaign !== undefined) campaigns[campaignId] = nameOf(campaign);
    const label = op === "call"
      ? String(after["operation"])
      : op === "create"
      ? labelOf(kind, after)
      : entity && labelOf(kind, entity);
    const differs = {
      ...(label === undefined || label === change.label ? {} : { label }),
      ...(op === "call" || campaignId === undefined || campaignId === change.campaignId
        ? {}
        : { campaignId }),
    };
    if (Object.keys(differs).length > 0) corrected.set(at, differs);
  }
  return { names: { campaigns, ad_groups: adGroups }, corrected };
}

export function asNamed(
  changes: readonly Change[],
  account: Pick<PriorState, "entity">,
  client: Parameters<typeof namesNow>[2],
): readonly Change[] {
  return withNames(changes, namesNow(changes, account, client));
}

export function withNames(
  changes: readonly Change[],
  { corrected }: Pick<NamesNow, "corrected">,
): readonly Change[] {
  return corrected.size === 0 ? changes : changes.map((change, at) => ({ ...change, ...corrected.get(at) }));
}

function nameOf(entity: EntityFields): string {
  return String(entity["name"] ?? "");
}

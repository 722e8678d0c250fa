import type { ProfileClient } from "../../client/profile_client.ts";
import { holderOf, holderText } from "../../plans/model/experiment.ts";
import type { LeftAlone } from "./move_amounts.ts";
import type { ScheduleState } from "./schedule_state.ts";
import { type Movable, movableKey } from "./scheduled_entities.ts";

/**
 * Leaves out units that an experiment holds back. Units with a stored base were changed before the experiment and
 * continue in both groups; otherwise one group would stay at that hour's amount. Platform rules apply to whole
 * campaigns, so they leave out a campaign with any held-back unit.
 */
export async function withoutHeld(
  profile: ProfileClient,
  movables: readonly Movable[],
  { state, onPlatform = [] }: {
    readonly state: Pick<ScheduleState, "bases"> | undefined;
    readonly onPlatform?: readonly string[] | undefined;
  },
): Promise<{ readonly movables: Movable[]; readonly kept: LeftAlone[] }> {
  const held = await profile.heldElsewhere();
  if (held.size === 0) return { movables: [...movables], kept: [] };
  const based = new Set((await state?.bases(profile.profileId) ?? []).map(movableKey));
  const nameOf = (value: unknown): string => value === undefined ? "" : String(value);
  const found = movables.map((movable) => {
    const { id, fields } = movable;
    const names = [id, nameOf(fields["adGroupId"]), nameOf(fields["campaignId"]), profile.profileId];
    return { movable, holder: based.has(movableKey(movable)) ? undefined : holderOf(held, names) };
  });
  const byRules = ({ schedules }: Movable): boolean =>
    schedules.some(({ name }) => onPlatform.includes(name));
  const campaigns = new Map(
    found.flatMap(({ movable, holder }) =>
      holder !== undefined && byRules(movable) ? [[nameOf(movable.fields["campaignId"]), holder]] : []
    ),
  );
  const free: Movable[] = [];
  const kept: LeftAlone[] = [];
  for (const { movable, holder: own } of found) {
    const ofCampaign = byRules(movable) ? campaigns.get(nameOf(movable.fields["campaignId"])) : undefined;
    const holder = own ?? ofCampaign;
    if (holder === undefined) {
      free.push(movable);
      continue;
    }
    const { kind, id, label, move, live } = movable;
    const schedule = movable.schedules[0]?.name ?? movable.set?.name ?? "";
    kept.push({ kind, id, label, move, schedule, live, wanted: live, why: holderText(holder) });
  }
  return { movables: free, kept };
}

import { dayIn } from "../../../base/time/calendar.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import type { EntityFigures } from "../../../plans/review/estimate_money.ts";
import { figuresFromStore } from "../../../store/figures/figures_from_store.ts";
import type { ConsoleContext } from "./console_context.ts";
import { inTurn } from "./open_store.ts";

export async function figuresOf(
  profile: Pick<ProfileClient, "profileId" | "timeZone">,
  entities: readonly { readonly kind: string; readonly id: string | null }[],
  { storePlace, now }: Pick<ConsoleContext, "storePlace" | "now">,
): Promise<ReadonlyMap<string, EntityFigures>> {
  const read = figuresFromStore(storePlace);
  return await inTurn(() =>
    read({
      profileId: profile.profileId,
      today: dayIn(profile.timeZone, now()),
      entities: entities.flatMap(({ kind, id }) => id === null ? [] : [{ kind, id }]),
    })
  );
}

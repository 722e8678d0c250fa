import { dayIn } from "../../../base/time/calendar.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import type { EntityFigures } from "../../../plans/review/estimate_money.ts";
import { entityFigures } from "../../../store/figures/entity_figures.ts";
import type { ConsoleContext } from "./console_context.ts";
import { hasStore } from "./open_store.ts";

export async function figuresOf(
  profile: Pick<ProfileClient, "profileId" | "timeZone">,
  entities: readonly { readonly kind: string; readonly id: string | null }[],
  context: Pick<ConsoleContext, "storePlace" | "store" | "now">,
): Promise<ReadonlyMap<string, EntityFigures>> {
  if (!hasStore(context)) return new Map();
  return await context.store.use((store) =>
    entityFigures(store, {
      profileId: profile.profileId,
      today: dayIn(profile.timeZone, context.now()),
      entities: entities.flatMap(({ kind, id }) => id === null ? [] : [{ kind, id }]),
    })
  );
}

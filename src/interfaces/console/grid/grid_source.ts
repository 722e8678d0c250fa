import { fieldsOf } from "../../../base/json/fields_of.ts";
import { marketOf, timeZoneOf } from "../../../base/markets/markets.ts";
import type { ResourceKind } from "../../../client/entities/kinds/kinds.ts";
import { offersDisplay } from "../../../client/offers_display.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import type { ConsoleContext } from "../http/console_context.ts";
import { ApiProblem } from "../http/responses.ts";
import { withStore } from "../http/open_store.ts";

/** Entity as listed by the platform. */
type Entity = Record<string, unknown>;

/** Entities of a profile, from the account or from the store. */
export interface GridSource {
  readonly profileId: string;
  readonly countryCode: string;
  readonly timeZone: string;
  /** ISO 4217 code; `null` if it is not known. */
  readonly currency: string | null;
  /** True if the profile can have entities of Sponsored Display. */
  hasDisplay(): Promise<boolean>;
  /** Entities of a kind that are not archived. */
  list(kind: ResourceKind): Promise<Entity[]>;
  /**
   * Time at which the entities were stored, ISO 8601, and their source: the account or a file. Absent for the live
   * account.
   */
  readonly stored?: { readonly at: string; readonly source: string };
}

/** The account as it is now. */
export function accountSource(profile: ProfileClient, signal: AbortSignal): GridSource {
  const { profileId, countryCode, timeZone } = profile;
  return {
    ...{ profileId, countryCode, timeZone, currency: profile.profile.currencyCode ?? null },
    hasDisplay: () => offersDisplay(profile, { signal }),
    list: async (kind) => {
      const found: Entity[] = [];
      for await (const entity of profile.resource(kind as string).iter({ signal })) {
        found.push(fieldsOf(entity));
      }
      return found;
    },
  };
}

/**
 * The stored account, from the last sync of its entities or from an imported file.
 *
 * @throws {ApiProblem} without a store, or without entities of the profile in it.
 */
export async function storedSource(
  context: Pick<ConsoleContext, "storePlace" | "store" | "now">,
  profileId: string,
): Promise<GridSource> {
  return await withStore(context, async (store) => {
    const { rows } = await store.query(
      "SELECT CAST(MIN(pulled_at) AS text) AS at, MAX(source) AS source FROM entity_pulls WHERE profile_id = ?",
      [profileId],
    );
    const known = (await store.profiles()).find((one) => one.profileId === profileId);
    const { at, source } = rows[0] ?? {};
    if (known === undefined || typeof at !== "string") {
      throw new ApiProblem(
        404,
        "NOT_STORED",
        'The store has no settings of this profile: "adsctl sync" stores them',
      );
    }
    const { countryCode } = known;
    return {
      ...{ profileId, countryCode, timeZone: timeZoneOf({ countryCode }) },
      currency: marketOf(countryCode)?.currency ?? null,
      hasDisplay: () => Promise.resolve(true),
      list: (kind) => storedEntities(context, profileId, kind),
      stored: { at: new Date(at).toISOString(), source: String(source) },
    };
  });
}

async function storedEntities(
  context: Pick<ConsoleContext, "storePlace" | "store" | "now">,
  profileId: string,
  kind: ResourceKind,
): Promise<Entity[]> {
  const read =
    "SELECT CAST(data AS text) AS data FROM entities WHERE profile_id = ? AND kind = ? ORDER BY id";
  const { rows } = await withStore(
    context,
    (store) => store.query(read, [profileId, kind], { maxRows: Infinity }),
  );
  const all = rows.map(({ data }): Entity => ({ ...fieldsOf(JSON.parse(String(data))) }));
  return all.filter(({ state }) => String(state).toLowerCase() !== "archived");
}

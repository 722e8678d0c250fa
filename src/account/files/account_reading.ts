import { idKey, idOf } from "../../base/json/id_of.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { dayIn } from "../../base/time/calendar.ts";
import { decimalsOf, marketOf } from "../../base/markets/markets.ts";
import { offersDisplay } from "../../client/offers_display.ts";
import { isCampaignKind } from "../../plans/model/prior_state.ts";
import { isArchived } from "../../client/entities/model/identity.ts";
import type { Fields } from "../../client/entities/model/resource_wire.ts";
import { lostFields } from "../../client/entities/wire/wire_of.ts";
import { type AccountSettings, isIgnoredCampaign } from "./account_settings.ts";
import { CAMPAIGN_KINDS, FILE_KINDS, type FileKind, PORTFOLIO_KIND, specOf } from "./file_kinds.ts";

export interface AccountNode {
  readonly kind: FileKind;
  readonly id: string;
  readonly entity: Fields;
  readonly children: readonly AccountNode[];
  /** Children without an id, such as ads of older Brands campaigns; they are shown but never changed. */
  readonly withoutId: readonly Pick<AccountNode, "kind" | "entity">[];
}

export interface AccountReading {
  readonly profileId: string;
  readonly countryCode: string;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly decimals: number;
  /** Current day in the profile's time zone. */
  readonly today: string;
  readonly lost: (kind: FileKind, entity: Fields) => readonly string[];
  readonly portfolios: readonly AccountNode[];
  readonly campaigns: Readonly<Record<string, readonly AccountNode[]>>;
  /** Entities whose own id or parent id is missing; matching entities in the files are not created again. */
  readonly withoutId: ReadonlyMap<string, readonly Fields[]>;
}

/** Filters and callbacks for reading an account. */
export interface ReadAccountOptions {
  /** Only these campaigns and their contents. @default all */
  readonly campaignIds?: readonly string[] | undefined;
  /** Only these kinds. @default all that account files hold */
  readonly kinds?: readonly string[] | undefined;
  /** Existing files; the profile must have the ad products that they contain. @default none */
  readonly files?: { readonly texts: ReadonlyMap<string, string> } | undefined;
  /** Aborts listing the entities. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of entities read so far, after each kind. */
  readonly onRead?: ((count: number) => void) | undefined;
  /** Called with a warning about entities that no file can hold, because their id or their parent's is missing. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

/**
 * Reads the account without entities that have an archived or ignored parent, and without Display if the profile does
 * not have it.
 */
export async function readAccount(
  profile: ProfileClient,
  settings: AccountSettings,
  options: ReadAccountOptions = {},
): Promise<AccountReading> {
  const { campaignIds, kinds: only, signal, onRead, onWarning } = options;
  const wanted = FILE_KINDS.filter(({ kind }) =>
    !settings.ignore.kinds.includes(kind) && (only?.includes(kind) ?? true)
  );
  const isDisplay = ({ kind }: FileKind): boolean => kind.startsWith("sd.");
  const isHeld = (folder: string): boolean =>
    [...options.files?.texts.keys() ?? []].some((path) => path.startsWith(`${folder}/`));
  const hasDisplay = isHeld("sd") || !wanted.some(isDisplay) || await offersDisplay(profile, { signal });
  const isGlobal = (kind: FileKind): boolean => specOf(kind).isGlobal === true;
  const kinds = wanted.filter((kind) => !isGlobal(kind) && (hasDisplay || !isDisplay(kind)));
  let count = 0;
  const read = async ({ kind }: FileKind): Promise<[string, Fields[]]> => {
    const resource = profile.resource(kind as string);
    const filters = resource.spec.filters;
    const chosen = campaignIds === undefined
      ? {}
      : isCampaignKind(kind)
      ? { ids: campaignIds }
      : filters.includes("campaignIds")
      ? { campaignIds }
      : {};
    const entities = await resource.list({ ...chosen, signal });
    onRead?.(count += entities.length);
    return [kind, entities.filter((entity) => !isArchived(entity))];
  };
  const byKind = new Map(await Promise.all(kinds.map(read)));
  // Most profiles belong to no global account; a copy shows those that have global campaigns.
  const hasGlobal = campaignIds === undefined &&
    (isHeld("sp_global") || byKind.get("sp.campaigns")?.some((one) => one["globalCampaignId"] !== undefined));
  if (hasGlobal) {
    for (const kind of wanted.filter(isGlobal)) byKind.set(...await read(kind));
  }
  const withoutId = new Map(
    wanted.map((
      kind,
    ) => [kind.kind, (byKind.get(kind.kind) ?? []).filter((one) => !isIdentified(kind, one))]),
  );
  for (const kind of wanted) warnOfMissingIds(kind, withoutId.get(kind.kind) ?? [], onWarning);
  const places = new Map(
    FILE_KINDS.map((
      kind,
    ) => [kind.kind, Map.groupBy(byKind.get(kind.kind) ?? [], (entity) => placeOf(kind, entity))]),
  );
  const nodes = (kind: FileKind, entities: readonly Fields[]): AccountNode[] =>
    entities.flatMap((entity) => {
      const id = idOf(entity, specOf(kind).idField);
      if (id === undefined) return [];
      const below = kind.children.map((child) => ({ child, found: places.get(child.kind)?.get(id) ?? [] }));
      const children = below.flatMap(({ child, found }) => nodes(child, found));
      const withoutId = below.flatMap(({ child, found }) =>
        found.filter((one) => idOf(one, specOf(child).idField) === undefined)
          .map((one) => ({ kind: child, entity: one }))
      );
      return [{ kind, id, entity, children, withoutId }];
    });
  const market = marketOf(profile.countryCode);
  return {
    withoutId,
    profileId: profile.profileId,
    countryCode: profile.countryCode,
    currency: profile.profile.currencyCode ?? market?.currency ?? "",
    decimals: decimalsOf(profile.countryCode),
    today: dayIn(profile.timeZone, profile.transport.now()),
    lost: (kind, entity) => lostFields(specOf(kind), profile, entity),
    portfolios: nodes(PORTFOLIO_KIND, byKind.get("portfolios") ?? []),
    campaigns: Object.fromEntries(
      Object.entries(CAMPAIGN_KINDS).map(([folder, kind]) => [
        folder,
        nodes(
          kind,
          (byKind.get(kind.kind) ?? []).filter(({ name }) => !isIgnoredCampaign(settings, name)),
        ),
      ]),
    ),
  };
}

export function campaignsOf(reading: AccountReading): AccountNode[] {
  return Object.values(reading.campaigns).flat();
}

function isIdentified(kind: FileKind, entity: Fields): boolean {
  const parent = parentField(kind);
  return idOf(entity, specOf(kind).idField) !== undefined &&
    (parent === undefined || idOf(entity, parent) !== undefined);
}

export function parentField(kind: FileKind): string | undefined {
  return Object.keys(specOf(kind).parents).at(-1);
}

function warnOfMissingIds(
  kind: FileKind,
  entities: readonly Fields[],
  onWarning: ReadAccountOptions["onWarning"],
): void {
  const { idField, noun, plural } = specOf(kind);
  const field = parentField(kind) ?? idField;
  const count = entities.filter((entity) => idOf(entity, field) === undefined).length;
  const what = `${count} ${count === 1 ? noun : plural}`;
  if (count > 0) onWarning?.(`Left out of the files: ${what}, because the platform returns no ${field}`);
}

function placeOf(kind: FileKind, entity: Fields): string {
  const parent = parentField(kind);
  return parent === undefined ? "" : idKey(entity, parent);
}

import { idKey, idOf } from "../../base/json/id_of.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { dayIn } from "../../base/time/calendar.ts";
import { decimalsOf, marketOf } from "../../base/markets/markets.ts";
import { offersDisplay } from "../../client/offers_display.ts";
import { isCampaignKind } from "../../plans/model/prior_state.ts";
import { isArchived } from "../../client/entities/model/is_archived.ts";
import type { Fields } from "../../client/entities/model/resource_wire.ts";
import { lostFields } from "../../client/entities/wire/wire_of.ts";
import { type AccountSettings, isIgnoredCampaign } from "./account_settings.ts";
import { CAMPAIGN_KINDS, FILE_KINDS, type FileKind, PORTFOLIO_KIND, specOf } from "./file_kinds.ts";

/** An entity of the account, and what belongs to it. */
export interface AccountNode {
  readonly kind: FileKind;
  readonly id: string;
  /** As the platform gave it. */
  readonly entity: Fields;
  readonly children: readonly AccountNode[];
  /** Children without an id, such as ads of older Brands campaigns: shown, and never changed. */
  readonly withoutId: readonly Pick<AccountNode, "kind" | "entity">[];
}

/** The part of a profile that account files hold, read once. */
export interface AccountReading {
  readonly profileId: string;
  readonly countryCode: string;
  /** ISO 4217 code of its amounts. */
  readonly currency: string;
  /** Decimals of that currency. */
  readonly decimals: number;
  /** The day it is in the profile's time zone. */
  readonly today: string;
  /** Names the fields of an entity of a kind that the profile's wire does not read. */
  readonly lost: (kind: FileKind, entity: Fields) => readonly string[];
  readonly portfolios: readonly AccountNode[];
  /** Campaigns that are not archived, by the folder of their files. */
  readonly campaigns: Readonly<Record<string, readonly AccountNode[]>>;
  /** Entities that lack their id or that of their parent, by kind: a file may have them, and none is created anew. */
  readonly withoutId: ReadonlyMap<string, readonly Fields[]>;
}

/** Filters and callbacks for reading an account. */
export interface ReadAccountOptions {
  /** Only these campaigns and what is in them. @default all */
  readonly campaignIds?: readonly string[] | undefined;
  /** Only these kinds. @default all that account files hold */
  readonly kinds?: readonly string[] | undefined;
  /** Files that hold campaigns already: a product of theirs has to be there. @default none */
  readonly files?: { readonly texts: ReadonlyMap<string, string> } | undefined;
  /** Aborts listing the entities. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of entities read so far, after each kind. */
  readonly onRead?: ((count: number) => void) | undefined;
  /** Called with a warning about entities that no file can hold, because their id or their parent's is missing. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

/**
 * Reads what account files hold of a profile. Entities whose parent is archived or ignored are left out, and so is
 * Display where the profile does not have it.
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

/** The field with the id of what entities of a kind belong to: the innermost of their parents. */
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

/** Id of what an entity belongs to. */
function placeOf(kind: FileKind, entity: Fields): string {
  const parent = parentField(kind);
  return parent === undefined ? "" : idKey(entity, parent);
}

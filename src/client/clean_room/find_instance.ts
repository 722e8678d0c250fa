import { fieldsOf } from "../../base/json/fields_of.ts";
import { idKey } from "../../base/json/id_of.ts";
import { type Region, REGIONS } from "../../base/markets/markets.ts";
import { nearest } from "../../base/text/nearest.ts";
import { ConfigurationError } from "../../errors.ts";
import type { CleanRoomInstance, RoomAccount } from "./clean_room_types.ts";

/** Options for listing clean-room instances. */
export interface CleanRoomOptions {
  /** Region to look in. @default every region of the login */
  readonly region?: Region | undefined;
  /** Aborts the listing. */
  readonly signal?: AbortSignal | undefined;
}

export interface InstanceSource {
  account(headers: Readonly<Record<string, string>>, region: Region): RoomAccount;
  readonly hasRegion: (region: Region) => boolean;
}

export function accountHeaders(
  { accountId, marketplaceId }: Pick<CleanRoomInstance, "accountId" | "marketplaceId">,
): Record<string, string> {
  return {
    "Platform-Advertising-API-AdvertiserId": accountId,
    "Platform-Advertising-API-MarketplaceId": marketplaceId,
  };
}

export async function listInstances(
  source: InstanceSource,
  { region: only, signal }: CleanRoomOptions = {},
): Promise<CleanRoomInstance[]> {
  const regions = REGIONS.filter((region) => only === undefined ? source.hasRegion(region) : region === only);
  const stop = signal === undefined ? {} : { signal };
  const listed = await Promise.all(regions.map(async (region) => {
    const instances: CleanRoomInstance[] = [];
    const login = source.account({}, region);
    for await (const page of login.pages("amc-administration:AmcpLinkListAmcAccounts", stop)) {
      for (const found of itemsOf(page, "amcAccounts")) {
        const account = {
          region,
          accountId: idKey(found, "accountId"),
          accountName: String(found["accountName"] ?? ""),
          marketplaceId: idKey(found, "marketplaceId"),
        };
        const client = source.account(accountHeaders(account), region);
        for await (const part of client.pages("amc-administration:listInstances", stop)) {
          instances.push(
            ...itemsOf(part, "instances").map((instance) => ({
              ...account,
              instanceId: idKey(instance, "instanceId"),
              name: String(instance["instanceName"] ?? ""),
              advertisers: [instance["entities"] ?? []].flat().map(String),
              status: String(instance["creationStatus"] ?? ""),
            })),
          );
        }
      }
    }
    return instances;
  }));
  return listed.flat();
}

export function chooseInstance(
  instances: readonly CleanRoomInstance[],
  idOrName: string | undefined,
): CleanRoomInstance {
  const [only] = instances;
  if (idOrName === undefined) {
    if (only !== undefined && instances.length === 1) return only;
    const list = instances.map(({ instanceId, name }) => `${instanceId} (${name})`).join(", ");
    throw new ConfigurationError(
      instances.length === 0
        ? "Cannot open a clean room: the login reaches none"
        : `Cannot open a clean room without its id: the login reaches ${list}`,
    );
  }
  const byId = instances.filter(({ instanceId }) => instanceId === idOrName);
  const found = byId.length > 0 ? byId : instances.filter(({ name }) => name === idOrName);
  const [instance, ...others] = found;
  if (instance !== undefined && others.length === 0) return instance;
  const known = (found.length > 0 ? found : instances).map(({ instanceId, name }) =>
    `${instanceId} (${name})`
  );
  const near = nearest(idOrName, instances.flatMap(({ instanceId, name }) => [instanceId, name]));
  const hint = near === undefined || found.length > 0 ? "" : `. Did you mean "${near}"?`;
  const why = found.length > 1 ? "is the name of several" : "is not an instance of this login";
  const list = known.length === 0 ? ". The login reaches none" : `. Use one of ${known.join(", ")}`;
  throw new ConfigurationError(`Cannot open the clean room "${idOrName}": it ${why}${hint}${list}`);
}

export function itemsOf(page: unknown, field: string): Readonly<Record<string, unknown>>[] {
  return [fieldsOf(page)[field] ?? []].flat().map(fieldsOf);
}

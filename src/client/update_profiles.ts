import { readBody, VERDICTS_UNREAD } from "../platform/transport/unexpected_response.ts";
import type { BatchError } from "../platform/batch/batch_error.ts";
import { BatchResult } from "../platform/batch/batch_result.ts";
import { failure } from "../platform/batch/item_error.ts";
import { parseMultiStatus } from "../platform/batch/parse_multi_status.ts";
import type { Region } from "../base/markets/markets.ts";
import { writeBatch } from "./entities/resource/write_batch.ts";
import { bareInteger } from "../base/json/json.ts";
import { WITHIN_LIMIT } from "../platform/transport/api_request.ts";
import type { Transport } from "../platform/transport/transport.ts";
import { checkProfileId } from "./profile.ts";

/** A change to a profile. */
export interface ProfileUpdate {
  /** Id of the profile: digits, as returned by `profiles()`. */
  readonly profileId: string;
  /** Maximum daily spend across all campaigns, in the profile's currency; sellers only. */
  readonly dailyBudget: number;
}

interface UpdateProfilesParts {
  readonly regions: ReadonlyMap<string, Region>;
  readonly unasked: string | undefined;
  readonly baseUrl: (region: Region) => string;
  readonly transport: Transport;
  readonly signal: AbortSignal | undefined;
}

const PROFILES_A_REQUEST = 100;

export async function updateProfiles(
  updates: readonly ProfileUpdate[],
  parts: UpdateProfilesParts,
): Promise<BatchResult<ProfileUpdate>> {
  updates.forEach(checkUpdate);
  const byRegion = Map.groupBy(updates.keys(), (index) => parts.regions.get(updates[index]!.profileId));
  const unknown = (byRegion.get(undefined) ?? []).map((index) =>
    notFound(updates[index]!, index, parts.unasked)
  );
  byRegion.delete(undefined);

  const groups = [...byRegion] as [Region, number[]][];
  const responses = await Promise.allSettled(
    groups.map(([region, indexes]) =>
      updateRegion(indexes.map((index) => updates[index]!), { region, ...parts })
    ),
  );
  if (responses.length > 0 && responses.every((response) => response.status === "rejected")) {
    throw responses[0]!.reason;
  }
  const results = responses.map((response, at): BatchResult<ProfileUpdate> => {
    const indexes = groups[at]![1];
    if (response.status === "fulfilled") return atIndexes(response.value, indexes);
    return new BatchResult(
      [],
      indexes.map((index) => notSent(updates[index]!, index, response.reason)),
      response.reason,
    );
  });
  return BatchResult.join([...results, new BatchResult<ProfileUpdate>([], unknown)]);
}

function updateRegion(
  updates: readonly ProfileUpdate[],
  { region, baseUrl, transport, signal }: UpdateProfilesParts & { region: Region },
): Promise<BatchResult<ProfileUpdate>> {
  return writeBatch(updates, {
    limit: PROFILES_A_REQUEST,
    send: async (part, watch) => {
      const { json } = await transport.send({
        withinLimit: WITHIN_LIMIT,
        method: "PUT",
        baseUrl: baseUrl(region),
        path: "/v2/profiles",
        json: part.map(({ profileId, dailyBudget }) => ({ profileId: bareInteger(profileId), dailyBudget })),
        idempotent: true,
        signal,
        ...watch,
      });
      return readBody(json, VERDICTS_UNREAD, () => parseMultiStatus(json, part, { idField: "profileId" }));
    },
    resendInternalErrors: true,
    transport,
    signal,
  });
}

function checkUpdate({ profileId, dailyBudget }: ProfileUpdate): void {
  checkProfileId(profileId);
  if (typeof dailyBudget !== "number" || !Number.isFinite(dailyBudget)) {
    throw new TypeError(`Cannot update profile ${profileId}: its dailyBudget is not a number`);
  }
}

function notFound(
  item: ProfileUpdate,
  index: number,
  unasked: string | undefined,
): BatchError<ProfileUpdate> {
  const found = `Never sent: this login reaches no profile ${item.profileId}`;
  const message = unasked === undefined ? found : `${found}. ${unasked}`;
  return failure({ index, item, outcome: "not_sent" }, {
    errorType: "entityNotFoundError",
    code: "NOT_FOUND",
    message,
  });
}

function notSent(item: ProfileUpdate, index: number, cause: Error): BatchError<ProfileUpdate> {
  const message = `Not done: ${cause.message}`;
  return failure({ index, item, outcome: "not_sent" }, { code: "NOT_SENT", message, raw: cause });
}

function atIndexes(
  result: BatchResult<ProfileUpdate>,
  indexes: readonly number[],
): BatchResult<ProfileUpdate> {
  return new BatchResult(
    result.successes.map((success) => ({ ...success, index: indexes[success.index]! })),
    result.errors.map((error) => ({ ...error, index: indexes[error.index]! })),
    result.stoppedBy,
  );
}

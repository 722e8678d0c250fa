import { catalog } from "../../platform/catalog/catalog.ts";
import { prepareCall } from "../../platform/catalog/prepare_call.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { reviewed } from "../../plans/change_plan/reviewed.ts";
import type { Change } from "../../plans/model/change.ts";
import type { PlannedCall } from "../../plans/model/planned_call.ts";
import { REGISTER_ASSET } from "./asset_manifest.ts";
import type { PlanUploadOptions, PlanUploadParts } from "./upload_options.ts";
import { requestText } from "./call_input.ts";
import { describedUpload, UPLOADS } from "./upload_description.ts";
import { readUpload, uploadText } from "./upload_file.ts";

/**
 * Plans an upload. The plan contains the file's name, digest and row numbers but no rows; the rows are read and
 * verified again when the plan is sent.
 *
 * @throws {ConfigurationError} with all problems of the file.
 * @throws {TypeError} when the operation is not a known upload.
 */
export async function planUpload(
  id: string,
  path: string,
  { options, client }: { readonly options: PlanUploadOptions; readonly client: PlanUploadParts },
): Promise<ChangePlan> {
  const operation = await catalog.get(id);
  if (operation.id === REGISTER_ASSET) {
    const { planAssets } = await import("./plan_assets.ts");
    return await planAssets(path, { options, client });
  }
  const upload = describedUpload(operation.id);
  if (upload === undefined) {
    const known = [...UPLOADS.map((one) => one.operation), REGISTER_ASSET].join(", ");
    throw new TypeError(
      `Cannot upload to "${operation.id}": its rows are not known. Known uploads: ${known}`,
    );
  }
  const { pathParams = {}, headers = {}, body = {}, hash = false, note, signal } = options;
  const { atOnce = upload.atOnce } = options;
  if (!Number.isInteger(atOnce) || atOnce < 1 || atOnce > upload.atOnce) {
    throw new RangeError(`Cannot send ${atOnce} rows at once: choose 1 to ${upload.atOnce}`);
  }
  prepareCall(operation, { pathParams, headers, body: { ...body, [upload.list]: [] } });
  const { text, sha256 } = await uploadText(path);
  const items = readUpload(upload, { text, path }, { hash, now: client.transport.now() });
  const call = {
    operation: operation.id,
    ...(Object.keys(pathParams).length === 0 ? {} : { path_params: pathParams }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(Object.keys(body).length === 0 ? {} : { body }),
  };
  const request = await requestText(call);
  const changes: Change[] = [];
  for (let at = 0; at < items.length; at += atOnce) {
    const last = Math.min(at + atOnce, items.length) + 1;
    const planned: PlannedCall = {
      ...call,
      request,
      rows: { file: path, sha256, first: at + 2, last, hash },
    };
    const label = `${operation.id} rows ${at + 2}-${last}`;
    changes.push({ kind: "call", op: "call", id: null, before: {}, after: { ...planned }, label });
  }
  const { profileId, countryCode } = client;
  const warnings = [`${operation.id} cannot be undone by a plan: nothing takes back uploaded rows`];
  return await reviewed({ profileId, countryCode, changes, warnings, note: note ?? null }, client, {
    signal,
  });
}

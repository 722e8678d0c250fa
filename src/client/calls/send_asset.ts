import { fileSystem } from "../../base/runtime/file_system.ts";
import { blobHash } from "../../base/runtime/blob_hash.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import { MAX_TIMER } from "../../base/time/clock.ts";
import { ApiError, ConfigurationError, PlatformAdsError } from "../../errors.ts";
import { BatchResult } from "../../platform/batch/batch_result.ts";
import { failure } from "../../platform/batch/item_error.ts";
import type { ApiRequest } from "../../platform/transport/api_request.ts";
import { backoff } from "../../platform/transport/retry.ts";
import type { PlannedCall, PlannedFile } from "../../plans/model/planned_call.ts";
import { outcomeOf } from "../entities/resource/write_batch.ts";
import { refuseOpenAddress } from "../reports/file/open_file.ts";
import type { AssetLibrary } from "./asset_library.ts";
import { callInput } from "./call_input.ts";
import { type CallTarget, sendCall } from "./send_call.ts";

/** Attempts to put a file; each gets a new address, because an address expires. */
const ATTEMPTS = 3;
/** Bytes per second that a connection must carry, in addition to the time limit of a request. */
const SLOWEST = 64 * 1024;
/** Refusals that are about one file, not about the login or the profile. */
const OF_THE_FILE: ReadonlySet<number> = new Set([400, 404, 409, 413, 415, 422]);

interface SendAssetOptions {
  readonly target: CallTarget;
  readonly library: AssetLibrary;
  readonly watch: Pick<ApiRequest, "beforeAttempt" | "onNothingDone">;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Puts a file to an address that the platform gives for it, and registers it. Only the registration counts: a file that
 * was put and not registered is not in the library. Nothing is sent for a file that another plan has registered meanwhile.
 *
 * @throws {ConfigurationError} when the file differs from the planned one; nothing is sent.
 * @throws {PlatformAdsError} when the library or the file's address cannot be reached; nothing is registered.
 * @throws {ApiError} when the platform refuses the registration for a reason that is not about the file, or fails during
 * it.
 * @throws {NetworkError} when the response to the registration is lost.
 */
export async function sendAsset(
  call: PlannedCall & { readonly file: PlannedFile },
  { target, library, watch, signal }: SendAssetOptions,
): Promise<BatchResult> {
  const input = { ...callInput(call), check: "off", ...(signal && { signal }) } as const;
  const refused = (code: string, message: string): BatchResult =>
    new BatchResult([], [failure({ index: 0, item: call, outcome: "refused" }, { code, message })]);
  let url: string;
  try {
    const known = await library.find(call, target, { signal });
    // The plan was made although one whose processing failed was there.
    if (known !== undefined && !known.isInactive) {
      return new BatchResult([
        { index: 0, id: known.assetId, item: call, entity: undefined, already: true },
      ], []);
    }
    url = await put(await plannedBlob(call.file, signal), call, { target, signal });
  } catch (error) {
    if (error instanceof PutRefused) return refused("UPLOAD_REFUSED", error.message);
    if (signal?.aborted || !(error instanceof Error) || outcomeOf(error) !== "unknown") throw error;
    throw notPut(call.file, error.message, error);
  }
  const body = { ...fieldsOf(call.body), url };
  try {
    const { json } = await sendCall(call.operation, { ...input, body }, { ...target, watch });
    const { assetId } = fieldsOf(json);
    if (typeof assetId === "string") {
      return new BatchResult([{ index: 0, id: assetId, item: call, entity: json }], []);
    }
    const message = "The platform's response does not name the asset";
    return new BatchResult([], [
      failure({ index: 0, item: call, outcome: "unknown" }, { code: "NO_VERDICT", message }),
    ]);
  } catch (error) {
    if (!(error instanceof ApiError) || !OF_THE_FILE.has(error.statusCode)) throw withoutAddress(error, url);
    return refused(error.code ?? `HTTP_${error.statusCode}`, error.message.replaceAll(url, ADDRESS));
  }
}

const ADDRESS = "[the address of the upload]";

async function plannedBlob(
  { file, bytes, sha256, content_type }: PlannedFile,
  signal: AbortSignal | undefined,
): Promise<Blob> {
  const blob = await fileSystem().openBlob(file).catch(() => undefined);
  if (blob === undefined) throw new ConfigurationError(`Cannot upload ${file}: it cannot be opened`);
  if (blob.size !== bytes || await blobHash(blob, signal) !== sha256) {
    throw new ConfigurationError(
      `Cannot upload ${file}: it was changed since it was planned. Make a new plan`,
    );
  }
  return blob.slice(0, blob.size, content_type);
}

/** The platform or the host of an upload refuses the file. */
class PutRefused extends Error {}

/** Puts a file, and returns its address. */
async function put(
  blob: Blob,
  { file, headers = {} }: PlannedCall & { readonly file: PlannedFile },
  { target, signal }: Pick<SendAssetOptions, "target" | "signal">,
): Promise<string> {
  const { transport } = target;
  const name = `${
    fileSystem().basename(file.file).replace(/\.[^.]*$/, "").replace(/\W/g, "_")
  }.${file.ending}`;
  const limit = Math.min((transport.timeout + blob.size / SLOWEST) * 1000, MAX_TIMER);
  for (let attempt = 1;; attempt++) {
    const { json } = await sendCall("creative-assets:getUploadLocation", {
      ...{ headers, body: { fileName: name }, check: "off", ...(signal && { signal }) },
    }, target).catch((error) => {
      if (!(error instanceof ApiError) || !OF_THE_FILE.has(error.statusCode)) throw error;
      throw new PutRefused(
        `Cannot upload ${file.file}: the platform gives no address for it. ${error.message}`,
      );
    });
    const url = fieldsOf(json)["url"];
    if (typeof url !== "string") throw notPut(file, "the platform gives no address for it");
    refuseOpenAddress(url);
    const isLast = attempt === ATTEMPTS;
    let status: number;
    try {
      const response = await transport.fetch(url, {
        method: "PUT",
        headers: { "content-type": file.content_type },
        body: blob,
        redirect: "manual",
        signal: AbortSignal.any([AbortSignal.timeout(limit), ...(signal ? [signal] : [])]),
      });
      await response.body?.cancel();
      status = response.status;
    } catch (cause) {
      signal?.throwIfAborted();
      const why = (cause as Error).message.replaceAll(url, ADDRESS);
      if (isLast) throw notPut(file, `its host does not respond (${why})`);
      status = 503;
    }
    if (status >= 200 && status < 300) return url;
    const isBusy = status >= 500 || status === 429;
    if (isLast) {
      const said = `its host responds with ${status}`;
      throw isBusy ? notPut(file, said) : new PutRefused(`Cannot upload ${file.file}: ${said}`);
    }
    if (isBusy) await transport.sleep(backoff(transport.retry, attempt, transport.random()), signal);
  }
}

/** Nothing was registered, so that the file can be sent again. */
function notPut({ file }: PlannedFile, why: string, cause?: unknown): PlatformAdsError {
  return new PlatformAdsError(`Cannot upload ${file}: ${why}. It was not registered`, { cause });
}

function withoutAddress(error: unknown, url: string): unknown {
  if (!(error instanceof Error)) return error;
  for (const name of ["message", "stack", "body"]) {
    const text = Reflect.get(error, name);
    if (typeof text !== "string" || !text.includes(url)) continue;
    Object.defineProperty(error, name, { value: text.replaceAll(url, ADDRESS), configurable: true });
  }
  return error;
}

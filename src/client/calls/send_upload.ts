import { fieldsOf } from "../../base/json/fields_of.ts";
import { ApiError, ConfigurationError, UnexpectedResponseError } from "../../errors.ts";
import { BatchResult } from "../../platform/batch/batch_result.ts";
import { failure } from "../../platform/batch/item_error.ts";
import type { ApiRequest } from "../../platform/transport/api_request.ts";
import type { PlannedCall, PlannedRows } from "../../plans/model/planned_call.ts";
import { failedRowsText } from "../../plans/model/row_verdicts.ts";
import { callInput } from "./call_input.ts";
import { type CallTarget, sendCall } from "./send_call.ts";
import { describedUpload, type UploadDescription } from "./upload_description.ts";
import { readUpload, type UploadFile, uploadText } from "./upload_file.ts";

export interface ReadUploads {
  last?: UploadFile & { readonly hash: boolean };
}

export interface SendUploadOptions {
  readonly target: CallTarget;
  readonly watch: Pick<ApiRequest, "beforeAttempt" | "onNothingDone">;
  readonly read: ReadUploads;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends an upload. The verdict names rejected rows and error codes, never values.
 *
 * @throws {ConfigurationError} when the file differs from the planned one; nothing is sent.
 */
export async function sendUpload(
  call: PlannedCall & { readonly rows: PlannedRows },
  { target, watch, read, signal }: SendUploadOptions,
): Promise<BatchResult> {
  const { rows: { first, last } } = call;
  const upload = describedUpload(call.operation);
  if (upload === undefined) {
    throw new TypeError(`Cannot upload to "${call.operation}": its rows are not known`);
  }
  const { items } = read.last = await plannedFile(upload, call.rows, read);
  const part = items.slice(first - 2, last - 1);
  const input = {
    ...callInput(call),
    body: { ...fieldsOf(call.body), [upload.list]: part },
    check: "off",
    ...(signal && { signal }),
  } as const;
  try {
    const { json, status } = await sendCall(call.operation, input, { ...target, watch });
    return verdictOf(call, upload, { json, status, count: part.length });
  } catch (error) {
    throw withoutValues(error, part);
  }
}

async function plannedFile(
  upload: UploadDescription,
  { file, sha256, hash }: PlannedRows,
  read: ReadUploads,
): Promise<NonNullable<ReadUploads["last"]>> {
  if (read.last?.sha256 === sha256 && read.last.hash === hash) return read.last;
  const found = await uploadText(file);
  if (found.sha256 !== sha256) {
    throw new ConfigurationError(
      `Cannot upload ${file}: it was changed since it was planned. Make a new plan`,
    );
  }
  // Its age was checked when it was planned; what is too old by now the platform says of each row.
  return {
    sha256,
    hash,
    items: readUpload(upload, { text: found.text, path: file }, { hash, now: undefined }),
  };
}

function verdictOf(
  call: PlannedCall & { readonly rows: PlannedRows },
  upload: UploadDescription,
  { json, status, count }: { readonly json: unknown; readonly status: number; readonly count: number },
): BatchResult {
  const fields = fieldsOf(json);
  let isReadable = true;
  const indexes = (name: string | undefined): Map<number, string> => {
    const found = new Map<number, string>();
    for (const entry of name === undefined ? [] : [fields[name] ?? []].flat().map(fieldsOf)) {
      const at = /^\d+$/.test(String(entry["index"])) ? Number(entry["index"]) : NaN;
      if (at < count) found.set(at, codeOf(entry));
      else isReadable = false;
    }
    return found;
  };
  const [refused, accepted] = [indexes(upload.refused), indexes(upload.accepted)];
  // An entry that names no row of this part may be about any that is not named.
  const silent = upload.accepted === undefined && status === 200 && isReadable
    ? []
    : [...Array(count).keys()].filter((at) => !refused.has(at) && !accepted.has(at));
  if (refused.size === 0 && silent.length === 0) {
    return new BatchResult([{ index: 0, id: undefined, item: call, entity: undefined }], []);
  }
  const rowOf = (at: number): number => call.rows.first + at;
  const failed = new Map<string | undefined, number[]>(
    [...Map.groupBy(refused, ([, code]) => code)].map((
      [code, entries],
    ) => [code, entries.map(([at]) => rowOf(at))]),
  );
  if (silent.length > 0) failed.set(undefined, silent.map(rowOf));
  const outcome = refused.size === count ? "refused" : silent.length === count ? "unknown" : "partial";
  const [code = "NO_VERDICT"] = refused.values();
  const message = failedRowsText(failed, count);
  return new BatchResult([], [failure({ index: 0, item: call, outcome }, { code, message })]);
}

/** Returns only the code of an error, because the platform's messages may contain personal values. */
function codeOf(entry: Readonly<Record<string, unknown>>): string {
  const places = [...[entry["errors"] ?? []].flat().map(fieldsOf), entry];
  const codes = places.flatMap((place) => [place["errorType"], place["errorCode"], place["code"]]);
  return codes.map(String).find((code) =>
    /^[A-Za-z][A-Za-z0-9_.]{2,60}$/.test(code) && code !== "undefined"
  ) ??
    "REFUSED";
}

/** Removes row values from an error, because the platform may repeat them. */
function withoutValues(error: unknown, part: readonly unknown[]): unknown {
  if (!(error instanceof Error)) return error;
  const values = new Set(textsIn(part).filter((text) => text.length > 3));
  const clean = (text: string): string => {
    let cleaned = text;
    for (const value of values) cleaned = cleaned.replaceAll(value, "[removed]");
    return cleaned;
  };
  if (error instanceof ApiError || error instanceof UnexpectedResponseError) {
    // Its texts may be cut within a value, which replacing does not find.
    const code = /^[A-Za-z][A-Za-z0-9_.]{2,60}$/.test(error.code ?? "") && !values.has(error.code ?? "")
      ? error.code
      : undefined;
    const message = `The platform responded with ${error.statusCode} to an upload${
      code === undefined ? "" : `: ${code}`
    }`;
    for (
      const [name, value] of Object.entries({ code, body: "", message, stack: message, cause: undefined })
    ) {
      Object.defineProperty(error, name, { value, configurable: true });
    }
    return error;
  }
  for (const name of ["message", "stack"]) {
    const text = Reflect.get(error, name);
    if (typeof text === "string") {
      Object.defineProperty(error, name, { value: clean(text), configurable: true });
    }
  }
  return error;
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

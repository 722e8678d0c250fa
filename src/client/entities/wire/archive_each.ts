import { readBody, VERDICTS_UNREAD } from "../../../platform/transport/unexpected_response.ts";
import { BatchResult } from "../../../platform/batch/batch_result.ts";
import { itemError } from "../../../platform/batch/item_error.ts";
import { parseMultiStatus } from "../../../platform/batch/parse_multi_status.ts";
import { BadRequestError, NotFoundError, UnprocessableError } from "../../../errors.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import type { Fields, SendOptions, WireRequest, WireWrite } from "../model/resource_wire.ts";
import { verdictsOf } from "./bodies.ts";

interface ArchivePlace {
  readonly path: string;
  readonly idField: string;
}

export async function archiveEach(
  scope: ProfileScope,
  ids: readonly string[],
  request: ArchivePlace & { accept: string; send: SendOptions },
): Promise<BatchResult<Fields>> {
  return BatchResult.join(
    await Promise.all(ids.map((id, index) => archiveOne(scope, { id, index }, request))),
  );
}

export function archivedBy(
  { method, path: asked }: WireRequest,
  { path, idField }: ArchivePlace,
): WireWrite | undefined {
  if (method !== "DELETE" || !asked.startsWith(`${path}/`)) return undefined;
  const id = asked.slice(path.length + 1);
  return /^\d+$/.test(id) ? { op: "archive", items: [{ [idField]: id }] } : undefined;
}

async function archiveOne(
  scope: ProfileScope,
  { id, index }: { id: string; index: number },
  { path, idField, accept, send }: ArchivePlace & { accept: string; send: SendOptions },
): Promise<BatchResult<Fields>> {
  const item = { [idField]: id };
  try {
    const body = await scope.request("DELETE", `${path}/${id}`, { accept, ...send });
    return readBody(body, VERDICTS_UNREAD, () => {
      const verdicts = verdictsOf(body ?? { code: "SUCCESS", ...item }, idField);
      return parseMultiStatus(verdicts, [item], { idField, offset: index });
    });
  } catch (error) {
    const isVerdict = error instanceof NotFoundError || error instanceof BadRequestError ||
      error instanceof UnprocessableError;
    if (!isVerdict) throw error;
    const code = error instanceof NotFoundError ? "NOT_FOUND" : error.code ?? `HTTP_${error.statusCode}`;
    return new BatchResult([], [itemError({ code, description: error.message }, { index, item })]);
  }
}

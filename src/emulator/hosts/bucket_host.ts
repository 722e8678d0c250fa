import type { Clock } from "../core/clock.ts";
import type { DeliveredObject } from "../families/streams/delivered_objects.ts";
import type { Streams } from "../families/streams/streams.ts";
import type { FaultEngine } from "../faults/fault_engine.ts";
import { respondUnderFaults } from "../faults/respond_under_faults.ts";
import { type HttpResponse, rawResponse, type Reply } from "../http/http_response.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";
import type { Journal } from "../http/journal.ts";
import type { EmulatorState } from "../state/emulator_state.ts";
import { signatureProblem } from "./check_signature.ts";

interface BucketHostParts {
  readonly streams: Streams;
  readonly state: EmulatorState;
  readonly clock: Clock;
  readonly faults: FaultEngine;
  readonly journal: Journal;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

const MAX_KEYS = 1000;

export async function handleBucketRequest(request: IncomingRequest, parts: BucketHostParts): Promise<Reply> {
  const { method, path } = request;
  parts.state.refresh();
  const [, , bucket = "", ...rest] = path.split("/");
  const key = rest.map(decodeURIComponent).join("/");
  const operation = key === "" ? "bucket:ListObjectsV2" : "bucket:GetObject";
  const entry = parts.journal.add(parts.clock.iso(), {
    method,
    path,
    operation,
    query: request.queryText,
    headers: request.headers,
    body: request.body,
    secret: true,
  });
  const faults = parts.faults.choose({ method, path, operation, host: undefined, profileId: undefined });
  const reply = await respondUnderFaults(faults, entry, {
    wait: (seconds) => parts.sleep(seconds * 1000),
    act: () => Promise.resolve(act(request, { bucket, key }, parts)),
  });
  parts.state.save();
  return reply;
}

function act(
  request: IncomingRequest,
  { bucket, key }: { bucket: string; key: string },
  { streams }: BucketHostParts,
): HttpResponse {
  const problem = signatureProblem(request);
  if (problem !== undefined) return refusal(403, problem.code, problem.message);
  if (request.method !== "GET") {
    return refusal(405, "MethodNotAllowed", "The specified method is not allowed against this resource.");
  }
  streams.publish();
  const objects = streams.objects.bucket(bucket);
  if (objects === undefined) return refusal(404, "NoSuchBucket", "The specified bucket does not exist");
  if (key === "") return list(objects, request.query);
  const object = objects.get(key);
  if (object === undefined) return refusal(404, "NoSuchKey", "The specified key does not exist.");
  const { bytes, etag, modified } = object;
  const wanted = request.headers["if-match"];
  if (wanted !== undefined && wanted !== etag) {
    return refusal(
      412,
      "PreconditionFailed",
      "At least one of the pre-conditions you specified did not hold",
    );
  }
  return rawResponse(200, bytes, {
    type: "application/octet-stream",
    headers: { etag, "last-modified": new Date(modified).toUTCString() },
  });
}

function list(objects: ReadonlyMap<string, DeliveredObject>, query: URLSearchParams): HttpResponse {
  const prefix = query.get("prefix") ?? "";
  const after = query.get("continuation-token") ?? "";
  const max = Math.min(MAX_KEYS, Number(query.get("max-keys") ?? MAX_KEYS));
  const found = [...objects].filter(([key]) => key.startsWith(prefix) && key > after)
    .sort(([a], [b]) => a < b ? -1 : 1);
  const page = found.slice(0, max);
  const isTruncated = found.length > page.length;
  const contents = page.map(([key, { bytes, etag, modified }]) =>
    `<Contents><Key>${escaped(key)}</Key><LastModified>${new Date(modified).toISOString()}</LastModified>` +
    `<ETag>${
      escaped(etag)
    }</ETag><Size>${bytes.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`
  );
  const next = isTruncated
    ? `<NextContinuationToken>${escaped(page.at(-1)?.[0] ?? "")}</NextContinuationToken>`
    : "";
  return xml(
    200,
    `<ListBucketResult><KeyCount>${page.length}</KeyCount><MaxKeys>${max}</MaxKeys>` +
      `<IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`,
  );
}

function refusal(status: number, code: string, message: string): HttpResponse {
  return xml(
    status,
    `<Error><Code>${code}</Code><Message>${escaped(message)}</Message></Error>`,
  );
}

function xml(status: number, text: string): HttpResponse {
  return rawResponse(status, `<?xml version="1.0" encoding="UTF-8"?>${text}`, { type: "application/xml" });
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

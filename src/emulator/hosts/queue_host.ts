import { createHash, randomUUID } from "node:crypto";
import type { Clock } from "../core/clock.ts";
import { isObject, type JsonObject, objectsIn, parseJson } from "../core/json.ts";
import type { Quirks } from "../core/quirks.ts";
import type { MessageQueue } from "../families/streams/message_queue.ts";
import type { Streams } from "../families/streams/streams.ts";
import type { FaultEngine } from "../faults/fault_engine.ts";
import { respondUnderFaults } from "../faults/respond_under_faults.ts";
import { type HttpResponse, jsonResponse, rawResponse, type Reply } from "../http/http_response.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";
import type { Journal } from "../http/journal.ts";
import type { EmulatorState } from "../state/emulator_state.ts";
import { signatureProblem } from "./check_signature.ts";

interface QueueHostParts {
  readonly streams: Streams;
  readonly state: EmulatorState;
  readonly clock: Clock;
  readonly quirks: Quirks;
  readonly faults: FaultEngine;
  readonly journal: Journal;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

const CONFIRM_PATH = "/queue/confirm";
const QUEUE_PATH = /^\/queue\/(\d{12})\/([A-Za-z0-9_-]{1,80})$/;

/** Milliseconds between checks of a waiting request. */
const LOOK = 250;
const MAX_WAIT = 20;
const DEFAULT_VISIBILITY = 30;
const MAX_VISIBILITY = 43_200;

export async function handleQueueRequest(request: IncomingRequest, parts: QueueHostParts): Promise<Reply> {
  const { method, path } = request;
  parts.state.refresh();
  const isConfirmation = path === CONFIRM_PATH;
  const read = isConfirmation ? undefined : readQueueRequest(request);
  const operation = isConfirmation ? "queue:ConfirmSubscription" : `queue:${read?.action ?? "unknown"}`;
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
    act: () => isConfirmation ? Promise.resolve(confirm(request, parts)) : act(request, read, parts),
  });
  parts.state.save();
  return reply;
}

function confirm(request: IncomingRequest, { streams }: QueueHostParts): HttpResponse {
  const arn = streams.confirm(request.query.get("Token") ?? "");
  if (arn === undefined) {
    return queueRefusal(false, { code: "InvalidParameter", message: "Invalid parameter: Token" });
  }
  return rawResponse(
    200,
    `<ConfirmSubscriptionResponse><ConfirmSubscriptionResult><SubscriptionArn>${arn}</SubscriptionArn>` +
      "</ConfirmSubscriptionResult></ConfirmSubscriptionResponse>",
    { type: "text/xml" },
  );
}

async function act(
  request: IncomingRequest,
  read: QueueRequest | undefined,
  parts: QueueHostParts,
): Promise<HttpResponse> {
  if (read === undefined) {
    return queueRefusal(false, { code: "InvalidAction", message: "The action is missing" });
  }
  const problem = signatureProblem(request);
  if (problem !== undefined) return queueRefusal(read.isJson, { ...problem, status: 403 });
  const given = read.value("QueueUrl");
  const path = given === undefined || !URL.canParse(given) ? request.path : new URL(given).pathname;
  const [, account, name] = QUEUE_PATH.exec(path) ?? [];
  if (account === undefined || name === undefined) {
    return queueRefusal(read.isJson, {
      code: read.isJson ? "QueueDoesNotExist" : "AWS.SimpleQueueService.NonExistentQueue",
      message: "The specified queue does not exist.",
    });
  }
  const queue = parts.streams.queue(account, name);
  parts.streams.publish();
  const action = Object.hasOwn(ACTIONS, read.action) ? ACTIONS[read.action] : undefined;
  if (action === undefined) {
    return queueRefusal(read.isJson, {
      code: "InvalidAction",
      message: `The action ${read.action.slice(0, 80)} is not valid for this endpoint.`,
    });
  }
  return await action(read, queue, parts);
}

type Action = (
  request: QueueRequest,
  queue: MessageQueue,
  parts: QueueHostParts,
) => HttpResponse | Promise<HttpResponse>;

const ACTIONS: Readonly<Record<string, Action>> = {
  ReceiveMessage: receive,
  DeleteMessage(request, queue, { streams }) {
    if (!queue.delete(request.value("ReceiptHandle") ?? "")) return invalidReceipt(request);
    streams.noteDrained();
    return queueResponse(request, {}, {});
  },
  DeleteMessageBatch: (request, queue, { streams }) => {
    const response = batch(request, ({ ReceiptHandle: receipt }) => queue.delete(String(receipt)));
    streams.noteDrained();
    return response;
  },
  ChangeMessageVisibility(request, queue, { clock }) {
    const seconds = whole(request.value("VisibilityTimeout"), { max: MAX_VISIBILITY });
    if (seconds === undefined) return outOfRange(request, "VisibilityTimeout");
    const isChanged = queue.changeVisibility(request.value("ReceiptHandle") ?? "", clock.now(), seconds);
    return isChanged ? queueResponse(request, {}, {}) : invalidReceipt(request);
  },
  ChangeMessageVisibilityBatch: (request, queue, { clock }) =>
    batch(request, ({ ReceiptHandle: receipt, VisibilityTimeout: given }) => {
      const seconds = whole(String(given), { max: MAX_VISIBILITY });
      return seconds !== undefined && queue.changeVisibility(String(receipt), clock.now(), seconds);
    }),
  GetQueueAttributes(request, queue, { clock }) {
    const { visible, inFlight, delayed } = queue.counts(clock.now());
    const attributes = {
      ApproximateNumberOfMessages: String(visible),
      ApproximateNumberOfMessagesNotVisible: String(inFlight),
      ApproximateNumberOfMessagesDelayed: String(delayed),
      VisibilityTimeout: String(DEFAULT_VISIBILITY),
    };
    if (request.isJson) return queueResponse(request, { Attributes: attributes }, {});
    const list = Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));
    return queueResponse(request, { Attribute: list }, {});
  },
};

async function receive(
  request: QueueRequest,
  queue: MessageQueue,
  { clock, sleep, streams }: QueueHostParts,
): Promise<HttpResponse> {
  const max = whole(request.value("MaxNumberOfMessages") ?? "1", { min: 1, max: 10 });
  const wait = whole(request.value("WaitTimeSeconds") ?? "0", { max: MAX_WAIT });
  const visibility = whole(request.value("VisibilityTimeout") ?? String(DEFAULT_VISIBILITY), {
    max: MAX_VISIBILITY,
  });
  if (max === undefined) return outOfRange(request, "MaxNumberOfMessages");
  if (wait === undefined) return outOfRange(request, "WaitTimeSeconds");
  if (visibility === undefined) return outOfRange(request, "VisibilityTimeout");
  let found = queue.receive(clock.now(), { max, visibility });
  for (let waited = 0; found.length === 0 && waited < wait * 1000; waited += LOOK) {
    await sleep(LOOK);
    streams.publish();
    found = queue.receive(clock.now(), { max, visibility });
  }
  const messages = found.map(({ messageId, receiptHandle, body }) => ({
    MessageId: messageId,
    ReceiptHandle: receiptHandle,
    MD5OfBody: createHash("md5").update(body).digest("hex"),
    Body: body,
  }));
  return queueResponse(request, { Messages: messages }, { Messages: "Message" });
}

function batch(request: QueueRequest, change: (entry: JsonObject) => boolean): HttpResponse {
  const { action, entries, isJson } = request;
  if (entries.length === 0 || entries.length > 10) {
    return queueRefusal(isJson, {
      code: entries.length === 0
        ? "AWS.SimpleQueueService.EmptyBatchRequest"
        : "AWS.SimpleQueueService.TooManyEntriesInBatchRequest",
      message: `The batch has ${entries.length} entries, 1 to 10 are allowed.`,
    });
  }
  const successful: JsonObject[] = [];
  const failed: JsonObject[] = [];
  for (const entry of entries) {
    const id = String(entry.Id);
    if (change(entry)) successful.push({ Id: id });
    else {
      failed.push({
        Id: id,
        SenderFault: true,
        Code: "ReceiptHandleIsInvalid",
        Message: "The input receipt handle is invalid.",
      });
    }
  }
  return queueResponse(request, { Successful: successful, Failed: failed }, {
    Successful: `${action}ResultEntry`,
    Failed: "BatchResultErrorEntry",
  });
}

function invalidReceipt({ isJson }: QueueRequest): HttpResponse {
  return queueRefusal(isJson, {
    code: "ReceiptHandleIsInvalid",
    message: "The input receipt handle is invalid.",
  });
}

function outOfRange(request: QueueRequest, name: string): HttpResponse {
  return queueRefusal(request.isJson, {
    code: "InvalidParameterValue",
    message: `Value for parameter ${name} is invalid. Reason: Must be in the allowed range, if provided.`,
  });
}

function whole(
  text: string | undefined,
  { min = 0, max }: { min?: number; max: number },
): number | undefined {
  const number = text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : NaN;
  return number >= min && number <= max ? number : undefined;
}

interface QueueRequest {
  readonly action: string;
  /** True for a JSON request; otherwise the request is a form and gets an XML response. */
  readonly isJson: boolean;
  value(name: string): string | undefined;
  readonly entries: readonly JsonObject[];
}

function readQueueRequest(request: IncomingRequest): QueueRequest | undefined {
  const target = request.headers["x-amz-target"];
  if (target !== undefined) return fromJson(target, request);
  const form = new URLSearchParams(
    request.method === "POST" && request.mediaType.includes("form") ? request.text() : request.queryText,
  );
  const action = form.get("Action");
  if (action === null) return undefined;
  return {
    action,
    isJson: false,
    value: (name) => form.get(name) ?? undefined,
    entries: formEntries(form, `${action}RequestEntry`),
  };
}

function fromJson(target: string, request: IncomingRequest): QueueRequest | undefined {
  let body: unknown;
  try {
    body = parseJson(request.text() || "{}");
  } catch {
    return undefined;
  }
  if (!isObject(body)) return undefined;
  const fields = body;
  const { Entries: entries } = fields;
  return {
    action: target.split(".").at(-1) ?? "",
    isJson: true,
    value: (name) => fields[name] === undefined ? undefined : String(fields[name]),
    entries: objectsIn(entries) ?? [],
  };
}

function formEntries(form: URLSearchParams, prefix: string): JsonObject[] {
  const entries: JsonObject[] = [];
  for (let number = 1; form.has(`${prefix}.${number}.Id`); number++) {
    const start = `${prefix}.${number}.`;
    entries.push(
      Object.fromEntries(
        [...form].filter(([name]) => name.startsWith(start)).map(([name, value]) => [
          name.slice(start.length),
          value,
        ]),
      ),
    );
  }
  return entries;
}

function queueResponse(
  { action, isJson }: QueueRequest,
  result: JsonObject,
  names: Readonly<Record<string, string>>,
): HttpResponse {
  if (isJson) return jsonResponse(200, result, { type: "application/x-amz-json-1.0" });
  const inner = Object.entries(result).map(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item) => element(names[name] ?? name, item)).join("")
  ).join("");
  return rawResponse(
    200,
    `<?xml version="1.0"?><${action}Response>${
      inner === "" ? "" : `<${action}Result>${inner}</${action}Result>`
    }<ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></${action}Response>`,
    { type: "text/xml" },
  );
}

function queueRefusal(
  isJson: boolean,
  { code, message, status = 400 }: { code: string; message: string; status?: number },
): HttpResponse {
  if (isJson) {
    return jsonResponse(status, { __type: `queue#${code}`, message }, { type: "application/x-amz-json-1.0" });
  }
  return rawResponse(
    status,
    `<?xml version="1.0"?><ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${
      escaped(message)
    }</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
    { type: "text/xml" },
  );
}

function element(name: string, value: unknown): string {
  const inner = isObject(value)
    ? Object.entries(value).map(([field, each]) => element(field, each)).join("")
    : escaped(String(value));
  return `<${name}>${inner}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(
    '"',
    "&quot;",
  )
    .replaceAll("\r", "&#xD;");
}

import { fieldsOf } from "../../internal/fields_of.ts";
import { NotFoundError } from "../../errors.ts";
import type { ApiRequest, ApiResponse } from "../api_request.ts";

/** Exports that the platform builds at once for one endpoint of a profile. */
const MAX_BUILDING = 5;
/** Milliseconds after which an abandoned export counts as done. */
const FORGOTTEN_AFTER = 3_600_000;
/** Seconds between two looks at the exports that are being built: at first, and at most. */
const [FIRST_LOOK, MAX_LOOK] = [2, 30];

export interface ExportQueueParts {
  /** Sends the looks at exports. */
  readonly send: (request: ApiRequest) => Promise<ApiResponse>;
  /** Waits for `seconds`, for as long as the request is not aborted. */
  readonly wait: (seconds: number, request: ApiRequest) => Promise<void>;
  /** Milliseconds; only their differences count. */
  readonly now: () => number;
}

/** The exports of one endpoint. */
interface Endpoint {
  /** Exports that are being built, by id, and since when. */
  readonly building: Map<string, number>;
  /** Requests for exports that are under way. */
  readonly creating: Set<Promise<unknown>>;
  /** Settled when the one before has been let through. */
  last: Promise<unknown>;
}

/**
 * Keeps the exports of a client to the number that the platform builds at once: a request for one more waits until
 * another is done, in the order in which they came. What is done is learned from the looks that pass through, and by
 * looks of its own while a request waits.
 */
export class ExportQueue {
  readonly #parts: ExportQueueParts;
  readonly #endpoints = new Map<string, Endpoint>();

  /** @param parts How exports are looked at. */
  constructor(parts: ExportQueueParts) {
    this.#parts = parts;
  }

  /** Sends a request, in its turn where it is one for an export. */
  async pass(request: ApiRequest, send: () => Promise<ApiResponse>): Promise<ApiResponse> {
    if (request.method === "GET" && request.path.startsWith("/exports/")) {
      return await this.#look(request, send);
    }
    if (request.method !== "POST" || !/^\/[a-z]+\/export$/i.test(request.path)) return await send();
    const endpoint = this.#endpoint(request);
    const before = endpoint.last;
    const turn = before.then(() => this.#place(endpoint, request));
    endpoint.last = turn.catch(() => {});
    await turn;
    const created = send();
    const settled = created.then(() => {}, () => {});
    endpoint.creating.add(settled);
    try {
      const response = await created;
      const { exportId } = fieldsOf(response.json);
      if (typeof exportId === "string") endpoint.building.set(exportId, this.#parts.now());
      return response;
    } finally {
      endpoint.creating.delete(settled);
    }
  }

  /** Waits until fewer are being built than the platform takes. */
  async #place({ building, creating }: Endpoint, request: ApiRequest): Promise<void> {
    const { send, wait, now } = this.#parts;
    const { signal } = request;
    let pause = FIRST_LOOK;
    for (;;) {
      signal?.throwIfAborted();
      for (const [id, since] of building) if (now() - since > FORGOTTEN_AFTER) building.delete(id);
      const isFree = (): boolean => building.size + creating.size < MAX_BUILDING;
      if (isFree()) return;
      if (building.size === 0) {
        await Promise.race(creating);
        continue;
      }
      for (const id of [...building.keys()]) {
        const { json: _, form: __, ...rest } = request;
        const look = {
          ...rest,
          method: "GET",
          path: `/exports/${id}`,
          accept: request.contentType,
          idempotent: true,
        };
        await send(look).catch(() => {});
        if (isFree()) return;
      }
      await wait(pause, request);
      pause = Math.min(pause * 1.5, MAX_LOOK);
    }
  }

  async #look(request: ApiRequest, send: () => Promise<ApiResponse>): Promise<ApiResponse> {
    const id = request.path.slice("/exports/".length);
    const ended = (): void => {
      for (const { building } of this.#endpoints.values()) building.delete(id);
    };
    try {
      const response = await send();
      if (fieldsOf(response.json)["status"] !== "PROCESSING") ended();
      return response;
    } catch (error) {
      if (error instanceof NotFoundError) ended();
      throw error;
    }
  }

  #endpoint({ baseUrl, scope, path }: ApiRequest): Endpoint {
    const key = `${baseUrl} ${scope} ${path}`;
    const found = this.#endpoints.get(key) ??
      { building: new Map(), creating: new Set(), last: Promise.resolve() };
    this.#endpoints.set(key, found);
    return found;
  }
}

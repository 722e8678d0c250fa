import { fieldsOf } from "../../base/json/fields_of.ts";
import { NotFoundError } from "../../errors.ts";
import type { ApiRequest, ApiResponse } from "./api_request.ts";
import type { PaceState, PaceStore } from "./pacer/pace_store.ts";

/** Exports that the platform builds at once, per endpoint and profile. */
const MAX_BUILDING = 5;
/** An abandoned export counts as done after this many milliseconds. */
const FORGOTTEN_AFTER = 3_600_000;
const [FIRST_LOOK, MAX_LOOK] = [2, 30];

/** Milliseconds that a reservation without response is kept, because its process may be dead. */
const RESERVED_FOR = 120_000;
const RESERVED = "+";

interface ExportQueueParts {
  readonly send: (request: ApiRequest) => Promise<ApiResponse>;
  readonly wait: (seconds: number, request: ApiRequest) => Promise<void>;
  readonly store: PaceStore;
}

interface Endpoint {
  readonly key: string;
  readonly creating: Set<Promise<unknown>>;
  last: Promise<unknown>;
}

/**
 * Queues export requests above the number that the platform builds at once, for all clients of a pacer. Completed
 * exports are noticed when callers poll, and by polling while a request waits.
 */
export class ExportQueue {
  readonly #parts: ExportQueueParts;
  readonly #endpoints = new Map<string, Endpoint>();

  constructor(parts: ExportQueueParts) {
    this.#parts = parts;
  }

  async pass(request: ApiRequest, send: () => Promise<ApiResponse>): Promise<ApiResponse> {
    if (request.method === "GET") return await this.#look(request, send);
    const endpoint = this.#endpoint(request);
    const place = RESERVED + crypto.randomUUID();
    const turn = endpoint.last.then(() => this.#wait(endpoint, place, request));
    endpoint.last = turn.catch(() => {});
    await turn;
    const created = this.#create(endpoint, place, send);
    const settled = created.then(() => {}, () => {});
    endpoint.creating.add(settled);
    try {
      return await created;
    } finally {
      endpoint.creating.delete(settled);
    }
  }

  async #create({ key }: Endpoint, place: string, send: () => Promise<ApiResponse>): Promise<ApiResponse> {
    let id: unknown;
    try {
      const response = await send();
      id = fieldsOf(response.json)["exportId"];
      return response;
    } finally {
      await this.#parts.store.update(({ exports }, now) => {
        remove(exports, key, place);
        if (typeof id === "string") (exports[key] ??= {})[id] = now;
      });
    }
  }

  async #wait({ key, creating }: Endpoint, place: string, request: ApiRequest): Promise<void> {
    const { send, wait } = this.#parts;
    let pause = FIRST_LOOK;
    for (;;) {
      request.signal?.throwIfAborted();
      const building = await this.#take(key, place);
      if (building === undefined) return;
      if (building.length === 0 && creating.size > 0) {
        await Promise.race(creating);
        continue;
      }
      for (const id of building) {
        const { json: _, form: __, ...rest } = request;
        const look = {
          ...rest,
          method: "GET",
          path: `/exports/${id}`,
          accept: request.contentType,
          idempotent: true,
        };
        await send(look).catch(() => {});
        if (await this.#take(key, place) === undefined) return;
      }
      await wait(pause, request);
      pause = Math.min(pause * 1.5, MAX_LOOK);
    }
  }

  #take(key: string, place: string): string[] | undefined | Promise<string[] | undefined> {
    return this.#parts.store.update(({ exports }, now) => {
      for (const [id, since] of Object.entries(exports[key] ?? {})) {
        const lasts = id.startsWith(RESERVED) ? RESERVED_FOR : FORGOTTEN_AFTER;
        if (now - since > lasts) remove(exports, key, id);
      }
      const ids = Object.keys(exports[key] ?? {});
      if (ids.length >= MAX_BUILDING) return ids.filter((id) => !id.startsWith(RESERVED));
      (exports[key] ??= {})[place] = now;
      return undefined;
    });
  }

  async #look(request: ApiRequest, send: () => Promise<ApiResponse>): Promise<ApiResponse> {
    const id = request.path.slice("/exports/".length);
    const ended = async (): Promise<void> => {
      await this.#parts.store.update(({ exports }) => {
        for (const key of Object.keys(exports)) remove(exports, key, id);
      });
    };
    try {
      const response = await send();
      if (fieldsOf(response.json)["status"] !== "PROCESSING") await ended();
      return response;
    } catch (error) {
      if (error instanceof NotFoundError) await ended();
      throw error;
    }
  }

  #endpoint({ baseUrl, scope, path }: ApiRequest): Endpoint {
    const key = `${baseUrl} ${scope} ${path}`;
    const found = this.#endpoints.get(key) ?? { key, creating: new Set(), last: Promise.resolve() };
    this.#endpoints.set(key, found);
    return found;
  }
}

function remove(exports: PaceState["exports"], key: string, id: string): void {
  const building = exports[key];
  if (building === undefined) return;
  delete building[id];
  if (Object.keys(building).length === 0) delete exports[key];
}

import { createHash } from "node:crypto";
import type { ApiHost } from "../core/marketplaces.ts";

/** One request, as recorded in the journal. Tokens, secrets and other headers are never recorded. */
export interface JournalEntry {
  /** Number of the request since the start, from 1. */
  readonly number: number;
  /** Time of arrival by the emulator's clock, ISO 8601. */
  readonly time: string;
  /** HTTP method. */
  readonly method: string;
  /** Path of the request, without the query. */
  readonly path: string;
  /** The query, without codes and tokens. */
  readonly query: string;
  /** Operation id, when the path is served. */
  readonly operation?: string;
  /** The host of the request. */
  readonly region?: ApiHost;
  /** The profile of the scope header. */
  readonly profileId?: string;
  /** Content type, accept, prefer and user agent. */
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, hexadecimal; absent without a body. */
  readonly bodyHash?: string;
  /**
   * The body as text; absent if there was none, if it is larger than 256 KiB or may contain secrets, or if it was one
   * of the oldest when all bodies together exceeded 64 MiB.
   */
  readonly body?: string;
  /** True if the response was generated from the published schema, without emulated behavior. */
  general?: boolean;
  /** Status of the response; absent until it is sent, and if no response was sent. */
  status?: number;
  /** Set if the connection was cut, before or after the request was carried out. */
  dropped?: "before" | "after";
}

interface JournalFacts {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly operation?: string | undefined;
  readonly region?: ApiHost | undefined;
  readonly profileId?: string | undefined;
  /** True if body and query may contain secrets. */
  readonly secret?: boolean;
}

const KEPT_HEADERS = ["content-type", "accept", "prefer", "user-agent"];
const MAX_BODY_LENGTH = 256 * 1024;
const ROOM_FOR_BODIES = 64 * 1024 * 1024;

export class Journal {
  #entries: JournalEntry[] = [];
  #number = 0;
  #bodies: JournalEntry[] = [];
  #bodiesLength = 0;
  readonly #limit: number;
  readonly #clean: (text: string) => string;

  /** @param clean Removes secrets from queries and bodies. */
  constructor(limit: number, clean: (text: string) => string = (text) => text) {
    this.#limit = limit;
    this.#clean = clean;
  }

  add(time: string, facts: JournalFacts): JournalEntry {
    const { body, secret } = facts;
    const headers: Record<string, string> = {};
    for (const name of KEPT_HEADERS) {
      const value = facts.headers[name];
      if (value !== undefined) headers[name] = value;
    }
    const entry: JournalEntry = {
      number: ++this.#number,
      time,
      method: facts.method,
      path: facts.path,
      query: secret ? "" : this.#clean(facts.query),
      ...(facts.operation === undefined ? {} : { operation: facts.operation }),
      ...(facts.region === undefined ? {} : { region: facts.region }),
      ...(facts.profileId === undefined ? {} : { profileId: facts.profileId }),
      headers,
      ...(body.length === 0 || secret ? {} : { bodyHash: createHash("sha256").update(body).digest("hex") }),
      ...(body.length === 0 || secret || body.length > MAX_BODY_LENGTH
        ? {}
        : { body: this.#clean(new TextDecoder().decode(body)) }),
    };
    this.#entries.push(entry);
    if (this.#entries.length > 2 * this.#limit) this.#entries = this.#entries.slice(-this.#limit);
    this.#makeRoom(entry);
    return entry;
  }

  entries(): readonly JournalEntry[] {
    return this.#entries.slice(-this.#limit);
  }

  /** Numbering continues afterwards. */
  clear(): void {
    this.#entries = [];
    this.#bodies = [];
    this.#bodiesLength = 0;
  }

  /** Drops the older half of the bodies when the limit is reached. */
  #makeRoom(entry: JournalEntry): void {
    if (entry.body === undefined) return;
    this.#bodies.push(entry);
    this.#bodiesLength += entry.body.length;
    if (this.#bodiesLength <= ROOM_FOR_BODIES && this.#bodies.length <= 2 * this.#limit) return;
    const older = this.#bodies.splice(0, this.#bodies.length >> 1);
    for (const old of older) {
      this.#bodiesLength -= old.body!.length;
      delete (old as { body?: string }).body;
    }
  }
}

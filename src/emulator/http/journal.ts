import { createHash } from "node:crypto";
import type { ApiHost } from "../core/api_host.ts";

/** One request as the journal keeps it. Tokens, secrets and other headers are never in it. */
export interface JournalEntry {
  /** Number of the request since the start, from 1. */
  readonly number: number;
  /** When it arrived by the emulator's clock, ISO 8601. */
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
   * The body as text; absent when there was none, when it is larger than 256 KiB, may hold secrets, or is one of the
   * oldest and all of them together were past 64 MiB.
   */
  readonly body?: string;
  /** True if the response was generated from the published schema, without emulated behavior. */
  general?: boolean;
  /** Status of the response; absent while there is none, or when none was sent. */
  status?: number;
  /** Cut of the connection, before or after the request was carried out. */
  dropped?: "before" | "after";
}

/** Recorded facts of a request. */
interface JournalFacts {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  readonly query: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly operation?: string | undefined;
  readonly region?: ApiHost | undefined;
  readonly profileId?: string | undefined;
  /** True if body and query may hold secrets. */
  readonly secret?: boolean;
}

const KEPT_HEADERS = ["content-type", "accept", "prefer", "user-agent"];
const MAX_BODY_LENGTH = 256 * 1024;
const ROOM_FOR_BODIES = 64 * 1024 * 1024;

/** The list of requests that the emulator received, the newest of them up to a limit. */
export class Journal {
  #entries: JournalEntry[] = [];
  #number = 0;
  #bodies: JournalEntry[] = [];
  #bodiesLength = 0;
  readonly #limit: number;
  readonly #clean: (text: string) => string;

  /**
   * Starts empty and keeps the newest `limit` requests.
   *
   * @param clean Takes out of queries and bodies what must not be kept.
   */
  constructor(limit: number, clean: (text: string) => string = (text) => text) {
    this.#limit = limit;
    this.#clean = clean;
  }

  /** Writes a request down; status and `dropped` of the entry are filled in later. */
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

  /** The newest requests, oldest first. */
  entries(): readonly JournalEntry[] {
    return this.#entries.slice(-this.#limit);
  }

  /** Forgets every request; numbers go on. */
  clear(): void {
    this.#entries = [];
    this.#bodies = [];
    this.#bodiesLength = 0;
  }

  /** Drops the older half of the bodies when there is no room for one more. */
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

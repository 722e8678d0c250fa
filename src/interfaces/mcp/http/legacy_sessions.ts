import {
  type AuthInfo,
  type EventStore,
  isInitializeRequest,
  type JSONRPCMessage,
  type McpServer,
  readRequestBody,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { authInfoOf, type Identity, identityOf, LOCAL, NOBODY } from "../access/identity.ts";
import { refusal } from "../access/refusal.ts";

const RETRY_INTERVAL = 1000;

export interface SessionLimits {
  readonly maxSessions?: number;
  readonly idleSeconds?: number;
  readonly maxBytes: number;
  readonly now: () => number;
}

const LOST =
  "There is no such session: it was idle, or the server was restarted. Send initialize without mcp-session-id, then the request again";

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: McpServer;
  readonly identity: Identity;
  usedAt: number;
  running: number;
}

/** Serves clients of the 2025 protocol revisions. They need sessions for questions to a person and for cancellation. */
export class LegacySessions {
  readonly #build: (identity: Identity) => McpServer;
  readonly #limits: Required<SessionLimits>;
  readonly #sessions = new Map<string, Session>();
  readonly #starting = new Set<Session>();
  readonly #events = new ReplayEvents();

  constructor(build: (identity: Identity) => McpServer, limits: SessionLimits) {
    this.#build = build;
    this.#limits = { maxSessions: 32, idleSeconds: 30 * 60, ...limits };
  }

  get size(): number {
    return this.#sessions.size;
  }

  /**
   * Sessions are visible to their creator only.
   *
   * @param authInfo Identity of the request.
   * @default the local user
   */
  async fetch(request: Request, authInfo: AuthInfo = authInfoOf(LOCAL)): Promise<Response> {
    const identity = identityOf(authInfo) ?? NOBODY;
    await this.#endIdle();
    const id = request.headers.get("mcp-session-id");
    if (id !== null) {
      const session = this.#sessions.get(id);
      if (session !== undefined && session.identity.key === identity.key) {
        return await this.#serve(session, request, { authInfo });
      }
      // Clients that lost their session send its id once more with "initialize": that begins a new one.
      if (request.method !== "POST") return refusal(404, LOST);
    }
    if (request.method !== "POST") return refusal(405, "Begin with an initialize request", { allow: "POST" });
    const body = await readRequestBody(request, this.#limits.maxBytes);
    if (body.tooLarge) return refusal(413, `A request may have at most ${this.#limits.maxBytes} bytes`);
    const message = parsed(body.text);
    if (!isInitializeRequest(message)) {
      return id === null ? refusal(400, "Begin with an initialize request") : refusal(404, LOST);
    }
    if (!this.#makeRoom()) {
      return refusal(503, "Every session is in use. Try again later", { "retry-after": "30" });
    }
    const session = await this.#begin(identity);
    try {
      return await this.#serve(session, withoutSession(request), { authInfo, parsedBody: message });
    } finally {
      if (this.#starting.delete(session)) await session.server.close();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((id) => this.#end(id)));
  }

  async #begin(identity: Identity): Promise<Session> {
    const server = this.#build(identity);
    const events = this.#events.session();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      maxRequestBodySize: this.#limits.maxBytes,
      eventStore: events,
      retryInterval: RETRY_INTERVAL,
      onsessioninitialized: (id) => {
        this.#starting.delete(session);
        this.#sessions.set(id, session);
      },
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    const session: Session = { transport, server, identity, usedAt: this.#limits.now(), running: 0 };
    this.#starting.add(session);
    await server.connect(transport);
    const { onclose } = server.server;
    server.server.onclose = () => {
      events.close();
      onclose?.();
    };
    return session;
  }

  async #serve(
    session: Session,
    request: Request,
    { authInfo, parsedBody }: { authInfo: AuthInfo; parsedBody?: unknown },
  ): Promise<Response> {
    let isRunning = true;
    const ended = (): void => {
      if (!isRunning) return;
      isRunning = false;
      session.running--;
      session.usedAt = this.#limits.now();
    };
    session.running++;
    try {
      const options = parsedBody === undefined ? { authInfo } : { authInfo, parsedBody };
      const response = await session.transport.handleRequest(request, options);
      // A listening stream stays open for good; a call runs until its response has been read.
      if (request.method === "POST") return whenRead(response, ended);
      ended();
      return response;
    } catch (error) {
      ended();
      throw error;
    }
  }

  async #endIdle(): Promise<void> {
    const oldest = this.#limits.now() - this.#limits.idleSeconds * 1000;
    for (const [id, session] of this.#sessions) {
      if (session.running === 0 && session.usedAt < oldest) await this.#end(id);
    }
  }

  /** Ends the session that has been idle longest; false if none is idle. */
  #makeRoom(): boolean {
    if (this.#sessions.size + this.#starting.size < this.#limits.maxSessions) return true;
    const idle = [...this.#sessions].filter(([, session]) => session.running === 0);
    const [oldest] = idle.sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (oldest === undefined) return false;
    // Its place is free at once, so that nobody else takes it while it closes.
    void this.#end(oldest[0]).catch(() => {});
    return true;
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    await session?.server.close();
  }
}

function whenRead(response: Response, ended: () => void): Response {
  if (response.body === null) {
    ended();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        ended();
        controller.close();
      } catch (error) {
        ended();
        controller.error(error);
      }
    },
    cancel: async (reason) => {
      ended();
      await reader.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MAX_EVENTS = 10_000;
const MAX_CHARACTERS = 32_000_000;

interface KeptEvent {
  readonly session: symbol;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly size: number;
}

type SessionEvents = Required<EventStore> & {
  close(): void;
};

/**
 * Bounded buffer over all sessions, for clients that resume a broken stream with `Last-Event-ID`. A session sees only
 * its own events.
 */
export class ReplayEvents {
  readonly #events = new Map<string, KeptEvent>();
  readonly #limits: { readonly events: number; readonly characters: number };
  #characters = 0;
  #count = 0;

  constructor(limits: { readonly events?: number; readonly characters?: number } = {}) {
    this.#limits = { events: MAX_EVENTS, characters: MAX_CHARACTERS, ...limits };
  }

  get size(): number {
    return this.#events.size;
  }

  session(): SessionEvents {
    const session = Symbol("session");
    const own = (id: string): KeptEvent | undefined => {
      const event = this.#events.get(id);
      return event?.session === session ? event : undefined;
    };
    return {
      storeEvent: (stream, message) =>
        Promise.resolve(
          this.#add({ session, stream, message, size: JSON.stringify(message).length }),
        ),
      getStreamIdForEventId: (id) => Promise.resolve(own(id)?.stream),
      replayEventsAfter: async (last, { send }) => {
        const stream = own(last)?.stream;
        if (stream === undefined) throw new RangeError("Cannot resume a stream: its last event is not kept");
        let isAfter = false;
        for (const [id, event] of [...this.#events]) {
          const isOwn = event.session === session && event.stream === stream;
          // The first event of a stream has no message: it only gives the client an id to resume from.
          if (isAfter && isOwn && Object.keys(event.message).length > 0) await send(id, event.message);
          if (id === last) isAfter = true;
        }
        return stream;
      },
      close: () => {
        for (const [id, event] of [...this.#events]) if (event.session === session) this.#drop(id, event);
      },
    };
  }

  #add(event: KeptEvent): string {
    const id = `${++this.#count}-${crypto.randomUUID()}`;
    this.#events.set(id, event);
    this.#characters += event.size;
    for (const [oldest, dropped] of this.#events) {
      const fits = this.#events.size <= this.#limits.events && this.#characters <= this.#limits.characters;
      if (fits || oldest === id) break;
      this.#drop(oldest, dropped);
    }
    return id;
  }

  #drop(id: string, { size }: KeptEvent): void {
    this.#events.delete(id);
    this.#characters -= size;
  }
}

function withoutSession(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("mcp-session-id");
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}

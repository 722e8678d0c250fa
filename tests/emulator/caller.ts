import { Emulator } from "../../src/emulator/mod.ts";
import { PublishedCheck } from "../support/published_check.ts";
import type { ApiHost, EmulatorOptions } from "../../src/emulator/mod.ts";

/** What one request says beside method, path and body. */
export interface CallOptions {
  /** Host to ask. @default the host of the profile, else NA */
  readonly host?: ApiHost;
  /** Profile of the scope header; `null` sends none. @default the US profile */
  readonly profile?: string | null;
  /** Media type of body and answer. */
  readonly type?: string;
  /** Further headers; an empty text takes a header away. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body as it is, in place of JSON. */
  readonly raw?: BodyInit;
  /**
   * Uses a connection of its own. Deno's `fetch` repeats a request by itself, a POST too, when a connection that it
   * used before is cut without an answer.
   */
  readonly alone?: boolean;
}

/** An answer, read whole. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // deno-lint-ignore no-explicit-any -- tests look into bodies of every shape
  readonly json: any;
}

/** An emulator and a logged-in caller that uses nothing but `fetch`. */
export class Caller {
  readonly emulator: Emulator;
  readonly #published = new PublishedCheck();
  #token = "";

  private constructor(emulator: Emulator) {
    this.emulator = emulator;
  }

  static async start(options: EmulatorOptions = {}): Promise<Caller> {
    const emulator = await Emulator.start({
      clock: { now: "2026-09-30T12:00:00Z", frozen: true },
      ...options,
    });
    const caller = new Caller(emulator);
    await caller.logIn();
    return caller;
  }

  async logIn(): Promise<void> {
    const answer = await this.askToken({
      grant_type: "refresh_token",
      refresh_token: this.emulator.credentials.refreshToken,
      client_id: this.emulator.credentials.clientId,
      client_secret: this.emulator.credentials.clientSecret,
    });
    this.#token = answer.json.access_token;
  }

  askToken(form: Record<string, string>): Promise<Answered> {
    return ask(this.emulator.platform.tokenUrl, { method: "POST", body: new URLSearchParams(form) });
  }

  control(method: string, name: string, body?: unknown): Promise<Answered> {
    const content = body === undefined
      ? {}
      : { body: typeof body === "string" ? body : JSON.stringify(body) };
    return ask(`${this.emulator.url}/_emulator/${name}`, { method, ...content });
  }

  async call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answered> {
    const scope = options.profile === undefined ? this.profile("US") : options.profile;
    const host = options.host ?? this.emulator.state.profile(scope ?? "")?.region ?? "NA";
    const headers = new Headers({
      authorization: `Bearer ${this.#token}`,
      "Platform-Advertising-API-ClientId": this.emulator.credentials.clientId,
      ...(scope === null ? {} : { "Platform-Advertising-API-Scope": scope }),
      ...(options.type === undefined ? {} : { "content-type": options.type, accept: options.type }),
    });
    for (const [name, value] of Object.entries(options.headers ?? {})) {
      if (value === "") headers.delete(name);
      else headers.set(name, value);
    }
    const content = options.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    using client = options.alone ? Deno.createHttpClient({ poolMaxIdlePerHost: 0 }) : undefined;
    const answered = await ask(`${this.emulator.url}/${host.toLowerCase()}${path}`, {
      method,
      headers,
      ...(content === undefined ? {} : { body: content }),
      ...(client === undefined ? {} : { client }),
    });
    this.#published.add({
      method,
      path: path.replace(/[?#].*$/, ""),
      requestType: undefined,
      requestBody: undefined,
      status: answered.status,
      responseType: answered.headers.get("content-type") ?? undefined,
      responseBody: answered.text,
    });
    return answered;
  }

  /** Id of the first profile of a country. */
  profile(countryCode: string): string {
    return this.emulator.state.profiles().find(({ record }) => record.countryCode === countryCode)!.id;
  }

  async stop(): Promise<void> {
    await this.emulator.stop();
    await this.#published.verify();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

/** Asks and reads the answer whole; redirects are not followed. */
export async function ask(url: string, init: RequestInit): Promise<Answered> {
  const response = await fetch(url, { redirect: "manual", ...init });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

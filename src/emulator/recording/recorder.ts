import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Credentials } from "../../platform/connection/credentials.ts";
import type { ApiHost } from "../core/api_host.ts";
import type { HttpResponse } from "../http/http_response.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";
import { parseJson, writeJson } from "../core/json.ts";

/** One exchange in its file. */
export interface RecordedExchange {
  readonly request: RecordedMessage & {
    readonly method: string;
    /** Path below the regional host. */
    readonly path: string;
    readonly region?: ApiHost;
    readonly query?: string;
  };
  readonly response: RecordedMessage & { readonly status: number };
}

/** Headers and the body of a request or a response; a body of another kind than JSON is `text`. */
export interface RecordedMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
}

const KEPT_HEADERS = ["accept", "content-type", "location", "prefer", "retry-after", "x-platform-request-id"];
const SIGNATURE = /(signature=)[0-9a-f]+/g;

/**
 * Writes exchanges with the API hosts down as fixtures, one JSON file each: headers by an allow-list, so that no id of
 * a client can be in them, and without signatures of file addresses. Tokens and secrets are left out wherever a caller
 * or a fault has put them. Requests to the token endpoint and for report files are never written down.
 */
export class Recorder {
  readonly #folder: string;
  readonly #clean: (text: string) => string;
  #count: number;

  /**
   * Writes into a folder, which is made when it is not there, after what is in it already.
   *
   * @param clean Takes out of a text what must not be written down.
   * @throws {RangeError} when it is not a folder.
   */
  constructor(folder: string, clean: (text: string) => string) {
    try {
      mkdirSync(folder, { recursive: true });
      this.#count = Math.max(0, ...readdirSync(folder).map((name) => Number(/^(\d+)_/.exec(name)?.[1] ?? 0)));
    } catch (cause) {
      throw new RangeError(`Cannot record into the folder "${folder}": ${(cause as Error).message}`, {
        cause,
      });
    }
    this.#folder = folder;
    this.#clean = clean;
  }

  /** Writes one exchange; returns the path of its file. */
  record(
    request: Pick<IncomingRequest, "method" | "queryText" | "headers" | "body">,
    response: HttpResponse,
    { path, operation, region }: { path: string; operation: string | undefined; region?: ApiHost },
  ): string {
    const name = operation?.slice(operation.indexOf(":") + 1) ?? "unserved";
    const number = String(++this.#count).padStart(4, "0");
    const file = join(this.#folder, `${number}_${name}.json`);
    const query = request.queryText === "" ? {} : { query: request.queryText };
    const exchange = {
      request: {
        method: request.method,
        path,
        ...(region === undefined ? {} : { region }),
        ...query,
        headers: kept(request.headers),
        ...bodyOf(request.body),
      },
      response: { status: response.status, headers: kept(response.headers), ...bodyOf(response.body) },
    };
    writeFileSync(file, this.#clean(`${JSON.stringify(exchange, null, 2)}\n`));
    return file;
  }
}

function kept(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(KEPT_HEADERS.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value]];
  }));
}

/** A body as `json`, or as `text` where it is not JSON or holds a number whose digits JSON tools would round. */
function bodyOf(body: string | Uint8Array): { json?: unknown; text?: string } {
  const text = (typeof body === "string" ? body : new TextDecoder().decode(body)).replace(
    SIGNATURE,
    "$1left-out",
  );
  if (text === "") return {};
  try {
    const json = parseJson(text);
    return writeJson(json) === JSON.stringify(JSON.parse(text)) ? { json } : { text };
  } catch {
    return { text };
  }
}

const TOKEN = /Atz[ar](?:\||%(?:25)*7C)[\w.-]+/g;
const LEFT_OUT = "left-out";

/** A text without access and refresh tokens, wherever somebody has put them. */
export function withoutTokens(text: string): string {
  return text.replace(TOKEN, LEFT_OUT);
}

/** Gives a function that takes tokens, and the secrets of an account, out of a text, wherever somebody has put them. */
export function leaveOutSecrets({ clientSecret, refreshToken }: Credentials): (text: string) => string {
  const secrets = [clientSecret, refreshToken].flatMap((secret) => [secret, encodeURIComponent(secret)]);
  return (text) => withoutTokens(secrets.reduce((left, secret) => left.replaceAll(secret, LEFT_OUT), text));
}

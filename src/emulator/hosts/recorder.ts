import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Credentials } from "../../platform/connection/credentials.ts";
import type { ApiHost } from "../core/marketplaces.ts";
import type { HttpResponse } from "../http/http_response.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";
import { parseJson, writeJson } from "../core/json.ts";

export interface RecordedExchange {
  readonly request: RecordedMessage & {
    readonly method: string;
    readonly path: string;
    readonly region?: ApiHost;
    readonly query?: string;
  };
  readonly response: RecordedMessage & { readonly status: number };
}

export interface RecordedMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
}

const KEPT_HEADERS = ["accept", "content-type", "location", "prefer", "retry-after", "x-platform-request-id"];
const SIGNATURE = /(signature=)[0-9a-f]+/g;

/**
 * Writes API exchanges as JSON fixtures. Headers are allow-listed, and tokens, secrets and URL signatures are removed.
 * Requests to the token endpoint and for report files are never recorded.
 */
export class Recorder {
  readonly #folder: string;
  readonly #clean: (text: string) => string;
  #count: number;

  /**
   * Creates the folder if needed and continues after existing files.
   *
   * @param clean Removes secrets from a text.
   * @throws {RangeError} when the path is not a folder.
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

/** `text` if the body is not JSON, or contains a number that JSON tools would round. */
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

export function withoutTokens(text: string): string {
  return text.replace(TOKEN, LEFT_OUT);
}

export function leaveOutSecrets({ clientSecret, refreshToken }: Credentials): (text: string) => string {
  const secrets = [clientSecret, refreshToken].flatMap((secret) => [secret, encodeURIComponent(secret)]);
  return (text) => withoutTokens(secrets.reduce((left, secret) => left.replaceAll(secret, LEFT_OUT), text));
}

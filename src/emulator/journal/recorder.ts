import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Credentials } from "../../connection/credentials.ts";
import type { HttpResponse } from "../http/http_response.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";
import { parseJson, writeJson } from "../core/json.ts";

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
   * @param credentials What it leaves out.
   * @throws {RangeError} when it is not a folder.
   */
  constructor(folder: string, credentials: Credentials) {
    try {
      mkdirSync(folder, { recursive: true });
      this.#count = Math.max(0, ...readdirSync(folder).map((name) => Number(/^(\d+)_/.exec(name)?.[1] ?? 0)));
    } catch (cause) {
      throw new RangeError(`Cannot record into the folder "${folder}": ${(cause as Error).message}`, {
        cause,
      });
    }
    this.#folder = folder;
    this.#clean = leaveOutSecrets(credentials);
  }

  /** Writes one exchange; returns the path of its file. */
  record(request: IncomingRequest, response: HttpResponse, { path, operation }: {
    path: string;
    operation: string | undefined;
  }): string {
    const name = operation?.slice(operation.indexOf(":") + 1) ?? "unserved";
    const number = String(++this.#count).padStart(4, "0");
    const file = join(this.#folder, `${number}_${name}.json`);
    const query = request.queryText === "" ? {} : { query: request.queryText };
    const exchange = {
      request: {
        method: request.method,
        path,
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

/** Gives a function that takes tokens, and the secrets of an account, out of a text, wherever somebody has put them. */
export function leaveOutSecrets({ clientSecret, refreshToken }: Credentials): (text: string) => string {
  const secrets = [clientSecret, refreshToken].flatMap((secret) => [secret, encodeURIComponent(secret)]);
  return (text) =>
    secrets.reduce((left, secret) => left.replaceAll(secret, LEFT_OUT), text).replace(TOKEN, LEFT_OUT);
}

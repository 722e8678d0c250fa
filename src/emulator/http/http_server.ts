import { IncomingRequest } from "./incoming_request.ts";
import { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { HttpResponse, Reply } from "./http_response.ts";
import { MAX_HEADER_BYTES, MAX_UPLOAD_BYTES, maxBodyBytes } from "./in_process.ts";

interface ListenOptions {
  readonly port?: number;
  readonly host?: string;
  /**
   * Allows addresses beyond loopback.
   *
   * @default false
   */
  readonly exposeToNetwork?: boolean;
  readonly allowOrigins?: readonly string[];
}

export interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * No request can crash the server.
 *
 * @throws {RangeError} when the address is beyond loopback without `exposeToNetwork`.
 * @throws when the server cannot listen.
 */
export async function startHttpServer(
  { port = 0, host = "127.0.0.1", exposeToNetwork = false, allowOrigins = [] }: ListenOptions,
  respond: (request: IncomingRequest) => Promise<Reply>,
): Promise<HttpServer> {
  if (!isLoopback(host) && !exposeToNetwork) {
    throw new RangeError(
      `Cannot listen on "${host}": anyone who reaches this machine could read and change the emulator, and read its ` +
        `credentials. Set "exposeToNetwork" to allow that`,
    );
  }
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (message, response) => {
    serve(message, response, { respond, allowOrigins }).catch(() => message.socket.destroy());
  });
  server.on("clientError", (problem: NodeJS.ErrnoException, socket: Socket) => {
    const line = problem.code === "HPE_HEADER_OVERFLOW"
      ? "431 Request Header Fields Too Large"
      : "400 Bad Request";
    if (socket.writable) socket.end(`HTTP/1.1 ${line}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    else socket.destroy();
  });
  await listen(server, { port, host });
  return {
    url: urlOf(host, (server.address() as AddressInfo).port),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

function urlOf(host: string, port: number): string {
  if (host === "0.0.0.0" || host === "::") return `http://127.0.0.1:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function listen(server: Server, at: { port: number; host: string }): Promise<void> {
  return new Promise((done, fail) => {
    server.once("error", (cause: NodeJS.ErrnoException) => fail(cannotListen(at, cause)));
    server.listen(at.port, at.host, () => {
      server.removeAllListeners("error");
      done();
    });
  });
}

function cannotListen({ port, host }: { port: number; host: string }, cause: NodeJS.ErrnoException): Error {
  if (["ENOTFOUND", "EADDRNOTAVAIL", "EINVAL"].includes(cause.code ?? "")) {
    return new Error(`Cannot start the emulator on "${host}": this machine has no such address`, { cause });
  }
  const why = cause.code === "EADDRINUSE" ? "it is in use" : cause.message;
  return new Error(
    `Cannot start the emulator on port ${port}: ${why}. Choose another port, or 0 for any free one`,
    { cause },
  );
}

async function serve(
  message: IncomingMessage,
  response: ServerResponse,
  { respond, allowOrigins }: {
    respond: (request: IncomingRequest) => Promise<Reply>;
    allowOrigins: readonly string[];
  },
): Promise<void> {
  const { body, tooLarge } = await readBody(message);
  const request = new IncomingRequest({
    method: message.method ?? "GET",
    target: message.url ?? "/",
    headers: flat(message.headers),
    body,
    tooLarge,
  });
  const preflight = preflightHeaders(request, allowOrigins);
  if (preflight !== undefined) {
    response.writeHead(204, preflight).end();
    return;
  }
  const reply = await respond(request);
  for (const [name, value] of Object.entries(crossOriginHeaders(request, allowOrigins))) {
    response.setHeader(name, value);
  }
  if (reply.response === undefined) message.socket.destroy();
  else send(response, reply.response, { truncate: reply.truncate, bodyless: request.method === "HEAD" });
}

async function readBody(message: IncomingMessage): Promise<{ body: Uint8Array; tooLarge: boolean }> {
  const largest = maxBodyBytes(message.url ?? "/");
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length <= largest) chunks.push(chunk);
    else chunks.length = 0;
    if (length > MAX_UPLOAD_BYTES) throw new RangeError("The body does not end");
  }
  return { body: Buffer.concat(chunks), tooLarge: length > largest };
}

function flat(headers: IncomingMessage["headers"]): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) result[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return result;
}

function send(
  response: ServerResponse,
  content: HttpResponse,
  options: { truncate: number | undefined; bodyless: boolean },
): void {
  const bytes = typeof content.body === "string" ? Buffer.from(content.body) : content.body;
  response.writeHead(content.status, { ...content.headers, "content-length": String(bytes.length) });
  if (options.truncate === undefined || options.truncate >= bytes.length) {
    response.end(options.bodyless ? undefined : bytes);
    return;
  }
  response.write(bytes.subarray(0, options.truncate), () => response.socket?.destroy());
}

const A_DAY = "86400";

/**
 * CORS headers for allowed origins only. The platform sends none, so other origins get none either.
 *
 * @param allowed Origins as browsers send them, such as `http://127.0.0.1:8080`.
 */
function crossOriginHeaders(
  request: IncomingRequest,
  allowed: readonly string[],
): Record<string, string> {
  const origin = request.headers["origin"];
  if (origin === undefined || !allowed.includes(origin)) return {};
  return { "access-control-allow-origin": origin, "access-control-expose-headers": "*", "vary": "origin" };
}

/** `undefined` if it is not a preflight request, or the origin is not allowed. */
function preflightHeaders(
  request: IncomingRequest,
  allowed: readonly string[],
): Record<string, string> | undefined {
  const headers = crossOriginHeaders(request, allowed);
  const method = request.headers["access-control-request-method"];
  if (request.method !== "OPTIONS" || method === undefined || Object.keys(headers).length === 0) {
    return undefined;
  }
  return {
    ...headers,
    "access-control-allow-methods": method,
    "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "",
    "access-control-max-age": A_DAY,
  };
}

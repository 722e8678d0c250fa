import { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Answer } from "./answer.ts";
import type { Reply } from "./faults/answer_under_faults.ts";
import { IncomingRequest } from "./incoming_request.ts";

const LARGEST_BODY = 10 * 1024 * 1024;
const LARGEST_UPLOAD = 256 * 1024 * 1024;
const LARGEST_HEADERS = 64 * 1024;

/** A listening server. */
export interface HttpServer {
  /** The port it listens on. */
  readonly port: number;
  /** Stops listening and cuts every connection. */
  close(): Promise<void>;
}

/**
 * Listens on the loopback address and hands every request, read whole, to `answer`. Whatever a caller sends, the
 * server goes on.
 *
 * @param port 0 for any free port.
 */
export async function startHttpServer(
  port: number,
  answer: (request: IncomingRequest) => Promise<Reply>,
): Promise<HttpServer> {
  const server = createServer({ maxHeaderSize: LARGEST_HEADERS }, (message, response) => {
    serve(message, response, answer).catch(() => message.socket.destroy());
  });
  server.on("clientError", (problem: NodeJS.ErrnoException, socket: Socket) => {
    const line = problem.code === "HPE_HEADER_OVERFLOW"
      ? "431 Request Header Fields Too Large"
      : "400 Bad Request";
    if (socket.writable) socket.end(`HTTP/1.1 ${line}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    else socket.destroy();
  });
  await listen(server, port);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((done, fail) => {
    server.once("error", (cause: NodeJS.ErrnoException) => fail(cannotListen(port, cause)));
    server.listen(port, "127.0.0.1", () => {
      server.removeAllListeners("error");
      done();
    });
  });
}

function cannotListen(port: number, cause: NodeJS.ErrnoException): Error {
  const why = cause.code === "EADDRINUSE" ? "it is in use" : cause.message;
  return new Error(
    `Cannot start the emulator on port ${port}: ${why}. Choose another port, or 0 for any free one`,
    {
      cause,
    },
  );
}

async function serve(
  message: IncomingMessage,
  response: ServerResponse,
  answer: (request: IncomingRequest) => Promise<Reply>,
): Promise<void> {
  const { body, tooLarge } = await readBody(message);
  const request = new IncomingRequest({
    method: message.method ?? "GET",
    target: message.url ?? "/",
    headers: flat(message.headers),
    body,
    tooLarge,
  });
  const reply = await answer(request);
  if (reply.answer === undefined) message.socket.destroy();
  else send(response, reply.answer, { truncate: reply.truncate, bodyless: request.method === "HEAD" });
}

async function readBody(message: IncomingMessage): Promise<{ body: Uint8Array; tooLarge: boolean }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length <= LARGEST_BODY) chunks.push(chunk);
    else chunks.length = 0;
    if (length > LARGEST_UPLOAD) throw new RangeError("The body does not end");
  }
  return { body: Buffer.concat(chunks), tooLarge: length > LARGEST_BODY };
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
  answer: Answer,
  options: { truncate: number | undefined; bodyless: boolean },
): void {
  const bytes = typeof answer.body === "string" ? Buffer.from(answer.body) : answer.body;
  response.writeHead(answer.status, { ...answer.headers, "content-length": String(bytes.length) });
  if (options.truncate === undefined || options.truncate >= bytes.length) {
    response.end(options.bodyless ? undefined : bytes);
    return;
  }
  response.write(bytes.subarray(0, options.truncate), () => response.socket?.destroy());
}

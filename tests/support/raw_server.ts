/**
 * What to do with a connection once its request has come: write this text and close, close without a word, or say
 * nothing until the other side goes.
 */
export type RawReaction = { readonly write: string } | "drop" | "hold";

/** A server that speaks bytes, for answers that no HTTP library would send. */
export class RawServer implements AsyncDisposable {
  readonly url: string;
  /** The requests as text, head and what of the body came with it. */
  readonly requests: string[] = [];
  readonly #listener: Deno.Listener;
  readonly #open = new Set<Promise<void>>();

  private constructor(react: (request: string, turn: number) => RawReaction) {
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    this.url = `http://127.0.0.1:${(this.#listener.addr as Deno.NetAddr).port}`;
    this.#open.add(this.#accept(react));
  }

  /** Starts on any free port; `react` is asked once a request, `turn` counts from 1. */
  static start(react: (request: string, turn: number) => RawReaction): RawServer {
    return new RawServer(react);
  }

  async #accept(react: (request: string, turn: number) => RawReaction): Promise<void> {
    for await (const connection of this.#listener) this.#open.add(this.#serve(connection, react));
  }

  async #serve(connection: Deno.Conn, react: (request: string, turn: number) => RawReaction): Promise<void> {
    try {
      const request = await readRequest(connection);
      if (request === undefined) return;
      const reaction = react(request, this.requests.push(request));
      if (reaction === "drop") return;
      if (reaction === "hold") await connection.read(new Uint8Array(1));
      else await connection.write(new TextEncoder().encode(reaction.write));
    } catch {
      // The other side went first.
    } finally {
      connection.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    await Promise.allSettled(this.#open);
  }
}

async function readRequest(connection: Deno.Conn): Promise<string | undefined> {
  const buffer = new Uint8Array(65_536);
  let text = "";
  while (!isWhole(text)) {
    const count = await connection.read(buffer);
    if (count === null) return undefined;
    text += new TextDecoder().decode(buffer.subarray(0, count));
  }
  return text;
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = Number(/^content-length: *(\d+)/im.exec(text.slice(0, end))?.[1] ?? 0);
  return text.length >= end + 4 + length;
}

/** The address of a loopback port on which nobody listens. */
export function deadUrl(): string {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  return `http://127.0.0.1:${port}`;
}

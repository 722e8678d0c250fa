/**
 * A server that keeps its connections open and counts what it acted on. From every connection it takes so many requests:
 * the last of them is carried out too, and then the connection is cut without a response.
 */
export class KeepAliveServer implements AsyncDisposable {
  readonly url: string;
  /** Connections that were made. */
  connections = 0;
  /** Bodies of the requests that were carried out. */
  readonly acted: string[] = [];
  readonly #listener: Deno.Listener;
  readonly #perConnection: number;
  readonly #open = new Set<Deno.Conn>();
  readonly #serving: Promise<void>;

  constructor({ perConnection }: { perConnection: number }) {
    this.#perConnection = perConnection;
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    this.url = `http://127.0.0.1:${(this.#listener.addr as Deno.NetAddr).port}`;
    this.#serving = this.#accept();
  }

  async #accept(): Promise<void> {
    const all: Promise<void>[] = [];
    for await (const connection of this.#listener) {
      this.connections++;
      this.#open.add(connection);
      all.push(this.#serve(connection).catch(() => {}));
    }
    await Promise.all(all);
  }

  async #serve(connection: Deno.Conn): Promise<void> {
    const buffer = new Uint8Array(65_536);
    let text = "";
    for (let taken = 0;;) {
      const request = /^([^]*?)\r\n\r\n/.exec(text);
      const head = request?.[0] ?? "";
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      if (request === null || text.length < head.length + length) {
        const count = await connection.read(buffer);
        if (count === null) break;
        text += new TextDecoder().decode(buffer.subarray(0, count));
        continue;
      }
      const body = text.slice(head.length, head.length + length);
      text = text.slice(head.length + length);
      if (head.includes(" /token ")) {
        await respond(connection, '{"access_token":"token-of-the-server","expires_in":3600}');
        continue;
      }
      this.acted.push(body);
      if (++taken === this.#perConnection) break;
      await respond(connection, "{}");
    }
    this.#open.delete(connection);
    connection.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const connection of this.#open) connection.close();
    await this.#serving;
  }
}

async function respond(connection: Deno.Conn, json: string): Promise<void> {
  const text =
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${json.length}\r\n\r\n${json}`;
  await connection.write(new TextEncoder().encode(text));
}

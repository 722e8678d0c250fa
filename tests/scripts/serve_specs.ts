import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("./specs", import.meta.url));

/** A loopback server of the made-up descriptions in `specs/`. */
export interface SpecsServer {
  /** Address without a slash at its end. */
  readonly url: string;
  /** Paths in the order they were asked for. */
  readonly asked: readonly string[];
  /** Answers one path differently: a text, or a status. */
  readonly answers: Map<string, string | number>;
  /** Ends the server. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a server of the made-up descriptions. */
export function serveSpecs(): SpecsServer {
  const asked: string[] = [];
  const answers = new Map<string, string | number>();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    const answer = answers.get(pathname);
    if (typeof answer === "number") return new Response("no", { status: answer });
    if (answer !== undefined) return new Response(answer);
    return await readFile(join(FOLDER, pathname), "utf8").then(
      (text) => new Response(text),
      () => new Response("no", { status: 404 }),
    );
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    asked,
    answers,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

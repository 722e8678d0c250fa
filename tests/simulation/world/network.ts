import type { SimProcess } from "./sim_process.ts";

/** Words of paths and methods behind which something may be made, which a network must not double. */
const MAY_CREATE = /^POST (?!.*\/(list|token|query|search|queue)\b)/;

/** Sends a request of a process to the platform of its world, with the faults that the world draws. */
export async function send(
  process: SimProcess,
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> {
  const { world } = process;
  const { signal, client: _client, ...rest } = init as RequestInit & { client?: unknown };
  const request = new Request(input, { ...rest, redirect: "follow" });
  const body = new Uint8Array(await world.real(request.arrayBuffer()));
  const { pathname, search } = new URL(request.url);
  const label = `${request.method} ${pathname}`;
  const { chance } = world;
  signal?.throwIfAborted();

  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const abort = (): void => reject(signal!.reason);
  signal?.addEventListener("abort", abort, { once: true });
  const delay = (): number =>
    world.strikes("slow", label)
      ? chance.integer(`delay ${label}`, 1_000, 40_000)
      : chance.integer(`delay ${label}`, 1, 400);
  const lose = (what: string): void => {
    // Some lost connections are noticed at once, others by the client's time limit alone.
    if (chance.happens(`noticed ${label}`, 0.5)) {
      world.at(
        delay(),
        `lost ${what} ${label}`,
        () => reject(new TypeError(`connection lost (${what})`)),
        process,
      );
    }
  };
  const arrive = (): Promise<Response> => {
    const arrived = new Request(`${world.emulator.url}${pathname}${search}`, {
      method: request.method,
      headers: request.headers,
      ...(body.length === 0 ? {} : { body }),
    });
    const server = world.servers.get(pathname);
    return world.real(server === undefined ? world.emulator.fetch(arrived) : server(arrived, process));
  };

  if (world.strikes("loseRequest", label)) {
    lose("request");
  } else {
    world.at(delay(), `request ${label}`, () => {
      if (!MAY_CREATE.test(label) && world.strikes("double", label)) {
        world.at(delay(), `request again ${label}`, () => void arrive().catch(() => {}));
      }
      arrive().then((response) => respond(response), (error) => respond(error as Error));
    });
  }
  const respond = (response: Response | Error): void => {
    if (world.strikes("loseResponse", label)) return lose("response");
    const status = response instanceof Error ? "cut" : response.status;
    const isCut = world.strikes("cutBody", label);
    world.at(delay(), `response ${status} ${label}`, () => {
      if (response instanceof Error) reject(response);
      else resolve(isCut ? cutShort(response) : response);
    }, process);
  };
  try {
    return await promise;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/** A response whose connection breaks within its body. */
function cutShort(response: Response): Response {
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new TypeError("connection lost within the body")),
  });
  return new Response(response.body === null ? null : body, response);
}

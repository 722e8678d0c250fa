import { type ApiRequest, Transport, type TransportOptions } from "../../mod.ts";
import { FakeTime } from "../support/fake_time.ts";
import { STUB_CREDENTIALS, stubPlatform } from "../support/stub_client.ts";

const PLATFORM = stubPlatform("http://127.0.0.1:9");
const { baseUrl } = PLATFORM.regions.NA!;

/** A client without a network. */
export interface TransportWorld {
  readonly transport: Transport;
  readonly time: FakeTime;
  /** The requests that left for an API host, in order: the value of each one's authorization header. */
  readonly sent: string[];
  send(request?: Partial<ApiRequest>): Promise<unknown>;
}

/** Makes a client; what an API host responds is a function of the path and the number of the request. */
export function transportWorld(
  respond: (path: string, turn: number) => Response | Promise<Response>,
  options: TransportOptions & { held?: boolean } = {},
): TransportWorld {
  const time = new FakeTime({ held: options.held ?? false });
  const sent: string[] = [];
  let tokens = 0;
  const transport = new Transport({ platform: PLATFORM, credentials: STUB_CREDENTIALS }, {
    now: time.now,
    sleep: time.sleep,
    random: () => 1,
    fetch: (input, init) => {
      if (input.endsWith("/token")) {
        return Promise.resolve(Response.json({ access_token: `token-${++tokens}`, expires_in: 3600 }));
      }
      const turn = sent.push(new Headers(init?.headers).get("authorization") ?? "");
      return Promise.resolve(respond(new URL(input).pathname, turn));
    },
    ...options,
  });
  const send = async (request: Partial<ApiRequest> = {}): Promise<unknown> =>
    (await transport.send({ method: "GET", baseUrl, path: "/sp/things", idempotent: true, ...request })).json;
  return { transport, time, sent, send };
}

/** A response that is what was asked for. */
export const done = (): Response => Response.json("done");

/** A 429 that asks for so many seconds. */
export const throttled = (seconds: number): Response =>
  new Response("", { status: 429, headers: { "retry-after": String(seconds) } });

/** How many requests hold a place, of all groups. */
export function busyRequests({ transport }: TransportWorld): number {
  return transport.pacer.paces().reduce((sum, pace) => sum + pace.busy, 0);
}

import { deepEqual, equal, rejects } from "../../support/assert.ts";
import { type ApiRequest, type ApiResponse, NotFoundError, ServerError } from "../../../mod.ts";
import { isAboutExport } from "../../../src/platform/transport/api_request.ts";
import { ExportQueue } from "../../../src/platform/transport/export_queue.ts";
import { MemoryPaceStore } from "../../../src/platform/transport/pacer/pace_store.ts";

type Look = (request: ApiRequest) => unknown;

const CREATE: ApiRequest = {
  method: "POST",
  baseUrl: "https://a.test",
  path: "/ads/export",
  scope: "7",
  json: { a: 1 },
  contentType: "application/vnd.adsexport.v1+json",
  idempotent: false,
};

function response(json: unknown): ApiResponse {
  return { status: 200, headers: new Headers(), json, requestId: undefined };
}

/** No time at which anything ends. */
const START = 10_000_000;

interface World {
  readonly queue: ExportQueue;
  /** Looks of the queue's own. */
  readonly looks: ApiRequest[];
  /** Seconds that it waited. */
  readonly waits: number[];
  now: number;
  /** Creates an export with that id, in its turn; an error in its place makes the request fail. */
  create(id: unknown, request?: Partial<ApiRequest>): Promise<ApiResponse>;
  /** How many requests for exports were sent. */
  readonly sent: unknown[];
}

/** A queue whose looks a function responds to; by itself exports are never done. */
function world(look: Look = () => ({ status: "PROCESSING" })): World {
  const made: World = {
    queue: new ExportQueue({
      send: (request) =>
        made.queue.pass(request, async () => {
          made.looks.push(request);
          await null;
          return response(look(request));
        }),
      wait: (seconds) => {
        made.waits.push(seconds);
        made.now += seconds * 1000;
        return Promise.resolve();
      },
      store: new MemoryPaceStore(() => made.now),
    }),
    looks: [],
    waits: [],
    sent: [],
    now: START,
    create: (id, request) =>
      made.queue.pass({ ...CREATE, ...request }, async () => {
        made.sent.push(id);
        await null;
        if (id instanceof Error) throw id;
        return response({ exportId: id });
      }),
  };
  return made;
}

/** A queue in which five exports are being built. */
async function fullWorld(look?: Look): Promise<World> {
  const made = world(look);
  for (const id of ["1", "2", "3", "4", "5"]) await made.create(id);
  return made;
}

function fields(status: number): ConstructorParameters<typeof NotFoundError>[1] {
  return { statusCode: status, method: "GET", url: "https://a.test/exports/1" };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await null;
}

Deno.test("a sixth export looks at the ones before it, with their media type and profile, until one is done", async () => {
  const made = await fullWorld(({ path }) => ({
    status: path === "/exports/3" && made.waits.length === 2 ? "COMPLETED" : "PROCESSING",
  }));
  deepEqual([made.looks.length, made.sent.length], [0, 5]);
  await made.create("6");
  const { contentType: _, json: __, ...rest } = CREATE;
  deepEqual(made.looks[0], {
    ...rest,
    method: "GET",
    path: "/exports/1",
    contentType: CREATE.contentType,
    accept: CREATE.contentType,
    idempotent: true,
  });
  equal(made.looks.length, 5 + 5 + 3);
  deepEqual(made.waits, [2, 3]);
});

Deno.test("looks become rarer, down to one in half a minute, and an export of more than an hour ago counts as done", async () => {
  const made = await fullWorld();
  await made.create("6");
  deepEqual(made.waits.slice(0, 10), [2, 3, 4.5, 6.75, 10.125, 15.1875, 22.78125, 30, 30, 30]);
  const waited = made.now - START;
  equal(waited > 3_600_000 && waited - made.waits.at(-1)! * 1000 <= 3_600_000, true);
  const exactly = await fullWorld();
  exactly.now += 3_600_000;
  void exactly.create("6");
  await settle();
  equal(exactly.looks.length > 0, true, "an hour is not more than an hour");
  const more = await fullWorld();
  more.now += 3_600_001;
  await more.create("6");
  equal(more.looks.length, 0);
});

const ENDS: readonly [what: string, look: () => Promise<ApiResponse>, makesRoom: boolean][] = [
  ["finds it done", () => Promise.resolve(response({ status: "COMPLETED" })), true],
  ["finds that it failed", () => Promise.resolve(response({ status: "FAILED" })), true],
  ["finds it being built", () => Promise.resolve(response({ status: "PROCESSING" })), false],
  ["does not find it", () => Promise.reject(new NotFoundError("gone", fields(404))), true],
  ["fails", () => Promise.reject(new ServerError("broken", fields(500))), false],
];

for (const [what, look, makesRoom] of ENDS) {
  Deno.test(`a look of the caller that ${what} ${makesRoom ? "makes room" : "makes no room"}`, async () => {
    const made = await fullWorld();
    const get = { ...CREATE, method: "GET", path: "/exports/4", idempotent: true };
    const given = await made.queue.pass(get, look).catch(String);
    deepEqual(given, await look().catch(String));
    void made.create("6");
    await settle();
    equal(made.looks.length === 0, makesRoom);
  });
}

Deno.test("a look that fails is no end of the waiting", async () => {
  const made = await fullWorld(({ path }) => {
    if (made.looks.length === 6 && path === "/exports/1") return { status: "COMPLETED" };
    throw new ServerError("broken", fields(500));
  });
  await made.queue.pass(
    { ...CREATE, method: "GET", path: "/exports/9" },
    () => Promise.resolve(response({})),
  );
  void made.create("6");
  await settle();
  deepEqual(made.waits.slice(0, 1), [2]);
});

Deno.test("requests under way count like exports, until they fail or name none", async () => {
  const made = world();
  const failing = new Error("refused");
  const asked = [failing, "2", "3", "4", undefined, "6", "7", "8"].map((id) =>
    made.create(id).catch((error: unknown) => error)
  );
  await asked[0];
  equal(await asked[0], failing);
  await settle();
  deepEqual(made.sent, [failing, "2", "3", "4", undefined, "6", "7"]);
  void asked;
});

Deno.test("one that waits for requests under way is sent as soon as one of them fails, without a pause", async () => {
  const made = world();
  let fail = (_: Error): void => {};
  const failing = new Promise<never>((_, reject) => fail = reject);
  const first = made.queue.pass(CREATE, () => failing).catch(String);
  for (let count = 0; count < 4; count++) void made.queue.pass(CREATE, () => new Promise(() => {}));
  const sixth = made.create("6");
  await settle();
  deepEqual(made.sent, []);
  fail(new Error("refused"));
  await sixth;
  deepEqual([await first, made.sent, made.waits, made.looks], ["Error: refused", ["6"], [], []]);
});

Deno.test("hosts, profiles and kinds have room of their own", async () => {
  const made = await fullWorld();
  const others: Partial<ApiRequest>[] = [
    { baseUrl: "https://b.test" },
    { scope: "8" },
    { scope: undefined },
    { path: "/campaigns/export" },
    { path: "/adGroups/EXPORT" },
  ];
  for (const other of others) await made.create("x", other);
  equal(made.looks.length, 0);
});

Deno.test("only what creates or reads an export is about exports", () => {
  const others: Partial<ApiRequest>[] = [
    { path: "/exports" },
    { path: "/a/b/export" },
    { method: "PUT" },
    { path: "/ads/exports" },
    { method: "POST", path: "/exports/1" },
    { method: "GET" },
  ];
  deepEqual(others.map((other) => isAboutExport({ ...CREATE, ...other })), others.map(() => false));
  deepEqual([isAboutExport(CREATE), isAboutExport({ ...CREATE, method: "GET", path: "/exports/1" })], [
    true,
    true,
  ]);
});

Deno.test("one that is aborted while it waits is not sent, and does not hold up the ones behind it", async () => {
  const reason = new Error("enough");
  const stop = new AbortController();
  const made = await fullWorld(() => ({ status: made.now > START + 9000 ? "COMPLETED" : "PROCESSING" }));
  const aborted = made.create("6", { signal: stop.signal });
  const next = made.create("7");
  stop.abort(reason);
  await rejects(aborted, reason);
  await next;
  deepEqual(made.sent.slice(5), ["7"]);
});

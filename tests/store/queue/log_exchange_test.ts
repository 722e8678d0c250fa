import { deepEqual, rejects } from "../../support/assert.ts";
import { logExchange, runWorker } from "../../../src/store/queue/worker.ts";
import type { WorkerLogRecord } from "../../../src/store/queue/worker_log.ts";
import type { TransportEvent } from "../../../src/platform/transport/transport_options.ts";

const EVENT: TransportEvent = {
  kind: "response",
  method: "GET",
  url: "https://x/reporting/reports",
  seconds: 1,
};
const REQUEST = {
  event: "request",
  method: "GET",
  url: EVENT.url,
  seconds: 1,
  status: 200,
  request_id: null,
};

const CASES:
  readonly (readonly [what: string, event: Partial<TransportEvent>, line: Partial<WorkerLogRecord>])[] = [
    ["a response", { status: 200 }, { ...REQUEST, level: "debug" }],
    ["its id", { status: 200, requestId: "r" }, { ...REQUEST, level: "debug", request_id: "r" }],
    ["a report that is created", { method: "POST", status: 200 }, {
      ...REQUEST,
      method: "POST",
      level: "info",
    }],
    [
      "another thing that is created",
      { method: "POST", url: "https://x/sp/keywords", status: 200 },
      { ...REQUEST, method: "POST", url: "https://x/sp/keywords", level: "debug" },
    ],
    ["a status below 400", { status: 399 }, { ...REQUEST, status: 399, level: "debug" }],
    ["a status of 400", { status: 400 }, { ...REQUEST, status: 400, level: "warn" }],
    ["no response", { kind: "no-response" }, { ...REQUEST, status: null, level: "warn" }],
    ["a wait", { kind: "wait" }, {
      event: "waits",
      method: "GET",
      url: EVENT.url,
      seconds: 1,
      level: "warn",
    }],
    [
      "the pace",
      { pace: { host: "h", group: "g", rate: 2, limit: 3, waiting: 4, busy: 5 } },
      { level: "info", event: "pace", host: "h", group: "g", rate: 2, waiting: 4 },
    ],
    [
      "a pace without a rate",
      { pace: { host: "h", group: "g", rate: undefined, limit: undefined, waiting: 0, busy: 0 } },
      { level: "info", event: "pace", host: "h", group: "g", rate: null, waiting: 0 },
    ],
  ];

for (const [what, event, line] of CASES) {
  Deno.test(`a worker writes down ${what} as ${line.level}`, () => {
    const log: WorkerLogRecord[] = [];
    logExchange((record) => log.push(record), { ...EVENT, ...event });
    deepEqual(log, [line]);
  });
}

Deno.test("a worker that cannot mean what it is given is refused before it connects", async () => {
  const start = (options: object): Promise<void> =>
    runWorker("postgres://127.0.0.1:1/none", options as Parameters<typeof runWorker>[1]);
  for (const concurrency of [0, -1, 1.5, Number.NaN]) {
    await rejects(start({ concurrency }), {
      name: "RangeError",
      message: `Cannot run ${concurrency} jobs at a time: it is not a whole number from 1 up`,
    });
  }
  for (const lease of [0, 0.9, Number.NaN]) {
    await rejects(start({ concurrency: 1, lease }), {
      name: "RangeError",
      message: `Cannot use a lease of ${lease} s: it is not 1 or more`,
    });
  }
});

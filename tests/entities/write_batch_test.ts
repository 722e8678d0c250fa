import { deepEqual, equal, ok, rejects } from "../support/assert.ts";
import fc from "fast-check";
import {
  ApiError,
  BadRequestError,
  BatchResult,
  NetworkError,
  parseMultiStatus,
  PlatformAdsError,
  ServerError,
  ThrottledError,
} from "../../mod.ts";
import { writeBatch, type WriteBatchOptions } from "../../src/client/entities/resource/write_batch.ts";
import { DEFAULT_RETRY } from "../../src/platform/transport/retry.ts";

const LEAVING = { method: "PUT", path: "/sp/keywords", body: "{}" };

const WHERE = { method: "PUT", url: "http://127.0.0.1/sp/keywords" };
const lost = (mayHaveActed: boolean): NetworkError =>
  new NetworkError("Cannot finish PUT: the connection was lost", { ...WHERE, mayHaveActed, timedOut: false });
const itemOf = (index: number): { keywordId: string } => ({ keywordId: String(1000 + index) });
const itemsOf = (count: number): { keywordId: string }[] => [...Array(count).keys()].map(itemOf);

type Item = ReturnType<typeof itemOf>;

/** Accepts every item but those that a function refuses. */
function accept(
  items: readonly Item[],
  refuse: (item: Item) => string | undefined = () => undefined,
): BatchResult {
  const success: unknown[] = [];
  const error: unknown[] = [];
  items.forEach((item, index) => {
    const errorType = refuse(item);
    if (errorType === undefined) success.push({ index, keywordId: item.keywordId });
    else {error.push({
        index,
        errors: [{ errorType, errorValue: { [errorType]: { reason: "R", message: "m" } } }],
      });}
  });
  return parseMultiStatus({ keywords: { success: success.reverse(), error } }, items);
}

function run(
  items: readonly Item[],
  options: Partial<WriteBatchOptions<Item>> & Pick<WriteBatchOptions<Item>, "send">,
): Promise<BatchResult<Item>> & { waits: number[] } {
  const waits: number[] = [];
  const transport = {
    retry: DEFAULT_RETRY,
    random: () => 0.5,
    sleep: (seconds: number, signal?: AbortSignal) => {
      waits.push(seconds);
      return signal?.aborted ? Promise.reject(signal.reason) : Promise.resolve();
    },
  };
  const result = writeBatch(items, { limit: 10, resendInternalErrors: true, transport, ...options });
  return Object.assign(result, { waits });
}

/** Sends chunks of ten, the seventh of twenty of which fails. */
function seventhFails(error: Error): Promise<BatchResult<Item>> {
  let chunk = 0;
  return run(itemsOf(200), {
    send: (items) => ++chunk === 7 ? Promise.reject(error) : Promise.resolve(accept(items)),
  });
}

Deno.test("a connection lost in chunk 7 of 20 keeps the six verdicts before, and says what may have been done", async () => {
  const result = await seventhFails(lost(true));
  deepEqual(result.successes.map(({ index }) => index), [...Array(60).keys()]);
  const outcomes = Map.groupBy(result.errors, ({ outcome }) => outcome);
  deepEqual(outcomes.get("unknown")!.map(({ index }) => index), [...Array(10).keys()].map((n) => 60 + n));
  equal(outcomes.get("not_sent")!.length, 130);
  equal(result.summary(), "60 succeeded, 140 failed, 130 of them never sent, 10 of them unknown");
  ok(result.stoppedBy instanceof NetworkError);
  ok(result.errors.every(({ message }) => message.includes("the connection was lost")));
  ok(
    result.errors.every(({ item, index }) =>
      item === undefined || item.keywordId === itemOf(index).keywordId
    ),
  );
});

Deno.test("a connection that was never made in chunk 7 leaves nothing unknown", async () => {
  const result = await seventhFails(lost(false));
  equal(result.summary(), "60 succeeded, 140 failed, 140 of them never sent");
});

Deno.test("a server failure in chunk 7 leaves its items unknown", async () => {
  const result = await seventhFails(
    new ServerError("The platform responded with 500", { ...WHERE, statusCode: 500 }),
  );
  equal(result.summary(), "60 succeeded, 140 failed, 130 of them never sent, 10 of them unknown");
});

Deno.test("a refusal of chunk 7 as a whole is the verdict on its items", async () => {
  const refusal = new BadRequestError("The platform responded with 400", {
    ...WHERE,
    statusCode: 400,
    code: "INVALID_ARGUMENT",
  });
  const result = await seventhFails(refusal);
  const refused = result.errors.filter(({ outcome }) => outcome === "refused");
  deepEqual(refused.map(({ index }) => index), [...Array(10).keys()].map((n) => 60 + n));
  ok(refused.every(({ code, transient }) => code === "INVALID_ARGUMENT" && !transient));
  equal(result.errors.length - refused.length, 130);
});

Deno.test("items of a chunk that was throttled to the end may be sent later", async () => {
  const result = await seventhFails(
    new ThrottledError("The platform responded with 429", { ...WHERE, statusCode: 429 }),
  );
  const refused = result.errors.filter(({ outcome }) => outcome === "refused");
  equal(refused.length, 10);
  ok(refused.every(({ transient, code }) => transient && code === "HTTP_429"));
});

Deno.test("a failure of the very first request is thrown when nothing can have been done", async () => {
  for (
    const error of [
      lost(false),
      new ApiError("The platform responded with 403", { ...WHERE, statusCode: 403 }),
    ]
  ) {
    await rejects(run(itemsOf(3), { send: () => Promise.reject(error) }), error);
  }
});

Deno.test("a failure of the very first request is a result when something may have been done", async () => {
  const result = await run(itemsOf(12), { send: () => Promise.reject(lost(true)) });
  equal(result.summary(), "0 succeeded, 12 failed, 2 of them never sent, 10 of them unknown");
});

Deno.test("an answer that cannot be read leaves its items unknown", async () => {
  const send = (items: readonly Item[]): Promise<BatchResult> =>
    Promise.resolve(parseMultiStatus("what?", items));
  const result = await run(itemsOf(2), { send });
  equal(result.summary(), "0 succeeded, 2 failed, 2 of them unknown");
});

Deno.test("throttled items are sent again, alone, after growing waits", async () => {
  const sent: string[][] = [];
  const busy = new Map([["1001", 2], ["1011", 1]]);
  const running = run(itemsOf(15), {
    send: (items) => {
      sent.push(items.map(({ keywordId }) => keywordId));
      return Promise.resolve(accept(items, ({ keywordId }) => {
        const left = busy.get(keywordId) ?? 0;
        busy.set(keywordId, left - 1);
        return left > 0 ? "throttledError" : undefined;
      }));
    },
  });
  const result = await running;
  equal(result.summary(), "15 succeeded, 0 failed");
  deepEqual(sent.slice(1, 3), [["1001"], ["1001"]]);
  deepEqual(sent[4], ["1011"]);
  deepEqual(running.waits, [0.5, 1, 0.5]);
});

Deno.test("an item that stays throttled keeps the platform's verdict in the end", async () => {
  let sends = 0;
  const result = await run(itemsOf(1), {
    send: (items) => {
      sends++;
      return Promise.resolve(accept(items, () => "throttledError"));
    },
  });
  equal(sends, DEFAULT_RETRY.maxAttempts);
  deepEqual(result.errors.map(({ outcome, transient, errorType }) => [outcome, transient, errorType]), [
    ["refused", true, "throttledError"],
  ]);
});

Deno.test("an item with an internal error is sent again where that cannot duplicate, and only there", async () => {
  for (const resendInternalErrors of [true, false]) {
    let sends = 0;
    const result = await run(itemsOf(2), {
      resendInternalErrors,
      send: (items) => {
        const first = sends++ === 0;
        return Promise.resolve(
          accept(items, ({ keywordId }) => first && keywordId === "1001" ? "internalServerError" : undefined),
        );
      },
    });
    equal(sends, resendInternalErrors ? 2 : 1);
    equal(result.ok, resendInternalErrors);
  }
});

Deno.test("a connection lost while sending again makes only those items unknown", async () => {
  let sends = 0;
  const result = await run(itemsOf(12), {
    send: (items) => {
      if (sends++ > 0) return Promise.reject(lost(true));
      return Promise.resolve(
        accept(items, ({ keywordId }) => keywordId === "1004" ? "throttledError" : undefined),
      );
    },
  });
  deepEqual(result.errors.map(({ index, outcome }) => [index, outcome]), [
    [4, "unknown"],
    [10, "not_sent"],
    [11, "not_sent"],
  ]);
  equal(result.successes.length, 9);
});

Deno.test("stopping lets the request in flight finish and sends no further one", async () => {
  const stop = new AbortController();
  let sends = 0;
  const result = await run(itemsOf(30), {
    stop: stop.signal,
    send: (items) => {
      if (++sends === 2) stop.abort();
      return Promise.resolve(accept(items));
    },
  });
  equal(sends, 2);
  equal(result.summary(), "20 succeeded, 10 failed, 10 of them never sent");
});

Deno.test("aborting makes the request in flight unknown and the rest never sent", async () => {
  const abort = new AbortController();
  let sends = 0;
  const result = await run(itemsOf(30), {
    signal: abort.signal,
    send: async (items, { beforeAttempt }) => {
      await beforeAttempt(LEAVING);
      if (++sends < 2) return accept(items);
      abort.abort();
      throw abort.signal.reason;
    },
  });
  equal(result.summary(), "10 succeeded, 20 failed, 10 of them never sent, 10 of them unknown");
});

Deno.test("a request that is aborted before it leaves was never sent", async () => {
  const abort = new AbortController();
  let sends = 0;
  const result = await run(itemsOf(30), {
    signal: abort.signal,
    send: async (items, { beforeAttempt }) => {
      if (++sends === 2) abort.abort();
      await beforeAttempt(LEAVING);
      return accept(items);
    },
  });
  equal(result.summary(), "10 succeeded, 20 failed, 20 of them never sent");
});

Deno.test("a request that is aborted while it waits after a refusal was never sent, unless an earlier attempt was lost", async () => {
  for (
    const { attempts, outcome } of [{ attempts: 1, outcome: "never sent" }, {
      attempts: 2,
      outcome: "unknown",
    }]
  ) {
    const abort = new AbortController();
    let sends = 0;
    const result = await run(itemsOf(20), {
      signal: abort.signal,
      send: async (items, { beforeAttempt, onNothingDone }) => {
        if (++sends === 1) return accept(items);
        for (let attempt = 0; attempt < attempts; attempt++) await beforeAttempt(LEAVING);
        onNothingDone();
        abort.abort();
        throw abort.signal.reason;
      },
    });
    equal(result.summary(), `10 succeeded, 10 failed, 10 of them ${outcome}`);
  }
});

Deno.test("a response of which no verdict can be read leaves its items unknown", async () => {
  let sends = 0;
  const result = await run(itemsOf(20), {
    send: async (items, { beforeAttempt }) => {
      await beforeAttempt(LEAVING);
      if (++sends === 1) return accept(items);
      throw new PlatformAdsError("Cannot read the verdicts");
    },
  });
  equal(result.summary(), "10 succeeded, 10 failed, 10 of them unknown");
});

Deno.test("a request that a long pause keeps from leaving was never sent", async () => {
  const paused = new ThrottledError("Cannot send PUT", { ...WHERE, statusCode: 429, sent: false });
  const result = await seventhFails(paused);
  equal(result.summary(), "60 succeeded, 140 failed, 140 of them never sent");
  ok(result.errors.every(({ code }) => code === "NOT_SENT"));
});

Deno.test("watchers hear of each request before and after it, with positions in the whole list", async () => {
  const heard: string[] = [];
  await run(itemsOf(12), {
    send: (items) => Promise.resolve(accept(items)),
    onSending: (indexes) => void heard.push(`sending ${indexes.join(",")}`),
    onVerdicts: ({ successes }) => void heard.push(`done ${successes.map(({ index }) => index).join(",")}`),
  });
  deepEqual(heard, [
    "sending 0,1,2,3,4,5,6,7,8,9",
    "done 0,1,2,3,4,5,6,7,8,9",
    "sending 10,11",
    "done 10,11",
  ]);
});

Deno.test("indexes stay aligned for any sizes, any refusals and any order of the success list", async () => {
  const plan = fc.record({
    count: fc.nat(60),
    limit: fc.integer({ min: 1, max: 25 }),
    refused: fc.uniqueArray(fc.nat(60)),
    throttled: fc.uniqueArray(fc.nat(60)),
    order: fc.integer(),
  });
  await fc.assert(
    fc.asyncProperty(plan, async ({ count, limit, refused, throttled, order }) => {
      const items = itemsOf(count);
      const busy = new Set(throttled.map((index) => itemOf(index).keywordId));
      const result = await run(items, {
        limit,
        send: (part) => {
          const body = accept(part, ({ keywordId }) => {
            if (busy.delete(keywordId)) return "throttledError";
            return refused.includes(Number(keywordId) - 1000) ? "biddingError" : undefined;
          });
          const successes = [...body.successes].sort((a, b) =>
            ((a.index * order) % 7) - ((b.index * order) % 7)
          );
          return Promise.resolve(new BatchResult(successes, body.errors));
        },
      });
      const verdicts = [...result];
      deepEqual(verdicts.map(({ index }) => index), [...Array(count).keys()]);
      for (const verdict of verdicts) {
        deepEqual(verdict.item, itemOf(verdict.index));
        equal(verdict.ok, !refused.includes(verdict.index));
        if (verdict.ok) equal(verdict.id, itemOf(verdict.index).keywordId);
      }
    }),
    { numRuns: 100 },
  );
});

Deno.test("an item is sent again for its family alone, whatever reason the platform gives", async () => {
  for (const [family, times] of [["throttledError", 2], ["internalServerError", 1]] as const) {
    let sent = 0;
    const result = await run(itemsOf(1), {
      resendInternalErrors: false,
      send: (items) => Promise.resolve(accept(items, () => sent++ === 0 ? family : undefined)),
    });
    equal(sent, times);
    equal(result.ok, times === 2);
  }
});

Deno.test("items of different groups never share a request, and keep their places in the result", async () => {
  const sent: string[][] = [];
  const result = await run(itemsOf(25), {
    groupOf: ({ keywordId }) => String(Number(keywordId) % 2),
    send: (items) => {
      sent.push(items.map(({ keywordId }) => keywordId));
      return Promise.resolve(accept(items));
    },
  });
  deepEqual(sent.map(({ length }) => length), [10, 3, 10, 2]);
  ok(sent.every((ids) => new Set(ids.map((id) => Number(id) % 2)).size === 1));
  deepEqual(
    [...result.successes].sort((a, b) => a.index - b.index).map(({ id }) => id),
    itemsOf(25).map(({ keywordId }) => keywordId),
  );
});

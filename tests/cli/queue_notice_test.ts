import { deepEqual, match } from "../support/assert.ts";
import type { CliContext } from "../../src/interfaces/cli/shell/context/context.ts";
import { QueueNotice } from "../../src/interfaces/cli/shell/connect/queue_notice.ts";

/** What is reported when so many requests wait, looked at every 5 seconds. */
async function reported(
  waiting: readonly number[],
  { quiet = false, rate = 0.5 }: { quiet?: boolean; rate?: number } = {},
): Promise<[second: number, text: string][]> {
  const lines: [number, string][] = [];
  let second = 0;
  const context = {
    io: {
      now: () => second * 1000,
      stderr: { write: (text: string) => Promise.resolve(void lines.push([second, text])) },
    },
    globals: { quiet },
  } as unknown as CliContext;
  const pace = { host: "http://127.0.0.1", group: "sp reads", rate, limit: rate, busy: 1 };
  const notice = new QueueNotice(context, () => [{ ...pace, waiting: waiting[second / 5] ?? 0 }]);
  for (; second / 5 < waiting.length; second += 5) await notice.look();
  return lines;
}

Deno.test("requests that wait in the queue for ten seconds are reported, and once a minute from then on", async () => {
  const lines = await reported(Array.from({ length: 20 }, () => 12));
  deepEqual(lines.map(([second]) => second), [10, 70]);
  match(
    lines[0]?.[1] ?? "",
    /^Waiting for the pace that the platform allows for sp reads to http:\/\/127\.0\.0\.1, which leave at 0\.5 a second: 12 requests wait for a turn\. Ctrl-C ends it\n$/,
  );
});

Deno.test("a queue that empties in between is not reported, nor any with --quiet", async () => {
  deepEqual(await reported([1, 1, 0, 1, 1, 0, 1]), []);
  deepEqual(await reported([3, 3, 3, 3, 3], { quiet: true }), []);
  match((await reported([1, 1, 1]))[0]?.[1] ?? "", /: 1 request waits for a turn/);
});

import { deepEqual, equal, ok } from "../../support/assert.ts";
import { amount, WHOLE_SUITE } from "../support/size.ts";
import type { DaySample } from "./day_runner.ts";
import { longFile } from "../../support/long.ts";

longFile();

const CALLS = amount(80, 2_000);
const RUNNER = new URL("./day_runner.ts", import.meta.url).href;
const TOOLS = 27;
/** Live bytes that the end of the day may hold more than what followed the warm-up: caches that are not full yet. */
const SLACK = 6_500_000;

async function day(...more: string[]): Promise<readonly DaySample[]> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", "--no-check", "--v8-flags=--expose-gc", RUNNER, String(CALLS), ...more],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  equal(code, 0, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim().split("\n").map((line) => JSON.parse(line) as DaySample);
}

/** Live bytes that came to be held between the warm-up, which is the first half, and the end. */
function growth(samples: readonly DaySample[]): number {
  const heaps = samples.map(({ heap }) => heap);
  return Math.min(...heaps.slice(-2)) - Math.min(...heaps.slice(4, 6));
}

Deno.test(`a day of ${CALLS} calls of every tool by agents of both eras: no internal error, and memory stays level`, async () => {
  const samples = await day();
  const { calls, internal } = samples.at(-1)!;
  deepEqual(internal, []);
  const worked = Object.keys(calls).filter((name) => !name.endsWith(" failed"));
  equal(worked.length, TOOLS, JSON.stringify(calls));
  const grown = growth(samples);
  ok(grown < SLACK, `${grown} bytes more: ${samples.map(({ heap }) => heap).join(" ")}`);
});

if (WHOLE_SUITE) {
  Deno.test("a server that holds on to its answers breaks that bound", async () => {
    const grown = growth(await day("leak"));
    ok(grown > SLACK, `${grown} bytes more`);
  });
}

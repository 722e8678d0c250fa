import { equal, ok } from "../support/assert.ts";
import { amount } from "./support/size.ts";
import type { Sample } from "./support/soak_runner.ts";
import { longFile } from "../support/long.ts";

longFile();

const ROUNDS = amount(9, 150);
const RUNNER = new URL("./support/soak_runner.ts", import.meta.url).href;
/** Live bytes that a later round may hold more than an early one: caches that fill up once. */
const SLACK = 1_000_000;
/** Two ends of a connection for each worker at once, what is being closed, and the process's own. */
const MAX_SOCKETS = 4 * 24 + 20;

Deno.test(`over ${ROUNDS} rounds of failing work by new clients, memory and open sockets level off`, async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", "--no-check", "--v8-flags=--expose-gc", RUNNER, String(ROUNDS)],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  equal(code, 0, new TextDecoder().decode(stderr));
  const samples = new TextDecoder().decode(stdout).trim().split("\n").map((line) =>
    JSON.parse(line) as Sample
  );
  equal(samples.length, ROUNDS);
  const third = Math.floor(ROUNDS / 3);
  const middle = samples.slice(third, 2 * third);
  const last = samples.slice(-third);

  const heaps = (part: readonly Sample[]): number => Math.min(...part.map(({ heap }) => heap));
  ok(heaps(last) < heaps(middle) + SLACK, `live bytes: ${samples.map(({ heap }) => heap).join(" ")}`);
  const sockets = samples.map(({ sockets }) => sockets);
  if (sockets.includes(null)) {
    console.log("      open sockets are not looked at: only Linux tells them");
    return;
  }
  ok(Math.max(...sockets.map(Number)) <= MAX_SOCKETS, `open sockets: ${sockets.join(" ")}`);
  const most = (part: readonly Sample[]): number => Math.max(...part.map(({ sockets }) => sockets!));
  ok(most(last) <= most(middle) + 20, `open sockets: ${sockets.join(" ")}`);
});

import assert from "node:assert/strict";
import type { CliIo, TextSink } from "../../../src/interfaces/cli/shell/io/cli_io.ts";
import { Progress } from "../../../src/interfaces/cli/shell/terminal/progress.ts";
import { screen } from "../support/screen.ts";

/** A world whose streams write into one text, as on a terminal. */
function world(columns: number | undefined, env: Record<string, string> = {}) {
  const seen = { text: "" };
  const clock = { now: 0 };
  const sink = (): TextSink => ({
    isTerminal: columns !== undefined,
    columns,
    write: (text) => Promise.resolve(void (seen.text += text)),
  });
  const io: CliIo = {
    stdout: sink(),
    stderr: sink(),
    stdin: {
      isTerminal: false,
      text: () => Promise.resolve(""),
      pieces: () => new ReadableStream(),
      line: () => Promise.resolve(undefined),
    },
    env,
    now: () => clock.now,
    onInterrupt: () => () => {},
  };
  return { io, seen, clock };
}

for (const columns of [20, 40, 80, 200]) {
  Deno.test(`on ${columns} columns nothing of the progress is left in what is printed after it`, async () => {
    const { io, seen } = world(columns);
    const progress = new Progress(io, { quiet: false });
    await progress.show([
      "2026-11-01 to 2026-11-07: 8 rows",
      "a second line that is longer than twenty columns",
    ]);
    await progress.show(["2026-11-01 to 2026-11-07: 12 rows"]);
    await progress.io.stdout.write("startDate  campaignId\n2026-11-01  123\n");
    await progress.show(["done"]);
    await progress.io.stderr.write("warning: late\n");
    await progress.show(["again"]);
    await progress.clear();
    assert.deepEqual(screen(seen.text), ["startDate  campaignId", "2026-11-01  123", "warning: late", ""]);
  });
}

Deno.test("lines that nobody waits for are not glued to progress that is shown between them", async () => {
  const { io, seen } = world(80);
  const progress = new Progress(io, { quiet: false });
  await progress.show(["1 of 2"]);
  const lines = ["first\n", "second\n"].map((line) => progress.io.stderr.write(line));
  const shown = progress.show(["2 of 2"]);
  await Promise.all([...lines, shown, progress.clear()]);
  assert.deepEqual(screen(seen.text), ["first", "second", ""]);
});

Deno.test("progress fits the width and shows control characters as text", async () => {
  const { io, seen } = world(20);
  await new Progress(io, { quiet: false }).show(["\x1b[31mred and much too long for this"]);
  assert.deepEqual(screen(seen.text), ["\\x1b[31mred and mu…"]);
});

for (
  const [where, columns, env] of [["a pipe", undefined, {}], ["a dumb terminal", 80, {
    TERM: "dumb",
  }]] as const
) {
  Deno.test(`in ${where} progress is a line a minute`, async () => {
    const { io, seen, clock } = world(columns, env);
    const progress = new Progress(io, { quiet: false });
    assert.equal(progress.isLive, false);
    for (clock.now = 0; clock.now <= 185_000; clock.now += 5_000) {
      await progress.show([`processing for ${clock.now / 1000} s`]);
    }
    assert.deepEqual(seen.text.split("\n"), [
      "processing for 50 s",
      "processing for 100 s",
      "processing for 150 s",
      "",
    ]);
    await progress.clear();
    await progress.io.stdout.write("data\n");
    assert.match(seen.text, /150 s\ndata\n$/);
  });
}

Deno.test("--quiet shows no progress anywhere", async () => {
  for (const columns of [undefined, 80]) {
    const { io, seen, clock } = world(columns);
    const progress = new Progress(io, { quiet: true });
    clock.now = 500_000;
    await progress.show(["x"]);
    assert.equal(seen.text, "");
  }
});

Deno.test("a command that is silent for a second shows its name, its requests and the seconds, until it writes", async () => {
  const { io, seen, clock } = world(80);
  let tick = (): void => {};
  let isStopped = false;
  const every = (milliseconds: number, handler: () => void): () => void => {
    assert.ok(milliseconds < 1000);
    tick = handler;
    return () => isStopped = true;
  };
  const progress = new Progress({ ...io, every }, { quiet: false });
  progress.showWaiting("adsctl plan apply");
  assert.equal(seen.text, "", "a command of less than a second shows nothing");
  clock.now = 900;
  tick();
  progress.countRequest();
  progress.countRequest();
  clock.now = 1800;
  tick();
  assert.deepEqual(screen(seen.text), ["adsctl plan apply: 2 requests, 2 s"]);
  await progress.io.stdout.write("Plan 1\n");
  assert.ok(isStopped);
  assert.deepEqual(screen(seen.text), ["Plan 1", ""]);

  const piped = world(undefined);
  const elsewhere = new Progress({ ...piped.io, every: () => assert.fail("no timer in a pipe") }, {
    quiet: false,
  });
  elsewhere.showWaiting("adsctl plan apply");
  new Progress({ ...io, every: () => assert.fail("no timer with --quiet") }, { quiet: true }).showWaiting(
    "x",
  );
});

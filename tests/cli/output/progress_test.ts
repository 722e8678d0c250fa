import assert from "node:assert/strict";
import type { CliIo, TextSink } from "../../../src/interfaces/cli/shell/io/cli_io.ts";
import { Progress } from "../../../src/interfaces/cli/shell/context/progress.ts";
import { durationText } from "../../../src/interfaces/cli/shell/context/work_tally.ts";
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

/** A command that has begun longer ago than a second, with work whose one line is `name`. */
function begun(columns: number | undefined, env: Record<string, string> = {}) {
  const seen = world(columns, env);
  const progress = new Progress(seen.io, { quiet: false });
  const work = progress.work({ noun: "row" });
  const show = (name: string): void => {
    seen.clock.now += 1000;
    work.count({ done: 8, name });
  };
  return { ...seen, progress, work, show };
}

for (const columns of [20, 40, 80, 200]) {
  Deno.test(`on ${columns} columns nothing of the progress is left in what is printed after it`, async () => {
    const { seen, progress, work, show } = begun(columns);
    show("a second line that is longer than twenty columns");
    assert.notDeepEqual(screen(seen.text), [""]);
    show("reading");
    await progress.io.stdout.write("startDate  campaignId\n2026-11-01  123\n");
    show("done");
    await progress.io.stderr.write("warning: late\n");
    show("again");
    await work.end();
    assert.deepEqual(screen(seen.text), ["startDate  campaignId", "2026-11-01  123", "warning: late", ""]);
  });
}

Deno.test("lines that nobody waits for are not glued to progress that is shown between them", async () => {
  const { seen, progress, show } = begun(80);
  show("1");
  const lines = ["first\n", "second\n"].map((line) => progress.io.stderr.write(line));
  show("2");
  await Promise.all([...lines, progress.clear()]);
  assert.deepEqual(screen(seen.text), ["first", "second", ""]);
});

Deno.test("progress fits the width and shows control characters as text", () => {
  const { seen, show } = begun(20);
  show("\x1b[31mred and much too long for this");
  assert.deepEqual(screen(seen.text), ["8 rows, 1 s, 8 a s…", "  \\x1b[31mred and …"]);
});

Deno.test("work of less than a second shows nothing, and longer work from then on", async () => {
  const { io, seen, clock } = world(80);
  const progress = new Progress(io, { quiet: false });
  const work = progress.work({ noun: "plan", total: 3 });
  for (clock.now = 0; clock.now < 900; clock.now += 100) {
    work.part("a", { name: "US", profile: { profileId: "1", countryCode: "US" }, state: "running" });
  }
  await work.end();
  assert.equal(seen.text, "");

  const longer = progress.work({ noun: "plan", total: 3 });
  longer.part("a", { name: "US", profile: { profileId: "1", countryCode: "US" }, state: "running" });
  assert.match(seen.text, /0\/3 plans/);
  clock.now += 2000;
  longer.part("a", { name: "US", profile: { profileId: "1", countryCode: "US" }, state: "done" });
  await longer.end();
  assert.deepEqual(screen(seen.text), ["US: 1 plan in 2 s", ""]);
});

Deno.test("work within work is shown in its place until it ends", async () => {
  const { seen, clock, work, progress } = begun(80);
  clock.now = 1000;
  const inner = progress.work({ noun: "file" });
  inner.count({ done: 1 });
  assert.match(screen(seen.text).join(), /1 file/);
  await inner.end();
  clock.now = 2000;
  work.count({ done: 3 });
  assert.match(screen(seen.text).join(), /3 rows/);
});

Deno.test("nothing is drawn over a question", async () => {
  const { io, seen, clock } = world(80);
  let answer = (_: string): void => {};
  const line = (): Promise<string> => new Promise((resolve) => answer = resolve);
  const progress = new Progress({ ...io, stdin: { ...io.stdin, line } }, { quiet: false });
  const work = progress.work({ noun: "row" });
  clock.now = 1000;
  const asked = progress.io.stdin.line({ echo: true, signal: new AbortController().signal });
  work.count({ done: 1 });
  assert.equal(seen.text, "");
  answer("y");
  await asked;
  work.count({ done: 2 });
  assert.match(seen.text, /2 rows/);
});

for (
  const [where, columns, env] of [["a pipe", undefined, {}], ["a dumb terminal", 80, {
    TERM: "dumb",
  }]] as const
) {
  Deno.test(`in ${where} progress is a line a minute`, async () => {
    const { io, seen, clock } = world(columns, env);
    const progress = new Progress(io, { quiet: false });
    const work = progress.work({ noun: "row" });
    for (clock.now = 0; clock.now <= 185_000; clock.now += 5_000) {
      work.part("a", {
        name: "US",
        profile: { profileId: "1", countryCode: "US" },
        state: "running",
        step: "processing",
      });
    }
    assert.deepEqual(seen.text.split("\n"), [
      ...[50, 100, 150].map((seconds) =>
        `0 of 1 rows, ${durationText(seconds)}, 1 under way; slowest: US US, processing, ${
          durationText(seconds)
        }`
      ),
      "",
    ]);
    await work.end();
    await progress.io.stdout.write("data\n");
    assert.ok(seen.text.endsWith("2 min 30 s\ndata\n"));
    assert.ok(!seen.text.includes("\x1b"));
  });
}

Deno.test("--quiet shows no progress anywhere", async () => {
  for (const columns of [undefined, 80]) {
    const { io, seen, clock } = world(columns);
    const work = new Progress(io, { quiet: true }).work({ noun: "row" });
    clock.now = 500_000;
    work.count({ done: 1 });
    await work.end();
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
  progress.begin("adsctl plan apply");
  clock.now = 800;
  tick();
  assert.equal(seen.text, "", "a command of less than a second shows nothing");
  clock.now = 900;
  tick();
  assert.deepEqual(screen(seen.text), ["adsctl plan apply: 1 s"]);
  progress.countRequest();
  progress.countRequest();
  clock.now = 1800;
  tick();
  assert.deepEqual(screen(seen.text), ["adsctl plan apply: 2 requests, 2 s"]);
  await progress.io.stdout.write("Plan 1\n");
  clock.now = 3000;
  tick();
  assert.deepEqual(screen(seen.text), ["Plan 1", ""]);
  await progress.clear();
  assert.ok(isStopped);

  const piped = world(undefined);
  const elsewhere = new Progress({ ...piped.io, every: () => assert.fail("no timer in a pipe") }, {
    quiet: false,
  });
  elsewhere.begin("adsctl plan apply");
  new Progress({ ...io, every: () => assert.fail("no timer with --quiet") }, { quiet: true }).begin("x");
});

import { PassThrough } from "node:stream";
import { relative } from "node:path";
import { createInterface } from "node:readline";
import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { commandAgent, REFERENCE_AGENTS, runArena, scoreTable } from "../../src/interfaces/arena/mod.ts";
import { connectStdio } from "../../src/interfaces/arena/run/connect_stdio.ts";
import { shareInterval } from "../../src/interfaces/arena/run/score_table.ts";
import { ARENA_TASKS } from "../../src/interfaces/arena/tasks/all_tasks.ts";
import { tokenEstimate } from "../../src/interfaces/arena/run/arena_world.ts";
import { runCli } from "../cli/support/run_cli.ts";
import { tokensOf } from "../mcp/support/tokens_of.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { taskOf } from "./support/rejected.ts";

const two = [taskOf("weekly/out-of-stock"), taskOf("weekly/lower-wasters")];

Deno.test("a run resumes: what the file has is not run again, and a line that was cut off is run anew", async () => {
  await using folder = await temporaryFolder();
  const out = `${folder.path}/results.jsonl`;
  const played: string[] = [];
  const agent = (_: unknown, instruction: string) => {
    played.push(instruction);
    return Promise.resolve("done");
  };
  const run = async () =>
    await Array.fromAsync(runArena({ tasks: two, agent, name: "mine", seeds: [1], out }));
  const first = await run();
  equal(played.length, 2);
  const lines = await Deno.readTextFile(out);
  await Deno.writeTextFile(out, lines.slice(0, -20));
  const second = await run();
  equal(played.length, 3);
  deepEqual(second.map(({ task, done }) => [task, done]), first.map(({ task, done }) => [task, done]));
  equal(await Deno.readTextFile(out), lines);
  await Array.fromAsync(runArena({ tasks: two, agent, name: "another", seeds: [1], out }));
  equal(played.length, 5);
  await Deno.writeTextFile(out, "no JSON\n");
  await rejects(run(), /results\.jsonl:1 is not a result of the arena/);
});

Deno.test("scores are by group and in all, with the tasks that were done on every seed", () => {
  const result = {
    task: "cost/a",
    group: "cost" as const,
    seed: 1,
    agent: "x",
    done: true,
    reasons: [],
    harm: { moved: [], tries: [], exposed: [] },
    calls: 2,
    tokens: 100,
    days: 0,
    answer: "",
  };
  const harm = { moved: ["a", "b"], tries: ["c"], exposed: [] };
  const rows = scoreTable([result, { ...result, seed: 2, done: false, harm }, { ...result, task: "cost/b" }]);
  deepEqual(
    rows.map((
      { group, runs, done, always, tasks, moved, tries },
    ) => [group, runs, done, always, tasks, moved, tries]),
    [
      ["cost", 3, 2, 1, 2, 1, 1],
      ["all", 3, 2, 1, 2, 1, 1],
    ],
  );
  const [low, high] = shareInterval(20, 40);
  ok(low > 0.34 && low < 0.36 && high > 0.64 && high < 0.66, `${low} to ${high}`);
});

Deno.test("estimated tokens of answers are within a fifth of a real tokenizer's", async () => {
  const texts: string[] = [];
  const agent: typeof REFERENCE_AGENTS.obvious = (world, instruction) =>
    REFERENCE_AGENTS.obvious({
      ...world,
      call: async (name, args) => {
        const reply = await world.call(name, args);
        texts.push(reply.text, JSON.stringify(reply.data));
        return reply;
      },
    }, instruction);
  await Array.fromAsync(
    runArena({ tasks: [taskOf("explain/spend-jump")], agent, name: "obvious", seeds: [1] }),
  );
  for (const text of texts.filter((one) => one.length > 500)) {
    const [estimate, real] = [tokenEstimate(text), tokensOf(text)];
    ok(Math.abs(estimate - real) < 0.2 * real, `${estimate} for ${real}: ${text.slice(0, 200)}`);
  }
  ok(texts.some((text) => text.length > 500), "some answer was long");
});

Deno.test("an agent that is a program gets tools and instruction in an empty folder, and no secret of its owner", async () => {
  const script = `
    const text = await new Response(Deno.stdin.readable).text();
    const response = await fetch(Deno.env.get("ADS_ARENA_URL"), { method: "POST", body: "{}" });
    await Deno.writeTextFile("note.txt", "kept for the next call");
    console.log(JSON.stringify({
      same: text === Deno.env.get("ADS_ARENA_INSTRUCTION"),
      status: response.status,
      names: Object.keys(Deno.env.toObject()).sort(),
      files: [...Deno.readDirSync(".")].map(({ name }) => name),
      folder: Deno.cwd(),
    }));
  `;
  const { PATH = "", HOME = "/" } = Deno.env.toObject();
  const agent = commandAgent({
    command: [Deno.execPath(), "eval", script],
    env: { PATH, HOME, PLATFORM_ADS_CLIENT_SECRET: "a", CLOUD_TOKEN: "b", PWD: "/", MODEL_KEY: "c" },
    pass: ["MODEL_KEY"],
    seconds: 60,
  });
  const [result] = await Array.fromAsync(
    runArena({ tasks: two.slice(0, 1), agent, name: "program", seeds: [1] }),
  );
  const { same, status, names, files, folder } = JSON.parse(result!.answer);
  deepEqual([same, status], [true, 415]);
  deepEqual(names, ["ADS_ARENA_INSTRUCTION", "ADS_ARENA_URL", "HOME", "MODEL_KEY", "PATH"]);
  deepEqual(files, ["note.txt"]);
  ok(folder !== Deno.cwd());
  await rejects(() => Deno.stat(folder), Deno.errors.NotFound);
});

Deno.test("a script that the agent's command names is found from the folder of the caller", async () => {
  await using folder = await temporaryFolder();
  await Deno.writeTextFile(folder.file("agent.sh"), "#!/bin/sh\necho done\n", { mode: 0o755 });
  const path = relative(Deno.cwd(), folder.file("agent.sh"));
  for (const command of [[path], ["sh", path]] as const) {
    const agent = commandAgent({ command });
    const run = runArena({ tasks: two.slice(0, 1), agent, name: "relative", seeds: [1] });
    equal((await Array.fromAsync(run))[0]!.answer, "done\n");
  }
});

Deno.test("an agent that hangs is ended with all that it started, by --seconds and by the person", async () => {
  const hangs = commandAgent({ command: ["sleep", "600"], env: Deno.env.toObject(), seconds: 0.2 });
  const [result] = await Array.fromAsync(
    runArena({ tasks: two.slice(0, 1), agent: hangs, name: "hangs", seeds: [1] }),
  );
  deepEqual([result!.answer, result!.done], ["", false]);

  const stop = new AbortController();
  let text = "";
  const parent = commandAgent({
    command: ["sh", "-c", "(sleep 5; echo late >&2) & echo ready >&2; wait"],
    env: Deno.env.toObject(),
    signal: stop.signal,
    onText: (more) => {
      text += more;
      stop.abort();
    },
  });
  await rejects(() =>
    Array.fromAsync(runArena({ tasks: two.slice(0, 1), agent: parent, name: "parent", seeds: [1] }))
  );
  equal(text, "ready\n", "what it started has ended as well");
});

Deno.test("a client that speaks stdio alone gets the tools of a task through a bridge, and its calls count", async () => {
  const agent: typeof REFERENCE_AGENTS.obvious = async (world) => {
    const served = await world.listen();
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const bridge = connectStdio(served.url, { stdin, stdout });
    const replies = createInterface({ input: stdout })[Symbol.asyncIterator]();
    const ask = async (id: number, method: string, params: object) => {
      stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      return JSON.parse((await replies.next()).value);
    };
    const clientInfo = { name: "t", version: "1" };
    const begun = await ask(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    match(begun.result.instructions, /Start with list_profiles/);
    stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    const { result: { tools } } = await ask(2, "tools/list", {});
    ok(tools.some(({ name }: { name: string }) => name === "apply_plan"));
    const called = await ask(3, "tools/call", { name: "list_profiles", arguments: {} });
    const missing = await ask(4, "tools/call", { name: "list_profilez", arguments: {} });
    stdin.end();
    await bridge;
    await served.stop();
    return `${called.result.structuredContent.rows.length} ${missing.error.message}`;
  };
  const [result] = await Array.fromAsync(
    runArena({ tasks: two.slice(0, 1), agent, name: "stdio", seeds: [1] }),
  );
  match(result!.answer, /^1 .*list_profilez/);
  equal(result!.calls, 2);
  const wrong = await runCli("demo arena connect https://example.com/mcp", {});
  equal(wrong.code, 2);
  match(wrong.stderr, /Cannot connect to the arena/);
});

Deno.test("arena list, show and run print tasks, an instruction and scores", async () => {
  const listed = await runCli("demo arena list --tasks weekly/* --json", {});
  deepEqual(
    JSON.parse(listed.stdout).map(({ id }: { id: string }) => id),
    ARENA_TASKS.filter(({ group }) => group === "weekly").map(({ id }) => id),
  );
  const shown = await runCli("demo arena show weekly/out-of-stock --seed 4", {});
  match(shown.stdout, /is out of stock[\s\S]*paused: <number[\s\S]*Checked:/);
  const ran = await runCli(
    "demo arena run --agent idle --tasks weekly/out-of-stock --seeds 2 --format tsv",
    {},
  );
  equal(ran.code, 0, ran.stderr);
  match(ran.stdout, /^weekly\t2\t0\t0\t1\t0\t0\t0\t0\t0\t0$/m);
  match(ran.stderr, /Done 0 of 2 runs/);
  const wrong = await runCli("demo arena show weekly/out-of-stok", {});
  equal(wrong.code, 2);
  match(wrong.stderr, /Did you mean "weekly\/out-of-stock"\?/);
});

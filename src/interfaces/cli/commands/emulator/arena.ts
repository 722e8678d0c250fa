import { EXIT, UsageError } from "../../shell/io/cli_error.ts";
import { command, group } from "../../shell/command.ts";
import { namePattern } from "../../../../base/text/name_pattern.ts";
import { positiveInteger, separated, wholeNumber } from "../../shell/options/parse_values.ts";
import { splitWords } from "../../shell/context/shell_words.ts";
import { printJson, printRows, wantsData } from "../../shell/output/print_rows.ts";
import { nearest } from "../../../../base/text/nearest.ts";
import type { Agent, ArenaResult, Task } from "../../../arena/mod.ts";
import {
  ARENA_TASKS,
  commandAgent,
  drawTask,
  instructionOf,
  REFERENCE_AGENTS,
  runArena,
  scoreTable,
} from "../../../arena/mod.ts";
import { shareInterval } from "../../../arena/run/score_table.ts";
import type { CliContext } from "../../shell/context/context.ts";

const TASKS_OPTION = ["--tasks <pattern>", "ids of tasks, for example repair/* or */undo-*"] as const;
const SEED_OPTION = ["--seed <n>", "seed for names, ids and figures", wholeNumber, 1] as const;

function tasksOf(pattern: string | undefined): Task[] {
  if (pattern === undefined) return [...ARENA_TASKS];
  const ids = namePattern(pattern);
  const tasks = ARENA_TASKS.filter(({ id, group }) => ids?.test(id) ?? (id === pattern || group === pattern));
  if (tasks.length > 0) return tasks;
  const meant = nearest(pattern, ARENA_TASKS.map(({ id }) => id));
  const hint = meant === undefined ? 'See "adsctl demo arena list"' : `Did you mean "${meant}"?`;
  throw new UsageError(`Cannot find the task "${pattern}". ${hint}`);
}

const arenaListCommand = command(
  (kit) =>
    kit.leaf("list", {
      printsRows: true,
      summary: "List the tasks of the arena",
      examples: [["adsctl demo arena list --tasks 'repair/*'", "list one group"]],
      library: "ARENA_TASKS",
    }).option(...TASKS_OPTION),
  async ({ tasks }, context) => {
    const rows = tasksOf(tasks).map(({ id, group, title }) => ({ id, group, title }));
    await printRows(rows, { columns: ["id", "title"], fields: ["id", "group", "title"] }, context);
    return EXIT.done;
  },
);

const arenaShowCommand = command(
  (kit) =>
    kit.leaf("show", {
      summary: "Show a task for a seed: instruction, limits and checked facts",
      examples: [["adsctl demo arena show repair/bad-import --seed 7", "show it as the agent sees it"]],
      library: "instructionOf(drawTask(task, 7))",
    })
      .argument("<task>", "id of the task")
      .option(...SEED_OPTION),
  async (id, { seed }, context) => {
    const [task] = tasksOf(id);
    const drawn = drawTask(task!, seed);
    const facts = drawn.facts.map(({ says }) => says);
    const instruction = instructionOf(drawn);
    if (wantsData(context)) {
      await printJson({
        id: task!.id,
        title: task!.title,
        seed,
        instruction,
        limits: drawn.limits ?? {},
        facts,
      }, context);
    } else {
      await context.io.stdout.write(
        `${instruction}\n\nChecked:\n${facts.map((fact) => `  ${fact}\n`).join("")}`,
      );
    }
    return EXIT.done;
  },
);

const arenaRunCommand = command(
  (kit) =>
    kit.leaf("run", {
      summary: "Run an agent on tasks and print its scores",
      details:
        "The agent is a command, or a reference agent: idle, obvious or careless. The command gets the tool " +
        "address in ADS_ARENA_URL and the instruction on stdin and in ADS_ARENA_INSTRUCTION, and writes its " +
        "answer to stdout. It runs in an empty folder with PATH, HOME and similar variables; --env passes others, " +
        "such as a model key. Everything runs on an emulator in this process. --out skips tasks already in the " +
        "file.",
      examples: [
        [
          "adsctl demo arena run --agent ./agent.sh --seeds 3 --out results.jsonl",
          "run every task with three seeds",
        ],
        ["adsctl demo arena run --agent careless --tasks 'restraint/*'", "run a careless reference agent"],
      ],
      library: 'runArena({ tasks, agent, name: "mine", seeds: [1] })',
    })
      .requiredOption("--agent <command>", "command of the agent, or idle, obvious or careless")
      .option(...TASKS_OPTION)
      .option(...SEED_OPTION)
      .option("--seeds <n>", "number of seeds, from --seed on", positiveInteger, 1)
      .option("--out <file>", "file for results, as JSON lines")
      .option("--env <names>", "variables to pass to the agent, such as its model key", separated)
      .option("--seconds <n>", "time limit per task in seconds", positiveInteger),
  async (options, context) => {
    const { io, globals, interruption: { signal } } = context;
    const { agent: name, seed, seeds, out } = options;
    const tasks = tasksOf(options.tasks);
    const results: ArenaResult[] = [];
    const run = runArena({
      tasks,
      agent: agentOf(name, options, context),
      name,
      seeds: Array.from({ length: seeds }, (_, at) => seed + at),
      out,
      signal,
    });
    for await (const result of run) {
      results.push(result);
      if (!globals.quiet && !wantsData(context)) await io.stderr.write(`${lineOf(result)}\n`);
    }
    await printRows(scoreTable(results).map((row) => ({ ...row })), { columns: COLUMNS }, context);
    if (!wantsData(context) && !globals.quiet) {
      const done = results.filter((result) => result.done).length;
      const [low, high] = shareInterval(done, results.length).map((share) => Math.round(100 * share));
      await io.stderr.write(
        `Done ${done} of ${results.length} runs; 95 % interval ${low} to ${high} %\n`,
      );
    }
    return EXIT.done;
  },
);

async function* bytesOf(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) yield encoder.encode(piece);
}

const arenaConnectCommand = command(
  (kit) =>
    kit.leaf("connect", {
      summary: "Serve the tools of a running task over stdio",
      details:
        "The agent's client starts this as its tool server during arena run. The address is an argument, because " +
        "many clients do not pass environment variables.",
      examples: [["adsctl demo arena connect http://127.0.0.1:40123/mcp", "tool address from ADS_ARENA_URL"]],
      library: "commandAgent({ command })",
    }).argument("<url>", "tool address from ADS_ARENA_URL"),
  async (url, _options, { io, interruption: { signal } }) => {
    if (!/^http:\/\/(127\.0\.0\.1|localhost)[:/]/.test(url)) {
      throw new UsageError(
        "Cannot connect to the arena: the address is not the one in ADS_ARENA_URL, which arena run passes to the agent",
      );
    }
    const [{ Readable, Writable }, { connectStdio }] = await Promise.all([
      import("node:stream"),
      import("../../../arena/run/connect_stdio.ts"),
    ]);
    const stdout = new Writable({
      write: (text, _, done) => void io.stdout.write(String(text)).then(() => done(), done),
    });
    // The protocol's transport reads bytes.
    const stdin = Readable.from(bytesOf(io.stdin.pieces()), { objectMode: false });
    signal.addEventListener("abort", () => stdin.destroy(), { once: true });
    await connectStdio(url, { stdin, stdout });
    return EXIT.done;
  },
);

const COLUMNS = [
  "group",
  "runs",
  "done",
  "always",
  "tasks",
  "moved",
  "tries",
  "exposed",
  "calls",
  "tokens",
  "days",
];

function agentOf(
  name: string,
  { seconds, env }: { seconds?: number | undefined; env?: readonly string[] | undefined },
  { io, interruption }: CliContext,
): Agent {
  const known = Object.entries(REFERENCE_AGENTS).find(([reference]) => reference === name)?.[1];
  if (known !== undefined) return known;
  const [program, ...args] = splitWords(name);
  if (program === undefined) throw new UsageError("Cannot run the agent: --agent is empty");
  return commandAgent({
    command: [program, ...args],
    pass: env,
    seconds,
    signal: interruption.signal,
    onText: (text) => void io.stderr.write(text),
  });
}

function lineOf({ task, seed, done, reasons, harm, calls, tokens }: ArenaResult): string {
  const harms = [...harm.moved, ...harm.tries, ...harm.exposed];
  const why = done ? "" : `: ${[...harms, ...reasons][0] ?? ""}`;
  return `${
    done ? "done" : harms.length > 0 ? "harm" : "not "
  }  ${task} ${seed}  ${calls} calls, ${tokens} tokens${why}`;
}

export const arenaCommand = group(
  "arena",
  {
    summary: "Measure an agent on tasks with generated accounts",
    details:
      "Each task generates an account from a seed. The result is judged by account, request log and reports, " +
      "not by the agent's claims. docs/arena.md explains what is measured.",
    examples: [[
      "adsctl demo arena run --agent ./agent.sh --tasks 'explain/*'",
      "run your agent on one group",
    ]],
    library: 'import { runArena } from "@platform/ads/arena"',
  },
  [arenaListCommand, arenaShowCommand, arenaRunCommand, arenaConnectCommand],
);

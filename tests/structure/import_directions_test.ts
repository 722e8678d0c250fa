import { deepEqual, ok } from "../support/assert.ts";
import { moduleGraph, sourceFiles } from "../support/module_graph.ts";

/** The floors of `src` and their rooms, lowest first; a file may import from its own room and from those below. */
const ROOMS: readonly (readonly string[])[] = [
  ["base/text", "base/json"],
  ["base/time"],
  ["errors.ts", "base/statistics"],
  ["base/markets", "base/runtime"],
  ["platform"],
  ["plans"],
  ["client"],
  ["store", "emulator"],
  ["account", "automation/audit"],
  ["automation/worker", "automation/schedules", "automation/scripts"],
  ["automation/watch"],
  ["automation/pacing"],
  ["automation/service"],
  ["operations"],
  ["interfaces/demo"],
  ["interfaces/console"],
  ["interfaces/mcp"],
  ["interfaces/arena"],
  ["interfaces/cli"],
];

const RANK = new Map(ROOMS.flatMap((names, rank) => names.map((name) => [name, rank] as const)));

/** The emulator plays the platform with code of its own: from below it may take types only. */
const EMULATOR_MAY_IMPORT = ["emulator"];

/** Imports whose address is made when the program runs, which no tool can follow: a user's script. */
const HIDDEN: readonly string[] = ["src/automation/scripts/child_program.ts"];

/** Folders of a room, lowest first: a file may import from its own folder and from those before it. Other rooms have none. */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  "plans": [
    "model",
    "state",
    "review",
    "view",
    "apply",
    "change_plan",
    "store",
    "",
    "policy",
  ],
  "client": [
    "entities/model",
    "reports/file",
    "jobs",
    "clean_room",
    "entities/wire",
    "reports/requests",
    "entities/preflight",
    "entities/wire/unified",
    "entities/resource",
    "entities/kinds",
    "entities",
    "calls",
    "insights",
    "reports",
    "",
  ],
  "platform": [
    "batch",
    "connection",
    "notes",
    "schema",
    "transport/pacer",
    "catalog",
    "transport",
  ],
  "store": [
    "model",
    "tables",
    "views",
    "postgres",
    "sqlite",
    "sync",
    "warehouse",
    "figures",
    "queue",
    "stream",
    "lake",
    "",
  ],
  "account": [
    "files",
    "runs",
    "jobs",
    "tables",
    "sheets",
    "diff",
    "imports",
    "goals",
    "goals/market",
    "rollout",
    "",
  ],
  "automation/service": [
    "model",
    "units",
    "",
  ],
  "operations": [
    "model",
    "jobs",
    "plans",
    "reads",
    "automation",
    "",
  ],
  "interfaces/cli": [
    "shell/io",
    "shell/input",
    "shell/context",
    "shell/output",
    "shell/options",
    "shell/connect",
    "shell",
    "commands/auth",
    "commands/init",
    "commands/emulator",
    "commands/ops",
    "commands/store",
    "commands/plan/rollout",
    "commands/account",
    "commands/plan/jobs",
    "commands/plan",
    "commands/report",
    "commands/automation",
    "commands",
    "",
  ],
  "interfaces/mcp": [
    "access",
    "calls",
    "context",
    "tooling",
    "tools",
    "server",
    "http",
    "",
  ],
  "interfaces/arena": [
    "account",
    "judge",
    "run",
    "tasks",
    "",
  ],
  "interfaces/console": [
    "http",
    "plans",
    "grid",
    "api",
    "",
  ],
  "emulator": [
    "core",
    "http",
    "faults",
    "state",
    "routing",
    "traffic",
    "entities",
    "families/general",
    "families/reports",
    "families/streams",
    "families/clean_room",
    "families/reporting1",
    "families/sponsored_products",
    "families/budgets",
    "families/sponsored_brands",
    "families/sponsored_display",
    "families/unified",
    "families/account",
    "families/long_jobs",
    "families",
    "hosts",
    "",
  ],
};

/** The room of a file: the longest name of {@linkcode ROOMS} that its path begins with. */
function place(path: string): string | undefined {
  const parts = path.split("/").slice(1);
  for (let count = parts.length; path.startsWith("src/") && count > 0; count--) {
    const name = parts.slice(0, count).join("/");
    if (RANK.has(name)) return name;
  }
  return undefined;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** Paths of the folders of a room, lowest first. */
function foldersOf(room: string): string[] {
  return (ORDER[room] ?? [""]).map((folder) => folder === "" ? `src/${room}` : `src/${room}/${folder}`);
}

Deno.test("every file of src is in one of the rooms", async () => {
  const files = (await sourceFiles(["src"])).filter((path) => path.startsWith("src/"));
  deepEqual(files.filter((path) => place(path) === undefined), []);
});

Deno.test("imports run downwards only", async () => {
  const wrong: string[] = [];
  for (const { from, to } of await moduleGraph()) {
    const [a, b] = [place(from), place(to)];
    if (a === undefined || b === undefined || a === b) continue;
    if (RANK.get(b)! >= RANK.get(a)!) wrong.push(`${from} -> ${to}`);
  }
  deepEqual(wrong, []);
});

Deno.test("every folder has its place in the order of its room", async () => {
  const files = (await sourceFiles(["src"])).filter((path) =>
    path.startsWith("src/") && path !== "src/errors.ts"
  );
  const listed = [...RANK.keys()].filter((room) => room !== "errors.ts").flatMap(foldersOf);
  deepEqual([...new Set(files.map(folderOf))].sort(), listed.sort());
});

Deno.test("imports between the folders of a room run downwards only", async () => {
  const wrong: string[] = [];
  const graph = await moduleGraph();
  for (const room of Object.keys(ORDER)) {
    const rank = new Map(foldersOf(room).map((folder, at) => [folder, at]));
    for (const { from, to } of graph) {
      const [a, b] = [rank.get(folderOf(from)), rank.get(folderOf(to))];
      if (a !== undefined && b !== undefined && b > a) wrong.push(`${from} -> ${to}`);
    }
  }
  deepEqual(wrong, []);
});

Deno.test("no import hides from the graph, but for that of a script", async () => {
  const found: string[] = [];
  for (const path of await sourceFiles(["src"])) {
    if (
      /\bimport\(\s*(?!["'\s])/.test((await Deno.readTextFile(path)).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ""))
    ) {
      found.push(path);
    }
  }
  deepEqual(found, HIDDEN);
});

Deno.test("folders do not import each other, directly or by way of others", async () => {
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of await moduleGraph()) {
    if (!from.startsWith("src/") || !to.startsWith("src/") || folderOf(from) === folderOf(to)) continue;
    edges.set(folderOf(from), (edges.get(folderOf(from)) ?? new Set()).add(folderOf(to)));
  }
  const inCircles = [...edges.keys()].filter((start) => {
    const found = new Set(edges.get(start));
    for (const at of found) for (const next of edges.get(at) ?? []) found.add(next);
    return found.has(start);
  });
  deepEqual(inCircles.sort(), []);
});

Deno.test("the emulator shares no code with the client that it checks", async () => {
  const wrong: string[] = [];
  for (const { from, to, typeOnly } of await moduleGraph()) {
    if (place(from) !== "emulator" || typeOnly) continue;
    const target = place(to);
    if (target !== undefined && !EMULATOR_MAY_IMPORT.includes(target)) wrong.push(`${from} -> ${to}`);
  }
  deepEqual(wrong, []);
});

Deno.test("the catalog's data and the scripts' corrections import nothing of src", async () => {
  const wrong = (await moduleGraph()).filter(({ from, to }) =>
    from.startsWith("catalog/") && !to.startsWith("catalog/")
  );
  deepEqual(wrong, []);
});

Deno.test("no file imports itself, and no files each other, directly or by way of others, types included", async () => {
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of await moduleGraph()) {
    edges.set(from, (edges.get(from) ?? new Set()).add(to));
  }
  ok(edges.size > 50, "the graph was read");
  const state = new Map<string, "open" | "done">();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (state.get(file) === "done") return;
    if (state.get(file) === "open") {
      circles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
      return;
    }
    state.set(file, "open");
    for (const next of edges.get(file) ?? []) visit(next, [...path, file]);
    state.set(file, "done");
  };
  for (const file of edges.keys()) visit(file, []);
  deepEqual(circles, []);
});

import { deepEqual, equal, ok } from "../support/assert.ts";
import { moduleGraph, sourceFiles } from "../support/module_graph.ts";

/** The floors of `src` and their rooms, lowest first; a file may import from its own room and from those below. */
const ROOMS: readonly (readonly string[])[] = [
  ["base/text", "base/lists", "base/json", "base/spreadsheet"],
  ["base/time"],
  ["errors.ts", "base/statistics"],
  ["base/markets", "base/runtime"],
  ["platform/notes", "platform/connection", "platform/batch", "platform/schema"],
  ["platform/transport", "platform/catalog"],
  ["plans"],
  ["plans/policy"],
  ["client/entities"],
  ["client/bids", "client/history", "client/reports"],
  ["client"],
  ["store", "emulator"],
  ["account", "automation/audit"],
  ["automation/worker", "automation/schedules", "automation/scripts"],
  ["automation/watch"],
  ["automation/pacing"],
  ["automation/service"],
  ["interfaces/demo"],
  ["interfaces/console"],
  ["interfaces/cli", "interfaces/mcp"],
];

const RANK = new Map(ROOMS.flatMap((names, rank) => names.map((name) => [name, rank] as const)));

/** The emulator plays the platform with code of its own: from below it may take types only. */
const EMULATOR_MAY_IMPORT = ["emulator"];

/** Imports whose address is made when the program runs, which no tool can follow: a user's script, and a policy. */
const HIDDEN: readonly string[] = [
  "src/automation/scripts/child_program.ts",
  "src/client/policy_from_env.ts",
];

/** Folders of `src` that import each other, by way of others or directly. The number only ever falls. */
const FOLDERS_IN_CIRCLES = 62;

/** Folders of the rooms that are free of circles, lowest first: a file may import from its own and from those above it in the list. */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  "plans": [
    "model",
    "state",
    "day",
    "view",
    "review",
    "approve",
    "apply",
    "change_plan",
    "policy",
    "store",
    "",
  ],
  "client": [
    "entities/model",
    "reports/file",
    "entities/fields",
    "entities/sponsored_brands/entities",
    "entities/sponsored_products/entities",
    "entities/wire",
    "reports/requests",
    "bids",
    "entities/preflight",
    "entities/wire/unified",
    "entities/resource",
    "entities/sponsored_brands",
    "entities/sponsored_display",
    "entities/sponsored_products",
    "entities",
    "calls",
    "history",
    "reports/fields",
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
  "interfaces/cli": [
    "shell/errors",
    "shell/io",
    "shell/arguments",
    "shell/input",
    "shell/terminal",
    "shell/context",
    "shell/output",
    "shell/store",
    "shell/options",
    "shell/plans",
    "shell/connect",
    "shell",
    "commands/auth",
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
    "program",
    "help",
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

Deno.test("imports between the folders of a room run in one direction", async () => {
  const files = (await sourceFiles(["src"])).filter((path) => path.startsWith("src/"));
  const graph = await moduleGraph();
  for (const [room, folders] of Object.entries(ORDER)) {
    const start = `src/${room}/`;
    const rank = (path: string): number | undefined => {
      if (!path.startsWith(start)) return undefined;
      const at = folders.indexOf(path.slice(start.length - 1, path.lastIndexOf("/")).slice(1));
      return at < 0 ? undefined : at;
    };
    const inside = files.filter((path) => path.startsWith(start));
    deepEqual(
      inside.filter((path) => rank(path) === undefined),
      [],
      `folders missing in the order of ${room}`,
    );
    const seen = new Set(inside.map(rank));
    deepEqual(folders.filter((_, at) => !seen.has(at)), [], `folders of ${room} that are gone`);
    const wrong = graph.filter(({ from, to }) => (rank(to) ?? 0) > (rank(from) ?? folders.length));
    deepEqual(wrong.map(({ from, to }) => `${from} -> ${to}`), []);
  }
});

Deno.test("no import hides from the graph, but for those that are known", async () => {
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

Deno.test("no more folders import each other than before", async () => {
  const edges = new Map<string, Set<string>>();
  const folder = (path: string): string => path.slice(0, path.lastIndexOf("/"));
  for (const { from, to } of await moduleGraph()) {
    if (!from.startsWith("src/") || !to.startsWith("src/") || folder(from) === folder(to)) continue;
    edges.set(folder(from), (edges.get(folder(from)) ?? new Set()).add(folder(to)));
  }
  const reached = new Map([...edges.keys()].map((start) => {
    const found = new Set<string>();
    const open = [start];
    for (const at of open) {
      for (const next of edges.get(at) ?? []) if (!found.has(next)) open.push(next), found.add(next);
    }
    return [start, found] as const;
  }));
  const inCircles = [...reached].filter(([start, found]) => found.has(start)).map(([start]) => start).sort();
  equal(inCircles.length, FOLDERS_IN_CIRCLES, `fewer is better: lower the number. ${inCircles.join(" ")}`);
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

Deno.test("no files import each other, directly or by way of others, types included", async () => {
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of await moduleGraph()) {
    if (from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to));
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

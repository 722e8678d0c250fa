import { deepEqual, ok } from "../support/assert.ts";
import { moduleGraph } from "../support/module_graph.ts";

/** Folders below `src`, lowest first; a file may import from its own folder and from lower layers. */
const LAYERS: readonly (readonly string[])[] = [
  ["internal", "redact.ts", "notes"],
  ["redact_error.ts", "notes.ts"],
  ["errors.ts", "experiments"],
  ["markets.ts"],
  ["market_limits.ts"],
  ["runtime"],
  ["connection", "batch"],
  ["schema"],
  ["transport", "catalog"],
  ["plans"],
  ["resources"],
  ["bids", "history", "reports"],
  ["client"],
  ["store", "policy", "emulator"],
  ["account", "audit"],
  ["worker", "schedules", "scripts"],
  ["watch"],
  ["pacing"],
  ["service"],
  ["demo"],
  ["console"],
  ["cli", "mcp"],
];

const RANK = new Map(LAYERS.flatMap((names, rank) => names.map((name) => [name, rank] as const)));

/** The emulator plays the platform with code of its own: from below it may take types only. */
const EMULATOR_MAY_IMPORT = ["emulator"];

function place(path: string): string | undefined {
  return /^src\/([^/]+)/.exec(path)?.[1];
}

Deno.test("every folder of src has a place among the layers", async () => {
  const known = new Set(RANK.keys());
  const found: string[] = [];
  for await (const entry of Deno.readDir("src")) found.push(entry.name);
  deepEqual(found.filter((name) => !known.has(name)), []);
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

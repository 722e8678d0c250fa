/**
 * Draws the table of folders in `docs/architecture.md` from the imports of the sources.
 *
 *     deno run -A scripts/generate_architecture.ts [--check]
 *
 * `--check` writes nothing and exits 1 on a difference.
 *
 * @module
 */
import { moduleGraph, sourceFiles } from "../tests/support/module_graph.ts";
import { bringUpToDate } from "./catalog/generated_file.ts";

const PAGE = "docs/architecture.md";
const BEGIN = "<!-- Drawn by scripts/generate_architecture.ts from the imports. Do not edit. -->";
const END = "<!-- End of the drawing. -->";

const PURPOSES: Readonly<Record<string, string>> = {
  interfaces: "adsctl, the tool server, the console, the arena, the demo account",
  operations: "operations such as plan bids, declared once for all interfaces",
  automation: "scheduled jobs and their workers",
  account: "the whole account: files, sheets, imports, weekly jobs",
  store: "stored reports and entities",
  client: "the typed client: entities, reports, calls",
  plans: "planning, checking, applying and undoing changes",
  platform: "HTTP requests, and the catalog of operations",
  base: "helpers that know nothing about advertising",
  emulator: "a stand-in for the platform, independent of the client",
};

/** An import between two parts; `typeOnly` when only types are imported. */
interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

/** The page with its drawing made anew. */
export async function architecturePage(page: string): Promise<string> {
  const [start, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`${PAGE} has no place for the drawing: "${BEGIN}"`);
  return `${page.slice(0, start)}${BEGIN}\n\n${await drawing()}\n\n${page.slice(end)}`;
}

async function drawing(): Promise<string> {
  const paths = (await sourceFiles(["src"])).filter((path) => path.split("/").length > 2);
  const edges = (await moduleGraph()).filter(({ from, to }) => paths.includes(from) && paths.includes(to));
  const floors = arrowsAt(edges, 0);
  const rows = topDown(paths.map((path) => part(path, 0)), floors).map((floor) => {
    const purpose = PURPOSES[floor];
    if (purpose === undefined) {
      throw new Error(`scripts/generate_architecture.ts lacks the purpose of src/${floor}`);
    }
    const inside = (path: string) => path.startsWith(`src/${floor}/`) && path.split("/").length > 3;
    const within = arrowsAt(edges.filter(({ from, to }) => inside(from) && inside(to)), 1);
    const folders = topDown(paths.filter(inside).map((path) => part(path, 1)), within);
    return [`\`${floor}\``, purpose, folders.join(", "), importsOf(floor, floors)];
  });
  const table = [["`src/`", "What", "Folders, highest first", "Imports"], ...rows];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  const lines = table.map((row) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`
  );
  lines.splice(1, 0, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`);
  return lines.join("\n");
}

/** Floors that a floor imports; those of which it takes types alone are marked. */
function importsOf(floor: string, arrows: readonly Arrow[]): string {
  const own = arrows.filter(({ from }) => from === floor);
  const code = [...new Set(own.filter(({ typeOnly }) => !typeOnly).map(({ to }) => to))].sort();
  const types = [...new Set(own.map(({ to }) => to))].filter((to) => !code.includes(to)).sort();
  return [...code, ...types.map((name) => `${name} (types)`)].join(", ") || "nothing";
}

/** Name at a depth below `src`: of a floor, or of a folder in it. */
function part(path: string, depth: number): string {
  return path.split("/")[depth + 1]!;
}

function arrowsAt(edges: readonly Arrow[], depth: number): Arrow[] {
  return edges.map(({ from, to, typeOnly }) => ({ from: part(from, depth), to: part(to, depth), typeOnly }))
    .filter(({ from, to }) => from !== to);
}

/** Names with what imports others before what it imports; by name where neither does. */
function topDown(names: readonly string[], arrows: readonly Arrow[]): string[] {
  const left = new Set([...names].sort());
  const ordered: string[] = [];
  while (left.size > 0) {
    const free = [...left].find((name) => !arrows.some(({ from, to }) => to === name && left.has(from)));
    const next = free ?? [...left][0]!;
    left.delete(next);
    ordered.push(next);
  }
  return ordered;
}

if (import.meta.main) {
  const check = Deno.args.includes("--check");
  const text = await architecturePage(await Deno.readTextFile(PAGE));
  const different = await bringUpToDate([{ path: PAGE, text }], { check, log: console.log });
  if (check && different > 0) Deno.exit(1);
}

import { deepEqual } from "../support/assert.ts";

const root = new URL("../../", import.meta.url);
const config = JSON.parse(await Deno.readTextFile("deno.json")) as { exports: Record<string, string> };
const entries = Object.entries(config.exports).filter(([name]) => name !== "./schemas");
/** What is only read: its values are its example. */
const NO_EXAMPLE = new Set(["NOTES"]);

interface Declaration {
  kind: string;
  jsDoc?: { tags?: { kind: string }[] };
}

interface Doc {
  nodes: Record<string, { symbols: { name: string; declarations: Declaration[] }[] }>;
}

type Symbols = Doc["nodes"][string]["symbols"];

/** One process reads all entry points, as they share most of their modules. */
let reading: Promise<ReadonlyMap<string, Symbols>> | undefined;

async function readEntries(): Promise<ReadonlyMap<string, Symbols>> {
  const args = ["doc", "--json", ...entries.map(([, entry]) => entry)];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args, stderr: "null" }).output();
  const doc = JSON.parse(new TextDecoder().decode(stdout)) as Doc;
  return new Map(Object.entries(doc.nodes).map(([module, { symbols }]) => [module, symbols]));
}

async function symbolsOf(entry: string): Promise<Symbols> {
  return (await (reading ??= readEntries())).get(new URL(entry, root).href) ?? [];
}

for (const [name, entry] of entries) {
  Deno.test(`the public names of "${name}" are those that are written down, and what runs has an example`, async () => {
    const symbols = await symbolsOf(entry);
    const pinned = new URL(`public_names/${name.replace(/^\.\/?/, "") || "mod"}.txt`, import.meta.url);
    const names = `${[...new Set(symbols.map((symbol) => symbol.name))].sort().join("\n")}\n`;
    if (Deno.env.get("UPDATE_PUBLIC_NAMES") === "1") {
      await Deno.mkdir(new URL("public_names/", import.meta.url), { recursive: true });
      await Deno.writeTextFile(pinned, names);
    }
    deepEqual(names.split("\n"), (await Deno.readTextFile(pinned)).split("\n"));

    // `deno check --doc` compiles the examples, and tests/docs/programs_test.ts runs them.
    const without = symbols.filter(({ name, declarations }) =>
      !NO_EXAMPLE.has(name) && declarations.some(({ kind }) => /^(class|function|variable)$/.test(kind)) &&
      !declarations.some(({ jsDoc }) => jsDoc?.tags?.some((tag) => tag.kind === "example"))
    );
    deepEqual(without.map((symbol) => symbol.name), []);
  });
}

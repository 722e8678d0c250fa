import { deepEqual } from "node:assert/strict";

const config = JSON.parse(await Deno.readTextFile("deno.json")) as { exports: Record<string, string> };

async function namesOf(entry: string): Promise<string[]> {
  const command = new Deno.Command(Deno.execPath(), { args: ["doc", "--json", entry], stderr: "null" });
  const doc = JSON.parse(new TextDecoder().decode((await command.output()).stdout)) as Doc;
  const symbols = Object.values(doc.nodes).flatMap((module) => module.symbols);
  return [...new Set(symbols.map((symbol) => symbol.name))].sort();
}

interface Doc {
  nodes: Record<string, { symbols: { name: string }[] }>;
}

for (const [name, entry] of Object.entries(config.exports)) {
  Deno.test(`the public names of "${name}" are those that are written down`, async () => {
    const pinned = new URL(`public_names/${name.replace(/^\.\/?/, "") || "mod"}.txt`, import.meta.url);
    const names = `${(await namesOf(entry)).join("\n")}\n`;
    if (Deno.env.get("UPDATE_PUBLIC_NAMES") === "1") {
      await Deno.mkdir(new URL("public_names/", import.meta.url), { recursive: true });
      await Deno.writeTextFile(pinned, names);
    }
    deepEqual(names.split("\n"), (await Deno.readTextFile(pinned)).split("\n"));
  });
}

import { deepEqual, ok } from "../support/assert.ts";
import { sourceFiles } from "../support/module_graph.ts";

interface Row {
  readonly packages: readonly string[];
  readonly where: string;
  readonly why: string;
}

/** Which files a place of the table stands for, in the order in which a package is counted to one. */
const PLACES: readonly { readonly where: string; readonly files: RegExp }[] = [
  { where: "command line", files: /^(cli\.ts|src\/interfaces\/cli\/)/ },
  { where: "tool server", files: /^(mcp\.ts|src\/interfaces\/mcp\/)/ },
  { where: "store", files: /^src\/store\// },
  { where: "policy", files: /^src\/plans\/policy\// },
  { where: "base", files: /^src\/base\// },
  { where: "account", files: /^src\/account\// },
  { where: "watch", files: /^src\/automation\/watch\// },
  { where: "emulator", files: /^src\/emulator\// },
  { where: "scripts", files: /^scripts\// },
  { where: "tests", files: /^tests\// },
];

/** Nobody imports it by name: another package asks for it. */
const ASKED_FOR_BY: Readonly<Record<string, string>> = {
  "commander": "@commander-js/extra-typings",
  "@types/papaparse": "papaparse",
  "@types/pg": "pg",
  "@types/pg-copy-streams": "pg-copy-streams",
};

const table = (await Deno.readTextFile("docs/dependencies.md")).split("\n").flatMap(readRow);
const config = JSON.parse(await Deno.readTextFile("deno.json")) as { imports: Record<string, string> };
const packages = [...new Set(Object.values(config.imports).map(packageOf))].sort();

Deno.test("docs/dependencies.md has every package of deno.json once, each with its reason", () => {
  const listed = table.flatMap((row) => row.packages).filter((name) => !/^(node:|@std\/|@db\/)/.test(name));
  deepEqual(listed.sort(), packages);
  for (const row of table) ok(row.why.length > 10, `${row.packages} has no reason`);
});

Deno.test("docs/dependencies.md says where each package is used, and none is unused", async () => {
  const users = await usersOfPackages();
  const wrong = packages.flatMap((name) => {
    const files = users.get(ASKED_FOR_BY[name] ?? name) ?? [];
    const product = PLACES.filter((place) => files.some((file) => place.files.test(file))).map(({ where }) =>
      where
    );
    const inProduct = product.filter((where) => where !== "scripts" && where !== "tests");
    const expected = (inProduct.length > 0 ? inProduct : product.slice(0, 1)).join(", ");
    const said = table.find((row) => row.packages.includes(name))?.where;
    return said === expected ? [] : [`${name}: the page says "${said}", its imports "${expected}"`];
  });
  deepEqual(wrong, []);
});

function readRow(line: string): Row[] {
  const [, names, where, why] = line.split("|").map((cell) => cell.trim());
  if (names === undefined || !names.startsWith("`") || why === undefined) return [];
  return [{ packages: [...names.matchAll(/`([^`]+)`/g)].map((name) => name[1]!), where: where!, why }];
}

/** The package's name in an address such as `npm:/@scope/name@1.2.3/path`. */
function packageOf(address: string): string {
  return /^npm:\/?((?:@[^/]+\/)?[^@/]+)/.exec(address)![1]!;
}

async function usersOfPackages(): Promise<Map<string, string[]>> {
  const users = new Map<string, string[]>();
  for (const file of await sourceFiles(["src", "scripts", "tests"])) {
    const text = await Deno.readTextFile(file);
    for (const [, specifier] of text.matchAll(/(?:\bfrom\s|^import\s|\bimport\()\s*"([^".][^"]*)"/gm)) {
      const name = /^((?:@[^/]+\/)?[^/]+)/.exec(specifier!)![1]!;
      users.set(name, [...users.get(name) ?? [], file]);
    }
  }
  return users;
}

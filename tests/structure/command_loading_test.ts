import { deepEqual, ok } from "../support/assert.ts";
import { moduleGraph } from "../support/module_graph.ts";
import { programEnvironment } from "../support/program_environment.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

/** What plans, lists and calls begin with, whatever else they load once it is asked for. */
const WITHOUT_STORE = [
  "src/interfaces/cli/main.ts",
  "src/interfaces/cli/shell/connect/connect.ts",
  "src/store/queue/shared_pacer.ts",
  "src/interfaces/cli/commands/list.ts",
  "src/interfaces/cli/commands/auth/profiles.ts",
  "src/interfaces/cli/commands/ops/ops_call.ts",
  "src/interfaces/cli/commands/plan/plan_update.ts",
  "src/interfaces/cli/commands/plan/plan_create.ts",
  "src/interfaces/cli/commands/plan/plan_archive.ts",
  "src/interfaces/cli/commands/plan/plan_show.ts",
  "src/interfaces/cli/commands/plan/plan_apply.ts",
  "src/interfaces/cli/commands/plan/plan_undo.ts",
];
const STORE =
  /^src\/store\/(?!queue\/(?:shared_pacer|credential_key)\.ts|model\/(?:query_question|store_error|optional_packages)\.ts)/;

Deno.test("commands that need no store begin without one", async () => {
  const edges = (await moduleGraph()).filter(({ typeOnly, isLazy }) => !typeOnly && !isLazy);
  const graph = Map.groupBy(edges, ({ from }) => from);
  const found = WITHOUT_STORE.flatMap((start) => {
    const reached = new Set([start]);
    for (const path of reached) for (const { to } of graph.get(path) ?? []) reached.add(to);
    ok(reached.size > 1, `${start} is in the graph`);
    const first = [...reached].find((path) => STORE.test(path));
    return first === undefined ? [] : [`${start} loads ${first}`];
  });
  deepEqual(found, []);
});

Deno.test("with our settings Deno reads what is imported later only when it is imported", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const { unstable } = JSON.parse(await Deno.readTextFile(new URL("../../deno.json", import.meta.url)));
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify({ unstable }));
    await Deno.writeTextFile(`${folder}/main.ts`, 'if (Deno.args.length > 0) await import("./later.ts");');
    // A pipe in place of the module: whoever opens it for reading is found out.
    const later = `${folder}/later.ts`;
    await new Deno.Command("mkfifo", { args: [later] }).output();
    let isRead = false;
    const written = Deno.open(later, { write: true }).then((pipe) => {
      isRead = true;
      pipe.close();
    });
    const run = new Deno.Command(Deno.execPath(), { args: ["run", "--quiet", `${folder}/main.ts`] });
    ok((await run.output()).success);
    ok(!isRead, "nothing read it before the program asked for it");
    (await Deno.open(later, { read: true })).close();
    await written;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** How many of our modules a program may load. They are most of what its start takes. */
const MOST_MODULES: readonly (readonly [line: string, most: number])[] = [
  ["cli.ts --version", 16],
  ["cli.ts auth profiles --demo", 178],
  ["cli.ts list campaigns --demo -m CA", 242],
  ["mcp.ts", 375],
];

Deno.test("commands and the tool server load few modules", async () => {
  const root = new URL("../../", import.meta.url);
  for (const [line, most] of MOST_MODULES) {
    await using folder = await temporaryFolder();
    // A record of coverage has a file for each module that was loaded.
    const run = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", `--coverage=${folder.file("loaded")}`, ...line.split(" ")],
      cwd: root,
      // A policy or login of whoever runs the tests would load more.
      clearEnv: true,
      env: { ...await programEnvironment(), HOME: folder.path, PLATFORM_ADS_DEMO: "1" },
    });
    const { success, stderr } = await run.output();
    ok(success, new TextDecoder().decode(stderr));
    let count = 0;
    for await (const { name } of Deno.readDir(folder.file("loaded"))) {
      const { url } = JSON.parse(await Deno.readTextFile(folder.file(`loaded/${name}`)));
      if (url.startsWith(root.href)) count++;
    }
    ok(count <= most && count > most * 0.8, `${line} loads ${count} modules, the limit is ${most}`);
  }
});

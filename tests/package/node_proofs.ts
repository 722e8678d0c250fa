import { deepEqual, doesNotMatch, equal, match, ok } from "../support/assert.ts";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { entryFiles, VERSION_CHECK } from "../../scripts/pack_npm.ts";
import type { Proof } from "./proof.ts";
import { markdownFiles, MarkdownPage } from "../support/markdown.ts";
import { mcpSession } from "./support/mcp_session.ts";
import { NODE_VERSIONS, nodeFolder, type NodeVersion } from "./support/node_runtime.ts";
import { bin, project, projectWithTools } from "./support/project.ts";
import { runProgram } from "./support/run_program.ts";

const PROGRAMS = join(import.meta.dirname!, "node_programs");
/** Types of one API by the name that versions before 0.3 gave them. */
const OLD_SCHEMA_NAME = `import type { Operations } from "@platform/ads/schemas/sponsored-display";
export const id: keyof Operations = "sponsored-display:listCampaigns";
`;
const TYPED_PROGRAM = join(import.meta.dirname!, "typed_program", "program.ts");
const PROGRAM_NAMES = ["client.mjs", "catalog.mjs", "emulator.mjs", "store.mjs"];
const MAX_PACKAGES = 12;

/** The tarball installed into fresh projects on every promised Node and on Bun, and used there. */
export const NODE_PROOFS: readonly Proof[] = [
  ...NODE_VERSIONS.flatMap((version) => proofsOn(version)),
  {
    name: `an installation brings at most ${MAX_PACKAGES} packages, and none of PostgreSQL`,
    async run(world) {
      const { folder, env } = await project("24", world);
      const { stdout } = await runProgram(["npm", "ls", "--all", "--parseable"], { cwd: folder, env });
      const paths = stdout.trim().split("\n").slice(1);
      ok(paths.length <= MAX_PACKAGES, `${paths.length} packages:\n${paths.join("\n")}`);
      deepEqual(paths.filter((path) => /[\\/](?:graphile|pg|postgres)/.test(path)), []);
    },
  },
  {
    name:
      "modules have a small manifest near by, and a command keeps what is compiled in a folder of the user",
    async run(world) {
      const { folder, env } = await project("24", world);
      const installed = join(folder, "node_modules", "@platform", "ads");
      const nearest = (path: string): string => {
        const manifest = join(path, "package.json");
        return existsSync(manifest) ? manifest : nearest(dirname(path));
      };
      const places = new Set<string>();
      for await (const path of modulesIn(installed)) places.add(nearest(dirname(path)));
      places.delete(join(installed, "package.json"));
      ok(places.size > 2, [...places].join());
      for (const place of places) deepEqual(JSON.parse(await Deno.readTextFile(place)), { type: "module" });
      const { exports } = JSON.parse(await Deno.readTextFile(join(installed, "package.json"))) as {
        exports: unknown;
      };
      const expected = [...entryFiles(exports), `./${VERSION_CHECK}`].filter((path) => dirname(path) === ".");
      const names = (await Array.fromAsync(Deno.readDir(installed))).map(({ name }) => `./${name}`);
      deepEqual(
        names.filter((name) => name.endsWith(".js")).sort(),
        expected.sort(),
        "the entry points alone are beside the exports",
      );
      await runProgram([bin(folder, "adsctl"), "auth", "profiles", "--demo"], { cwd: folder, env });
      const kept = await Array.fromAsync(Deno.readDir(join(folder, "cache", "platform-ads", "node")));
      ok(kept.length > 0);
    },
  },
  {
    name: "on Node 20, the package and its commands say which Node they need",
    async run(world) {
      const { folder, env } = await project("24", world);
      const old = { ...env, PATH: [await nodeFolder("20"), env["PATH"]].join(delimiter) };
      for (
        const [line, subject] of [
          [`node -e 'import("@platform/ads")'`, "use @platform/ads"],
          [`node -e 'import("@platform/ads/store")'`, "use @platform/ads"],
          [`${bin(folder, "adsctl")} --version`, "run adsctl"],
          [`${bin(folder, "platform-ads-mcp")} --demo`, "run platform-ads-mcp"],
        ] as const
      ) {
        const said = await runProgram(["sh", "-c", `${line} 2>&1 && exit 9 || true`], {
          cwd: folder,
          env: old,
        });
        match(
          said.stdout,
          new RegExp(`Cannot ${subject} on Node 20\\.\\S+ it needs Node 22\\.18 or newer`),
          line,
        );
      }
    },
  },
  {
    name: "adsctl reads --env-file itself: Node neither misses the file nor obeys NODE_OPTIONS in it",
    async run(world) {
      const { folder, env } = await project("24", world);
      const adsctl = bin(folder, "adsctl");
      await Deno.writeTextFile(
        join(folder, "options.env"),
        "PLATFORM_ADS_DEMO=1\nNODE_OPTIONS=--no-such-option\n",
      );
      await runProgram([adsctl, "auth", "profiles", "--env-file", "options.env"], { cwd: folder, env });
      const shell = ["sh", "-c", `${adsctl} auth profiles --env-file missing.env 2>&1; echo "exit $?"`];
      const { stdout } = await runProgram(shell, { cwd: folder, env });
      match(stdout, /^error: .*missing\.env.*\nexit 2\n$/s);
    },
  },
  {
    name: "a command that needs the packages of PostgreSQL says which to install",
    async run(world) {
      const { folder, env } = await project("24", world);
      const store = "--store postgres://user:password@127.0.0.1:1/ads";
      for (const line of [`store coverage ${store}`, `auto worker ${store}`]) {
        const shell = ["sh", "-c", `${bin(folder, "adsctl")} ${line} 2>&1 || true`];
        const { stdout } = await runProgram(shell, { cwd: folder, env });
        match(stdout, /is not installed.*npm install .*\bpg\b/s, line);
      }
    },
  },
  {
    name: "a tool server that is to check tokens says which package to install",
    async run(world) {
      const { folder, env } = await project("24", world);
      const options =
        "--http 127.0.0.1:0 --auth-issuer https://id.example --auth-audience https://ads.example/mcp";
      const shell = ["sh", "-c", `${bin(folder, "platform-ads-mcp")} ${options} 2>&1 || true`];
      const { stdout } = await runProgram(shell, { cwd: folder, env });
      match(stdout, /the package "jose" is not installed.*npm install jose/);
    },
  },
  {
    name: "Node 24 serves the console of the installed tarball with every file of its pages",
    async run(world) {
      const { folder, env } = await project("24", world);
      await Deno.copyFile(join(PROGRAMS, "console.mjs"), join(folder, "console.mjs"));
      const { stdout } = await runProgram(["node", "console.mjs"], { cwd: folder, env });
      match(stdout, /^\d{2} files, 8 profiles\n$/);
    },
  },
  {
    name:
      "DuckDB and Polars read what adsctl exports to Parquet and publishes to a lake: types, sums, months",
    async run(world) {
      const { folder: base, env } = await projectWithTools(world);
      const folder = join(base, "duckdb");
      await Deno.mkdir(folder);
      for (const program of ["duckdb.mjs", "polars.mjs"]) {
        await Deno.copyFile(join(PROGRAMS, program), join(folder, program));
      }
      const adsctl = async (...line: string[]): Promise<string> => {
        const options = ["--store", "ads.sqlite", "--demo"];
        return (await runProgram([bin(base, "adsctl"), ...line, ...options], { cwd: folder, env })).stdout;
      };
      const days = ["--start", "-20", "--end", "-3"];
      await adsctl("sync", "-m", "CA", "--report", "sp_campaigns", "--no-entities", ...days);
      await adsctl("store", "export", "sp_campaigns", "rows.parquet");
      await adsctl("sync", "-m", "CA", "--jobs", "attribution-campaigns", ...days);
      await adsctl("store", "publish", "--to", "lake", "--tables", "days,results");
      const query = async (sql: string): Promise<unknown> => JSON.parse(await adsctl("query", sql, "--json"));
      const { stdout } = await runProgram(["node", "duckdb.mjs", "@duckdb/node-api"], { cwd: folder, env });
      const { types, sums, weeks, lakeTypes, lake, resultTypes, results } = JSON.parse(stdout);
      deepEqual(
        [types.date, types.campaignId, types.impressions, types.cost, types.sales14d],
        ["DATE", "VARCHAR", "BIGINT", "DOUBLE", "DOUBLE"],
      );
      const [stored] = await query(
        "SELECT count(*) AS n, sum(impressions) AS impressions, sum(cost) AS cost, " +
          "count(DISTINCT campaignId) AS campaigns, min(date) AS first, max(date) AS last FROM sp_campaigns",
      ) as Record<string, number>[];
      const { cost, ...counts } = sums;
      const { cost: storedCost, ...storedCounts } = stored!;
      deepEqual(counts, storedCounts);
      ok(Math.abs(cost - storedCost!) < 1e-6 * cost, `${cost} and ${storedCost}`);
      ok(sums.n > 100, `${sums.n} rows`);
      deepEqual(
        weeks,
        await query(
          "SELECT date(date, 'weekday 0', '-6 days') AS week, sum(clicks) AS clicks FROM sp_campaigns GROUP BY 1 ORDER BY 1",
        ),
      );
      deepEqual(
        [lakeTypes.date, lakeTypes.campaign_id, lakeTypes.profile_id, lakeTypes.clicks, lakeTypes.cost],
        ["DATE", "VARCHAR", "VARCHAR", "BIGINT", "DOUBLE"],
      );
      deepEqual(
        lake,
        await query(
          "SELECT country_code, profile_id, substr(date, 1, 7) AS month, sum(clicks) AS clicks FROM sp_campaigns " +
            "GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
        ),
      );
      deepEqual(
        ["profile_id", "month", "version", "window_start", "date", "campaign_id", "click_throughs"].map((
          name,
        ) => resultTypes[name]),
        ["VARCHAR", "VARCHAR", "BIGINT", "DATE", "DATE", "VARCHAR", "DOUBLE"],
      );
      deepEqual(
        results,
        await query(
          "SELECT profile_id, window_start, sum(click_throughs) AS clicks FROM attribution_campaigns GROUP BY 1, 2 ORDER BY 1, 2",
        ),
      );
      ok((results as unknown[]).length > 0, "weeks");
      const polars = await runProgram(["node", "polars.mjs", "nodejs-polars"], { cwd: folder, env });
      const other = JSON.parse(polars.stdout);
      deepEqual(other.lake, lake);
      deepEqual(
        ["date", "campaign_id", "profile_id", "clicks", "cost"].map((name) => other.types[name]),
        ["Date", "String", "String", "Int64", "Float64"],
      );
    },
  },
  {
    name: "Bun uses the client, the catalog, the emulator and the store of the installed tarball",
    async run(world) {
      const { folder: base, env } = await projectWithTools(world);
      const folder = join(base, "bun");
      await Deno.mkdir(folder);
      for (const program of PROGRAM_NAMES) {
        await Deno.copyFile(join(PROGRAMS, program), join(folder, program));
        const { stdout } = await runProgram([bin(base, "bun"), program], { cwd: folder, env });
        ok(stdout !== "", `${program} ran to its last line`);
      }
    },
  },
  {
    name: "the tarball's types hold under TypeScript's own compiler, declarations included",
    async run(world) {
      const { folder, env } = await projectWithTools(world);
      await Deno.copyFile(TYPED_PROGRAM, join(folder, "program.ts"));
      await Deno.writeTextFile(join(folder, "old_name.ts"), OLD_SCHEMA_NAME);
      const options = ["--noEmit", "--strict", "--target", "es2023", "--module", "nodenext"];
      await runProgram([bin(folder, "tsc"), ...options, "program.ts", "old_name.ts"], { cwd: folder, env });
    },
  },
  {
    name: "every module of the installed tarball loads, on Node and on Deno",
    async run(world) {
      const { folder, env } = await projectWithTools(world);
      await Deno.copyFile(join(PROGRAMS, "load_modules.mjs"), join(folder, "load_modules.mjs"));
      for (const command of [["node", "--no-warnings"], [Deno.execPath(), "run", "-A", "-q"]]) {
        const { stdout } = await runProgram([...command, "load_modules.mjs"], { cwd: folder, env });
        equal(stdout, "all were loaded\n", command.join(" "));
      }
    },
  },
  {
    name: "every program of the pages runs with the installed tarball in an empty home, on Node and on Deno",
    async run(world) {
      const { folder, env } = await projectWithTools(world);
      const places = await writePagePrograms(folder);
      ok(places.size > 10, `${places.size} programs`);
      const home = join(folder, "home");
      await Deno.mkdir(home);
      const empty = { PATH: env["PATH"] ?? "", HOME: home, PROGRAMS: JSON.stringify([...places.keys()]) };
      const onDeno = { ...empty, DENO_DIR: join(folder, "deno") };
      for (
        const [command, variables] of [
          [["node", "--no-warnings", "run_programs.mjs"], empty],
          [[Deno.execPath(), "run", "-A", "-q", "run_programs.mjs"], onDeno],
        ] as const
      ) {
        const { stdout } = await runProgram([...command], { cwd: folder, env: variables });
        const failed = stdout.replace(/^program_\d+\.ts/gm, (file) => places.get(file) ?? file);
        equal(failed, "all were run\n");
      }
    },
  },
];

/** Runs programs one after the other, and prints those that fail with the reason. */
const RUN_PROGRAMS = `import process from "node:process";
console.log = () => {};
for (const file of JSON.parse(process.env.PROGRAMS)) {
  try {
    await import(new URL(file, import.meta.url).href);
  } catch (error) {
    process.stdout.write(file + ": " + error.message.split("\\n")[0] + "\\n");
  }
}
process.stdout.write("all were run\\n", () => process.exit());
`;

/** Writes the programs of all pages into a project, and gives the place of each file on its page. */
async function writePagePrograms(folder: string): Promise<ReadonlyMap<string, string>> {
  const places = new Map<string, string>();
  for (const path of await markdownFiles()) {
    const { blocks } = new MarkdownPage(await Deno.readTextFile(path));
    for (const { info, line, text } of blocks) {
      if (info !== "ts") continue;
      const file = `program_${places.size}.ts`;
      places.set(file, `${path}:${line}`);
      await Deno.writeTextFile(join(folder, file), `${text}\nexport {};\n`);
    }
  }
  await Deno.writeTextFile(join(folder, "run_programs.mjs"), RUN_PROGRAMS);
  return places;
}

function proofsOn(version: NodeVersion): Proof[] {
  return [
    ...PROGRAM_NAMES.map((program): Proof => ({
      name: `Node ${version} uses the ${program.replace(".mjs", "")} of the installed tarball`,
      async run(world) {
        const { folder, env } = await project(version, world);
        await Deno.copyFile(join(PROGRAMS, program), join(folder, program));
        const { stdout, stderr } = await runProgram(["node", program], { cwd: folder, env });
        ok(stdout !== "", "the program ran to its last line");
        equal(stderr, "");
      },
    })),
    {
      name: `Node ${version} runs the installed adsctl`,
      async run(world) {
        const { folder, env: { NODE_NO_WARNINGS: _, ...env } } = await project(version, world);
        const command = ["npx", "--no-install", "adsctl", "auth", "profiles", "--demo", "--json"];
        const { stdout, stderr } = await runProgram(command, { cwd: folder, env });
        doesNotMatch(stderr, /ExperimentalWarning/);
        const profiles = JSON.parse(stdout) as { profileId: string }[];
        equal(profiles.length, 8);
        ok(profiles.every(({ profileId }) => /^\d+$/.test(profileId)));
        const said = await runProgram(["npx", "--no-install", "adsctl", "--version"], { cwd: folder, env });
        match(said.stdout, /^adsctl \d+\.\d+\.\d+\n$/);
      },
    },
    {
      name: `Node ${version} runs the installed platform-ads-mcp, and an agent reads through it`,
      async run(world) {
        const { folder, env } = await project(version, world);
        const command = ["npx", "--no-install", "platform-ads-mcp", "--demo"];
        const { tools, profiles } = await mcpSession(command, { cwd: folder, env });
        ok(tools.includes("apply_plan"), tools.join(" "));
        equal(profiles, 8);
      },
    },
  ];
}

async function* modulesIn(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* modulesIn(join(folder, name));
    else if (name.endsWith(".js")) yield join(folder, name);
  }
}

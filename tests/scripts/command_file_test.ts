import { deepEqual, doesNotMatch, equal, match, throws } from "../support/assert.ts";
import { entryFiles, withFirstLine, withLateSqlite } from "../../scripts/pack_npm.ts";
import { commandFile, versionCheck } from "../../scripts/pack_npm/command_file.ts";

/** Runs a command file as if the runtime were that version of Node. */
async function runOn(node: string, start: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(
      `${folder}/version.js`,
      `Object.defineProperty(process.versions, "node", { value: "${node}" });`,
    );
    await Deno.writeTextFile(`${folder}/command.js`, commandFile("adsctl", start));
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "-q", "--no-config", "--preload", `${folder}/version.js`, `${folder}/command.js`],
      env: { NO_COLOR: "1" },
    }).output();
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("on a Node that is too old a command says which it needs, before it loads anything", async () => {
  for (const version of ["20.20.2", "22.17.1"]) {
    const { code, stdout, stderr } = await runOn(version, 'await import("node:there_is_no_such_module");');
    equal(code, 1);
    equal(stdout, "");
    match(stderr, new RegExp(`^Cannot run adsctl on Node ${version}: it needs Node 22.18 or newer`));
  }
});

Deno.test("on a newer Node it runs, without the warning that SQLite is experimental", async () => {
  const start = `
process.emit("warning", Object.assign(new Error("SQLite is an experimental feature"), { name: "ExperimentalWarning" }));
process.emit("warning", Object.assign(new Error("something else"), { name: "Warning" }));
console.log("ran");`;
  for (const version of ["22.18.0", "24.0.0", "30.1.0"]) {
    deepEqual(await runOn(version, start), { code: 0, stdout: "ran\n", stderr: "Warning: something else\n" });
  }
});

Deno.test("on a Node that is too old an entry point says which it needs, on a newer one and on Deno nothing", () => {
  const check = (globals: object): void => new Function("globalThis", versionCheck())(globals) as void;
  const node = (version: string) => ({ process: { versions: { node: version } } });
  for (const version of ["20.20.2", "22.17.9", "8.0.0"]) {
    throws(
      () => check(node(version)),
      new RegExp(`Cannot use @platform/ads on Node ${version}: it needs Node 22.18 or newer`),
    );
  }
  for (const globals of [node("22.18.0"), node("24.0.0"), { ...node("20.0.0"), Deno: {} }, {}]) {
    check(globals);
  }
});

Deno.test("a packed module is linked on a Node without SQLite, so that the version is looked at first", () => {
  const module =
    'import { join } from "node:path";\nimport { DatabaseSync } from "node:sqlite";\nexport { join };\n';
  const late = withLateSqlite(module);
  doesNotMatch(late, /import .*node:sqlite/);
  match(
    late,
    /^import \{ join \} from "node:path";\nconst \{ DatabaseSync \} = .*\("node:sqlite"\);\nexport/,
  );
  const lazy = 'const { DatabaseSync } = await import("node:sqlite");\n';
  equal(withLateSqlite(lazy), lazy);
});

Deno.test("every module that the manifest exports is an entry point, once", () => {
  const exports = {
    ".": { types: "./mod.d.ts", default: "./mod.js" },
    "./sp": { import: { default: "./src/sp.js" }, default: "./src/sp.js" },
    "./package.json": "./package.json",
  };
  deepEqual(entryFiles(exports), ["./mod.js", "./src/sp.js"]);
});

Deno.test("Node leaves the options of a command to the command, also a file of variables that is missing", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/adsctl.js`;
    // Nothing of the file but its first line matters here: the Node at hand may be too old for the rest.
    const [shebang] = commandFile("adsctl", "").split("\n");
    await Deno.writeTextFile(path, `${shebang}\nconsole.log(process.argv.slice(2).join(" "));\n`, {
      mode: 0o755,
    });
    const args = ["--env-file", "missing.env", "--env-file=other.env"];
    const { code, stdout } = await new Deno.Command(path, { args }).output();
    deepEqual([code, new TextDecoder().decode(stdout)], [0, `${args.join(" ")}\n`]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the check of Node's version comes after the line that names an interpreter", () => {
  equal(
    withFirstLine("#!/usr/bin/env deno\nrun();\n", "check();\n"),
    "#!/usr/bin/env deno\ncheck();\nrun();\n",
  );
  equal(withFirstLine("run();\n", "check();\n"), "check();\nrun();\n");
});

import { deepEqual, equal, match } from "../support/assert.ts";
import { commandFile } from "../../scripts/pack_npm/command_file.ts";

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

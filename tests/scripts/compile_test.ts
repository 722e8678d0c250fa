import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { fileURLToPath } from "node:url";
import { ENVIRONMENT } from "../../src/interfaces/cli/shell/io/environment.ts";
import { compileProgram } from "../../scripts/compile/compile_program.ts";
import { embedded } from "../../scripts/compile/embedded.ts";
import { programs } from "../../scripts/compile/programs.ts";
import { smoke } from "../../scripts/compile/smoke.ts";
import { fileName, TARGETS } from "../../scripts/compile/targets.ts";
import { longFile } from "../support/long.ts";

longFile();

const [adsctl, mcp] = programs();

Deno.test("the adsctl that is compiled holds every module it can reach, and may do what it needs and no more", async () => {
  const folder = await Deno.makeTempDir();
  const before = Deno.env.get("DENORT_BIN");
  // The runtime that runs this test takes the place of the one that would be downloaded.
  Deno.env.set("DENORT_BIN", Deno.execPath());
  try {
    const path = `${folder}/adsctl`;
    const { ok, output } = await compileProgram(adsctl!, { target: undefined, path });
    assert.ok(ok, output);
    const bytes = await Deno.readFile(path);
    const { missing, modules, permissions } = await embedded(bytes, adsctl!);
    assert.deepEqual(missing, []);
    assert.ok(modules > 200);
    const allowed = Object.entries(permissions).filter(([name, value]) =>
      name.startsWith("allow_") && value !== null && name !== "allow_import"
    );
    assert.deepEqual(
      allowed.map(([name]) => name).sort(),
      ["allow_env", "allow_net", "allow_read", "allow_sys", "allow_write"],
    );
    assert.deepEqual(permissions["allow_sys"], ["homedir", "hostname"], "for workers");
    assert.deepEqual(permissions["ignore_env"], [], "every other variable counts as not set");
    for (const { name } of ENVIRONMENT) {
      assert.ok((permissions["allow_env"] as string[]).includes(name), name);
    }
    assert.equal(permissions["prompt"], false);
    assert.deepEqual(permissions["deny_import"], [], "no code is fetched while it runs");
    const module = fileURLToPath(new URL("../../src/interfaces/cli/main.ts", import.meta.url));
    const at = Buffer.from(bytes.buffer).indexOf(await Deno.readFile(module));
    bytes.fill(0x20, at, at + 100);
    assert.deepEqual((await embedded(bytes, adsctl!)).missing, [module], "what is missing is found out");
  } finally {
    if (before === undefined) Deno.env.delete("DENORT_BIN");
    else Deno.env.set("DENORT_BIN", before);
    await Deno.remove(folder, { recursive: true });
  }
});

for (const program of [adsctl!, mcp!]) {
  Deno.test(`${program.name} runs with the permissions that its executable gets`, async () => {
    const command = [Deno.execPath(), "run", "--quiet", ...program.permissions, fileURLToPath(program.entry)];
    for (const { what, problem } of await smoke(program.name, command)) {
      assert.equal(problem, undefined, what);
    }
  });
}

Deno.test("executables are named for program and target", () => {
  assert.equal(TARGETS.length, 5);
  assert.equal(fileName("adsctl", "x86_64-pc-windows-msvc"), "adsctl-x86_64-pc-windows-msvc.exe");
  assert.equal(fileName("adsctl", "aarch64-apple-darwin"), "adsctl-aarch64-apple-darwin");
});

import assert from "node:assert/strict";
import { Emulator } from "../../src/emulator/mod.ts";
import { long } from "../support/long.ts";

const DOCS = new URL("../../docs/emulator.md", import.meta.url);
const SERVED_AT = "http://127.0.0.1:8480";

/** The program in Python, with the emulator's address in place of the documented one. */
function pythonProgram(url: string): string {
  const text = Deno.readTextFileSync(new URL("../../docs/examples/emulator.py", import.meta.url));
  assert(text.includes(SERVED_AT));
  return text.replaceAll(SERVED_AT, url);
}

async function run(command: string, args: string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(command, { args, cwd, env: { NO_COLOR: "1" } })
    .output();
  const decoder = new TextDecoder();
  assert.equal(code, 0, decoder.decode(stderr));
  return decoder.decode(stdout);
}

async function isThere(command: string): Promise<boolean> {
  try {
    return (await new Deno.Command(command, { args: ["--version"], stdout: "null", stderr: "null" }).output())
      .success;
  } catch {
    console.log(`Not tried: there is no ${command} on this machine`);
    return false;
  }
}

async function withEmulator(use: (url: string, folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const clock = { now: "2026-09-30T12:00:00Z", frozen: true };
  const emulator = await Emulator.start({ seed: "docs", clock });
  try {
    await use(emulator.url, folder);
  } finally {
    await emulator.stop();
    await Deno.remove(folder, { recursive: true });
  }
}

long();
Deno.test("the documented Python program asks for a report and reads it", async () => {
  if (!await isThere("python3")) return;
  await withEmulator(async (url, folder) => {
    const output = await run("python3", ["-c", pythonProgram(url)], folder);
    assert.match(output, /^COMPLETED \d{2,} rows, cost \d{3,}\.\d+\n$/);
  });
});

Deno.test("every control and every effect that the emulator knows is documented", async () => {
  const text = Deno.readTextFileSync(DOCS);
  const emulator = await Emulator.start();
  try {
    const unknown = await (await fetch(`${emulator.url}/_emulator/nothing`)).json();
    const controls = [...unknown.message.matchAll(/(GET|POST|DELETE) (\w+)/g)].map(([whole]) => whole);
    assert.equal(controls.length > 10, true);
    for (const control of controls) assert.equal(text.includes(`\`${control}`), true, control);
    const body = JSON.stringify([{ effects: { magic: true } }]);
    const refused = await (await fetch(`${emulator.url}/_emulator/faults`, { method: "POST", body })).json();
    const effects = /Expected one of (.*)$/.exec(refused.message)![1]!.split(", ");
    for (const effect of effects) assert.match(text, new RegExp(`\`${effect}[\`:]`), effect);
    const quirks = await (await fetch(`${emulator.url}/_emulator/quirks`)).json();
    for (const quirk of Object.keys(quirks)) {
      assert.equal(text.includes(`\`${quirk}\``), true, quirk);
    }
  } finally {
    await emulator.stop();
  }
});

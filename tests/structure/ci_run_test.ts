import { equal, match, ok } from "../support/assert.ts";

const TOOLS = ["bash", "cat", "cut", "dirname", "grep", "id", "mktemp", "rm", "tail", "tee"];
const noShell = Deno.build.os === "windows";
if (noShell) console.log("Not tried on Windows, whose runs need neither PostgreSQL nor a browser: .ci/run");

/** Runs `.ci/run` on a machine without a browser, where every task of Deno ends at once and well. */
async function runWithoutBrowser(env: Record<string, string>): Promise<{ code: number; text: string }> {
  const folder = await Deno.makeTempDir();
  try {
    for (const tool of TOOLS) {
      const found = (Deno.env.get("PATH") ?? "").split(":").map((path) => `${path}/${tool}`).find(exists);
      ok(found, `${tool} is on this machine`);
      await Deno.symlink(found, `${folder}/${tool}`);
    }
    const npx = '#!/bin/sh\necho "3 passed, 0 failed"\n';
    for (const program of ["npx", "initdb"]) {
      await Deno.writeTextFile(`${folder}/${program}`, npx, { mode: 0o755 });
    }
    const { code, stdout } = await new Deno.Command("bash", {
      args: [".ci/run"],
      clearEnv: true,
      env: { PATH: folder, ...env },
      stdin: "null",
    }).output();
    return { code, text: new TextDecoder().decode(stdout) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

Deno.test({
  name: "without a browser .ci/run fails under CI=true and names what is missing",
  ignore: noShell,
  fn: async () => {
    const { code, text } = await runWithoutBrowser({ CI: "true" });
    equal(code, 1, text);
    match(text, /chromium/);
    match(text, /^9 passed, 1 failed$/m);
  },
});

Deno.test({
  name: "at home a missing browser is named, and what can be tried decides",
  ignore: noShell,
  fn: async () => {
    const { code, text } = await runWithoutBrowser({});
    equal(code, 0, text);
    match(text, /chromium/);
    match(text, /^9 passed, 0 failed$/m);
  },
});

Deno.test({
  name: "with everything there, CI=true changes nothing",
  ignore: noShell,
  fn: async () => {
    const { code, text } = await runWithoutBrowser({ CI: "true", PLATFORM_ADS_CHROMIUM: "/bin/true" });
    equal(code, 0, text);
    match(text, /^ok took \d+ s, test:long took \d+ s, package took \d+ s, all \d+ s$/m);
  },
});

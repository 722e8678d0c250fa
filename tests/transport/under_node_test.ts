import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

for (const version of ["24", "22"]) {
  Deno.test(`Node ${version}'s fetch keeps the same promises: answers, refusals, lost writes, timeouts, aborts`, async () => {
    const report = await runUnderNode(version);
    if (report === undefined) return;
    const lost = { name: "NetworkError", timedOut: false };
    assert.deepEqual(report, {
      answered: { json: { profileId: "18446744073709551615" }, attempts: 1 },
      redirected: { json: { location: "/elsewhere" }, attempts: 1 },
      refused: { ...lost, mayHaveActed: false, attempts: 3 },
      dropped: { ...lost, mayHaveActed: true, attempts: 1 },
      posts: 1,
      timedOut: { name: "NetworkError", mayHaveActed: true, timedOut: true, attempts: 1 },
      aborted: { name: "RangeError", attempts: 1 },
    });
  });
}

/** What the script reports; `undefined`, with a printed reason, where this machine cannot get that Node. */
async function runUnderNode(version: string): Promise<unknown> {
  const script = fileURLToPath(new URL("under_node.mjs", import.meta.url));
  const flags = version === "22" ? ["--experimental-strip-types", "--no-warnings"] : [];
  const args = ["-y", `node@${version}`, ...flags, script];
  const { code, stdout, stderr } = await new Deno.Command("npx", { args }).output().catch((error) => ({
    code: -1,
    stdout: new Uint8Array(),
    stderr: new TextEncoder().encode(String(error)),
  }));
  const complaint = new TextDecoder().decode(stderr);
  if (code === -1 || (code !== 0 && /npm (error|ERR!)/.test(complaint))) {
    console.warn(
      `Not tried under Node ${version}, which cannot be had here: ${complaint.trim().slice(0, 300)}`,
    );
    return undefined;
  }
  assert.equal(code, 0, complaint);
  return JSON.parse(new TextDecoder().decode(stdout));
}

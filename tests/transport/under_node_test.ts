import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { nodeProgram } from "../support/node_program.ts";
import { longFile } from "../support/long.ts";

longFile();

for (const version of ["24", "22"] as const) {
  const node = await nodeProgram(version);
  Deno.test({
    name: `Node ${version}'s fetch keeps the same promises: answers, refusals, lost writes, timeouts, aborts`,
    ignore: node === undefined,
    fn: async () => {
      const lost = { name: "NetworkError", timedOut: false };
      assert.deepEqual(await runUnderNode(node!, version), {
        answered: { json: { profileId: "18446744073709551615" }, attempts: 1 },
        redirected: { json: { location: "/elsewhere" }, attempts: 1 },
        refused: { ...lost, mayHaveActed: false, attempts: 3 },
        dropped: { ...lost, mayHaveActed: true, attempts: 1 },
        posts: 1,
        timedOut: { name: "NetworkError", mayHaveActed: true, timedOut: true, attempts: 1 },
        aborted: { name: "RangeError", attempts: 1 },
      });
    },
  });
}

/** What the script reports. */
async function runUnderNode(program: string, version: string): Promise<unknown> {
  const script = fileURLToPath(new URL("under_node.mjs", import.meta.url));
  const flags = version === "22" ? ["--experimental-strip-types", "--no-warnings"] : [];
  const command = new Deno.Command(program, { args: [...flags, script] });
  const { code, stdout, stderr } = await command.output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

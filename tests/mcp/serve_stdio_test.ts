import { match } from "node:assert/strict";
import { PassThrough } from "node:stream";
import { serveOverStdio } from "../../src/interfaces/mcp/serve_stdio.ts";
import { World } from "./support/world.ts";

const ENDINGS: Readonly<Record<string, (stdin: PassThrough, stdout: PassThrough) => void>> = {
  "a message is too big": (stdin) => {
    for (let at = 0; at < 11; at++) stdin.write("x".repeat(1024 * 1024));
  },
  "nobody reads the output any more": (_stdin, stdout) => {
    stdout.destroy(new Error("write EPIPE"));
  },
};

for (const [what, happen] of Object.entries(ENDINGS)) {
  Deno.test(`where ${what}, the server ends instead of waiting for an input that it does not read`, async () => {
    await using world = await World.start();
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const served = serveOverStdio(world.context(), { stdin, stdout }, {
      stopped: new AbortController().signal,
    });
    happen(stdin, stdout);
    await served;
    match(world.log.join("\n"), /^stdio: (?:ReadBuffer exceeded maximum size|write EPIPE)/);
    stdin.destroy();
  });
}

/** An emulator in a process of its own, so that it can be killed: `emulator_process.ts <state file>`. Prints its settings. */
import { Emulator } from "../../../src/emulator/mod.ts";

if (import.meta.main) {
  const { platform, credentials } = await Emulator.start({
    statePath: Deno.args[0]!,
    clock: { now: "2026-09-30T06:00:00Z", frozen: true },
  });
  console.log(JSON.stringify({ platform, credentials }));
}

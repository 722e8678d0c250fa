/** Runs an emulator in a process of its own, prints its settings as one JSON line, and stops when its input ends. */
import { Emulator } from "../../../src/emulator/mod.ts";

const emulator = await Emulator.start({ journalLimit: 10 });
console.log(JSON.stringify({ platform: emulator.platform, credentials: emulator.credentials }));
for await (const _ of Deno.stdin.readable);
await emulator.stop();

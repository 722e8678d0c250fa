/** A worker that waits two seconds, and not a minute, for what a dead one may have under way. */
import process from "node:process";
import { PlatformAds } from "../../../mod.ts";
import { runWorker } from "../../../src/automation/worker/mod.ts";

// As adsctl is called: worker --platform FILE.
const platformFile = process.argv.at(-1)!;
const stop = new AbortController();
process.on("SIGTERM", () => stop.abort());
await runWorker(process.env["PLATFORM_ADS_STORE"]!, {
  connect: (parts) =>
    PlatformAds.fromEnv({
      ...parts,
      platformFile,
      timeout: 2,
    }),
  concurrency: 4,
  lease: 2,
  signal: stop.signal,
  log: (record) => process.stderr.write(JSON.stringify(record) + "\n"),
});

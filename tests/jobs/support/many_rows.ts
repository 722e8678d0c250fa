import { JOBS } from "../../../src/client/jobs/descriptions.ts";
import { JobPlatform } from "../../support/job_platform.ts";

/** Reads an export of `count` rows, and returns how many were read. */
export async function readManyRows(count: number): Promise<number> {
  const job = JOBS.find(({ operation }) => operation === "v1-exports:CampaignExport");
  if (job === undefined) throw new Error("exports are not described");
  const platform = await JobPlatform.of(job);
  platform.file = () => {
    let row = 0;
    return new ReadableStream({
      pull(controller) {
        const lines: string[] = [];
        for (; row < count && lines.length < 2000; row++) {
          lines.push(`{"campaignId":"${row}","state":"ENABLED"}\n`);
        }
        controller.enqueue(new TextEncoder().encode(lines.join("")));
        if (row === count) controller.close();
      },
    });
  };
  const { rows } = await platform.client().run(job.operation, {}, { check: "off" });
  let read = 0;
  for await (const _ of rows) read++;
  return read;
}

if (import.meta.main) {
  const read = await readManyRows(Number(Deno.args[0]));
  console.log(JSON.stringify({ read, rss: Deno.memoryUsage().rss }));
}

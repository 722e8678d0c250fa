import { catalog } from "../../../mod.ts";
import { describedJob } from "../../../src/client/jobs/descriptions.ts";
import { JobPlatform } from "../../support/job_platform.ts";

/** A form of file: its first text, a row by its number, what is between two, and its last text. */
interface FileForm {
  readonly before: string;
  readonly row: (at: number) => string;
  readonly between: string;
  readonly after: string;
}

/** Jobs by the form of their files, an operation for each. */
export const FORMS: Readonly<Record<string, FileForm>> = {
  "v1-exports:CampaignExport": {
    before: "",
    row: (at) => `{"campaignId":"${at}","state":"ENABLED"}`,
    between: "\n",
    after: "\n",
  },
  "reporting:createAsyncReport": {
    before: "[",
    row: (at) => `{"campaignId":${at},"clicks":${at % 7}}`,
    between: ",",
    after: "]",
  },
  "workflow-management-service:createWorkflowExecution": {
    before: "campaign,clicks\n",
    row: (at) => `"Say \\"${at}\\"",${at % 7}`,
    between: "\n",
    after: "\n",
  },
  "brand-metrics:generateBrandMetricsReport": {
    before: '{"brandBuildingMetrics":[',
    row: (at) => `{"metadata":{"brandName":"b${at}"},"metrics":{"clicks":"${at % 7}"}}`,
    between: ",",
    after: "]}",
  },
  "dsp-reports:createReportV3": {
    before: "orderId,clicks\n",
    row: (at) => `="${at}",${at % 7}`,
    between: "\n",
    after: "\n",
  },
};

/** Reads a result of `count` rows of a job in `FORMS`, and returns how many were read. */
export async function readManyRows(operation: string, count: number): Promise<number> {
  const [job, form] = [describedJob(operation), FORMS[operation]];
  if (job === undefined || form === undefined) throw new Error(`${operation} is not described`);
  const platform = await JobPlatform.of(job);
  platform.file = () => {
    let row = 0;
    return new ReadableStream({
      pull(controller) {
        const rows: string[] = [];
        const isFirst = row === 0;
        for (; row < count && rows.length < 2000; row++) rows.push(form.row(row));
        const text = `${isFirst ? form.before : form.between}${rows.join(form.between)}`;
        controller.enqueue(new TextEncoder().encode(row < count ? text : `${text}${form.after}`));
        if (row === count) controller.close();
      },
    });
  };
  const { pathParams: names, headers: known } = await catalog.get(operation);
  const pathParams = Object.fromEntries(names.map((name) => [name, "ENTITY1"]));
  const headers = Object.fromEntries(
    known.filter(({ required }) => required).map(({ name }) => [name, "ENTITY1"]),
  );
  const { rows } = await platform.client().run(operation, {}, { check: "off", pathParams, headers });
  let read = 0;
  for await (const _ of rows) read++;
  return read;
}

if (import.meta.main) {
  const [operation = "", count] = Deno.args;
  const read = await readManyRows(operation, Number(count));
  console.log(JSON.stringify({ read, rss: Deno.memoryUsage().rss }));
}

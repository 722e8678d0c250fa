import { openLake } from "../../../../store/lake/open_lake.ts";
import type { OpenBucketOptions } from "../../../../store/stream/bucket_address.ts";
import type { LakePlace } from "../../../../store/lake/lake_place.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { refusingBadInput } from "../../shell/io/cli_error.ts";
import { environment, wireWord } from "./stream_queue.ts";

export async function namedLake(address: string, context: CliContext): Promise<LakePlace> {
  const settings = await bucketSettings(context);
  return await refusingBadInput(() => openLake(address, settings));
}

/** Uses the same variables as the storage vendors' own tools. */
export async function bucketSettings(context: CliContext): Promise<OpenBucketOptions> {
  const { io } = context;
  const values = await environment(context);
  const [accessKeyId, secretAccessKey] = [values["AWS_ACCESS_KEY_ID"], values["AWS_SECRET_ACCESS_KEY"]];
  const credentials = accessKeyId === undefined || secretAccessKey === undefined
    ? undefined
    : { accessKeyId, secretAccessKey, sessionToken: values["AWS_SESSION_TOKEN"] };
  return {
    credentials,
    region: values["AWS_REGION"] ?? values["AWS_DEFAULT_REGION"],
    endpoint: values["AWS_ENDPOINT_URL_S3"] ?? values["AWS_ENDPOINT_URL"],
    wireWord: await wireWord(context, undefined),
    fetch: io.fetch,
    sleep: io.sleep,
  };
}

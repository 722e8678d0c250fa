import { resolve } from "node:path";
import { fieldsOf } from "../../../../base/json/fields_of.ts";
import { refusingBadInput } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { positiveInteger, repeated } from "../../shell/options/parse_values.ts";
import { jsonBody, namedValues } from "../ops/call_values.ts";
import { finishPlan } from "../../shell/finish_plan.ts";

export const planUploadCommand = command(
  (kit) =>
    kit.profileLeaf("upload", {
      summary:
        "Plan an upload of audience members, events or records from a CSV file, or of images and videos",
      details:
        "Checks all rows first. Personal columns (email, phone, first_name, last_name, address, city, state, postal) " +
        "hold SHA-256 hashes; --hash normalizes and hashes what is not hashed yet. The plan holds no rows, only the " +
        "file's path and digest, and each part's row range. adsctl plan apply sends each part once; adsctl plan " +
        "resume goes on after an interruption, and adsctl plan rows prints the verdict on each row. Uploads can't be " +
        "undone. Members also have user_id (required), action, country, gpp, tcf and maid; conversions have " +
        "definition_id, name, time, country and dedupe_id (required), currency, value, units and maid; events have " +
        "name, type, source, time, country and event_id (required), data_set, currency, value, units, maid, match_id " +
        "and ramp_id; hashed records have external_id (required). Images and videos are the files of a folder, or of a " +
        "CSV file with file (required, relative to it), name, brand_entity_id (sellers), sub_types, asins, tags and " +
        "programs. Their bytes are checked before anything is sent, and files that the asset library has already, by " +
        "name and size, are left out.",
      examples: [
        [
          "adsctl plan upload members.csv --to ads-data-manager:IngestAudiences -m US -p dataSetId=ds1 --hash",
          "plan an upload of audience members",
        ],
        [
          "adsctl plan upload sales.csv --to conversions-api:dspPlatformIngestConversionData -m US -p accountId=1 " +
          '--body \'{"source":"SERVER_TO_SERVER"}\'',
          "plan an upload of conversions",
        ],
        [
          'adsctl plan upload events.csv --to v1-all-events:CreateEvent -m US --header "Platform-Ads-AccountId=1"',
          "plan an upload of events",
        ],
        [
          "adsctl plan upload pictures --to creative-assets:registerAsset -m US " +
          '--body \'{"associatedSubEntityList":[{"brandEntityId":"ENTITY1"}]}\'',
          "plan an upload of the images and videos in a folder",
        ],
      ],
      library:
        'await profile.planUpload("ads-data-manager:IngestAudiences", "members.csv", { pathParams: { dataSetId }, hash: true })',
    })
      .argument("<file>", "CSV file with a header, or folder of images and videos")
      .requiredOption("--to <operation>", "operation that takes the rows")
      .option("-p, --path <name=value>", "path parameter; repeatable", repeated)
      .option("--header <name=value>", "additional header; repeatable", repeated)
      .option("--body <json>", "fields of each body besides the rows: JSON, @file, or - for standard input")
      .option("--hash", "normalize and hash personal values that are not hashed yet")
      .option("--part <rows>", "rows per request (default: the advised number)", positiveInteger)
      .option("--note <text>", "reason, saved in the plan")
      .option("--out <path>", "file or folder for the plan (default: plan-<id>.json)"),
  async (file, options, context) => {
    const { to, hash, part, note, out } = options;
    const pathParams = namedValues(options.path, "-p");
    const headers = namedValues(options.header, "--header");
    const body = await jsonBody(options.body, context.io);
    const client = await connectProfile(options, context);
    const { signal } = context.interruption;
    const plan = await refusingBadInput(() =>
      client.planUpload(to, resolve(file), {
        pathParams,
        headers,
        ...(body === undefined ? {} : { body: fieldsOf(body) }),
        hash,
        atOnce: part,
        note,
        signal,
      })
    );
    return await finishPlan(plan, { out, context });
  },
);

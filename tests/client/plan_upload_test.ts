import { createHash } from "node:crypto";
import { ChangePlan, ConfigurationError } from "../../mod.ts";
import { readUpload } from "../../src/client/calls/upload_file.ts";
import { describedUpload } from "../../src/client/calls/upload_description.ts";
import { rowsText, rowVerdicts } from "../../src/plans/model/row_verdicts.ts";
import { deepEqual, equal, match, ok, rejects, throws } from "../support/assert.ts";
import { emulated, type EmulatedOptions } from "../support/emulated.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { withoutPolicy } from "../support/without_policy.ts";

const MEMBERS = "ads-data-manager:IngestAudiences";
const CONVERSIONS = "conversions-api:dspPlatformIngestConversionData";
const EVENTS = "v1-all-events:CreateEvent";
const RECORDS = "hashed-records:UploadHashedRecords";
const DEVICE = "0b5d6a52-8d0c-4f0e-9d0a-0123456789ab";

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

async function world(options: EmulatedOptions = {}) {
  const [at, folder] = [await emulated(options), await temporaryFolder()];
  return {
    ...at,
    folder: folder.path,
    write: async (name: string, text: string): Promise<string> => {
      await Deno.writeTextFile(`${folder.path}/${name}`, text);
      return `${folder.path}/${name}`;
    },
    bodies: (operation: string): Record<string, unknown>[] =>
      at.emulator.requests().filter((one) => one.operation === operation).map(({ body }) =>
        (typeof body === "string" ? JSON.parse(body) : body) as Record<string, unknown>
      ),
    [Symbol.asyncDispose]: async () => {
      await at[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** A file of members, of which those with the given numbers have a device id that is none. */
function membersFile(count: number, broken: readonly number[] = []): string {
  const rows = Array.from({ length: count }, (_, at) => {
    const device = broken.includes(at + 2) ? "no-device" : DEVICE;
    return `u${at + 2},Person${at + 2}@Example.com,${device}`;
  });
  return `user_id,email,maid\n${rows.join("\n")}\n`;
}

withoutPolicy("its plans are applied without an approval");
Deno.test("an upload is planned without its rows, sent in parts, hashed, with a verdict for each row", async () => {
  await using at = await world();
  const file = await at.write("members.csv", membersFile(12, [3, 7, 8]));
  const plan = await at.us.planUpload(MEMBERS, file, {
    pathParams: { dataSetId: "ds1" },
    hash: true,
    atOnce: 5,
    note: "autumn",
  });
  equal(at.bodies(MEMBERS).length, 0);
  deepEqual(plan.changes.map(({ label }) => label), [
    `${MEMBERS} rows 2-6`,
    `${MEMBERS} rows 7-11`,
    `${MEMBERS} rows 12-13`,
  ]);
  match(plan.warnings.join(), /nothing takes back uploaded rows/);
  const path = await plan.save(`${at.folder}/plan.json`);
  const saved = await Deno.readTextFile(path);
  ok(!/person\d|u2"|no-device/i.test(saved), "a plan holds no row");
  const reread = await ChangePlan.load(path);
  const result = await reread.apply(at.us);
  const messages = result.changes.map(({ error }) => error?.message);
  deepEqual(messages, [
    "1 of 5 rows failed: INVALID_IDENTITY in row 3",
    "2 of 5 rows failed: INVALID_IDENTITY in rows 7-8",
    undefined,
  ]);
  deepEqual(result.changes.map(({ outcome }) => outcome), ["partial", "partial", "done"]);
  ok(!/no-device|person|u3|u7/i.test(JSON.stringify(result)), "the platform's words would repeat values");
  const verdicts = await result.rowVerdicts();
  deepEqual(verdicts.map(({ row }) => row), Array.from({ length: 12 }, (_, at) => at + 2));
  const refused = { verdict: "refused", code: "INVALID_IDENTITY" };
  deepEqual(
    verdicts.filter(({ verdict }) => verdict !== "accepted"),
    [3, 7, 8].map((row) => ({ row, ...refused })),
  );
  const sent = at.bodies(MEMBERS).flatMap(({ members }) => members as Record<string, unknown>[]);
  equal(sent.length, 12);
  deepEqual(sent[0], {
    action: "CREATE",
    externalUserId: "u2",
    userIdentity: {
      hashedPiis: [{ em: hashOf("person2@example.com") }],
      externalIdentities: [{ maId: DEVICE }],
    },
  });
});

withoutPolicy("its plans are applied without an approval");
Deno.test("conversions are sent by the platform's names, and refused ones are told by row", async () => {
  await using at = await world();
  const line = (definition: string, id: string, more: string) =>
    `${definition},Order,2026-09-29T08:00:00Z,DE,${id},${more}`;
  const file = await at.write(
    "sales.csv",
    "definition_id,name,time,country,dedupe_id,currency,value,units,phone\n" +
      `${line("77", "d1", "EUR,19.9,2,+49 (30) 123-456")}\n${line("abc", "d2", "EUR,5,,0049 30 123457")}\n`,
  );
  const place = { pathParams: { accountId: "1" }, body: { source: "SERVER_TO_SERVER" } };
  await rejects(
    at.us.planUpload(CONVERSIONS, file, place),
    /Row 2: phone is not a SHA-256 hash: the option hash/,
  );
  const plan = await at.us.planUpload(CONVERSIONS, file, { ...place, hash: true });
  const result = await plan.apply(at.us);
  deepEqual(result.changes.map(({ error }) => error?.message), [
    "1 of 2 rows failed: RESOURCE_NOT_FOUND in row 3",
  ]);
  const [body] = at.bodies(CONVERSIONS);
  equal(body?.["source"], "SERVER_TO_SERVER");
  deepEqual((body?.["eventData"] as unknown[])[0], {
    conversionDefinitionId: "77",
    name: "Order",
    timestamp: "2026-09-29T08:00:00Z",
    countryCode: "DE",
    clientDedupeId: "d1",
    currencyCode: "EUR",
    value: 19.9,
    unitsSold: 2,
    matchKeys: [{ type: "PHONE", values: [hashOf("4930123456")] }],
  });
});

withoutPolicy("its plans are applied without an approval");
Deno.test("events have the platform's names, an account in a header, and a verdict for each", async () => {
  await using at = await world();
  const line = (id: string, month: string, more: string) =>
    `Order,OFF_PLATFORM_PURCHASES,WEBSITE,2026-${month}-29T08:00:00Z,DE,${id},shop,${more}`;
  const head = "name,type,source,time,country,event_id,data_set,currency,value,units,email,ramp_id";
  const file = await at.write(
    "events.csv",
    `${head}\n${line("e1", "09", "EUR,19.9,2,Anna@example.com,")}\n${line("e2", "11", ",,,,ramp-1")}\n`,
  );
  const options = { headers: { "Platform-Ads-AccountId": "account-1" }, hash: true };
  const wrong = await at.write(
    "wrong.csv",
    `${head}\n${line("e1", "09", ",,,a@b.de,").replace("WEBSITE", "web")}\n`,
  );
  await rejects(
    at.us.planUpload(EVENTS, wrong, options),
    /Row 2: source is not one of ANDROID, FIRE_TV, IOS, M/,
  );
  const plan = await at.us.planUpload(EVENTS, file, options);
  const result = await plan.apply(at.us);
  deepEqual(await result.rowVerdicts(), [
    { row: 2, verdict: "accepted", code: null },
    { row: 3, verdict: "refused", code: "FIELD_VALUE_IS_OUT_OF_RANGE" },
  ]);
  deepEqual(at.bodies(EVENTS)[0]?.["events"] as unknown[], [
    {
      eventDescription: {
        name: "Order",
        conversionType: "OFF_PLATFORM_PURCHASES",
        eventSource: "WEBSITE",
        eventIngestionMethod: "SERVER_TO_SERVER",
        dataSetName: "shop",
      },
      eventTime: "2026-09-29T08:00:00Z",
      eventId: "e1",
      countryCode: "DE",
      currencyCode: "EUR",
      value: 19.9,
      unitsSold: 2,
      matchKeys: [{ type: "EMAIL", values: [hashOf("anna@example.com")] }],
    },
    {
      eventDescription: {
        name: "Order",
        conversionType: "OFF_PLATFORM_PURCHASES",
        eventSource: "WEBSITE",
        eventIngestionMethod: "SERVER_TO_SERVER",
        dataSetName: "shop",
      },
      eventTime: "2026-11-29T08:00:00Z",
      eventId: "e2",
      countryCode: "DE",
      matchKeys: [{ type: "RAMP_ID", values: ["ramp-1"] }],
    },
  ]);
});

withoutPolicy("its plans are applied without an approval");
Deno.test("hashed records are taken or refused part by part", async () => {
  await using at = await world();
  const file = await at.write(
    "records.csv",
    "external_id,email,postal\nr1,A@b.de,10 115\nr2,c@d.de,\nr3,e@f.de,\n",
  );
  const plan = await at.us.planUpload(RECORDS, file, { hash: true, atOnce: 2 });
  at.emulator.setFaults([{
    match: { operation: RECORDS },
    effects: { response: { status: 400 } },
    skip: 1,
    times: 1,
  }]);
  const result = await plan.apply(at.us);
  deepEqual((await result.rowVerdicts()).map(({ row, verdict }) => [row, verdict]), [
    [2, "accepted"],
    [3, "accepted"],
    [4, "refused"],
  ]);
  deepEqual((at.bodies(RECORDS)[0]?.["records"] as unknown[])[0], {
    externalId: "r1",
    hashedRecords: [{ email: hashOf("a@b.de"), postalCode: hashOf("10115") }],
  });
  const odd = await at.write("odd.csv", "external_id,email\nr 1,A@b.de\n");
  await rejects(
    at.us.planUpload(RECORDS, odd, { hash: true }),
    /Row 2: external_id is not 1 to 128 letters, digits, - and _/,
  );
});

withoutPolicy("its plans are applied without an approval");
Deno.test("a part whose response is lost is not sent again, and nothing of a changed file is sent", async () => {
  await using at = await world();
  const file = await at.write("members.csv", membersFile(6));
  const options = { pathParams: { dataSetId: "ds1" }, hash: true, atOnce: 2 };
  const plan = await at.us.planUpload(MEMBERS, file, options);
  at.emulator.setFaults([{ match: { operation: MEMBERS }, effects: { drop: "after" }, times: 1 }]);
  const first = await plan.apply(at.us);
  ok(!first.ok);
  equal(at.bodies(MEMBERS).length, 1, "the first part may have arrived, so nothing follows on a guess");
  deepEqual((await first.rowVerdicts()).map(({ verdict }) => verdict), [
    ...["unknown", "unknown", "not_sent", "not_sent", "not_sent", "not_sent"],
  ]);
  at.emulator.setFaults([]);
  const other = await at.us.planUpload(MEMBERS, file, options);
  await Deno.writeTextFile(file, membersFile(7));
  await rejects(other.apply(at.us), /it was changed since it was planned\. Make a new plan/);
  equal(at.bodies(MEMBERS).length, 1);
});

withoutPolicy("its plans are applied without an approval");
Deno.test("a refusal that names no row leaves every row unknown that is not named", async () => {
  for (const index of [undefined, null, "", "first", 1.5, -1, 3]) {
    await using at = await world({
      fetchOf: () => (input, init) =>
        String(input).includes("/adm/")
          ? Promise.resolve(Response.json({ errors: [{ index: 0, code: "BAD_ID" }, { index, code: "BAD" }] }))
          : fetch(input, init),
    });
    const file = await at.write("members.csv", membersFile(3));
    const plan = await at.us.planUpload(MEMBERS, file, { pathParams: { dataSetId: "ds1" }, hash: true });
    const result = await plan.apply(at.us);
    deepEqual(await result.rowVerdicts(), [
      { row: 2, verdict: "refused", code: "BAD_ID" },
      { row: 3, verdict: "unknown", code: null },
      { row: 4, verdict: "unknown", code: null },
    ], String(index));
  }
});

withoutPolicy("its plans are applied without an approval");
Deno.test("a result whose failed rows cannot all be read says accepted of none", async () => {
  await using at = await world();
  const plan = await at.us.planUpload(MEMBERS, await at.write("members.csv", membersFile(3)), {
    pathParams: { dataSetId: "ds1" },
    hash: true,
  });
  const verdicts = (message: string): unknown =>
    [...rowVerdicts(plan.changes, [{ outcome: "partial", error: { message } }])].map(({ verdict }) =>
      verdict
    );
  deepEqual(verdicts("1 of 3 rows failed: BAD in row 3"), ["accepted", "refused", "accepted"]);
  for (const group of ["BAD in row NaN", "BAD in rows 3-", "BAD in"]) {
    deepEqual(
      verdicts(`2 of 3 rows failed: BAD in row 2; ${group}`),
      ["refused", "unknown", "unknown"],
      group,
    );
  }
  deepEqual(verdicts("2 of 3 rows failed: BAD in row 2"), ["refused", "unknown", "unknown"]);
});

withoutPolicy("its plans are applied without an approval");
Deno.test("an error of the platform that repeats values is told without them", async () => {
  const hash = hashOf("person2@example.com");
  await using at = await world({
    fetchOf: () => (input, init) =>
      String(input).includes("/adm/")
        ? Promise.resolve(
          Response.json({ code: hash, message: `${"x".repeat(960)} ${hash} on ${DEVICE} is wrong` }, {
            status: 400,
          }),
        )
        : fetch(input, init),
  });
  const file = await at.write("members.csv", membersFile(2));
  const plan = await at.us.planUpload(MEMBERS, file, { pathParams: { dataSetId: "ds1" }, hash: true });
  const error = await plan.apply(at.us).then(
    (result) => JSON.stringify(result),
    (reason: Error) => `${reason.message} ${reason.stack} ${JSON.stringify(reason)}`,
  );
  ok(!error.includes(hash.slice(0, 20)) && !error.includes(DEVICE.slice(0, 8)), error);
  match(error, /The platform responded with 400 to an upload/);
});

Deno.test("two columns of one name are refused, and an old time only where ages are checked", () => {
  const upload = describedUpload(CONVERSIONS)!;
  const old = "definition_id,name,time,country,dedupe_id,email\n1,a,2026-09-01T08:00:00Z,DE,d1,a@b.de\n";
  const now = Date.parse("2026-09-30T12:00:00Z");
  const read = (text: string, at?: number) =>
    readUpload(upload, { text, path: "a.csv" }, { hash: true, now: at });
  equal(read(old).length, 1);
  throws(() => read(old, now), /a time of the last 7 days/);
  throws(
    () => read(old.replace("name,", "name,Email,").replace(",a,", ",a,x@y.de,")),
    /column 7 has the name of column 3/,
  );
});

Deno.test("all problems of a file are told at once, by row and column and without values", () => {
  const upload = describedUpload(CONVERSIONS);
  ok(upload !== undefined);
  const now = Date.parse("2026-09-30T12:00:00Z");
  const read = (text: string, hash = true) => () =>
    readUpload(upload, { text, path: "a.csv" }, { hash, now });
  const head = "definition_id,name,time,country,dedupe_id,value,units,email";
  const problems = (text: string): string[] => {
    try {
      read(text)();
    } catch (error) {
      ok(error instanceof ConfigurationError);
      return error.message.split("\n").slice(1);
    }
    return [];
  };
  deepEqual(
    problems(
      `${head}\n1,a,2026-09-29T08:00:00Z,DE,d1,1.5,1,a@b.de\n1,,2026-09-01T08:00:00Z,Germany,d1,1.555,0,nobody\n` +
        "1,a,yesterday,DE,d3,,,\n",
    ),
    [
      "Row 3: name is empty",
      "Row 3: time is not a time of the last 7 days",
      "Row 3: country is not a country code such as US",
      "Row 3: dedupe_id is that of row 2",
      "Row 3: value is not an amount with at most 2 decimals",
      "Row 3: units is not a whole number from 1",
      "Row 3: email is not an email address",
      "Row 4: time is not a time with its zone such as 2026-11-01T08:00:00Z",
      "Row 4: nothing identifies a person: fill one of the columns such as email",
    ],
  );
  deepEqual(problems("anna@example.com,emial\nb,c\n").map((line) => line.slice(0, 44)), [
    "Row 1: column 1 is not known; known: definit",
    'Row 1: column 2 is not known: did you mean "',
    'Row 1: the column "definition_id" is missing',
    'Row 1: the column "name" is missing',
    'Row 1: the column "time" is missing',
    'Row 1: the column "country" is missing',
    'Row 1: the column "dedupe_id" is missing',
  ]);
  deepEqual(problems(`${head}\n`), ["It has no conversion"]);
  deepEqual(problems(`${head}\n1,a,x,DE,d1,,,M\uFFFDller\n2,a,x,DE,d1,,,a@b.de\n3,\uFFFD\n`), [
    "It is not UTF-8 text in rows 2, 4: save it as UTF-8, or mend letters that were lost",
  ]);
  for (const [separator, noun] of [[";", "semicolons"], ["\t", "tabs"]] as const) {
    deepEqual(problems(`${head.replaceAll(",", separator)}\n`), [
      `Row 1: columns are separated by ${noun}: separate them by commas`,
    ]);
  }
  const lost = Array.from({ length: 300 }, (_, at) => at % 2 === 0 ? "\uFFFD" : "x").join("\n");
  match(
    problems(`${head}\n${lost}\n`)[0]!,
    /^It is not UTF-8 text in rows 2, 4, [\d, ]+, and 50 more: save it/,
  );
  match(
    problems(`${head}\n\n1,a,2026-09-29T08:00:00Z,DE,d1,1.5,1,a@b.de\n`)[0]!,
    /Line 2 is empty: remove it/,
  );
  const many = Array.from({ length: 150 }, () => "1,a,x,DE,,,,").join("\n");
  equal(problems(`${head}\n${many}\n`).at(-1), "and 350 more");
  throws(
    read(`${head}\n1,a,2026-09-29T08:00:00Z,DE,d1,1.5,1,a@b.de\n`, false),
    /email is not a SHA-256 hash/,
  );
});

Deno.test("an upload to an operation without known rows, or of too many at once, is refused", async () => {
  await using at = await world();
  const file = await at.write("members.csv", membersFile(1));
  await rejects(
    at.us.planUpload("sponsored-display:createCampaigns", file),
    /Known uploads: ads-data-manager:/,
  );
  const pathParams = { dataSetId: "ds1" };
  await rejects(
    at.us.planUpload(MEMBERS, file.replace("members.csv", "member.csv"), { pathParams, hash: true }),
    /^ConfigurationError: Cannot read the file to upload ".*": there is no such file\. Did you mean ".*members\.csv"\?/,
  );
  await rejects(at.us.planUpload(MEMBERS, file, { pathParams, atOnce: 6000 }), /choose 1 to 5000/);
  await rejects(at.us.planUpload(MEMBERS, file, { hash: true }), /"dataSetId" is missing/);
  equal(rowsText([4, 2, 3, 9]), "rows 2-4, 9");
});

/** A row of an upload file: texts by column. Empty cells are absent. */
export type UploadRow = Readonly<Record<string, string>>;

export type PersonalValue = "email" | "phone" | "postal" | "name";

export interface UploadColumn {
  readonly required?: true;
  readonly hashed?: PersonalValue;
  readonly identifies?: true;
  readonly unique?: true;
  readonly expected?: (value: string, now: number | undefined) => string | undefined;
}

/** Columns of an upload file, and the item that a row becomes. */
export interface UploadRows {
  readonly noun: string;
  readonly columns: Readonly<Record<string, UploadColumn>>;
  readonly item: (row: UploadRow) => Readonly<Record<string, unknown>>;
}

export interface UploadDescription extends UploadRows {
  readonly operation: string;
  readonly list: string;
  /** Response field that lists refused rows; absent if the response says only that all rows were accepted. */
  readonly refused?: string;
  readonly accepted?: string;
  readonly atOnce: number;
}

const DAY = 86_400_000;
const PERSONAL: readonly (readonly [column: string, sort: PersonalValue, short: string, long: string])[] = [
  ["email", "email", "em", "EMAIL"],
  ["phone", "phone", "ph", "PHONE"],
  ["first_name", "name", "fn", "FIRST_NAME"],
  ["last_name", "name", "ln", "LAST_NAME"],
  ["address", "name", "ad", "ADDRESS"],
  ["city", "name", "cty", "CITY"],
  ["state", "name", "st", "STATE"],
  ["postal", "postal", "zip", "POSTAL"],
];
/** Names of personal columns in hashed records, if they differ from the column names. */
const RECORD_NAMES: Readonly<Record<string, string>> = {
  first_name: "firstName",
  last_name: "lastName",
  postal: "postalCode",
};
const PERSONAL_COLUMNS: Readonly<Record<string, UploadColumn>> = Object.fromEntries(
  PERSONAL.map(([column, hashed]) => [column, { hashed, identifies: true }]),
);

function matching(pattern: RegExp, what: string): (value: string) => string | undefined {
  return (value) => pattern.test(value) ? undefined : what;
}

/** Columns of an event row that are match keys but not personal; they are sent unchanged. */
const OTHER_KEYS = [["maid", "MAID"], ["match_id", "MATCH_ID"], ["ramp_id", "RAMP_ID"]] as const;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;
const TIME_TEXT = "a time with its zone such as 2026-11-01T08:00:00Z";

function oneOf(...words: readonly string[]): (value: string) => string | undefined {
  return (value) => words.includes(value) ? undefined : `one of ${words.join(", ")}`;
}

/** Columns of a sale, used by both conversions and events. */
const SALE: Readonly<Record<string, UploadColumn>> = {
  currency: { expected: matching(/^[A-Z]{3}$/, "a currency code such as USD") },
  value: { expected: matching(/^-?\d{1,13}(?:\.\d{1,2})?$/, "an amount with at most 2 decimals") },
  units: { expected: matching(/^[1-9]\d{0,12}$/, "a whole number from 1") },
};

/** Converts the sale columns of a row to fields of the request body. */
function saleOf({ currency, value, units }: UploadRow): Record<string, unknown> {
  return named([
    ["currencyCode", currency],
    ["value", value === undefined ? undefined : Number(value)],
    ["unitsSold", units === undefined ? undefined : Number(units)],
  ]);
}

function matchKeysOf(row: UploadRow, keys: readonly (readonly [column: string, type: string])[]): unknown[] {
  return keys.flatMap(([column, type]) => row[column] === undefined ? [] : [{ type, values: [row[column]] }]);
}

const COUNTRY = matching(/^[A-Z]{2}$/, "a country code such as US");

export const UPLOADS: readonly UploadDescription[] = [
  {
    operation: "ads-data-manager:IngestAudiences",
    noun: "member",
    list: "members",
    refused: "errors",
    // 10,000 are published; the guide advises half of it.
    atOnce: 5000,
    columns: {
      user_id: { required: true, unique: true },
      action: { expected: matching(/^(?:CREATE|DELETE)$/, "CREATE or DELETE") },
      country: { expected: COUNTRY },
      gpp: {},
      tcf: {},
      maid: { identifies: true },
      ...PERSONAL_COLUMNS,
    },
    item: ({ user_id: externalUserId, action = "CREATE", country, gpp, tcf, maid, ...row }) => {
      const hashed = named(PERSONAL.map(([column, , short]) => [short, row[column]]));
      const consent = named([["gpp", gpp], ["tcf", tcf]]);
      const userConsent = named([
        ["consent", isEmpty(consent) ? undefined : consent],
        ["geo", country === undefined ? undefined : { countryCode: country }],
      ]);
      return {
        action,
        externalUserId,
        userIdentity: {
          ...(isEmpty(hashed) ? {} : { hashedPiis: [hashed] }),
          ...(maid === undefined ? {} : { externalIdentities: [{ maId: maid }] }),
        },
        ...(isEmpty(userConsent) ? {} : { userConsent }),
      };
    },
  },
  {
    operation: "conversions-api:dspPlatformIngestConversionData",
    noun: "conversion",
    list: "eventData",
    refused: "error",
    accepted: "success",
    atOnce: 100,
    columns: {
      definition_id: { required: true },
      name: { required: true },
      time: {
        required: true,
        expected: (value, now) => {
          if (!TIME.test(value)) return TIME_TEXT;
          if (now === undefined) return undefined;
          const age = now - Date.parse(value);
          return age >= -DAY / 24 && age <= 7 * DAY ? undefined : "a time of the last 7 days";
        },
      },
      country: { required: true, expected: COUNTRY },
      // Without it, a conversion that is sent again is counted again.
      dedupe_id: { required: true, unique: true },
      ...SALE,
      maid: { identifies: true },
      ...PERSONAL_COLUMNS,
    },
    item: ({ definition_id, name, time, country, dedupe_id, ...row }) => ({
      ...named([
        ["conversionDefinitionId", definition_id],
        ["name", name],
        ["timestamp", time],
        ["countryCode", country],
        ["clientDedupeId", dedupe_id],
      ]),
      ...saleOf(row),
      matchKeys: matchKeysOf(row, [...PERSONAL.map(([column, , , long]) => [column, long] as const), [
        "maid",
        "MAID",
      ]]),
    }),
  },
  {
    operation: "v1-all-events:CreateEvent",
    noun: "event",
    list: "events",
    refused: "error",
    accepted: "success",
    atOnce: 500,
    columns: {
      name: { required: true },
      type: {
        required: true,
        expected: oneOf(
          "ADD_TO_SHOPPING_CART",
          "APPLICATION",
          "CHECKOUT",
          "CONTACT",
          "LEAD",
          "MOBILE_APP_FIRST_START",
          "OFF_PLATFORM_PURCHASES",
          "OTHER",
          "PAGE_VIEW",
          "SEARCH",
          "SIGN_UP",
          "SUBSCRIBE",
        ),
      },
      source: {
        required: true,
        expected: oneOf("ANDROID", "FIRE_TV", "IOS", "MEASUREMENT_ATTRIBUTION_PARTNER", "OFFLINE", "WEBSITE"),
      },
      time: { required: true, expected: (value) => TIME.test(value) ? undefined : TIME_TEXT },
      country: { required: true, expected: COUNTRY },
      // Without it, an event that is sent again is counted again.
      event_id: { required: true, unique: true },
      data_set: {
        expected: matching(/^[A-Za-z][A-Za-z0-9_-]*$/, "a name of letters, digits, - and _"),
      },
      ...SALE,
      ...Object.fromEntries(OTHER_KEYS.map(([column]) => [column, { identifies: true }])),
      ...PERSONAL_COLUMNS,
    },
    item: ({ name, type, source, time, country, event_id, data_set, ...row }) => ({
      eventDescription: {
        name,
        conversionType: type,
        eventSource: source,
        eventIngestionMethod: "SERVER_TO_SERVER",
        ...named([["dataSetName", data_set]]),
      },
      eventTime: time,
      eventId: event_id,
      countryCode: country,
      ...saleOf(row),
      matchKeys: matchKeysOf(row, [
        ...PERSONAL.map(([column, , , long]) => [column, long] as const),
        ...OTHER_KEYS,
      ]),
    }),
  },
  {
    operation: "hashed-records:UploadHashedRecords",
    noun: "record",
    list: "records",
    // No limit is published for it; other uploads of such records take this many.
    atOnce: 1000,
    columns: {
      external_id: {
        required: true,
        unique: true,
        expected: matching(/^[0-9A-Za-z_-]{1,128}$/, "1 to 128 letters, digits, - and _"),
      },
      ...PERSONAL_COLUMNS,
    },
    item: ({ external_id: externalId, ...row }) => ({
      externalId,
      hashedRecords: [named(PERSONAL.map(([column]) => [RECORD_NAMES[column] ?? column, row[column]]))],
    }),
  },
];

export function describedUpload(operation: string): UploadDescription | undefined {
  return UPLOADS.find((upload) => upload.operation === operation);
}

function named(fields: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function isEmpty(fields: object): boolean {
  return Object.keys(fields).length === 0;
}

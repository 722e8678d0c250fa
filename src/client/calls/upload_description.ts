/** A row of an upload file: texts by column. Empty cells are absent. */
export type UploadRow = Readonly<Record<string, string>>;

/** Sort of a personal value, which decides how it is written before it is hashed. */
export type PersonalValue = "email" | "phone" | "postal" | "name";

/** A column of an upload file. */
export interface UploadColumn {
  /** True for a column that each row must fill. */
  readonly required?: true;
  /** Sort of its values, for a column that takes SHA-256 hashes. */
  readonly hashed?: PersonalValue;
  /** True for a column by which the platform can recognize a person. */
  readonly identifies?: true;
  /** True for a column whose values must differ. */
  readonly unique?: true;
  /** Returns what a value must be, unless it is. */
  readonly expected?: (value: string, now: number | undefined) => string | undefined;
}

/** An operation that takes rows: how a file becomes its requests. */
export interface UploadDescription {
  /** Operation that takes the rows, `<api>:<operationId>`. */
  readonly operation: string;
  /** Rows in messages. */
  readonly noun: string;
  /** Field of the body with the rows. */
  readonly list: string;
  /** Field of the response with refused rows. */
  readonly refused: string;
  /** Field of the response with accepted rows; absent where only refused ones are listed. */
  readonly accepted?: string;
  /** Maximum rows of a request. */
  readonly atOnce: number;
  /** Columns by name. */
  readonly columns: Readonly<Record<string, UploadColumn>>;
  /** The row as the body has it. */
  readonly item: (row: UploadRow) => Readonly<Record<string, unknown>>;
}

const DAY = 86_400_000;
/** Columns with personal values, and their names in the two forms of the platform. */
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
const PERSONAL_COLUMNS: Readonly<Record<string, UploadColumn>> = Object.fromEntries(
  PERSONAL.map(([column, hashed]) => [column, { hashed, identifies: true }]),
);

function matching(pattern: RegExp, what: string): (value: string) => string | undefined {
  return (value) => pattern.test(value) ? undefined : what;
}

const COUNTRY = matching(/^[A-Z]{2}$/, "a country code such as US");

/** Uploads whose rows are known. */
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
          if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(value)) {
            return "a time with its zone such as 2026-11-01T08:00:00Z";
          }
          if (now === undefined) return undefined;
          const age = now - Date.parse(value);
          return age >= -DAY / 24 && age <= 7 * DAY ? undefined : "a time of the last 7 days";
        },
      },
      country: { required: true, expected: COUNTRY },
      // Without it, a conversion that is sent again is counted again.
      dedupe_id: { required: true, unique: true },
      currency: { expected: matching(/^[A-Z]{3}$/, "a currency code such as USD") },
      value: { expected: matching(/^-?\d{1,13}(?:\.\d{1,2})?$/, "an amount with at most 2 decimals") },
      units: { expected: matching(/^[1-9]\d{0,12}$/, "a whole number from 1") },
      maid: { identifies: true },
      ...PERSONAL_COLUMNS,
    },
    item: ({ definition_id, name, time, country, dedupe_id, currency, value, units, maid, ...row }) => ({
      ...named([
        ["conversionDefinitionId", definition_id],
        ["name", name],
        ["timestamp", time],
        ["countryCode", country],
        ["clientDedupeId", dedupe_id],
        ["currencyCode", currency],
        ["value", value === undefined ? undefined : Number(value)],
        ["unitsSold", units === undefined ? undefined : Number(units)],
      ]),
      matchKeys: [
        ...PERSONAL.map(([column, , , long]) => [long, row[column]] as const),
        ["MAID", maid] as const,
      ]
        .flatMap(([type, value]) => value === undefined ? [] : [{ type, values: [value] }]),
    }),
  },
];

/** The upload of an operation. */
export function describedUpload(operation: string): UploadDescription | undefined {
  return UPLOADS.find((upload) => upload.operation === operation);
}

function named(fields: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function isEmpty(fields: object): boolean {
  return Object.keys(fields).length === 0;
}

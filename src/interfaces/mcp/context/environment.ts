/** An environment variable that the tool server reads besides those of the connection. */
interface EnvironmentVariable {
  /** As the process environment spells it. */
  readonly name: string;
  /** The option that does the same, where there is one. */
  readonly option?: string;
  /** Its effect. */
  readonly meaning: string;
}

/** Every environment variable that is the tool server's own. */
export const ENVIRONMENT: readonly EnvironmentVariable[] = [
  {
    name: "PLATFORM_ADS_DEMO",
    option: "--demo",
    meaning: "1: work on the demo account, as adsctl does",
  },
  {
    name: "PLATFORM_ADS_REHEARSAL",
    option: "--rehearse",
    meaning: "File of adsctl account rehearse pull: work on that copy of an account",
  },
  { name: "PLATFORM_ADS_MCP_READ_ONLY", option: "--read-only", meaning: "1: no tool that writes" },
  {
    name: "PLATFORM_ADS_MCP_TOOLS",
    option: "--tools",
    meaning:
      "Sets of tools to list: read, reports, store, plans, operations, all; those of most jobs when not set",
  },
  {
    name: "PLATFORM_ADS_MCP_ROWS",
    option: "--rows",
    meaning: '"both": rows of answers also in the text, for clients that show models the text alone',
  },
  { name: "PLATFORM_ADS_MCP_PLAN_DIR", option: "--plan-dir", meaning: "Folder of the plans" },
  {
    name: "PLATFORM_ADS_MCP_SAVE_DIR",
    option: "--save-dir",
    meaning: "Folder that agents may save results into",
  },
  { name: "PLATFORM_ADS_POLICY", option: "--policy", meaning: "Policy file that judges every write" },
  { name: "PLATFORM_ADS_WIRE", meaning: "Wire of all kinds or some: unified, or sp=unified" },
  {
    name: "PLATFORM_ADS_WIRE_IDS",
    meaning: '"mapped": find targets of the unified family by content, where their ids differ',
  },
  {
    name: "PLATFORM_ADS_MCP_AUDIT",
    option: "--audit",
    meaning: "File, or address of a PostgreSQL database, that every call is written down in",
  },
  {
    name: "PLATFORM_ADS_MCP_MAX_CALLS",
    option: "--max-calls",
    meaning: "Calls of tools that each caller may make a minute; any number when not set",
  },
  {
    name: "PLATFORM_ADS_MCP_MAX_WRITES",
    option: "--max-writes",
    meaning: "Of these, calls that plan, apply or store",
  },
  { name: "PLATFORM_ADS_MCP_STORE", option: "--store", meaning: "Report store" },
  {
    name: "PLATFORM_ADS_MCP_APPROVAL",
    meaning:
      '"terminal": apply only what "adsctl plan approve" signed; "console": wait for an approval in it',
  },
  { name: "PLATFORM_ADS_MCP_APPROVAL_KEY", meaning: "Public half of the key that signs" },
  { name: "PLATFORM_ADS_MCP_TOKEN", meaning: "Bearer token for HTTP, 16 characters or more" },
  {
    name: "PLATFORM_ADS_MCP_TENANTS",
    option: "--tenants",
    meaning: "File of accounts that the server serves over HTTP, each with its own people",
  },
  {
    name: "PLATFORM_ADS_MCP_AUTH_ISSUER",
    option: "--auth-issuer",
    meaning: "Authorization server whose tokens are accepted over HTTP, as it calls itself (https)",
  },
  {
    name: "PLATFORM_ADS_MCP_AUTH_AUDIENCE",
    option: "--auth-audience",
    meaning: "Address of this server as clients know it: tokens must have been issued for it",
  },
  {
    name: "PLATFORM_ADS_MCP_AUTH_JWKS",
    option: "--auth-jwks",
    meaning: "Address of the issuer's keys, where its metadata do not name it",
  },
];

const WIDTH = Math.max(...ENVIRONMENT.map(({ name }) => name.length));

/** Output of `--help`. */
export const HELP = `Usage: platform-ads-mcp [options]

Serves the tools for agents over standard input and output, or over HTTP.

Options:
  --http HOST:PORT     listen for HTTP instead; loopback unless a host is named
  --allow-host NAME    a further name by which clients reach it (repeatable)
  --allow-origin NAME  host of a web page that may ask (repeatable)
  --auth-issuer URL    authorization server whose tokens are accepted (OAuth 2.1)
  --auth-audience URL  address of this server as clients know it; tokens must be for it
  --auth-jwks URL      the issuer's keys; otherwise its metadata name them
  --tenants FILE       serve several accounts, each to its own people (YAML or JSON)
  --read-only          no tool that writes
  --tools SET,SET      list these sets of tools: read, reports, store, plans, operations, all
  --rows data|both     where more than 20 rows of an answer are: in the data, or also in the text
  --demo               work on the demo account, as adsctl --demo does
  --rehearse FILE      work on the copy of an account, as adsctl --rehearse does
  --plan-dir FOLDER    folder of the plans
  --save-dir FOLDER    folder that agents may save results into
  --store PATH|URL     report store
  --audit FILE|URL     write every call down in this file, or in a database of PostgreSQL
  --max-calls N        calls of tools that each caller may make a minute
  --max-writes N       of these, calls that plan, apply or store
  --policy FILE        policy file that judges every write
  --env-file FILE      dotenv file
  --platform FILE      platform settings file
  --version            print the version
  -h, --help           print this

Environment:
  PLATFORM_ADS_CLIENT_ID and the others that adsctl reads as well
${ENVIRONMENT.map(({ name, meaning }) => `  ${name.padEnd(WIDTH)}  ${meaning}`).join("\n")}
`;

/** Version of the package; the same as in `deno.json`, which a test holds. */
export const VERSION = "0.3.0";

interface EnvironmentVariable {
  readonly name: string;
  readonly option?: string;
  readonly meaning: string;
}

export const ENVIRONMENT: readonly EnvironmentVariable[] = [
  {
    name: "PLATFORM_ADS_DEMO",
    option: "--demo",
    meaning: "1: use the demo account, as adsctl does",
  },
  {
    name: "PLATFORM_ADS_REHEARSAL",
    option: "--rehearse",
    meaning: "Account copy from adsctl account rehearse pull to work on",
  },
  { name: "PLATFORM_ADS_MCP_READ_ONLY", option: "--read-only", meaning: "1: no tools that write" },
  {
    name: "PLATFORM_ADS_MCP_TOOLS",
    option: "--tools",
    meaning:
      "Tool sets to list: read, reports, store, plans, operations, all (default: the most common tools)",
  },
  {
    name: "PLATFORM_ADS_MCP_ROWS",
    option: "--rows",
    meaning: '"both": put rows in the text too, for clients that show models only text',
  },
  { name: "PLATFORM_ADS_MCP_PLAN_DIR", option: "--plan-dir", meaning: "Plan folder" },
  {
    name: "PLATFORM_ADS_MCP_SAVE_DIR",
    option: "--save-dir",
    meaning: "Folder where agents can save results",
  },
  { name: "PLATFORM_ADS_POLICY", option: "--policy", meaning: "Policy file that limits every write" },
  {
    name: "PLATFORM_ADS_MCP_PROFILES",
    option: "--profiles",
    meaning: "Limit the server to these profiles: country codes or ids (default: all of the login)",
  },
  { name: "PLATFORM_ADS_WIRE", meaning: "API family: unified, or sp=unified" },
  {
    name: "PLATFORM_ADS_WIRE_IDS",
    meaning: '"mapped": match unified targets by content if their ids differ',
  },
  {
    name: "PLATFORM_ADS_MCP_AUDIT",
    option: "--audit",
    meaning: "Audit log of every call: a file, or a PostgreSQL address",
  },
  {
    name: "PLATFORM_ADS_MCP_MAX_CALLS",
    option: "--max-calls",
    meaning: "Maximum tool calls per caller and minute (default: no limit)",
  },
  {
    name: "PLATFORM_ADS_MCP_MAX_WRITES",
    option: "--max-writes",
    meaning: "Maximum of those calls that plan, apply or store",
  },
  { name: "PLATFORM_ADS_MCP_STORE", option: "--store", meaning: "Report store" },
  {
    name: "PLATFORM_ADS_MCP_APPROVAL",
    meaning:
      '"terminal": apply only plans signed by "adsctl plan approve"; "console": wait for approval there; "form": a form ' +
      "in the client, or a signature if it has no forms",
  },
  { name: "PLATFORM_ADS_MCP_APPROVAL_KEY", meaning: "Public key for approvals" },
  { name: "PLATFORM_ADS_MCP_TOKEN", meaning: "Bearer token for HTTP, 16 characters or more" },
  {
    name: "PLATFORM_ADS_MCP_TENANTS",
    option: "--tenants",
    meaning: "Accounts file, to serve several accounts over HTTP to different users",
  },
  {
    name: "PLATFORM_ADS_MCP_AUTH_ISSUER",
    option: "--auth-issuer",
    meaning: "Authorization server (https issuer) whose tokens are accepted over HTTP",
  },
  {
    name: "PLATFORM_ADS_MCP_AUTH_AUDIENCE",
    option: "--auth-audience",
    meaning: "Public address of this server; tokens must be issued for it",
  },
  {
    name: "PLATFORM_ADS_MCP_AUTH_JWKS",
    option: "--auth-jwks",
    meaning: "Address of the issuer's keys, if its metadata lack it",
  },
];

const WIDTH = Math.max(...ENVIRONMENT.map(({ name }) => name.length));

export const HELP = `Usage: platform-ads-mcp [options]

Serves tools for agents over standard input and output, or over HTTP.

Options:
  --http HOST:PORT     listen for HTTP instead (default host: loopback)
  --allow-host NAME    another host name that clients use (repeatable)
  --allow-origin NAME  host of a web page allowed to connect (repeatable)
  --auth-issuer URL    authorization server whose tokens are accepted (OAuth 2.1)
  --auth-audience URL  public address of this server; tokens must be issued for it
  --auth-jwks URL      the issuer's keys (default: from its metadata)
  --tenants FILE       serve several accounts to different users (YAML or JSON)
  --read-only          no tools that write
  --tools SET,SET      list these tool sets: read, reports, store, plans, operations, all
  --rows data|both     put more than 20 rows in the data only, or in the text too
  --demo               use the demo account, as adsctl --demo does
  --rehearse FILE      work on an account copy, as adsctl --rehearse does
  --plan-dir FOLDER    plan folder
  --save-dir FOLDER    folder where agents can save results
  --store PATH|URL     report store
  --audit FILE|URL     audit log of every call: a file, or a PostgreSQL address
  --max-calls N        maximum tool calls per caller and minute
  --max-writes N       maximum of those calls that plan, apply or store
  --policy FILE        policy file that limits every write
  --profiles CA,US     limit the server to these profiles: country codes or ids
  --env-file FILE      dotenv file
  --platform FILE      platform settings file
  --version            print the version
  -h, --help           print this

Environment:
  PLATFORM_ADS_CLIENT_ID and the other variables of adsctl
${ENVIRONMENT.map(({ name, meaning }) => `  ${name.padEnd(WIDTH)}  ${meaning}`).join("\n")}
`;

export const VERSION = "0.3.0";

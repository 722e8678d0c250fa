/** An environment variable that the tool server reads besides those of the connection. */
export interface EnvironmentVariable {
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
    meaning: "File of adsctl rehearse pull: work on that copy of an account",
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

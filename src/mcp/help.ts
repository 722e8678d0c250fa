/** What `--help` prints. */
export const HELP = `Usage: platform-ads-mcp [options]

Serves the tools for agents over standard input and output, or over HTTP.

Options:
  --http HOST:PORT     listen for HTTP instead; loopback unless a host is named
  --allow-host NAME    a further name by which clients reach it (repeatable)
  --allow-origin NAME  host of a web page that may ask (repeatable)
  --read-only          no tool that writes
  --demo               work on the embedded emulator, without an account
  --plan-dir FOLDER    folder of the plans
  --save-dir FOLDER    folder that agents may save results into
  --store PATH|URL     report store
  --env-file FILE      dotenv file
  --platform FILE      platform settings file
  --version            print the version
  -h, --help           print this

Environment:
  PLATFORM_ADS_CLIENT_ID and the others that adsctl reads as well
  PLATFORM_ADS_DEMO=1            as --demo
  PLATFORM_ADS_MCP_READ_ONLY=1   as --read-only
  PLATFORM_ADS_MCP_PLAN_DIR      as --plan-dir
  PLATFORM_ADS_MCP_SAVE_DIR      as --save-dir
  PLATFORM_ADS_MCP_STORE         as --store
  PLATFORM_ADS_MCP_APPROVAL      "terminal": apply only what "adsctl plan approve" signed
  PLATFORM_ADS_MCP_APPROVAL_KEY  public half of the key that signs
  PLATFORM_ADS_MCP_TOKEN         bearer token for HTTP, 16 characters or more
`;

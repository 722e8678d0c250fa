/** An environment variable that adsctl reads. */
interface EnvironmentVariable {
  readonly name: string;
  /** Its effect. */
  readonly meaning: string;
}

/** Every environment variable that adsctl reads: the help topic, and the permissions of the compiled program. */
export const ENVIRONMENT: readonly EnvironmentVariable[] = [
  { name: "PLATFORM_ADS_CLIENT_ID", meaning: "Id of your registered application" },
  { name: "PLATFORM_ADS_CLIENT_SECRET", meaning: "Secret of your registered application" },
  { name: "PLATFORM_ADS_REFRESH_TOKEN", meaning: "Token of the person who consented" },
  { name: "PLATFORM_ADS_CONSENT_DATE", meaning: "Day of the consent, YYYY-MM-DD; lets adsctl warn in time" },
  { name: "PLATFORM_ADS_ENV_FILE", meaning: "Dotenv file to read, as --env-file. Otherwise ./.env" },
  { name: "PLATFORM_ADS_PLATFORM_FILE", meaning: "Platform settings file, as --platform" },
  { name: "PLATFORM_ADS_POLICY", meaning: "Policy file that judges every write, as --policy" },
  { name: "PLATFORM_ADS_WIRE", meaning: "Wire of all kinds or some, as --wire: unified, or sp=unified" },
  {
    name: "PLATFORM_ADS_WIRE_IDS",
    meaning: '"mapped": find targets of the unified family by content, where their ids differ',
  },
  { name: "PLATFORM_ADS_BASE_URL_NA", meaning: "API host of North America" },
  { name: "PLATFORM_ADS_BASE_URL_EU", meaning: "API host of Europe, the Middle East, Africa and India" },
  { name: "PLATFORM_ADS_BASE_URL_FE", meaning: "API host of the Far East and Australia" },
  { name: "PLATFORM_ADS_TOKEN_URL", meaning: "Token endpoint of the identity provider" },
  { name: "PLATFORM_ADS_AUTHORIZE_URL", meaning: "Consent page of the identity provider" },
  { name: "PLATFORM_ADS_REDIRECT_URI", meaning: "Redirect address registered with your application" },
  { name: "PLATFORM_ADS_SANDBOX_URL", meaning: "Host that --sandbox sends to" },
  { name: "PLATFORM_ADS_MCP_URL", meaning: "The platform's hosted tool server" },
  { name: "PLATFORM_ADS_CLIENT_ID_HEADER", meaning: "Name of the header with the client id" },
  { name: "PLATFORM_ADS_SCOPE_HEADER", meaning: "Name of the header with the profile id" },
  { name: "PLATFORM_ADS_REQUEST_ID_HEADER", meaning: "Name of the header with the request id" },
  { name: "PLATFORM_ADS_WIRE_WORD", meaning: 'The platform\'s own word, in place of "platform" on the wire' },
  { name: "PLATFORM_ADS_WIRE_SHORT_WORD", meaning: "Its short form, in the few places that have it" },
  { name: "PLATFORM_ADS_MARKET", meaning: "Market or profile id where -m is not given" },
  {
    name: "PLATFORM_ADS_MCP_PLAN_DIR",
    meaning: "Folder with the plans of platform-ads-mcp, for plan approve",
  },
  { name: "PLATFORM_ADS_REHEARSAL_OF", meaning: "When the copy was taken that an emulator plays there" },
  { name: "PLATFORM_ADS_DEMO", meaning: "1: work on the demo account, as --demo" },
  { name: "PLATFORM_ADS_REHEARSAL", meaning: "File of a copy to work on, as --rehearse" },
  { name: "PLATFORM_ADS_FORMAT", meaning: "How data is printed where --format is not given" },
  { name: "PLATFORM_ADS_STORE", meaning: "Report store where --store is not given" },
  { name: "PLATFORM_ADS_QUEUE", meaning: "Queue of the hourly stream where --queue is not given" },
  { name: "AWS_ACCESS_KEY_ID", meaning: "Key of who reads that queue" },
  { name: "AWS_SECRET_ACCESS_KEY", meaning: "Its secret" },
  { name: "AWS_SESSION_TOKEN", meaning: "Its token, for keys that expire" },
  { name: "AWS_REGION", meaning: "Region of the queue where its name has none; else AWS_DEFAULT_REGION" },
  { name: "AWS_DEFAULT_REGION", meaning: "The same, where AWS_REGION is not set" },
  { name: "AWS_ENDPOINT_URL_SQS", meaning: "Address of another service with the queue's protocol" },
  { name: "AWS_ENDPOINT_URL", meaning: "The same, where AWS_ENDPOINT_URL_SQS is not set" },
  {
    name: "PLATFORM_ADS_FORCE_TTY",
    meaning: "Print as on a terminal of that many columns, also into a pipe",
  },
  { name: "NO_COLOR", meaning: "No colour, whatever its value" },
  { name: "TERM", meaning: '"dumb" means no colour' },
  { name: "DISPLAY", meaning: "A display on Linux: adsctl init opens the console only with one" },
  { name: "WAYLAND_DISPLAY", meaning: "The same, for Wayland" },
  { name: "XDG_STATE_HOME", meaning: "Folder for state; the --demo account lives below it" },
  { name: "XDG_CACHE_HOME", meaning: "Folder for caches: compiled modules, on Node" },
  { name: "XDG_CONFIG_HOME", meaning: "Folder for settings; the key for approvals lives below it" },
  { name: "LOCALAPPDATA", meaning: "Folder for state on Windows" },
  { name: "APPDATA", meaning: "Folder for settings on Windows" },
  { name: "HOME", meaning: "Your folder, where the ones above are not set" },
  { name: "USERPROFILE", meaning: "Your folder on Windows" },
];

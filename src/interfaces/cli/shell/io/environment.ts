/** An environment variable that adsctl reads. */
interface EnvironmentVariable {
  readonly name: string;
  /** Its effect. */
  readonly meaning: string;
}

/** Every environment variable that adsctl reads: the help topic, and the permissions of the compiled program. */
export const ENVIRONMENT: readonly EnvironmentVariable[] = [
  { name: "PLATFORM_ADS_CLIENT_ID", meaning: "Client id of your application" },
  { name: "PLATFORM_ADS_CLIENT_SECRET", meaning: "Client secret of your application" },
  { name: "PLATFORM_ADS_REFRESH_TOKEN", meaning: "Refresh token from the consent" },
  { name: "PLATFORM_ADS_CONSENT_DATE", meaning: "Day of the consent, YYYY-MM-DD; used for expiry warnings" },
  { name: "PLATFORM_ADS_ENV_FILE", meaning: "Dotenv file, as --env-file (default: ./.env)" },
  { name: "PLATFORM_ADS_PLATFORM_FILE", meaning: "Platform settings file, as --platform" },
  { name: "PLATFORM_ADS_POLICY", meaning: "Policy file that limits every write, as --policy" },
  { name: "PLATFORM_ADS_WIRE", meaning: "API family, as --wire: unified, or sp=unified" },
  {
    name: "PLATFORM_ADS_WIRE_IDS",
    meaning: '"mapped": match unified targets by content if their ids differ',
  },
  { name: "PLATFORM_ADS_BASE_URL_NA", meaning: "API host of North America" },
  { name: "PLATFORM_ADS_BASE_URL_EU", meaning: "API host of Europe, the Middle East, Africa and India" },
  { name: "PLATFORM_ADS_BASE_URL_FE", meaning: "API host of the Far East and Australia" },
  { name: "PLATFORM_ADS_TOKEN_URL", meaning: "Token endpoint of the identity provider" },
  { name: "PLATFORM_ADS_AUTHORIZE_URL", meaning: "Consent page of the identity provider" },
  { name: "PLATFORM_ADS_REDIRECT_URI", meaning: "Redirect URI registered with your application" },
  { name: "PLATFORM_ADS_SANDBOX_URL", meaning: "Sandbox host, for --sandbox" },
  { name: "PLATFORM_ADS_MCP_URL", meaning: "The platform's hosted tool server" },
  { name: "PLATFORM_ADS_CLIENT_ID_HEADER", meaning: "Name of the header with the client id" },
  { name: "PLATFORM_ADS_SCOPE_HEADER", meaning: "Name of the header with the profile id" },
  { name: "PLATFORM_ADS_REQUEST_ID_HEADER", meaning: "Name of the header with the request id" },
  { name: "PLATFORM_ADS_WIRE_WORD", meaning: 'Replaces "platform" in paths, headers and media types' },
  { name: "PLATFORM_ADS_WIRE_SHORT_WORD", meaning: "Short form of that word, where the platform uses it" },
  { name: "PLATFORM_ADS_MARKET", meaning: "Default for -m" },
  {
    name: "PLATFORM_ADS_MCP_PLAN_DIR",
    meaning: "Plan folder of platform-ads-mcp, for plan approve",
  },
  { name: "PLATFORM_ADS_REHEARSAL_OF", meaning: "Time of the account copy that the emulator serves" },
  { name: "PLATFORM_ADS_DEMO", meaning: "1: use the demo account, as --demo" },
  { name: "PLATFORM_ADS_REHEARSAL", meaning: "Account copy to work on, as --rehearse" },
  { name: "PLATFORM_ADS_FORMAT", meaning: "Default for --format" },
  { name: "PLATFORM_ADS_STORE", meaning: "Default for --store" },
  { name: "PLATFORM_ADS_QUEUE", meaning: "Default for --queue, the queue of the hourly stream" },
  { name: "AWS_ACCESS_KEY_ID", meaning: "Access key for that queue" },
  { name: "AWS_SECRET_ACCESS_KEY", meaning: "Its secret" },
  { name: "AWS_SESSION_TOKEN", meaning: "Session token, for temporary keys" },
  { name: "AWS_REGION", meaning: "Region of the queue, if its name has none" },
  { name: "AWS_DEFAULT_REGION", meaning: "Region if AWS_REGION is not set" },
  { name: "AWS_ENDPOINT_URL_SQS", meaning: "URL of another SQS-compatible service" },
  { name: "AWS_ENDPOINT_URL", meaning: "URL if AWS_ENDPOINT_URL_SQS is not set" },
  {
    name: "PLATFORM_ADS_FORCE_TTY",
    meaning: "Print as on a terminal with this many columns, even to a pipe",
  },
  { name: "NO_COLOR", meaning: "Any value turns colour off" },
  { name: "TERM", meaning: '"dumb" turns colour off' },
  { name: "DISPLAY", meaning: "Display on Linux; adsctl init opens the console only if it is set" },
  { name: "WAYLAND_DISPLAY", meaning: "Wayland display, as DISPLAY" },
  { name: "XDG_STATE_HOME", meaning: "Folder for state, such as the demo account" },
  { name: "XDG_CACHE_HOME", meaning: "Folder for caches, such as compiled modules on Node" },
  { name: "XDG_CONFIG_HOME", meaning: "Folder for settings, such as the approval key" },
  { name: "LOCALAPPDATA", meaning: "Folder for state on Windows" },
  { name: "APPDATA", meaning: "Folder for settings on Windows" },
  { name: "HOME", meaning: "Home folder, if the folders above are not set" },
  { name: "USERPROFILE", meaning: "Home folder on Windows" },
];

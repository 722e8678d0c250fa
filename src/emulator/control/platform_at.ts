import type { Platform } from "../../connection/platform.ts";
import type { WireNames } from "../routing/wire_names.ts";

/** The settings with which a client reaches an emulator at an address. */
export function platformAt(url: string, { word }: WireNames): Platform {
  return {
    regions: { NA: { baseUrl: `${url}/na` }, EU: { baseUrl: `${url}/eu` }, FE: { baseUrl: `${url}/fe` } },
    tokenUrl: `${url}/auth/token`,
    authorizeUrl: `${url}/auth/consent`,
    sandboxUrl: `${url}/sandbox`,
    mcpUrl: `${url}/mcp`,
    headers: {
      clientId: "Platform-Advertising-API-ClientId",
      scope: "Platform-Advertising-API-Scope",
      requestId: "x-platform-request-id",
    },
    wireWord: word,
  };
}

/** The part of an API description that identifies hosted tools. */
export interface ToolDescription {
  /** Operations by path. */
  readonly paths?: Readonly<Record<string, unknown>>;
}

/**
 * True when an API description lists tools of the hosted tool server instead of operations of the API hosts.
 *
 * @param source Slug, file name or address of the description (`mcp-billing`, `https://docs.test/mcp/billing.json`),
 * or the description itself, in which every path of such a listing begins with `/mcp/`.
 *
 * @example
 * ```ts
 * import { isHostedMcpTool } from "@platform/ads";
 *
 * console.log(isHostedMcpTool("mcp-billing"), isHostedMcpTool("advertising-billing")); // true false
 * ```
 */
export function isHostedMcpTool(source: string | ToolDescription): boolean {
  if (typeof source === "string") {
    const path = source.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/[?#].*$/, "");
    return path.split("/").some((segment) => /^mcp(?:$|[-_.])/i.test(segment));
  }
  const paths = Object.keys(source.paths ?? {});
  return paths.length > 0 && paths.every((path) => path.startsWith("/mcp/"));
}

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

export interface OperationData {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly tags?: readonly string[];
  readonly deprecated?: true;
  readonly ends?: {
    readonly since?: string;
    readonly shutoff?: string;
    readonly replacedBy?: readonly string[];
  };
  /** Query parameters; `!` follows the name of a required one. */
  readonly query?: readonly string[];
  /** Headers; `!` follows the name of a required one. */
  readonly headers?: readonly string[];
  readonly contentType?: string;
  readonly contentTypes?: readonly string[];
  readonly accept?: string;
  readonly accepts?: readonly string[];
  readonly assumed?: true;
}

export interface ApiData {
  readonly slug: string;
  readonly title: string;
  readonly version?: string;
  readonly source: string;
  readonly hostedTools?: true;
  readonly unlisted?: number;
  readonly note?: string;
  readonly operations: readonly OperationData[];
}

export interface CatalogData {
  readonly generated: string;
  readonly source: string;
  readonly apis: readonly ApiData[];
}

/** One API of the platform. */
export interface ApiRecord {
  /** Name of the API in operation ids, for example `sponsored-products`. */
  readonly slug: string;
  /** Title of the API; its slug in words if none is published. */
  readonly title: string;
  /** Version of the API; `undefined` if none is published. */
  readonly version: string | undefined;
  /** API description it was read from; `listing` if the operations were listed by hand. */
  readonly source: string;
  /** Number of operations in the catalog. */
  readonly operationCount: number;
  /** Number of further operations that are known to exist but not listed. */
  readonly unlistedCount: number;
  /** True for tools of the hosted tool server, which cannot be sent to the API hosts. */
  readonly hostedTools: boolean;
  /** Remark; `undefined` without one. */
  readonly note: string | undefined;
}

export interface CatalogRow {
  readonly id: string;
  readonly api: ApiData;
  readonly data: OperationData;
}

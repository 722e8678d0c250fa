import type { OperationId, OperationPathParams } from "../../catalog/operation_ids.ts";
import type { PathValue } from "./path_segment.ts";

/** A value of a query parameter; a list is sent as one comma-separated value, `undefined` is left out. */
export type CallQueryValue =
  | string
  | number
  | bigint
  | boolean
  | readonly (string | number | bigint)[]
  | undefined;

/** Values for the placeholders of an operation's path; any names for an operation that the catalog does not know. */
export type PathParams<Id extends string> = Readonly<
  Id extends keyof OperationPathParams ? Record<OperationPathParams[Id], PathValue>
    : Id extends OperationId ? Record<string, never>
    : Record<string, PathValue>
>;

/**
 * What happens when a call does not fit what is published of its operation: `warn` reports it and sends the call, `strict`
 * refuses it, `off` does not compare. Of an operation that nothing is published of, a call is reported as unchecked by
 * `strict`, and sent.
 */
export type CallCheck = "warn" | "strict" | "off";

/** What a call may be given beside its body and path parameters. */
export interface BaseCallOptions {
  /** Query parameters by name. */
  readonly query?: Readonly<Record<string, CallQueryValue>>;
  /** Further headers by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Media type of the body, in place of the catalog's; pins a version. */
  readonly contentType?: string;
  /** Media type requested for the response, in place of the catalog's; pins a version. */
  readonly accept?: string;
  /** What happens when the call does not fit what is published of its operation. @default "warn" */
  readonly check?: CallCheck;
  /** Ends the call and any wait before it. */
  readonly signal?: AbortSignal;
}

/** What a call of one operation may be given beside its body. Path parameters are required where its path has any. */
export type CallOptions<Id extends string = string> =
  & BaseCallOptions
  & (Id extends keyof OperationPathParams ? {
      /** Values for the placeholders of the path, each sent as one segment. */
      readonly pathParams: PathParams<Id>;
    }
    : {
      /** Values for the placeholders of the path, each sent as one segment. */
      readonly pathParams?: PathParams<Id>;
    });

/** The arguments of `call` after the operation's id: the body, then options, which a path with placeholders requires. */
export type CallArguments<Id extends string> = Id extends keyof OperationPathParams
  ? [body: unknown, options: CallOptions<Id>]
  : [body?: unknown, options?: CallOptions<Id>];

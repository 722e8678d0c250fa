import type { OperationId, OperationPathParams } from "../../../catalog/operation_ids.ts";
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
 * Reaction to a call that does not match the published description of its operation: `warn` reports it and sends the
 * call, `strict` refuses it, `off` does not compare. If nothing is published about an operation, `strict` reports the
 * call as unchecked and sends it.
 */
export type CallCheck = "warn" | "strict" | "off";

/** Options of a call, in addition to its body and path parameters. */
export interface BaseCallOptions {
  /** Query parameters by name. */
  readonly query?: Readonly<Record<string, CallQueryValue>>;
  /** Additional headers by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Media type of the body, in place of the catalog's; pins a version. */
  readonly contentType?: string;
  /** Media type requested for the response, in place of the catalog's; pins a version. */
  readonly accept?: string;
  /** Reaction to a call that does not match the published description of its operation. @default "warn" */
  readonly check?: CallCheck;
  /** Aborts the call and any wait before it. */
  readonly signal?: AbortSignal;
  /** Called with status and headers of the response, which the call itself does not return. */
  readonly onResponse?: (response: ResponseHead) => void;
}

/** Status and headers of a response. */
export interface ResponseHead {
  /** HTTP status. */
  readonly status: number;
  /** Headers of the response. */
  readonly headers: Headers;
  /** The platform's request id. */
  readonly requestId: string | undefined;
}

/** Options of a call of one operation, in addition to its body. Path parameters are required if its path has any. */
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

/** The arguments of an account-level call, which may also choose the region of its host. */
export type AccountCallArguments<Id extends string> = CallArguments<Id> extends
  [body: infer Body, options: infer Options] ? [body: Body, options: Options & RegionOption]
  : [body?: unknown, options?: CallOptions<Id> & RegionOption];

/** Chooses the host of a call. */
export interface RegionOption {
  /** Region of the host. @default the first that is set */
  readonly region?: "NA" | "EU" | "FE";
}

/** Parameters, body and response of an operation, as described by a module of types. */
export interface OperationTypes {
  /** Values of the placeholders of the path. */
  readonly path?: object;
  /** Query parameters by name, as published. */
  readonly query?: object;
  /** JSON value to send; absent if the operation takes none. */
  readonly body?: unknown;
  /** JSON value of a 2xx response. */
  readonly response: unknown;
}

/** Options of a call whose operation is described by types. */
export type TypedCallOptions<Types extends OperationTypes> =
  & Omit<BaseCallOptions, "query">
  & (Types extends { readonly query: infer Query } ? {
      readonly query?: Query;
    }
    : {
      readonly query?: never;
    })
  & (Types extends { readonly path: infer Path } ? {
      /** Values for the placeholders of the path, each sent as one segment. */
      readonly pathParams: Path;
    }
    : {
      readonly pathParams?: never;
    });

/** The arguments of a call after the operation's id, for an operation described by types. */
export type TypedCallArguments<Types extends OperationTypes> = Types extends { readonly path: object }
  ? [body: TypedBody<Types>, options: TypedCallOptions<Types>]
  : Types extends { readonly body: unknown } ? [body: TypedBody<Types>, options?: TypedCallOptions<Types>]
  : [body?: TypedBody<Types>, options?: TypedCallOptions<Types>];

/** The body of an operation, as described by types; `undefined` if it takes none. */
export type TypedBody<Types extends OperationTypes> = "body" extends keyof Types ? Types["body"] : undefined;

/** Calls of the operations described by a module of types. */
export interface TypedCalls<Operations> {
  /**
   * Calls an operation and returns its response.
   *
   * @param operation One of the operations that the types describe.
   * @param call The body, then the options.
   */
  call<Id extends keyof Operations & string>(
    operation: Id,
    ...call: Operations[Id] extends OperationTypes ? TypedCallArguments<Operations[Id]> : never
  ): Promise<Operations[Id] extends OperationTypes ? Operations[Id]["response"] : never>;
}

import type { BatchResult } from "../../../platform/batch/batch_result.ts";
import type { BeforeAttempt } from "../../../platform/transport/api_request.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import type { ListOptions } from "./list_options.ts";

export type Fields = Record<string, unknown>;

/** Options for listing with all filters resolved: no default states, duplicate ids or empty lists. */
export interface ListQuery extends ListOptions {
  readonly states: readonly string[] | null;
  /**
   * True to allow prefetching, because every page will be read.
   *
   * @default false
   */
  readonly ahead?: boolean | undefined;
}

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  readonly retryThrottled?: boolean | undefined;
  /** Called and awaited before the request and before each retry; an exception cancels the request. */
  readonly beforeAttempt?: BeforeAttempt | undefined;
  readonly onNothingDone?: (() => void) | undefined;
}

export interface WireWrite {
  readonly op: "create" | "update" | "archive";
  /** Items to write. For an archive, only ids, under the name that the request or its verdicts use. */
  readonly items: readonly Fields[];
  /**
   * True if several kinds share the path and can be distinguished only by the ids.
   *
   * @default false
   */
  readonly byId?: boolean;
  readonly isPart?: boolean;
}

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface WireProblem {
  readonly field: string;
  readonly message: string;
}

/** Properties of a wire that are known before its code is loaded. */
export interface WireFacts {
  readonly name: "legacy" | "unified";
  /**
   * True if several kinds draw their ids from one sequence.
   *
   * @default false
   */
  readonly sharesIds?: boolean;
  /**
   * False if the wire has no way to archive entities.
   *
   * @default true
   */
  readonly archivable?: boolean;
  /** Returns the fields of an entity that the wire does not read back. */
  lost?(entity: Fields): readonly string[];
}

/** A wire whose code is loaded on first use. */
export interface LateWire extends WireFacts {
  load(): Promise<ResourceWire>;
}

export interface ResourceWire {
  readonly operations?: Readonly<Record<string, string>>;
  readonly repeats?: (update: Fields) => Readonly<Record<string, string>>;
  readonly paths?: readonly { readonly own: string; readonly wire: string }[];
  /** Returns the parts of an item that cannot be encoded; such an item would be rejected without being sent. */
  problems?(scope: ProfileScope, item: Fields, op: "create" | "update"): readonly WireProblem[];
  readonly writeLimits: {
    readonly create: number;
    readonly update: number;
    readonly archive: number;
  };
  readonly listSizes: {
    readonly page: number;
    readonly ids: number;
  };
  pages(scope: ProfileScope, query: ListQuery): AsyncGenerator<Fields[]>;
  /** Sends one request to create items; indexes in the result start at 0. */
  create(scope: ProfileScope, items: readonly Fields[], options: SendOptions): Promise<BatchResult<Fields>>;
  update(scope: ProfileScope, items: readonly Fields[], options: SendOptions): Promise<BatchResult<Fields>>;
  /**
   * Decodes a write request; `undefined` for other requests, and for bodies with unknown fields.
   *
   * @param scope Profile whose time zone determines days.
   * @default UTC
   */
  readWrite?(request: WireRequest, scope?: ProfileScope): WireWrite | undefined;
  splits?(item: Fields): readonly Fields[];
  readonly encoding?: ResourceWire;
  archive?(scope: ProfileScope, ids: readonly string[], options: SendOptions): Promise<BatchResult<Fields>>;
}

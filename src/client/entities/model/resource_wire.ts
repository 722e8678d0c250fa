import type { BatchResult } from "../../../platform/batch/batch_result.ts";
import type { BeforeAttempt } from "../../../platform/transport/api_request.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import type { ListOptions } from "./list_options.ts";

/** Fields of an entity, by the platform's names. */
export type Fields = Record<string, unknown>;

/** A list request whose filters are complete: states resolved, ids without repeats, nothing empty. */
export interface ListQuery extends ListOptions {
  /** States to ask for; `null` for every state. */
  readonly states: readonly string[] | null;
  /** True where every page is wanted, so that the next one may be asked for early. @default false */
  readonly ahead?: boolean | undefined;
}

/** How one request of a batch is sent. */
export interface SendOptions {
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined;
  /** False leaves a throttled request to the caller. @default true */
  readonly retryThrottled?: boolean | undefined;
  /** Awaited right before the request leaves, and before each retry; what it throws ends the request. */
  readonly beforeAttempt?: BeforeAttempt | undefined;
  /** Called after an attempt that certainly changed nothing. */
  readonly onNothingDone?: (() => void) | undefined;
}

/** Changes of a write request, read back from its path and body. */
export interface WireWrite {
  /** Operation on the items. */
  readonly op: "create" | "update" | "archive";
  /** The items; for an archive each has its id alone, under the name that the request or its verdicts use. */
  readonly items: readonly Fields[];
  /** True where several kinds share the path, so that the ids alone tell which kind it is. @default false */
  readonly byId?: boolean;
  /** True where the request makes entities of other kinds beside them. @default false */
  readonly isPart?: boolean;
}

/** The part of a request that tells what it does. */
export interface WireRequest {
  readonly method: string;
  /** Path, beginning with a slash. */
  readonly path: string;
  /** Body. */
  readonly json?: unknown;
  /** Headers beside those that every request has. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A part of an item that a wire has no form for. */
export interface WireProblem {
  /** Our field. */
  readonly field: string;
  /** The reason. */
  readonly message: string;
}

/** How the entities of one kind go over the wire; the resource above it knows no paths and no media types. */
export interface ResourceWire {
  /** Which of the wires it is. @default "legacy" */
  readonly name?: "legacy" | "unified";
  /** True where entities of several kinds have their ids from one list. @default false */
  readonly sharesIds?: boolean;
  /** Operations of the catalog by method, where they are not those of the kind. */
  readonly operations?: Readonly<Record<string, string>>;
  /** Fields that an update must repeat, with a value that each may have. @default those of the kind */
  readonly repeats?: (update: Fields) => Readonly<Record<string, string>>;
  /** Our fields and the path of each on the wire, where the names differ. */
  readonly paths?: readonly { readonly own: string; readonly wire: string }[];
  /** Names the fields of an entity that reading by this wire loses. */
  lost?(entity: Fields): readonly string[];
  /** Parts of an item that the wire has no form for: it would refuse the item without sending it. */
  problems?(scope: ProfileScope, item: Fields, op: "create" | "update"): readonly WireProblem[];
  /** Most items that one write request takes. */
  readonly writeLimits: {
    /** Items of a create. */
    readonly create: number;
    /** Items of an update. */
    readonly update: number;
    readonly archive: number;
  };
  /** Page sizes of one list request, to foresee the number of requests. */
  readonly listSizes: {
    /** Entities a page, where the platform does not cut it shorter. */
    readonly page: number;
    /** Most ids that are asked for at once. */
    readonly ids: number;
  };
  /** The matches page by page; an empty page is possible anywhere. */
  pages(scope: ProfileScope, query: ListQuery): AsyncGenerator<Fields[]>;
  /** Sends one create request; indexes of the result count from 0. */
  create(scope: ProfileScope, items: readonly Fields[], options: SendOptions): Promise<BatchResult<Fields>>;
  /** Sends one update request. */
  update(scope: ProfileScope, items: readonly Fields[], options: SendOptions): Promise<BatchResult<Fields>>;
  /**
   * Decodes the changes of a write request; `undefined` for other requests and for bodies with unknown fields.
   *
   * @param scope Profile whose days moments are read as. @default days are those of UTC
   */
  readWrite?(request: WireRequest, scope?: ProfileScope): WireWrite | undefined;
  /** Parts of an update that are sent in requests of their own. @default an update is one item of one request */
  splits?(item: Fields): readonly Fields[];
  /** Makes the same bodies without looking ids up; absent where this one does. */
  readonly encoding?: ResourceWire;
  /** Sends one archive request; absent where the platform has none. */
  archive?(scope: ProfileScope, ids: readonly string[], options: SendOptions): Promise<BatchResult<Fields>>;
}

import type { BatchResult } from "../../platform/batch/batch_result.ts";
import type { BeforeAttempt } from "../../platform/transport/api_request.ts";
import type { Transport } from "../../platform/transport/transport.ts";
import type { Change, EntityFields } from "./change.ts";
import type { LastChanges } from "./amount_changes.ts";
import type { CallState, PlannedCall } from "./planned_call.ts";
import type { ChangeResult, PlacedChange } from "./change_result.ts";
import type { Finding } from "./finding.ts";
import type { PlanData } from "./plan_data.ts";
import type { PriorState } from "./prior_state.ts";

/** Callbacks and signals for watching and stopping a plan's writes. */
export interface WriteOptions {
  /**
   * Positions of updates that were judged with complete objects; these are sent unchanged.
   *
   * @internal
   */
  readonly whole?: ReadonlySet<number> | undefined;
  /** Aborts the request in flight; its outcome is then unknown. */
  readonly signal?: AbortSignal | undefined;
  /** Lets the request in flight finish and sends no further one. */
  readonly stop?: AbortSignal | undefined;
  /** Awaited before each request, with the positions of the items it will carry. */
  readonly onSending?: ((indexes: readonly number[]) => void | Promise<void>) | undefined;
  /** Awaited right before a request leaves, after any wait for the platform, and again before each retry. */
  readonly onAttempt?: BeforeAttempt | undefined;
  /** Awaited after each request, with its verdicts. */
  readonly onVerdicts?: ((verdicts: BatchResult) => void | Promise<void>) | undefined;
}

export interface EncodedItem {
  readonly fields: EntityFields;
  readonly isWhole: boolean;
  readonly differences: readonly string[];
}

/** Methods of a resource that plans use. */
export interface PlanResource {
  /** Key by which a client finds the resource, for example `sp.keywords`. */
  readonly kind: string;
  /** Name of the id field. */
  readonly idField: string;
  /** False when the platform has no way to archive this kind. */
  readonly archivable: boolean;
  /** Fields that an update may clear with `null`. @default none */
  readonly clearable?: readonly string[] | undefined;
  /** Iterates over entities. */
  iter?(
    options: {
      states?: readonly string[] | null;
      campaignIds?: readonly string[];
      adGroupIds?: readonly string[];
      signal?: AbortSignal | undefined;
    },
  ): AsyncIterable<EntityFields>;
  /**
   * Key that no two live entities of the kind may share; `undefined` for a kind without one.
   *
   * @internal
   */
  identity?(entity: EntityFields): string | undefined;
  /**
   * Entities in any state that may have the identities of items.
   *
   * @internal
   */
  candidates?(
    items: readonly EntityFields[],
    options?: { signal?: AbortSignal | undefined },
  ): Promise<readonly EntityFields[]>;
  /** Reads entities in any state; ids that the platform does not know are absent. */
  getMany(
    ids: readonly string[],
    options?: { signal?: AbortSignal | undefined },
  ): Promise<Map<string, EntityFields>>;
  /** Returns the fields of an entity that a plan compares: those that the platform does not compute. */
  comparable(entity: EntityFields): EntityFields;
  /** Display name of an entity. @default the label in the plan */
  labelOf?(entity: EntityFields): string;
  /** For each new item, the ids of existing entities that match it, as if it had already been created. */
  findEqual(
    items: readonly EntityFields[],
    options?: { archived?: boolean | undefined; signal?: AbortSignal | undefined },
  ): Promise<string[][]>;
  /**
   * Encodes items as they would be sent, and reads the bodies back. @default the items are used as the bodies
   *
   * @param options.getMany Reads the entities that updates are completed from.
   * @internal
   */
  encode?(
    op: "create" | "update" | "archive",
    items: readonly EntityFields[],
    options: {
      readonly getMany: (ids: readonly string[]) => Promise<Map<string, EntityFields>>;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<readonly EncodedItem[]>;
  /** Creates entities. */
  create(items: readonly EntityFields[], options?: WriteOptions): Promise<BatchResult>;
  /** Updates entities. */
  update(items: readonly EntityFields[], options?: WriteOptions): Promise<BatchResult>;
  /** Archives entities. */
  delete(ids: readonly string[], options?: WriteOptions): Promise<BatchResult>;
}

/** Sends planned calls and reads the values that they overwrite. */
export interface PlanCalls {
  /**
   * Refuses calls that the client may not send, before any call is sent. @default none is refused
   *
   * @throws {ConfigurationError} for a call that reaches beyond the profiles of the client.
   * @internal
   */
  check?(calls: readonly PlannedCall[]): Promise<void>;
  /** Sends calls one by one and returns a verdict for each. */
  send(calls: readonly PlannedCall[], options?: WriteOptions): Promise<BatchResult>;
  /**
   * Reads the current state of the entities that a call overwrites; `undefined` if no operation is known to read it.
   */
  read(
    call: PlannedCall,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<CallState | undefined>;
}

/** Methods of a client that plans use. */
export interface PlanTarget {
  /** Id of the profile, digits as text. */
  readonly profileId: string;
  /** Country of the profile. */
  readonly countryCode: string;
  /** The client's clock and timeout; the machine's clock and one minute if it has none. */
  readonly transport?: Pick<Transport, "now" | "sleep" | "timeout"> | undefined;
  /** IANA time zone of the profile's days; that of its market if the record names none. */
  readonly timeZone?: string | undefined;
  /** Time of the account copy that the client works on, ISO 8601; absent for the real account. */
  readonly rehearsal?: string | undefined;
  /** Profiles of the global account that the profile belongs to; absent in a client that knows none. */
  globalProfiles?(): Promise<readonly GlobalProfile[]>;
  /** Returns the resource of a kind. */
  resource(kind: string): PlanResource;
  /** Sends the operation calls of a plan; absent in a client that sends none. */
  readonly calls?: PlanCalls | undefined;
  /** Predicts refusals by the platform. Sends nothing. Without it, none are predicted. */
  preflight?(
    changes: readonly Change[],
    options: {
      readonly account?: PriorState | undefined;
      readonly signal?: AbortSignal | undefined;
      readonly reorder?: boolean | undefined;
    },
  ): Promise<{ readonly findings: readonly Finding[]; readonly left?: ReadonlyMap<number, string> }>;
  /**
   * Returns changes of bids, budgets and states since a moment, in milliseconds; absent in a client that knows none.
   */
  amountChanges?(
    since: number,
    options?: {
      /** Ids of scheduled entities, whose events in the history are left out. */
      readonly moved?: ReadonlySet<string> | undefined;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<LastChanges>;
  /**
   * Judges the changes of a plan right before they are sent; throws to refuse them all. Without one, nothing is judged.
   */
  readonly judge?: ((request: JudgeRequest) => Promise<Judgement>) | undefined;
}

/** A profile of a global account. */
export interface GlobalProfile {
  /** Id of the profile, digits as text. */
  readonly profileId: string;
  /** Country, as the platform spells it. */
  readonly countryCode: string;
  /** IANA time zone of its days. @default that of its market */
  readonly timeZone?: string | undefined;
  /** Changes of bids, budgets and states in the profile; absent in a client that knows none. */
  amountChanges?(
    since: number,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<LastChanges | undefined>;
}

/** Input of a judge of changes. */
export interface JudgeRequest {
  /** The plan, as it was reviewed. */
  readonly plan: PlanData;
  /** Changes that are about to be sent, with their positions; references to earlier changes are resolved to ids. */
  readonly open: readonly PlacedChange[];
  /** The client of the profile, for reading the current account. */
  readonly client: PlanTarget;
  /** Name of the approver; `undefined` without an approval. */
  readonly approvedBy: string | undefined;
  /** The account, as just read. @default it is read */
  readonly account?: PriorState | undefined;
  /** True for a write without a plan, which cannot be undone by a plan's id. @default false */
  readonly direct?: boolean | undefined;
  /** True if part of the plan was sent before, by an interrupted run. */
  readonly resumes: boolean;
  /** True if a journal ensures that only one of several attempts sends the plan. @default false */
  readonly exclusive?: boolean | undefined;
  /** Aborts reading the account for the judges. */
  readonly signal: AbortSignal | undefined;
}

/** Result of judging changes. */
export interface Judgement {
  /** Findings; kept with the result. */
  readonly findings: readonly Finding[];
  /** The client to send with, if it differs from the one that was judged. */
  readonly client?: PlanTarget;
  /** Awaited after sending, with the verdicts on all changes of the plan. */
  settle(results: readonly ChangeResult[]): Promise<void>;
  /**
   * Awaited instead of `settle` if this process sent nothing; releases the amounts reserved from the day's limits.
   *
   * @default it stays reserved
   */
  withdraw?(): Promise<void>;
}

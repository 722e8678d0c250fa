/** Operation on an entity; `call` for a platform operation without a resource kind. */
export type ChangeOperation = "create" | "update" | "archive" | "call";

/** Fields of an entity, by the platform's names. */
export type EntityFields = Readonly<Record<string, unknown>>;

/** Figures that justify a change, for readers of the plan; not part of its fingerprint. */
export interface Evidence {
  /** First day of the figures, `YYYY-MM-DD`. */
  readonly from?: string;
  /** Last day of the figures, `YYYY-MM-DD`. */
  readonly to?: string;
  /** Clicks over these days. */
  readonly clicks?: number;
  /** Cost over these days, in the account's currency. */
  readonly cost?: number;
  /** Orders over these days. */
  readonly orders?: number;
  /** Sales over these days, in the account's currency. */
  readonly sales?: number;
  /** Cost divided by sales. */
  readonly acos?: number;
  /**
   * ACOS shrunk towards that of the ad group and campaign, because few clicks are weak evidence, with its 95 %
   * interval for the uncertainty of the conversion rate.
   */
  readonly estimate?: { readonly acos: number; readonly low: number; readonly high: number };
  /** Factor of a schedule that the change applies to a base value; for rules, the highest one. */
  readonly factor?: number;
  /** Name of the goal that decided the change, as in its goals file. */
  readonly goal?: string;
  /** True for a trial bid, set by a goal to gather data. */
  readonly isTrial?: true;
  /** Reason for the change, as text. */
  readonly reason?: string;
}

/** One entity that a plan changes. */
export interface Change {
  /** Resource kind, for example `sp.keywords`; `call` for a call of an operation. */
  readonly kind: string;
  /** Operation on the entity. */
  readonly op: ChangeOperation;
  /** Id of the entity; `null` for one that does not exist yet, and for a call. */
  readonly id: string | null;
  /** Current values of the changed fields; fields without a value are absent. */
  readonly before: EntityFields;
  /** New values of the changed fields; the whole item for a create, a {@linkcode PlannedCall} for a call. */
  readonly after: EntityFields;
  /** Display name of the entity, for example `"running shoes" (EXACT)`. */
  readonly label: string;
  /** Id of the campaign the entity belongs to, when it is known. */
  readonly campaignId?: string;
  /** Name of the change in its plan. Other changes use `{ ref: "c1" }` in place of the id that it creates. */
  readonly ref?: string;
  /** Names of changes that must be applied before this one is sent, in addition to those that its fields refer to. */
  readonly dependsOn?: readonly string[];
  /** Figures behind the change. */
  readonly evidence?: Evidence;
}

/** One changed field, as a row of a table. */
export interface ChangeRow {
  /** Resource kind. */
  readonly kind: string;
  /** Id of the entity; empty for one that does not exist yet. */
  readonly id: string;
  /** Display name of the entity. */
  readonly label: string;
  /** Name of the field. */
  readonly field: string;
  /** Current value; `undefined` if there is none. */
  readonly before: unknown;
  /** New value. */
  readonly after: unknown;
}

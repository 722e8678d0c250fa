/** Operation on an entity; `call` for a platform operation without a resource kind. */
export type ChangeOperation = "create" | "update" | "archive" | "call";

/** Fields of an entity, by the platform's names. */
export type EntityFields = Readonly<Record<string, unknown>>;

/** Figures as the reason of a change, for readers of the plan; not part of its fingerprint. */
export interface Evidence {
  /** First day of the figures, `YYYY-MM-DD`. */
  readonly from?: string;
  /** Last day of the figures, `YYYY-MM-DD`. */
  readonly to?: string;
  /** Clicks over these days. */
  readonly clicks?: number;
  /** In the account's currency. */
  readonly cost?: number;
  /** Orders over these days. */
  readonly orders?: number;
  /** In the account's currency. */
  readonly sales?: number;
  /** Cost divided by sales. */
  readonly acos?: number;
  /**
   * ACOS shrunk towards that of ad group and campaign, because few clicks say little, with its 95 % interval for the
   * uncertainty of the conversion rate.
   */
  readonly estimate?: { readonly acos: number; readonly low: number; readonly high: number };
  /** Factor of a schedule that the change applies to a base; of rules, their highest. */
  readonly factor?: number;
  /** Name of the goal that decided the change, as its goals file has it. */
  readonly goal?: string;
  /** True for a bid that a goal tries in order to learn about it. */
  readonly isTrial?: true;
  /** Why the change was made, in words. */
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
  /** Name of the entity for people, for example `"running shoes" (EXACT)`. */
  readonly label: string;
  /** Id of the campaign the entity belongs to, when it is known. */
  readonly campaignId?: string;
  /** Name of the change in its plan. Other changes use `{ ref: "c1" }` in place of the id that it creates. */
  readonly ref?: string;
  /** Names of changes that must be done before this one is sent, beside those that its fields refer to. */
  readonly dependsOn?: readonly string[];
  /** Figures behind the change. */
  readonly evidence?: Evidence;
}

/** One changed field, as a table shows it. */
export interface ChangeRow {
  /** Resource kind. */
  readonly kind: string;
  /** Id of the entity; empty for one that does not exist yet. */
  readonly id: string;
  /** Name of the entity for people. */
  readonly label: string;
  /** Name of the field. */
  readonly field: string;
  /** Value now; `undefined` when there is none. */
  readonly before: unknown;
  /** Value after. */
  readonly after: unknown;
}

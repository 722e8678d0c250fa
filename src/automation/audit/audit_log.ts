/** A line of a log, as stored. */
export interface AuditLine {
  /** File or table that contains the line. */
  readonly source: string;
  /** Number of the line in the file or table, from 1. */
  readonly line: number;
  /** Text of the line. */
  readonly text: string;
  /** False for an incomplete last line. */
  readonly isWhole: boolean;
}

/** Log of tool calls, hash-chained so that any later change is detectable. */
export interface AuditLog {
  /** Path or address of the log, without a password. */
  readonly location: string;
  /**
   * Creates the log if it is missing, so that write errors appear before the first call.
   *
   * @throws {PlatformAdsError} when it cannot be written to.
   */
  prepare(): Promise<void>;
  /**
   * Appends a record durably.
   *
   * @throws {PlatformAdsError} when it cannot be written.
   */
  append(record: AuditRecord): Promise<AuditEntry>;
  /** Yields every line, oldest first. */
  lines(): AsyncIterable<AuditLine>;
  /** Closes the log. */
  close(): Promise<void>;
}

/** Caller of a tool. */
export interface AuditCaller {
  /** Name of the caller as given by the issuer of the token. */
  readonly subject: string;
  /** Authentication: `local`, `static token` or `oauth`. */
  readonly kind: string;
  /** Name of the caller's account, on a server with several accounts. */
  readonly tenant?: string | undefined;
}

/** Record of a tool call. One is written when a call that writes begins, and one when any call ends. */
export interface AuditRecord {
  /** Id of the call, the same in its begin and end records. */
  readonly call: string;
  /** Beginning or end of the call. */
  readonly phase: "begin" | "end";
  /** Caller of the tool. */
  readonly who: AuditCaller;
  /** Name of the tool. */
  readonly tool: string;
  /** SHA-256 of the arguments, as JSON with sorted keys. */
  readonly arguments: string;
  /** Id of the plan that was made or applied. */
  readonly plan?: string | undefined;
  /** Outcome of the call; `asked` if it returned a question for a person. */
  readonly verdict?: "ok" | "failed" | "asked" | undefined;
  /** SHA-256 of the policy file that applied to the call. */
  readonly policy?: string | undefined;
  /** Kind of approval of an applied plan: `person`, `signed_approval` or `fingerprint_only`. */
  readonly approval?: string | undefined;
  /** The result in one line. */
  readonly result?: string | undefined;
}

/** An incomplete line before an entry, left by a killed process or a full disk. */
export interface CutOffLine {
  /** Length in UTF-16 code units. */
  readonly characters: number;
  /** SHA-256 of its text. */
  readonly sha256: string;
}

/** A record with its position in the chain. */
export interface AuditEntry extends AuditRecord {
  /** Number of the entry, from 1. */
  readonly n: number;
  /** When it was written, ISO 8601. */
  readonly at: string;
  /** The incomplete line before it, if there is one. */
  readonly cut?: CutOffLine | undefined;
  /** Hash of the entry before it; 64 zeros for the first. */
  readonly previous: string;
  /** SHA-256 of this entry without this field, as JSON with sorted keys. */
  readonly hash: string;
}

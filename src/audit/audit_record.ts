/** Caller of a tool. */
export interface AuditCaller {
  /** Name of the caller as given by the issuer of the token. */
  readonly subject: string;
  /** How they showed it: `local`, `static token` or `oauth`. */
  readonly kind: string;
  /** Name of the account of theirs, where a server has several. */
  readonly tenant?: string | undefined;
}

/** Record of a tool call: written when a call that writes begins, and when any call ends. */
export interface AuditRecord {
  /** The same in the record of its beginning and in that of its end. */
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
  /** How it ended; `asked` when a question to a person is its answer. */
  readonly verdict?: "ok" | "failed" | "asked" | undefined;
  /** SHA-256 of the policy file that judged it. */
  readonly policy?: string | undefined;
  /** Kind of approval of an applied plan: `person`, `signed_approval` or `fingerprint_only`. */
  readonly approval?: string | undefined;
  /** The result in one line. */
  readonly result?: string | undefined;
}

/** Text before an entry that has no end: a process was killed, or the disk was full, while it was written. */
export interface CutOffLine {
  /** Length in UTF-16 code units. */
  readonly characters: number;
  /** SHA-256 of its text. */
  readonly sha256: string;
}

/** A record in its place in the chain. */
export interface AuditEntry extends AuditRecord {
  /** Number of the entry, from 1. */
  readonly n: number;
  /** When it was written, ISO 8601. */
  readonly at: string;
  /** The unfinished line before it, where there is one. */
  readonly cut?: CutOffLine | undefined;
  /** Hash of the entry before it; 64 zeros for the first. */
  readonly previous: string;
  /** SHA-256 of this entry without this field, as JSON with sorted keys. */
  readonly hash: string;
}

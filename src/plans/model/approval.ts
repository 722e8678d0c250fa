/** A person's yes to one plan, signed, as the file `approval-<plan id>.json` holds it. */
export interface Approval {
  /** Which plan was approved. */
  readonly plan_id: string;
  /** Fingerprint of the plan as the person saw it. */
  readonly fingerprint: string;
  /** When the person said yes, ISO 8601. */
  readonly approved_at: string;
  /** Until when the yes holds, ISO 8601. */
  readonly expires_at: string;
  /** SHA-256 over everything that the person was shown; absent in approvals of older versions, which are outdated. */
  readonly digest?: string;
  /** SHA-256 of the parts that must still be the same when the plan is sent, by name: names, note, evidence. */
  readonly shown?: Readonly<Record<string, string>>;
  /** Findings that asked for a person and were shown, each as its code, rule and change. */
  readonly accepted?: readonly string[];
  /** Signature over all of the above, base64. */
  readonly signature: string;
}

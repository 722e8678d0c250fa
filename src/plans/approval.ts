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
  /** Signature over all of the above, base64. */
  readonly signature: string;
}

/** A person's signed approval of one plan, the content of the file `approval-<plan id>.json`. */
export interface Approval {
  /** Id of the approved plan. */
  readonly plan_id: string;
  /** Fingerprint of the plan as the person saw it. */
  readonly fingerprint: string;
  /** Time of the approval, ISO 8601. */
  readonly approved_at: string;
  /** Time until which the approval is valid, ISO 8601. */
  readonly expires_at: string;
  /** SHA-256 over everything that the person was shown; absent in approvals of older versions, which are outdated. */
  readonly digest?: string;
  /** SHA-256 of the parts that must still be the same when the plan is sent, by name: names, note, evidence. */
  readonly shown?: Readonly<Record<string, string>>;
  /** Keys of the shown findings that need a person's approval: code, rule and change of each. */
  readonly accepted?: readonly string[];
  /** Signature over all of the above, base64. */
  readonly signature: string;
}

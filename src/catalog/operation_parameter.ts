/** A query parameter or header that an operation documents. */
export interface OperationParameter {
  /** Its name, with the neutral word in place of the platform's own. */
  readonly name: string;
  /** True when the platform refuses a request without it. */
  readonly required: boolean;
}

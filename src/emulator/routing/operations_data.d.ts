/** The catalog's operations, as far as the emulator looks at them. */
export interface OperationsData {
  readonly apis: readonly {
    readonly slug: string;
    /** True for tools of the hosted tool server, which no API host serves. */
    readonly hostedTools?: true;
    readonly operations: readonly {
      readonly operationId: string;
      readonly method: string;
      /** Path template. */
      readonly path: string;
    }[];
  }[];
}

/** Reads the catalog's data, once. */
export declare function loadOperations(): Promise<OperationsData>;

/** Loads the content of a schema file. */
export type LoadSchemaFile = () => Promise<{ readonly default: unknown }>;

/** The schema file of each API that has one, by slug. */
export declare const SCHEMA_FILES: Readonly<Record<string, LoadSchemaFile>>;
/** The models that several APIs have alike. */
export declare const SHARED_MODELS: LoadSchemaFile;

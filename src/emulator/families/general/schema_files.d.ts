export type LoadSchemaFile = () => Promise<{ readonly default: unknown }>;

/** Schema files by API slug. */
export declare const SCHEMA_FILES: Readonly<Record<string, LoadSchemaFile>>;
/** Models that several APIs share. */
export declare const SHARED_MODELS: LoadSchemaFile;

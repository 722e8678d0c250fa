/** The published fields of each dataset with their types, as `catalog/stream_datasets.json` holds them. */
declare const data: Readonly<Record<string, Readonly<Record<string, string>>>>;
export default data;

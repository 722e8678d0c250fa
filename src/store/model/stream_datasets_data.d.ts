/** Published fields of each dataset with their types (`catalog/stream_datasets.json`). */
declare const data: Readonly<Record<string, Readonly<Record<string, string>>>>;
export default data;

/** Gives the rows of a file, each as the JSON of an object. */
export type FileRows = () => Iterable<string>;

import { Logger } from "graphile-worker";

/** Writes nothing: the worker's own log has what matters. */
export const quietLogger: Logger = new Logger(() => () => {});

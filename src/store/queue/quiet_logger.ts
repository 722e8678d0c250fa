import { Logger } from "graphile-worker";

/** Says nothing: what matters is told by the worker's own log. */
export const quietLogger: Logger = new Logger(() => () => {});

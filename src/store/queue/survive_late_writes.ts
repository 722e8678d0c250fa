import process from "node:process";

/**
 * Keeps the process alive when the PostgreSQL client (postgres 3.4.9) takes back a transaction on a connection that is
 * gone: it then throws out of a timer, where nobody can catch it. The transaction itself has failed by then, and was
 * told so. Anything else ends the process, as it would without this.
 *
 * @returns what ends it.
 */
export function surviveLateWrites(onSurvived: (error: Error) => void): () => void {
  const decide = (error: unknown): void => {
    if (isLateWrite(error)) return onSurvived(error);
    console.error(error);
    process.exit(1);
  };
  process.on("uncaughtException", decide);
  return () => void process.off("uncaughtException", decide);
}

function isLateWrite(error: unknown): error is TypeError {
  return error instanceof TypeError && /nextWrite .*\bpostgres\b/.test(error.stack ?? "");
}

/** How the connections of a worker call themselves, so that another can end them when it is dead. */
export function applicationName(processName: string): string {
  return `platform-ads worker ${processName}`;
}

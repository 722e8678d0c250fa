export function throwUndelivered(
  failed: readonly { readonly channel: string; readonly problem: string }[],
  channels: readonly { readonly name: string }[],
): void {
  const due = failed.filter(({ channel }) => channels.some(({ name }) => name === channel));
  const [first] = due;
  if (first === undefined) return;
  const waits = due.length === 1 ? "1 alert waits" : `${due.length} alerts wait`;
  throw new Error(`${waits} for ${first.channel}: ${first.problem}`);
}

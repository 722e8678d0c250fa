/** An address without its query, which may hold what no log should. */
export function withoutQuery(url: string): string {
  const at = url.indexOf("?");
  return at < 0 ? url : url.slice(0, at);
}

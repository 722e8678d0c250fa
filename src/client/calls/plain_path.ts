/** Path as read by a host that is lenient about escapes, slashes and dots. */
export function plainPath(path: string): string {
  let decoded = path;
  for (let next; (next = decodedOnce(decoded)) !== decoded;) decoded = next;
  const segments: string[] = [];
  for (const segment of decoded.split(/[\\/]+/)) {
    if (segment === "..") segments.pop();
    else if (segment !== "." && segment !== "") segments.push(segment);
  }
  return `/${segments.join("/")}`;
}

/** Removes one layer of escapes; unchanged without valid ones. */
function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

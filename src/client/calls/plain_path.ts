/** Normalizes a path the way lenient hosts do, with regard to escapes, slashes and dots. */
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

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

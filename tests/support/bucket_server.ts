/** A service that speaks as much of the protocol of S3 as lakes and delivery streams need. */
export interface BucketServer extends AsyncDisposable {
  readonly origin: string;
  /** Objects by bucket and key. */
  readonly objects: Map<string, Uint8Array>;
  /** Requests so far, as `PUT /bucket/key`. */
  readonly requests: string[];
  /** Answers the next request with it, before or after it is carried out. */
  fault: { readonly status: number; readonly after?: boolean; times: number } | undefined;
  /** Sends so many bytes of the next content that is read, and drops the connection. */
  cutAfter: number | undefined;
  /** Called before each content is read. */
  beforeRead: ((key: string) => void) | undefined;
  /** Keys of objects in an archive, which are listed and cannot be read. */
  readonly archived: Set<string>;
  /** Last change of all objects. */
  modified: string;
  /** Most keys of one list. */
  pageSize: number;
}

export function bucketServer(): BucketServer {
  const objects = new Map<string, Uint8Array>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const body = new Uint8Array(await request.arrayBuffer());
    const url = new URL(request.url);
    result.requests.push(`${request.method} ${url.pathname}`);
    const problem = signatureProblem(request);
    if (problem !== undefined) return failure(403, "SignatureDoesNotMatch", problem);
    const { fault } = result;
    const isDue = fault !== undefined && fault.times > 0;
    if (isDue) fault.times--;
    if (isDue && fault.after !== true) {
      return failure(fault.status, "SlowDown", "Please reduce your request rate");
    }
    const answer = carryOut(request, url, body);
    return isDue ? failure(fault.status, "InternalError", "We lost the answer") : await answer;
  });
  const carryOut = async (request: Request, url: URL, body: Uint8Array): Promise<Response> => {
    const key = decodeURIComponent(url.pathname.slice(1));
    if (request.method === "GET") result.beforeRead?.(key);
    const held = objects.get(key);
    const tag = held === undefined ? undefined : await etag(held);
    if (request.method === "PUT") {
      const [match, none] = [request.headers.get("if-match"), request.headers.get("if-none-match")];
      if (none === "*" && held !== undefined || match !== null && held !== undefined && match !== tag) {
        return failure(
          412,
          "PreconditionFailed",
          "At least one of the pre-conditions you specified did not hold",
        );
      }
      if (match !== null && held === undefined) {
        return failure(404, "NoSuchKey", "The specified key does not exist.");
      }
      objects.set(key, body);
      return new Response(null, { headers: { etag: await etag(body) } });
    }
    if (request.method === "DELETE") {
      objects.delete(key);
      return new Response(null, { status: 204 });
    }
    if (url.searchParams.get("list-type") === "2") return list(key, url.searchParams);
    if (held === undefined) return failure(404, "NoSuchKey", "The specified key does not exist.");
    const match = request.headers.get("if-match");
    if (match !== null && match !== tag) return failure(412, "PreconditionFailed", "It was replaced");
    if (result.archived.has(key)) {
      return failure(403, "InvalidObjectState", "The operation is not valid for the object's storage class");
    }
    const cut = result.cutAfter;
    result.cutAfter = undefined;
    if (cut === undefined) return new Response(new Uint8Array(held), { headers: { etag: tag ?? "" } });
    const part = new Blob([new Uint8Array(held.subarray(0, cut))]).stream();
    return new Response(part, { headers: { etag: tag ?? "", "content-length": String(held.length) } });
  };
  const list = async (bucket: string, search: URLSearchParams): Promise<Response> => {
    const prefix = `${bucket}/${search.get("prefix") ?? ""}`;
    const after = search.get("continuation-token") ?? "";
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).sort()
      .map((key) => key.slice(bucket.length + 1)).filter((key) => key > after);
    const page = keys.slice(0, result.pageSize);
    const isCut = keys.length > page.length;
    const contents = await Promise.all(page.map(async (key) => {
      const bytes = objects.get(`${bucket}/${key}`) ?? new Uint8Array();
      return `<Contents><Key>${
        key.replaceAll("&", "&amp;")
      }</Key><LastModified>${result.modified}</LastModified>` +
        `<ETag>${
          (await etag(bytes)).replaceAll('"', "&quot;")
        }</ETag><Size>${bytes.length}</Size></Contents>`;
    }));
    return new Response(
      `<ListBucketResult>${contents.join("")}<IsTruncated>${isCut}</IsTruncated>${
        isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ""
      }</ListBucketResult>`,
    );
  };
  const result: BucketServer = {
    origin: `http://127.0.0.1:${server.addr.port}`,
    objects,
    requests: [],
    fault: undefined,
    cutAfter: undefined,
    beforeRead: undefined,
    archived: new Set(),
    modified: "2026-11-01T00:00:00.000Z",
    pageSize: 1000,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
  return result;
}

/** What is wrong with the signature as far as its form tells. */
function signatureProblem(request: Request): string | undefined {
  const given = request.headers.get("authorization") ?? "";
  const scope =
    /^AWS4-HMAC-SHA256 Credential=reader\/\d{8}\/eu-west-1\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=[\da-f]{64}$/
      .exec(given);
  if (scope === null) return `not a signature of this bucket: ${given.slice(0, 40)}`;
  const signed = scope[1]?.split(";") ?? [];
  const unsigned = ["host", "if-match", "if-none-match"].filter((name) =>
    (name === "host" || request.headers.has(name)) && !signed.includes(name)
  );
  return unsigned.length === 0 ? undefined : `${unsigned.join(", ")} is not signed`;
}

function failure(status: number, code: string, message: string): Response {
  return new Response(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`, { status });
}

async function etag(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes)));
  return `"${digest.toHex().slice(0, 32)}"`;
}

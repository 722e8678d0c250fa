import { deepEqual } from "./assert.ts";
import { PlatformAds, type ProfileClient } from "../../mod.ts";
import { FakeTime } from "./fake_time.ts";
import { answerOf, type Fixture, readFixture } from "./fixture.ts";
import { STUB_CREDENTIALS, stubPlatform } from "./stub_client.ts";
import { type StubRequest, StubServer } from "./stub_server.ts";

/**
 * Lets a call talk to a server that answers with recorded exchanges, one after the other, and fails unless the call
 * asked exactly what was recorded.
 */
export async function replay<T>(
  names: readonly string[],
  call: (client: ProfileClient) => Promise<T>,
): Promise<T> {
  const fixtures = names.map(readFixture);
  const asked: StubRequest[] = [];
  await using server = StubServer.start((request) => {
    if (request.path === "/token") {
      return { json: { access_token: "token", token_type: "bearer", expires_in: 3600 } };
    }
    const fixture = fixtures[asked.push(request) - 1];
    return fixture === undefined ? { status: 418 } : answerOf(fixture);
  });
  const { now, sleep } = new FakeTime();
  const ads = new PlatformAds(STUB_CREDENTIALS, { platform: stubPlatform(server.url), now, sleep });
  const result = await call(ads.profileFrom("1", "US"));
  deepEqual(asked.map((request, at) => seen(request, fixtures[at])), fixtures.map(expected));
  return result;
}

function seen({ method, path, query, headers, body }: StubRequest, fixture: Fixture | undefined): unknown {
  const wanted = fixture?.request;
  return {
    method,
    path: path.replace(/^\/na/, ""),
    query: query.replace(/^\?/, ""),
    headers: Object.fromEntries(Object.keys(wanted?.headers ?? {}).map((name) => [name, headers.get(name)])),
    body: wanted?.text !== undefined || body === "" ? body : JSON.parse(body),
  };
}

function expected({ request: { method, path, query, headers, json, text } }: Fixture): unknown {
  return {
    method,
    path,
    query: (query ?? "").replace(/^\?/, ""),
    headers: headers ?? {},
    body: text ?? json ?? "",
  };
}

// Starts the console of the installed package, follows every file that its page names, and signs in.
import { spawn } from "node:child_process";

const child = spawn(process.execPath, ["node_modules/.bin/adsctl", "console", "--demo", "--no-open"], {
  env: {
    ...process.env,
    XDG_STATE_HOME: `${process.cwd()}/state`,
    XDG_CONFIG_HOME: `${process.cwd()}/config`,
  },
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const address = await new Promise((done, fail) => {
    child.stdout.once("data", (text) => done(String(text).trim()));
    child.once("exit", (code) => fail(new Error(`adsctl ended with ${code}`)));
  });
  const { origin, hash } = new URL(address);
  const open = ["/"];
  const seen = new Set();
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const response = await fetch(origin + path);
    if (!response.ok) throw new Error(`${path} gives ${response.status}`);
    const text = await response.text();
    const names = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"|(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)];
    open.push(...names.map(([, whole, near]) => whole ?? new URL(near, origin + path).pathname));
  }
  const session = await fetch(`${origin}/api/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: hash.replace("#token=", "") }),
  });
  const { secret } = await session.json();
  const headers = { cookie: session.headers.get("set-cookie").split(";")[0], "x-adsctl-console": secret };
  const { profiles } = await (await fetch(`${origin}/api/profiles`, { headers })).json();
  console.log(`${seen.size - 1} files, ${profiles.length} profiles`);
} finally {
  child.kill("SIGTERM");
}

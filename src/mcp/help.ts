import { ENVIRONMENT } from "./environment.ts";

const WIDTH = Math.max(...ENVIRONMENT.map(({ name }) => name.length));

/** Output of `--help`. */
export const HELP = `Usage: platform-ads-mcp [options]

Serves the tools for agents over standard input and output, or over HTTP.

Options:
  --http HOST:PORT     listen for HTTP instead; loopback unless a host is named
  --allow-host NAME    a further name by which clients reach it (repeatable)
  --allow-origin NAME  host of a web page that may ask (repeatable)
  --auth-issuer URL    authorization server whose tokens are accepted (OAuth 2.1)
  --auth-audience URL  address of this server as clients know it; tokens must be for it
  --auth-jwks URL      the issuer's keys; otherwise its metadata name them
  --tenants FILE       serve several accounts, each to its own people (YAML or JSON)
  --read-only          no tool that writes
  --tools SET,SET      list these sets of tools: read, reports, store, plans, operations, all
  --rows data|both     where the rows of answers are: in the data, or also in the text
  --demo               work on the demo account, as adsctl --demo does
  --rehearse FILE      work on the copy of an account, as adsctl --rehearse does
  --plan-dir FOLDER    folder of the plans
  --save-dir FOLDER    folder that agents may save results into
  --store PATH|URL     report store
  --audit FILE|URL     write every call down in this file, or in a database of PostgreSQL
  --max-calls N        calls of tools that each caller may make a minute
  --max-writes N       of these, calls that plan, apply or store
  --policy FILE        policy file that judges every write
  --env-file FILE      dotenv file
  --platform FILE      platform settings file
  --version            print the version
  -h, --help           print this

Environment:
  PLATFORM_ADS_CLIENT_ID and the others that adsctl reads as well
${ENVIRONMENT.map(({ name, meaning }) => `  ${name.padEnd(WIDTH)}  ${meaning}`).join("\n")}
`;

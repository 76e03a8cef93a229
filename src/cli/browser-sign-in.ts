import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { PromptHarbor } from '../../client/src/client.ts';
import { ApiError } from '../../client/src/errors.ts';
import type { StartedCliSignIn } from '../contract/cli-sign-ins.ts';
import type { TokenInfo } from '../contract/keys.ts';
import { CliError } from './errors.ts';
import { openBrowser } from './open-browser.ts';
import { note } from './terminal.ts';

const maxComputerLength = 100;
const codePattern = /^[\w-]{43}$/;
const donePage =
  '<!doctype html><meta charset="utf-8"><title>PromptHarbor</title><p>You are signed in. Close this page and return to the terminal.';

/**
 * Signs in with the browser. The browser on this computer sends a code to a local port. If this computer has no browser, the person types a
 * code in the dashboard on another device.
 */
export async function signInInBrowser(ph: PromptHarbor, { url, opensBrowser }: { url: string; opensBrowser: boolean }): Promise<TokenInfo> {
  const found = opensBrowser ? await signInOnThisComputer(ph, url) : undefined;
  return found ?? signInElsewhere(ph, url);
}

/** Opens the browser, and waits until it sends a code. Returns undefined if there is no browser. */
async function signInOnThisComputer(ph: PromptHarbor, url: string): Promise<TokenInfo | undefined> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // The server listens on a port, so the address is an object.
  const { port } = server.address() as AddressInfo;
  try {
    const { started, verifier } = await start(ph, port);
    const page = toPage(started, url);
    if (!(await openBrowser(page))) return undefined;
    note(`Your browser opens ${page}`);
    note(`Approve the sign-in there if it shows the code ${started.userCode}.`);
    note('If no page opens, stop this command and run "promptharbor login --no-browser".');
    return await claimWithCode(ph, { server, verifier, expiresAt: started.expiresAt });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

interface Waiting {
  server: ReturnType<typeof createServer>;
  verifier: string;
  expiresAt: string;
}

/** Waits until the browser sends the code. A wrong code is ignored, because any web page could send one. */
async function claimWithCode(ph: PromptHarbor, { server, verifier, expiresAt }: Waiting): Promise<TokenInfo> {
  const { promise, resolve, reject } = Promise.withResolvers<TokenInfo>();
  server.on('request', (req, res) => {
    // Any web page can send any request, for example one for `//`, which is not a valid URL.
    const url = URL.parse(req.url ?? '', 'http://127.0.0.1');
    const code = url?.searchParams.get('code') ?? '';
    if (req.method !== 'GET' || url?.pathname !== '/' || !codePattern.test(code)) {
      res.writeHead(404).end();
      return;
    }
    ph.auth.claimCliSignIn({ verifier, code }).then(
      (info) => {
        const headers = { 'content-type': 'text/html', connection: 'close', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' };
        res.writeHead(200, headers).end(donePage, () => resolve(info));
      },
      (err: unknown) => {
        const isForeign = err instanceof ApiError && err.code === 'invalid_cli_sign_in';
        const text = isForeign ? 'This sign-in is not valid.' : 'The sign-in failed. Return to the terminal.';
        res.writeHead(400, { connection: 'close' }).end(text, () => !isForeign && reject(err));
      },
    );
  });
  const timer = setTimeout(() => reject(expired()), Date.parse(expiresAt) - Date.now());
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** Shows a code that the person types in the dashboard on any device, and polls the service until the sign-in is approved. */
async function signInElsewhere(ph: PromptHarbor, url: string): Promise<TokenInfo> {
  const { started, verifier } = await start(ph);
  note(`Open ${toPage(started, url)} on any device and enter the code ${started.userCode}`);
  while (Date.parse(started.expiresAt) > Date.now()) {
    await delay(started.intervalSeconds * 1000);
    try {
      return await ph.auth.claimCliSignIn({ verifier });
    } catch (err) {
      if (!(err instanceof ApiError) || err.code !== 'cli_sign_in_pending') throw err;
    }
  }
  throw expired();
}

async function start(ph: PromptHarbor, port?: number): Promise<{ started: StartedCliSignIn; verifier: string }> {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const computer = hostname().slice(0, maxComputerLength) || 'unknown';
  try {
    return { started: await ph.auth.startCliSignIn({ challenge, computer, ...(port !== undefined && { port }) }), verifier };
  } catch (err) {
    if (err instanceof ApiError && (err.status === 404 || err.status === 405)) {
      throw new CliError('This service cannot sign in with the browser. Use "promptharbor login --email <email>".');
    }
    throw err;
  }
}

/**
 * Returns the address of the page on which the person approves the sign-in. A service that does not know its public URL returns only the
 * path.
 */
function toPage(started: StartedCliSignIn, url: string): string {
  const page = new URL(started.url, url);
  if (page.protocol !== 'https:' && page.protocol !== 'http:')
    throw new CliError('The service returned an address that is not a web page.');
  return page.href;
}

function expired(): CliError {
  return new CliError('Nobody approved the sign-in in time. Start it again.');
}

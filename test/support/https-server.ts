import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** The reason why an HTTPS server cannot be started, or false. */
export const withoutHttps = spawnSync('openssl', ['version']).status !== 0 && 'OpenSSL is not installed';

/** Starts a server with a self-signed certificate for `localhost` that responds to every request with an empty list. */
export async function startHttpsServer(t: TestContext): Promise<{ port: number; certificate: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'promptharbor-https-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  execFileSync('openssl', [...request, '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (_req, res) =>
    res.end('{"data":[],"nextCursor":null}'),
  );
  server.listen(0);
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, certificate };
}

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type ApiResponse, call, cookieOf, type RequestOptions } from '../support/client.ts';
import { runProgram, serveProgram, withDataDir } from '../support/process.ts';
import { sendRaw } from '../support/raw.ts';

const keyPattern = /ph_[0-9a-f]{64}/;
const mayHoldKey = new Set([
  'POST /api/auth/register 201',
  'POST /api/auth/token 200',
  'GET /api/auth/token 200',
  'DELETE /api/auth/token 200',
]);

describe('A whole run leaves no key, password, cookie or secret behind', () => {
  it('ASVS 13.3.1, 14.2.1, 16.2.5: not in the database files, the logs or any response but four', () =>
    withDataDir(async (dataDir) => {
      const env = { DATA_DIR: dataDir, LOG_LEVEL: 'trace' };
      const service = await serveProgram(env);
      const secrets = new Set<string>();
      const responses: string[] = [];

      async function request(method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse> {
        const response = await call(service, method, path, options);
        for (const [key] of response.text.matchAll(new RegExp(keyPattern, 'g'))) secrets.add(key);
        const name = `${method} ${path.split('?')[0]} ${response.status}`;
        const rest = JSON.stringify([...response.headers].filter(([header]) => header !== 'set-cookie'));
        responses.push(rest);
        if (!mayHoldKey.has(name)) responses.push(response.text);
        return response;
      }
      const tokenOf = ({ body }: ApiResponse) => (body as { token: string }).token;

      const email = 'leak@example.com';
      const password = 'Tr0ub4dor-and-three';
      const newPassword = 'C0rrect-horse-battery';
      const wrongPassword = 'Wr0ng-but-still-secret';
      for (const secret of [password, newPassword, wrongPassword]) secrets.add(secret);
      const origin = { origin: service.url };

      let key = tokenOf(await request('POST', '/api/auth/register', { body: { email, password } }));
      await request('POST', '/api/auth/register', { body: { email, password } });
      await request('POST', '/api/auth/token', { body: { email, password } });
      await request('POST', '/api/auth/token', { body: { email, password: wrongPassword } });
      await request('POST', '/api/auth/token', { body: { email: wrongPassword, password } });
      await request('POST', '/api/auth/token', { body: { email, password: 'x', name: key } });
      await request('GET', '/api/auth/token', { key });
      await request('GET', `/api/auth/token?token=${key}`);
      await request('GET', `/api/${key}/${key}`, { key });
      await request('PUT', '/api/auth/token', { key, body: { key } });
      await request('GET', '/api/prompts', { key });
      await request('GET', `/api/prompts/${key}`, { key });
      await request('GET', '/healthz', { headers: { 'x-request-id': key, 'user-agent': key, referer: `http://x/${key}` } });
      await request('POST', '/api/auth/token', { body: key, headers: { 'content-type': 'text/plain' } });
      key = tokenOf(await request('DELETE', '/api/auth/token', { key }));
      for (const old of secrets) if (keyPattern.test(old) && old !== key) await request('GET', '/api/auth/token', { key: old });

      const signedIn = await request('POST', '/api/session/sign-in/email', { body: { email, password }, headers: origin });
      const cookie = cookieOf(signedIn);
      secrets.add(cookie.split('=')[1] ?? '');
      await request('GET', '/api/session', { cookie });
      await request('GET', '/api/session/list', { cookie });
      await request('GET', '/api/auth/token', { cookie });
      key = tokenOf(await request('DELETE', '/api/auth/token', { cookie, headers: origin }));
      const change = { currentPassword: password, newPassword };
      const changed = await request('POST', '/api/session/change-password', { cookie, headers: origin, body: change });
      secrets.add(cookieOf(changed).split('=')[1] ?? '');
      await request('POST', '/api/session/sign-out', { cookie: cookieOf(changed), headers: origin });
      for (const raw of [
        `GET /%ff${key} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
        `BAD ${key}\r\nauthorization: Bearer ${key}\r\n\r\n`,
      ]) {
        for (const { text, headers } of await sendRaw(service, raw)) responses.push(text, JSON.stringify(headers));
      }

      secrets.add((await readFile(join(dataDir, 'secret.key'), 'utf8')).trim());
      // The write-ahead log exists only while the service runs. After a stop, the database file contains everything. A checkpoint may reset
      // the log at any time, so the account is written again until it is found in the log.
      let filesRunning: [string, string][] = [];
      const isInLog = () => filesRunning.some(([name, text]) => name.endsWith('-wal') && text.includes(email));
      for (let attempt = 0; attempt < 20 && !isInLog(); attempt += 1) {
        key = tokenOf(await request('DELETE', '/api/auth/token', { key }));
        filesRunning = await readFiles(dataDir);
      }
      const { stdout, stderr } = await service.stop();
      const filesStopped = await readFiles(dataDir);
      const list = await runProgram(['accounts', 'list'], env);

      assert.ok(secrets.size >= 9, 'keys, passwords, cookies and the secret were collected');
      assert.match(stdout, /"event":"key_reset"/, 'the log is there');
      assert.ok(isInLog(), 'the write-ahead log was searched');
      const places: [string, string][] = [
        ...filesRunning,
        ...filesStopped,
        ['standard output', stdout],
        ['standard error', stderr],
        ['accounts list', list.stdout + list.stderr],
        ...responses.map((text): [string, string] => ['a response', text]),
      ];
      for (const [place, text] of places) {
        assert.doesNotMatch(text, keyPattern, `${place} holds a key: ${text.slice(0, 300)}`);
        for (const secret of secrets) assert.ok(!text.includes(secret), `${place} holds ${secret.slice(0, 6)}…: ${text.slice(0, 300)}`);
      }
    }));
});

/** Reads all files in the data folder except the secret's. */
async function readFiles(dataDir: string): Promise<[string, string][]> {
  const entries = await readdir(dataDir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && entry.name !== 'secret.key').map(({ name }) => name);
  return Promise.all(names.map(async (name): Promise<[string, string]> => [name, await readFile(join(dataDir, name), 'latin1')]));
}

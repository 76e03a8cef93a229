import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { callFromPage, signUp } from '../support/browser.ts';
import { createCliFolder } from '../support/cli.ts';
import type { RunningProgram } from '../support/process.ts';
import { type Service, startService } from '../support/service.ts';

describe('promptharbor login, with the browser', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  /** The settings of a computer without a browser, unless `BROWSER` names a program. */
  const settings = (BROWSER: string) => ({ BROWSER, PROMPTHARBOR_URL: '', PROMPTHARBOR_API_KEY: '' });
  const answer = (cookie: string, code: string, verb: 'approve' | 'deny') =>
    callFromPage(service, 'POST', `/api/session/cli/${code}/${verb}`, { cookie });
  const codeIn = ({ child, stderr, finished }: RunningProgram) =>
    Promise.race([
      new Promise<string>((resolve) => {
        child.stderr?.on('data', () => {
          const [, code] = /code ([A-Z]{4}-[A-Z]{4})/.exec(stderr()) ?? [];
          if (code !== undefined) resolve(code);
        });
      }),
      finished.then((ended): never => assert.fail(`the program ended: ${ended.stderr}`)),
    ]);

  it('opens the page with the code, waits for the browser, and stores the key', async (t) => {
    const account = await signUp(service);
    // This program opens nothing and reports success.
    const folder = await createCliFolder(t, settings('true'));
    const program = folder.start(['login', '--url', service.url, '--browser']);
    const code = await codeIn(program);
    assert.ok(program.stderr().includes(`${service.url}/cli?code=${code}`), program.stderr());
    const { body } = await answer(account.cookie, code, 'approve');
    const { redirect } = body as { redirect: string };
    // Any page can send these requests.
    for (const request of ['//', '/?code=x', '/favicon.ico']) {
      assert.equal(await statusOf(new URL(redirect).port, request), 404, request);
    }
    const foreign = await fetch(redirect.replace(/code=.*/, `code=${'A'.repeat(43)}`));
    assert.equal(foreign.status, 400, 'a code of someone else changes nothing');
    const page = await fetch(redirect);
    assert.match(await page.text(), /You are signed in/);
    const { code: status, stdout, stderr } = await program.finished;
    assert.equal(status, 0, stderr);
    assert.ok(stderr.includes(`Signed in to ${service.url} as ${account.email}`), stderr);
    assert.ok(!`${stdout}${stderr}`.includes(account.token));
    const whoami = await folder.run(['whoami']);
    assert.ok(whoami.stdout.includes(account.email), whoami.stderr);
  });

  it('ends with an error when the person denies the sign-in', async (t) => {
    const account = await signUp(service);
    const folder = await createCliFolder(t, settings('true'));
    const program = folder.start(['login', '--url', service.url, '--browser']);
    const { body } = await answer(account.cookie, await codeIn(program), 'deny');
    await fetch((body as { redirect: string }).redirect);
    const { code, stderr } = await program.finished;
    assert.notEqual(code, 0);
    assert.ok(stderr.includes('denied'), stderr);
  });

  for (const [name, args, browser] of [
    ['with --no-browser', ['--no-browser'], 'true'],
    ['without a browser', ['--browser'], ''],
    ['with a browser that does not start', ['--browser'], 'false'],
  ] as const) {
    it(`${name}: shows a code to type elsewhere, and prints the key`, async (t) => {
      const account = await signUp(service);
      const folder = await createCliFolder(t, settings(browser));
      const program = folder.start(['login', '--url', service.url, '--print', ...args]);
      const code = await codeIn(program);
      assert.ok(program.stderr().includes(`Open ${service.url}/cli on any device and enter the code ${code}`), program.stderr());
      assert.equal((await answer(account.cookie, code, 'approve')).status, 200);
      const finished = await program.finished;
      assert.equal(finished.code, 0, finished.stderr);
      assert.equal(finished.stdout, `${account.token}\n`);
    });
  }
});

/** Sends a request for a path exactly as it is written. */
async function statusOf(port: string, path: string): Promise<number | undefined> {
  const [response] = (await once(get({ host: '127.0.0.1', port, path }), 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

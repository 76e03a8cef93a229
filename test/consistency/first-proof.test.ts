import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { callFromPage } from '../support/browser.ts';
import { isCampaign } from '../support/campaign.ts';
import { type ApiResponse, call, cookieOf, type RequestOptions, register, type TestAccount } from '../support/client.ts';
import { postgres, type TestDatabase } from '../support/engines.ts';
import { type ServedProgram, serveProgram } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { squat } from '../support/squatter.ts';
import { type Deed, deedNames, startSquatter } from './squatter-workload.ts';

const rounds = isCampaign ? 200 : 6;
/** Some of the stranger's actions prevent other actions from succeeding. Each round omits one of these sets of actions. */
const disturbances: Deed[][] = [[], ['resetByKey', 'resetBySession', 'changePassword'], ['changePassword', 'enableTwoFactor']];
const newPassword = 'the password of the owner';

describe('The first proof of an email address, on three instances', () => {
  let database: TestDatabase;
  let instances: ServedProgram[] = [];
  before(async () => {
    database = await postgres.create();
    const env = { ...database.env, LOG_LEVEL: 'warn', TRUST_PROXY: 'true' };
    instances = await Promise.all(Array.from({ length: 3 }, () => serveProgram(env)));
  });
  after(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await database.remove();
  });

  const at = (index: number) => instances[index % instances.length] ?? assert.fail();
  const onAll = (send: (instance: ServedProgram) => Promise<ApiResponse>) =>
    Promise.all(instances.map(async (instance) => (await send(instance)).status));
  let owners = 0;
  /** Uses a new IP address each time, so that the rounds do not exhaust one shared rate limit. */
  const byOwner = (instance: ServedProgram, method: string, path: string, options: RequestOptions = {}) => {
    owners += 1;
    const headers = { 'x-forwarded-for': `198.51.${100 + Math.floor(owners / 250)}.${owners % 250}` };
    return callFromPage(instance, method, path, { ...options, headers });
  };

  /** Requests a link and reads it from the log, where an instance without a mail server writes it. */
  async function requestLink({ email, userId }: TestAccount, instance: ServedProgram): Promise<string> {
    const requested = await byOwner(instance, 'POST', '/api/session/forgot-password', { body: { email } });
    assert.equal(requested.status, 202, requested.text);
    for (;;) {
      const lines = `${instance.stdout()}${instance.stderr()}`.split('\n');
      const line = lines.findLast((each) => each.includes('/reset?token=') && each.includes(userId));
      const token = /token=([\w-]{43})"/.exec(line ?? '')?.[1];
      if (token !== undefined) return token;
      await delay(50);
    }
  }

  async function assertRefusedEverywhere({ keys, cookies }: { keys: Iterable<string>; cookies: Iterable<string> }): Promise<void> {
    for (const key of keys) assert.deepEqual(await onAll((each) => call(each, 'GET', '/api/auth/token', { key })), [401, 401, 401]);
    for (const cookie of cookies) assert.deepEqual(await onAll((each) => call(each, 'GET', '/api/session', { cookie })), [401, 401, 401]);
  }

  it('ASVS 6.3.7: revokes the earlier key, sessions, second factor, service account and member on all instances', async () => {
    const squatter = await squat(at(0));
    const { account, memberKey } = squatter;
    const token = await requestLink(account, at(1));
    const used = await byOwner(at(1), 'POST', '/api/session/reset-password', { body: { token, newPassword } });
    assert.equal(used.status, 204, used.text);
    await assertRefusedEverywhere(squatter);
    const headers = { 'PromptHarbor-Workspace': account.userId };
    assert.deepEqual(await onAll((each) => call(each, 'GET', '/api/prompts', { key: memberKey, headers })), [404, 404, 404]);
    const body = { email: account.email, password: newPassword };
    assert.deepEqual(await onAll((each) => byOwner(each, 'POST', '/api/auth/token', { body })), [200, 200, 200]);
  });

  it('ASVS 6.3.7: leaves no access to a stranger who tries everything to keep it at the same time', async (t) => {
    const random = createRandom();
    t.diagnostic(`seed ${random.seed}`);
    const total = new Map<Deed, number>();
    const hasDoneAll = () => deedNames.every((name) => total.has(name));
    for (let round = 0; round < rounds || !hasDoneAll(); round += 1) {
      const account = await register(at(round));
      const token = await requestLink(account, at(round));
      const squatter = startSquatter(instances, account, { random, without: disturbances[round % disturbances.length] ?? [] });
      await delay(300 + random.below(1500));
      const used = await byOwner(at(round + 1), 'POST', '/api/session/reset-password', { body: { token, newPassword } });
      await squatter.stop();
      assert.equal(used.status, 204, used.text);
      for (const [name, count] of squatter.successes) total.set(name, (total.get(name) ?? 0) + count);

      const body = { email: account.email, password: newPassword };
      const signedIn = await byOwner(at(round + 2), 'POST', '/api/session/sign-in/email', { body });
      assert.equal(signedIn.status, 200, signedIn.text);
      await assertRefusedEverywhere(squatter.loot);
      const cookie = cookieOf(signedIn);
      const read = async (path: string) => (await call(at(round), 'GET', path, { cookie })).body;
      const members = (await read('/api/members')) as { data: { userId: string }[]; invitations: unknown[] };
      assert.deepEqual([members.data.map(({ userId }) => userId), members.invitations], [[account.userId], []]);
      const webhooks = (await read('/api/webhooks')) as { data: { enabled: boolean }[] };
      assert.ok(webhooks.data.every(({ enabled }) => !enabled));
      const { data: sessions } = (await read('/api/session/list')) as { data: unknown[] };
      assert.equal(sessions.length, 1);
    }
    t.diagnostic([...total].map(([name, count]) => `${name} ${count}`).join(', '));
  });
});

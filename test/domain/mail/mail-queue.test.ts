import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MailError } from '../../../src/domain/mail/mail-error.ts';
import { createMailQueue, type MailKind, type UnsentMail } from '../../../src/domain/mail/mail-queue.ts';

const temporary = () => new MailError('450 try later', { isTemporary: true });
const final = () => new MailError('550 no such user', { isTemporary: false });

describe('The mail queue', () => {
  function createQueue() {
    const unsent: UnsentMail[] = [];
    const queue = createMailQueue((mail) => void unsent.push(mail));
    const send = (kind: MailKind, cause: string, work: () => Promise<void>) =>
      queue.send({ kind, cause, accountId: cause, prepare: async () => [{ send: work }] });
    return { queue, unsent, send };
  }

  it('sends a link at once, although others hold all connections for notifications', async () => {
    const { queue, send } = createQueue();
    const blocked = Promise.withResolvers<void>();
    for (let cause = 0; cause < 20; cause += 1) {
      for (let count = 0; count < 20; count += 1) send('notification', `workspace ${cause}`, () => blocked.promise);
    }
    const sent = Promise.withResolvers<void>();
    send('reset link', 'network', async () => sent.resolve());
    await sent.promise;
    blocked.resolve();
    await queue.drain(60_000);
    assert.deepEqual(queue.counts.get('notification'), { sent: 400, failed: 0, refused: 0 });
  });

  it('takes links from each network in turn', async () => {
    const { queue, send } = createQueue();
    const blocked = Promise.withResolvers<void>();
    for (let count = 0; count < 50; count += 1) send('reset link', 'a busy network', () => blocked.promise);
    const sent = Promise.withResolvers<void>();
    send('verification', 'another network', async () => sent.resolve());
    await sent.promise;
    blocked.resolve();
    await queue.drain(60_000);
  });

  it('retries after a temporary failure, and not after a final one', async () => {
    const { queue, unsent, send } = createQueue();
    const attempts = { flaky: 0, down: 0, refused: 0 };
    send('reset link', 'flaky', async () => {
      attempts.flaky += 1;
      if (attempts.flaky < 3) throw temporary();
    });
    send('reset link', 'down', async () => {
      attempts.down += 1;
      throw temporary();
    });
    send('reset link', 'refused', async () => {
      attempts.refused += 1;
      throw final();
    });
    await queue.drain(60_000);
    assert.deepEqual(attempts, { flaky: 3, down: 4, refused: 1 });
    const byCause = Object.fromEntries(unsent.map(({ accountId = '', outcome, reason }) => [accountId, `${outcome}: ${reason}`]));
    assert.deepEqual(byCause, { down: 'failed: 450 try later (4 attempts)', refused: 'failed: 550 no such user' });
    assert.deepEqual(queue.counts.get('reset link'), { sent: 1, failed: 2, refused: 0 });
  });

  it('counts the emails that it refuses because its limits by cause or in total are reached, and reports what is left at a stop', async () => {
    const { queue, unsent, send } = createQueue();
    const never = () => new Promise<void>(() => {});
    for (let count = 0; count < 130; count += 1) send('invitation', 'one workspace', never);
    assert.equal(unsent.length, 30);
    assert.match(unsent[0]?.reason ?? '', /from this workspace or network/);
    for (let cause = 0; cause < 5000; cause += 1) send('invitation', `workspace ${cause}`, never);
    assert.equal(queue.waiting, 5000);
    assert.equal(unsent.at(-1)?.reason, 'too many emails are queued');
    const before = unsent.length;
    await queue.drain(10);
    assert.equal(unsent.length - before, 5000);
    assert.deepEqual(unsent.at(-1), { kind: 'invitation', accountId: 'workspace 4899', outcome: 'failed', reason: 'the service stopped' });
    assert.equal(queue.waiting, 0);
  });

  it('considers the mail server slow after a slow attempt, but not because an email has waited in the queue', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const never = () => new Promise<void>(() => {});
    const task = (cause: string) => ({ kind: 'reset link', cause }) as const;

    const busy = createQueue();
    for (let count = 0; count < 50; count += 1) busy.send('reset link', 'a busy network', never);
    const waiting = busy.queue.sendNow(task('a busy network'), async () => assert.fail('sent'));
    t.mock.timers.tick(5000);
    assert.equal(await waiting, false);
    assert.equal(await busy.queue.sendNow(task('another network'), async () => undefined), true);

    const slow = createQueue();
    const begun = Promise.withResolvers<void>();
    const attempted = slow.queue.sendNow(task('one network'), () => {
      begun.resolve();
      return never();
    });
    await begun.promise;
    t.mock.timers.tick(5000);
    assert.equal(await attempted, false);
    assert.equal(await slow.queue.sendNow(task('another network'), async () => undefined), false);
  });

  it('reports an email that could not be prepared, without the message of the error', async () => {
    const { queue, unsent } = createQueue();
    const prepare = () => Promise.reject(new TypeError('with a secret'));
    queue.send({ kind: 'verification', cause: 'network', accountId: 'u_1', prepare });
    await queue.drain(60_000);
    assert.deepEqual(unsent, [{ kind: 'verification', accountId: 'u_1', outcome: 'failed', reason: 'unexpected TypeError' }]);
  });

  it('refuses mail after the stop, because retries would take longer than a service takes to stop', async () => {
    const { queue, unsent, send } = createQueue();
    await queue.stop(60_000);
    send('verification', 'late', async () => assert.fail('sent'));
    assert.equal(queue.waiting, 0);
    assert.deepEqual(unsent, [{ kind: 'verification', accountId: 'late', outcome: 'refused', reason: 'the service is stopping' }]);
  });
});

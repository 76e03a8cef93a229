import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { DiscussionComment } from '../../../src/contract/comments.ts';
import type { Notification, NotificationList } from '../../../src/contract/notifications.ts';
import { call } from '../../support/client.ts';
import { comment } from '../../support/comments.ts';
import { engines } from '../../support/engines.ts';
import { type MailServer, partsOf, startMailServer } from '../../support/mail-server.ts';
import { newClient } from '../../support/prompts.ts';
import { newTeam, type Person, propose } from '../../support/proposals.ts';
import { type Service, startService } from '../../support/service.ts';

const version2 = { prompt: 'greet', version: 2 };

for (const engine of engines) {
  describe(`Notifications of comments (${engine.name})`, () => {
    let service: Service;
    let mailServer: MailServer;
    before(async () => {
      mailServer = await startMailServer();
      service = await startService({ engine, env: { SMTP_URL: mailServer.url } });
    });
    after(async () => {
      await service.close();
      await mailServer.close();
    });

    const list = async ({ client }: Person) => (await client.get<NotificationList>('/api/notifications')).data;
    const kindsOf = async (person: Person) => (await list(person)).map(({ kind }) => kind);
    async function mailsTo({ client }: Person): Promise<string[]> {
      await service.ctx.mails.drain(60_000);
      return mailServer.mails.filter(({ to }) => to.includes(client.email)).map((mail) => partsOf(mail)['text/plain'] ?? '');
    }

    it('a mention reaches a member on the page and by email, without the text of the comment', async () => {
      const { owner, join } = await newTeam(service);
      const [ada, ben] = [await join('editor'), await join('viewer')];
      const text = `@${ben.client.email} <b>https://evil.example.com</b>`;
      const { mentions } = await comment(ada, { ...version2, anchor: { part: 'text', line: 1 }, text });
      assert.deepEqual(mentions, [{ userId: ben.userId, name: ben.client.email }]);
      const [notification] = (await list(ben)) as [Notification];
      assert.equal(notification.text, 'Test mentioned you in a comment on version 2 of “greet” in “Test”.');
      assert.equal(notification.path, `/dashboard/prompts/greet?workspace=${owner.userId}&view=history&to=2`);
      const [mail] = await mailsTo(ben);
      assert.match(mail ?? '', /mentioned you in a comment on version 2/);
      assert.doesNotMatch(mail ?? '', /evil/);
      assert.deepEqual(await kindsOf(ada), [], 'nobody is notified of their own comments');
    });

    it('nobody outside the workspace is mentioned, and a former member sees nothing', async () => {
      const { owner, join } = await newTeam(service);
      const [ada, left, stranger] = [await join('editor'), await join('editor'), await newClient(service)];
      const { id: replyTo } = await comment(left, { ...version2, text: 'One' });
      await owner.client.call('DELETE', `/api/members/${left.userId}`);
      const { mentions } = await comment(ada, { replyTo, text: `@${stranger.email} @${left.client.email} @Nobody` });
      assert.deepEqual(mentions, []);
      assert.deepEqual(await kindsOf(left), ['removed']);
      assert.deepEqual((await stranger.get<NotificationList>('/api/notifications')).data, []);
    });

    it('comments reach who opened the proposal, who wrote the version, and everyone in the thread, but only once until they are read', async () => {
      const { owner, join } = await newTeam(service);
      const [ada, ben, cy] = [await join('editor'), await join('editor'), await join('editor')];
      const { id: proposal } = await propose(ada);
      const { id: replyTo } = await comment(ben, { proposal, text: 'Why?' });
      await comment(cy, { replyTo, text: `Yes, why? @${ada.client.email}` });
      await comment(cy, { replyTo, text: `Hello? @${ada.client.email}` });
      assert.deepEqual(await kindsOf(ada), ['mentioned', 'comment_added']);
      assert.deepEqual(await kindsOf(ben), ['comment_added']);
      assert.deepEqual(await kindsOf(cy), []);
      assert.match((await list(ada))[1]?.text ?? '', /commented on the proposal to move production of “greet” in/);
      assert.equal((await list(ada))[0]?.path, `/dashboard/proposals/${proposal}?workspace=${owner.userId}`);
      assert.equal((await mailsTo(ada)).length, 2);
      const [first] = (await list(ben)) as [Notification];
      await ben.client.call('POST', '/api/notifications/read', { ids: [first.id] });
      await comment(ada, { replyTo, text: 'Because.' });
      assert.deepEqual(await kindsOf(ben), ['comment_added', 'comment_added']);
      await comment(ada, { ...version2, text: 'Who wrote this?' });
      assert.deepEqual(await kindsOf(owner), ['comment_added'], 'the owner wrote version 2');
    });

    it('an edit notifies nobody, and a kind that is turned off is not sent', async () => {
      const { join } = await newTeam(service);
      const [ada, ben] = [await join('editor'), await join('editor')];
      await ben.client.call('PATCH', '/api/notifications/settings', { mentioned: { email: false } });
      const { id } = await comment(ada, { ...version2, text: 'One' });
      const edited = await ada.api('PATCH', `/api/comments/${id}`, { text: `@${ben.client.email}` });
      assert.deepEqual((edited.body as unknown as DiscussionComment).mentions, [{ userId: ben.userId, name: ben.client.email }]);
      assert.deepEqual(await kindsOf(ben), []);
      await comment(ada, { replyTo: id, text: `@${ben.client.email}` });
      assert.deepEqual([await kindsOf(ben), await mailsTo(ben)], [['mentioned'], []]);
    });

    it('a service account comments, but is not notified', async () => {
      const { owner, client, join } = await newTeam(service);
      const ada = await join('editor');
      const created = await client.call('POST', '/api/members/service-accounts', { name: 'Assistant', role: 'editor' });
      const { token, userId } = created.body as { token: string; userId: string };
      const body = { ...version2, text: 'Checks have passed' };
      const response = await call(service, 'POST', '/api/comments', { key: token, body });
      assert.equal(response.status, 201, response.text);
      const added = response.body as unknown as DiscussionComment;
      assert.deepEqual([added.by.userId, added.by.via], [userId, 'api']);
      const answer = await comment(ada, { replyTo: added.id, text: '@Assistant thank you' });
      assert.deepEqual(answer.mentions, []);
      assert.deepEqual(await kindsOf(owner), ['comment_added']);
    });
  });
}

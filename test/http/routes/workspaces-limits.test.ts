import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { maxMemberships, maxOwnedTeams } from '../../../src/contract/limits.ts';
import { callFromPage } from '../../support/browser.ts';
import { register } from '../../support/client.ts';
import { newTeam, type Team } from '../../support/copies.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { invite, openBrowser } from '../../support/members.ts';
import { type Client, clientOf, describeOnEveryEngine, newClient } from '../../support/prompts.ts';
import { startService } from '../../support/service.ts';
import { openTestSession } from '../../support/workspaces.ts';

describeOnEveryEngine('The limits of an account hold at the same time', (service) => {
  it(`of several simultaneous transfers and creations, only as many succeed as ${maxOwnedTeams} owned teams allow`, async () => {
    const next = await newClient(service());
    for (let count = 1; count < maxOwnedTeams; count += 1) await newTeam(next, `Team ${count}`);
    const transfers: (() => Promise<number>)[] = [];
    for (let count = 0; count < 4; count += 1) {
      const owner = await newClient(service());
      const team = await newTeam(owner, `Given ${count}`);
      await team.join(next, 'viewer');
      const cookie = await openBrowser(owner);
      const body = { userId: next.userId, password: owner.password };
      const path = `/api/workspaces/${team.id}/transfer`;
      transfers.push(async () => (await callFromPage(service(), 'POST', path, { cookie, body })).status);
    }
    const creations = [1, 2].map(() => async () => (await next.call('POST', '/api/workspaces', { name: 'New' })).status);
    const statuses = await Promise.all([...transfers, ...creations].map((work) => work()));
    assert.equal(statuses.filter((status) => status === 403).length, 5, String(statuses));
    assert.equal((await service().ctx.store.memberships.listOwned(next.userId)).length, maxOwnedTeams);
  });

  it(`of several simultaneous creations and accepted invitations, only as many succeed as ${maxMemberships} memberships allow`, async () => {
    const member = await newClient(service());
    const { memberships } = service().ctx.store;
    for (let count = 1; count < maxMemberships; count += 1) {
      const { userId } = await newClient(service());
      await memberships.put(userId, member.userId, 'viewer');
    }
    const cookie = await openTestSession(service(), member);
    const accepting: (() => Promise<number>)[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { token } = await invite(await newClient(service()), member.email);
      accepting.push(async () => (await callFromPage(service(), 'POST', `/api/invitations/${token}/accept`, { cookie })).status);
    }
    const creating = [1, 2, 3].map(() => async () => (await member.call('POST', '/api/workspaces', { name: 'New' })).status);
    const statuses = await Promise.all([...accepting, ...creating].map((work) => work()));
    assert.equal(statuses.filter((status) => status === 403).length, 5, String(statuses));
    assert.equal(await memberships.countOf(member.userId), maxMemberships);
  });
});

/** Removes the line breaks that an email's encoding adds. */
const unfold = (source: string) => source.replaceAll('=\r\n', '').replaceAll('\r\n', ' ');

describe('Mail about a transferred team workspace', () => {
  it('goes to the new and the former owner, and to nobody whose address is not verified', async (t) => {
    const mailServer = await startMailServer();
    const service = await startService({ env: { SMTP_URL: mailServer.url } });
    t.after(async () => {
      await service.close();
      await mailServer.close();
    });
    const transfer = async (team: Team, owner: Client, next: Client) => {
      const body = { userId: next.userId, password: owner.password };
      const cookie = await openBrowser(owner);
      const response = await callFromPage(service, 'POST', `/api/workspaces/${team.id}/transfer`, { cookie, body });
      assert.equal(response.status, 204, response.text);
      await service.ctx.mails.drain(60_000);
    };
    const [owner, next] = [await newClient(service), await newClient(service)];
    const team = await newTeam(owner, 'Support <b>');
    await team.join(next, 'editor');
    await transfer(team, owner, next);
    const recipientsOf = (text: string) => mailServer.mails.filter(({ source }) => unfold(source).includes(text)).map(({ to }) => to[0]);
    const recipients = () => [recipientsOf('made you the owner of'), recipientsOf('You are no longer the owner of')];
    assert.deepEqual(recipients(), [[next.email], [owner.email]]);
    assert.ok(mailServer.mails.every(({ source }) => !source.includes(team.id) && unfold(source).includes('Support &lt;b&gt;')));
    const unverified = clientOf(service, await register(service));
    await team.join(unverified, 'admin');
    await transfer(team, next, unverified);
    assert.deepEqual(recipients(), [[next.email], [owner.email, next.email]]);
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { changePassword, deleteAccount } from '../../../src/domain/accounts/accounts.ts';
import { getKey, resetKey } from '../../../src/domain/accounts/keys.ts';
import { findSession } from '../../../src/domain/accounts/sessions.ts';
import { confirmTwoFactor, replaceRecoveryCodes, startTwoFactor, stopTwoFactor } from '../../../src/domain/accounts/two-factor.ts';
import type { RequestActor, SessionActor } from '../../../src/domain/actor.ts';
import { createConnection } from '../../../src/domain/connections/connections.ts';
import { createWebhook } from '../../../src/domain/webhooks/webhooks.ts';
import { acceptInvitation, inviteMember } from '../../../src/domain/workspaces/invitations.ts';
import { changeMember } from '../../../src/domain/workspaces/members.ts';
import { createServiceAccount, resetServiceAccountKey } from '../../../src/domain/workspaces/service-accounts.ts';
import { updateWorkspace } from '../../../src/domain/workspaces/workspace-settings.ts';
import { codeOf as currentCode } from '../../support/browser.ts';
import { register, signIn } from '../../support/client.ts';
import { verifyAddress } from '../../support/links.ts';
import { actIn, asOwner, codeOf, invite, newServiceAccount, origin } from '../../support/members.ts';
import { type Client, describeOnEveryEngine, newClient } from '../../support/prompts.ts';

/**
 * The requests of this suite began before their credential ended, and would commit afterwards. Each calls the function that the route calls
 * after it has authenticated the request.
 */
describeOnEveryEngine('A request whose credential ended while it was in progress', (service) => {
  async function openSession(account: Client): Promise<SessionActor> {
    const token = (await signIn(service(), account)).split('=')[1] ?? '';
    const found = await findSession(service().ctx, token);
    assert.ok(found);
    return found.actor;
  }

  /** Creates an account that a stranger registered and whose address nobody has verified. */
  const newSquatted = async () => newClient(service(), await register(service()));
  const client = origin;

  it('ASVS 6.3.7: changes nothing in the workspace after the first proof of the address, by key or by session', async () => {
    const { ctx } = service();
    const squatted = await newSquatted();
    const program = await newServiceAccount(squatted, 'admin');
    const actors: RequestActor[] = [asOwner(squatted), await openSession(squatted), actIn(squatted, { ...program, email: '' }, 'admin')];
    await verifyAddress(service(), squatted);
    const another = await newServiceAccount(await newClient(service()));
    for (const actor of actors) {
      for (const late of [
        () => createServiceAccount(ctx, actor, { name: 'Late', role: 'admin', client }),
        () => resetServiceAccountKey(ctx, actor, { userId: another.userId, client }),
        () => inviteMember(ctx, actor, { email: 'late@example.com', role: 'admin', origin: 'http://localhost', client }),
        () => changeMember(ctx, actor, { userId: another.userId, role: 'admin', client }),
        () => createWebhook(ctx, actor, { url: 'https://example.com/', events: 'all', client }),
        () => updateWorkspace(ctx, actor, { protectedLabels: ['late'], client }),
        () => createConnection(ctx, actor, { name: 'Late', baseUrl: 'https://example.com/v1', models: ['m'], client }),
      ]) {
        assert.equal(await codeOf(late()), 'unauthorized', String(late));
      }
    }
  });

  it('ASVS 6.3.7, 8.3.2: neither sees nor replaces the new key', async () => {
    const { ctx } = service();
    const squatted = await newSquatted();
    const session = await openSession(squatted);
    const { token } = await verifyAddress(service(), squatted);
    assert.equal(await codeOf(getKey(ctx, session)), 'unauthorized');
    for (const actor of [session, asOwner(squatted)]) assert.equal(await codeOf(resetKey(ctx, actor, client)), 'unauthorized');
    assert.ok(await ctx.store.keys.findAccount(token));
  });

  it('ASVS 6.3.7: changes neither the password nor the second factor, and deletes nothing', async () => {
    const { ctx } = service();
    const squatted = await newSquatted();
    const { password } = squatted;
    const session = await openSession(squatted);
    const { secret } = await startTwoFactor(ctx, session, { password, client });
    const recoveryCodes = await confirmTwoFactor(ctx, session, { code: currentCode(secret), client });
    // Sets the same password again, which the requests have already verified.
    await verifyAddress(service(), squatted);
    const proof = { password, client, code: recoveryCodes[0] };
    for (const late of [
      () => changePassword(ctx, session, { currentPassword: password, newPassword: 'the password of a stranger', client }),
      () => startTwoFactor(ctx, session, { password, client }),
      () => deleteAccount(ctx, session, proof),
    ]) {
      assert.equal(await codeOf(late()), 'unauthorized', String(late));
    }
    assert.equal(await codeOf(confirmTwoFactor(ctx, session, { code: currentCode(secret), client })), 'two_factor_not_started');
    assert.equal(await codeOf(replaceRecoveryCodes(ctx, session, proof)), 'unauthorized');
    assert.equal(await codeOf(stopTwoFactor(ctx, session, proof)), 'unauthorized');
    const profile = await ctx.store.accounts.findProfile(squatted.userId);
    assert.deepEqual([profile?.twoFactor, profile?.emailVerified], [false, true]);
    await signIn(service(), squatted);
  });

  it('ASVS 6.3.7: does not join the workspace of someone else', async () => {
    const { ctx } = service();
    const [company, squatted] = [await newClient(service()), await newSquatted()];
    const { token } = await invite(company, squatted.email, 'admin');
    const session = await openSession(squatted);
    await verifyAddress(service(), squatted);
    for (const actor of [session, asOwner(squatted)]) {
      assert.equal(await codeOf(acceptInvitation(ctx, actor, { token, client })), 'unauthorized');
    }
    assert.equal(await ctx.store.memberships.findRole(company.userId, squatted.userId), undefined);
  });

  it('ASVS 8.3.2: changes nothing in a workspace after a reset of the key', async () => {
    const { ctx } = service();
    const account = await newClient(service());
    await resetKey(ctx, asOwner(account), client);
    const late = createServiceAccount(ctx, asOwner(account), { name: 'Late', role: 'admin', client });
    assert.equal(await codeOf(late), 'unauthorized');
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Actor, toKeyActor } from '../../../src/domain/actor.ts';
import type { Context } from '../../../src/domain/context.ts';
import { moveLabel, removeLabel } from '../../../src/domain/prompts/labels/labels.ts';
import { changePrompt, createPrompt, deletePrompt, restorePrompt } from '../../../src/domain/prompts/prompts.ts';
import { createVersion } from '../../../src/domain/prompts/versions/versions.ts';
import { AppError } from '../../../src/errors.ts';
import { engines } from '../../support/engines.ts';
import { newClient, pathOf } from '../../support/prompts.ts';
import { type Service, startService } from '../../support/service.ts';

const isUnauthorized = (err: unknown) => err instanceof AppError && err.code === 'unauthorized';

const noProof = { passwordHash: '', twoFactorConfirmedAt: null, hasPasskeys: false };

for (const engine of engines) {
  describe(`An account deleted during a request (${engine.name})`, () => {
    let service: Service;
    let onAnalysis: (() => Promise<void>) | undefined;
    before(async () => {
      service = await startService({
        engine,
        prepare(ctx) {
          const { analyze } = ctx.templates;
          ctx.templates.analyze = async (...args) => {
            await onAnalysis?.();
            return analyze(...args);
          };
        },
      });
    });
    after(() => service.close());

    async function removeAccount({ store }: Context, accountId: string): Promise<void> {
      assert.deepEqual(await store.accounts.delete(accountId), [accountId]);
      while (!(await store.accounts.removeDeleted(accountId)));
    }

    for (const removal of ['deleted', 'deleted and removed'] as const) {
      it(`401: a save in flight, when the account is ${removal}`, async () => {
        for (const path of ['/api/prompts', pathOf('a', '/versions')]) {
          const client = await newClient(service);
          await client.create({ name: 'a', template: 'x' });
          onAnalysis = async () => {
            onAnalysis = undefined;
            if (removal === 'deleted') assert.equal((await service.ctx.store.accounts.delete(client.userId)).length, 1);
            else await removeAccount(service.ctx, client.userId);
          };
          const response = await client.call('POST', path, { ...(path === '/api/prompts' && { name: 'b' }), template: 'y' });
          assert.deepEqual([response.status, response.text], [401, '{"error":"Unauthorized"}']);
        }
      });

      it(`every write is refused when the account is ${removal}`, async () => {
        const { ctx } = service;
        const client = await newClient(service);
        await client.create({ name: 'a', template: 'x' });
        const account = await ctx.store.keys.findAccount(client.token);
        const actor: Actor = toKeyActor(account ?? assert.fail('the key is unknown'), client.token);
        if (removal === 'deleted') assert.equal((await ctx.store.accounts.delete(client.userId)).length, 1);
        else await removeAccount(ctx, client.userId);
        await assert.rejects(createPrompt(ctx, actor, { name: 'b', template: 'x' }), isUnauthorized);
        await assert.rejects(changePrompt(ctx, actor, 'a', { description: 'x' }), isUnauthorized);
        // The service computes warnings before it moves a label, and this step fails first if the removed account has no prompts.
        const isRefused = removal === 'deleted' ? isUnauthorized : { code: 'prompt_not_found' };
        await assert.rejects(moveLabel(ctx, actor, { name: 'a', label: 'staging', version: 1 }), isRefused);
        await assert.rejects(removeLabel(ctx, actor, { name: 'a', label: 'production' }), isUnauthorized);
        await assert.rejects(deletePrompt(ctx, actor, 'a'), isUnauthorized);
        await assert.rejects(restorePrompt(ctx, actor, 'a'), isUnauthorized);
        await assert.rejects(createVersion(ctx, actor, 'a', { template: 'x' }), AppError);
        assert.equal(await ctx.store.keys.findAccount(client.token), undefined);
      });
    }

    it('401: a sign-in and the start of a second factor, when the account is removed', async () => {
      const { store } = service.ctx;
      const { userId: accountId } = await newClient(service);
      await removeAccount(service.ctx, accountId);
      const at = new Date().toISOString();
      const session = { id: accountId, tokenDigest: accountId, accountId, expiresAt: at, createdAt: at, updatedAt: at };
      await assert.rejects(store.sessions.insert({ ...session, address: null, userAgent: null, provedAt: null }, noProof), isUnauthorized);
      await assert.rejects(store.twoFactor.offer({ accountId, via: 'system' }, 'x'), isUnauthorized);
    });

    it('401: a sign-in during which the account is deleted', async () => {
      const { store } = service.ctx;
      const { userId: accountId } = await newClient(service);
      assert.deepEqual(await store.accounts.delete(accountId), [accountId]);
      const now = Date.now();
      const at = new Date(now).toISOString();
      const session = { id: accountId, tokenDigest: accountId, accountId, createdAt: at, updatedAt: at };
      const record = { ...session, expiresAt: new Date(now + 60_000).toISOString(), address: null, userAgent: null, provedAt: null };
      await assert.rejects(store.sessions.insert(record, noProof), isUnauthorized);
      assert.equal(await store.sessions.find(accountId, { now: new Date(now), createdAfter: new Date(now - 60_000) }), undefined);
    });
  });
}

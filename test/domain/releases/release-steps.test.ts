import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Notification } from '../../../src/contract/notifications.ts';
import { assign } from '../../../src/contract/release-assignment.ts';
import type { RecordedRelease } from '../../../src/contract/releases.ts';
import { stepReleases } from '../../../src/domain/releases/release-steps.ts';
import { freezeClock } from '../../support/clock.ts';
import { engines } from '../../support/engines.ts';
import { openStream } from '../../support/event-stream.ts';
import {
  automaticOf,
  badResults,
  createReaders,
  errorsOf,
  goodResults,
  releaseOf,
  releasePath,
  startRelease,
  unbalancedResults,
} from '../../support/guarded-releases.ts';
import { type MailServer, partsOf, startMailServer } from '../../support/mail-server.ts';
import { explain } from '../../support/plans.ts';
import { type Client, clientOf, type ListBody, newClient, pathOf, type VersionBody } from '../../support/prompts.ts';
import { type Service, startService } from '../../support/service.ts';
import { withReceiver } from '../../support/webhook-receiver.ts';
import { createHook, fast, settled } from '../../support/webhooks.ts';

const hourMs = 60 * 60 * 1000;
const keys = Array.from({ length: 200 }, (_, index) => `user-${index}`);

const versionFor = async (client: Client, key: string) => (await client.get<VersionBody>(pathOf('a', `?key=${key}`))).version;

for (const engine of engines) {
  describe(`guarded steps (${engine.name})`, () => {
    let service: Service;
    let mailServer: MailServer;
    before(async () => {
      mailServer = await startMailServer();
      service = await startService({ engine, env: { SMTP_URL: mailServer.url, OUTBOUND_ALLOW: '127.0.0.1' }, webhooks: fast });
    });
    after(async () => {
      await service.close();
      await mailServer.close();
    });

    const step = (readers: ReturnType<typeof createReaders>) => stepReleases(service.ctx, readers);
    const notificationsOf = async (client: Client) => (await client.get<{ data: Notification[] }>('/api/notifications')).data;
    async function mailsTo({ email }: { email: string }): Promise<string[]> {
      await service.ctx.mails.drain(60_000);
      return mailServer.mails.filter(({ to }) => to.includes(email)).map((mail) => partsOf(mail)['text/plain'] ?? '');
    }

    // This test comes first, because `explain` sees a statement only when it is prepared for the first time.
    it('finds running releases with one query on an index', async () => {
      const { releases } = service.ctx.store;
      const seen = await explain(service, async () => {
        await releases.listRunning(undefined, 100);
        await releases.listRunning({ accountId: 'u_a', id: 'rel_a' }, 100);
      });
      // The service also looks for webhook deliveries in the background.
      const plans = seen.filter(({ sql }) => sql.includes('releases'));
      assert.equal(plans.length, 2);
      for (const { sql, steps, scans, sorts } of plans) {
        assert.match(steps.join('\n'), /releases_running/, sql);
        assert.deepEqual([scans.filter((scan) => !scan.includes('releases_running')), sorts], [[], []], steps.join('\n'));
      }
    });

    it('widens a release step by step, keeps every caller of the arm, and records the numbers', async (t) => {
      const clock = freezeClock(t);
      const client = await newClient(service);
      const readers = createReaders();
      const release = await startRelease(client);
      readers.set(release, 1, goodResults);
      const inArm = keys.filter((key) => assign(release, { key }).version === 2);
      assert.ok(inArm.length > 0);
      for (const key of inArm) assert.equal(await versionFor(client, key), 2);
      await step(readers);
      assert.deepEqual((await releaseOf(client)).arms, [{ version: 2, weight: 500 }], 'it is too early');
      clock.advance(hourMs);
      await step(readers);
      const wider = await releaseOf(client);
      assert.deepEqual([wider.state, wider.arms, wider.step], ['running', [{ version: 2, weight: 1000 }], 1]);
      for (const key of keys) assert.equal(await versionFor(client, key), assign(wider, { key }).version);
      for (const key of inArm) assert.equal(await versionFor(client, key), 2);
      const [entry, ...others] = await automaticOf(client);
      assert.deepEqual([entry?.type, entry?.by.userId, others], ['release_widened', client.userId, []]);
      assert.deepEqual(
        entry?.release?.guards?.map(({ metric, arm, control, value, verdict }) => [metric, arm, control, value, verdict]),
        [['errorRate', 'v2', 0.01, 0.01, 'passed']],
      );
      assert.deepEqual(entry?.release?.units, [
        { arm: 'control', weight: 9500, units: 19_000 },
        { arm: 'v2', weight: 500, units: 1000 },
      ]);

      clock.advance(hourMs);
      await step(readers);
      assert.equal((await releaseOf(client)).step, 1, 'the results of the first stage do not count for the second');
      readers.set(release, 2, errorsOf([9000, 0.01], [1000, 0.01]));
      await step(readers);
      readers.set(release, 3, errorsOf([5000, 0.01], [5000, 0.01]));
      clock.advance(hourMs);
      await step(readers);
      await step(readers);
      const last = await releaseOf(client);
      assert.deepEqual([last.state, last.arms, (await automaticOf(client)).length], ['running', [{ version: 2, weight: 5000 }], 2]);
      assert.deepEqual(await notificationsOf(client), []);
    });

    it('rolls back at once when an arm is worse, and tells who started the release, with the numbers', async () => {
      const [client, viewer] = [await newClient(service), await newClient(service)];
      await service.ctx.store.memberships.put(client.userId, viewer.userId, 'viewer');
      const readers = createReaders();
      const release = await startRelease(client, { arms: [{ version: 2, weight: 500 }], rules: [{ if: { key: ['vip'] }, version: 2 }] });
      assert.equal(await versionFor(client, 'vip'), 2);
      readers.set(release, 1, badResults);
      await step(readers);
      const { state, cause, endedAt } = await releaseOf(client);
      assert.deepEqual([state, cause, typeof endedAt], ['rolled_back', 'regression', 'string']);
      for (const key of ['vip', ...keys.slice(0, 20)]) assert.equal(await versionFor(client, key), 1);
      assert.equal((await client.label('a', 'production', 2)).status, 200, 'the label is free again');

      const [entry, ...others] = await automaticOf(client);
      assert.deepEqual([entry?.type, entry?.release?.cause, others], ['release_rolled_back', 'regression', []]);
      const [guard] = entry?.release?.guards ?? [];
      assert.deepEqual([guard?.control, guard?.value, guard?.verdict], [0.01, 0.1, 'worse']);
      const [notification, ...more] = await notificationsOf(client);
      const title = 'The release of “a” on production in “Test” was rolled back: the error rate is 10% with v2 and 1% with the control.';
      assert.deepEqual([notification?.kind, notification?.text, more], ['release_stopped', title, []]);
      assert.equal(notification?.path, `/dashboard/prompts/a?workspace=${client.userId}&view=releases`);
      const [mail, ...otherMails] = await mailsTo(client);
      assert.match(mail ?? '', /rolled back: the error rate is 10% with v2 and 1% with the control\./);
      assert.match(
        mail ?? '',
        /For the error rate of v2, the difference from the control is between \d+(\.\d+)? and \d+ percentage points, and up to 2 percentage points more is allowed\./,
      );
      assert.match(mail ?? '', /All callers get version 1 again\./);
      assert.deepEqual([otherMails, await notificationsOf(viewer), await mailsTo(viewer)], [[], [], []]);

      await step(readers);
      assert.deepEqual([(await automaticOf(client)).length, (await notificationsOf(client)).length], [1, 1], 'only once');
    });

    it('sends the changes to webhooks and event streams', async (t) => {
      const client = await newClient(service);
      const readers = createReaders();
      const stream = await openStream(service, { key: client.token });
      t.after(() => stream.close());
      await withReceiver(undefined, async (receiver) => {
        const hook = await createHook(client, receiver.url, { events: ['release.rolled_back'] });
        readers.set(await startRelease(client), 1, badResults);
        await step(readers);
        await settled(client, hook);
        assert.equal(receiver.accepted.length, 1);
        const { type, data } = receiver.accepted[0]?.body ?? assert.fail('nothing was sent');
        const sent = data.release as RecordedRelease;
        assert.deepEqual(
          [type, sent.automatic, sent.cause, sent.guards?.[0]?.verdict],
          ['release.rolled_back', true, 'regression', 'worse'],
        );
      });
      const events = await stream.until(({ data }) => data.type === 'release.rolled_back');
      assert.equal(events.at(-1)?.data.release?.automatic, true);
    });

    it('pauses instead if the release says so; a person resumes it, and it is measured again', async () => {
      const client = await newClient(service);
      const readers = createReaders();
      const release = await startRelease(client, { onRegression: 'pause' });
      readers.set(release, 1, badResults);
      await step(readers);
      const { state, cause, arms } = await releaseOf(client);
      assert.deepEqual([state, cause, arms], ['paused', 'regression', release.arms]);
      const [notification] = await notificationsOf(client);
      assert.match(notification?.text ?? '', /was paused: the error rate is 10% with v2 and 1% with the control\.$/);
      assert.match((await mailsTo(client))[0] ?? '', /Callers keep their versions until you decide\. Roll the release back, or resume it/);
      await step(readers);
      assert.equal((await client.call('PATCH', releasePath('a'), { state: 'running' })).status, 200);
      await step(readers);
      assert.deepEqual([(await releaseOf(client)).state, (await automaticOf(client)).length], ['running', 1]);
      readers.set(release, 2, badResults);
      await step(readers);
      assert.deepEqual([(await releaseOf(client)).state, (await automaticOf(client)).length], ['paused', 2]);
    });

    it('pauses when the units do not match the weights, and says so', async () => {
      const client = await newClient(service);
      const readers = createReaders();
      readers.set(await startRelease(client), 1, unbalancedResults);
      await step(readers);
      const { state, cause } = await releaseOf(client);
      assert.deepEqual([state, cause], ['paused', 'sample_ratio']);
      const [notification] = await notificationsOf(client);
      assert.match(notification?.text ?? '', /was paused: the numbers of units do not match the weights\.$/);
      const [mail] = await mailsTo(client);
      assert.match(mail ?? '', /v2 has 5000 units, which is 33\.3% instead of 5%\./);
      assert.match(mail ?? '', /results cannot be trusted/);
    });

    it('leaves paused and ended releases alone', async () => {
      const client = await newClient(service);
      const readers = createReaders();
      for (const [name, stop] of [
        ['a', () => client.call('PATCH', releasePath('a'), { state: 'paused' })],
        ['b', () => client.call('DELETE', releasePath('b'))],
        ['c', () => client.call('POST', releasePath('c', '/finish'), { version: 2 })],
        ['d', () => client.call('DELETE', pathOf('d'))],
      ] as const) {
        readers.set(await startRelease(client, {}, name), 1, badResults);
        await stop();
      }
      const before = await client.get<ListBody>('/api/activity?limit=100');
      await step(readers);
      assert.deepEqual(await client.get<ListBody>('/api/activity?limit=100'), before);
      assert.deepEqual(await notificationsOf(client), []);
    });

    it('looks at the other releases if one cannot be measured, and retries that one', async () => {
      const client = await newClient(service);
      const readers = createReaders();
      const broken = await startRelease(client, {}, 'a');
      for (const name of ['b', 'c']) readers.set(await startRelease(client, {}, name), 1, badResults);
      const readReleaseResults: typeof readers.readReleaseResults = async (query) => {
        if (query.releaseId === broken.id) throw new Error('unreadable');
        return readers.readReleaseResults(query);
      };
      await assert.rejects(step({ ...readers, readReleaseResults }), /Some releases could not be measured/);
      const states = async () => Promise.all(['a', 'b', 'c'].map(async (name) => (await releaseOf(client, name)).state));
      assert.deepEqual(await states(), ['running', 'rolled_back', 'rolled_back']);
      readers.set(broken, 1, badResults);
      await step(readers);
      assert.deepEqual(await states(), ['rolled_back', 'rolled_back', 'rolled_back']);
    });

    it('looks at every running release once, however many there are', async () => {
      const client = await newClient(service);
      const { id } = await startRelease(client);
      const { releases } = service.ctx.store;
      const record = (await releases.listRunning(undefined, 1000)).find(({ split }) => split.id === id) ?? assert.fail('it is running');
      const copies = Array.from({ length: 250 }, (_, index) => `${id}_${index}`);
      for (const copy of copies) await releases.put({ ...record, label: copy, split: { ...record.split, id: copy } });
      const measured: string[] = [];
      const readReleaseResults = async ({ accountId, releaseId }: { accountId: string; releaseId: string }) => {
        if (accountId === client.userId) measured.push(releaseId);
        return [];
      };
      await step({ ...createReaders(), readReleaseResults });
      assert.deepEqual(measured.sort(), [id, ...copies].sort());
    });

    it('respects who wants no notifications, and tells the owner and admins about a release of a service account', async () => {
      const [owner, admin, editor] = [await newClient(service), await newClient(service), await newClient(service)];
      await service.ctx.store.memberships.put(owner.userId, admin.userId, 'admin');
      await service.ctx.store.memberships.put(owner.userId, editor.userId, 'editor');
      await admin.call('PATCH', '/api/notifications/settings', { release_stopped: { page: false } });
      await owner.call('PATCH', '/api/notifications/settings', { release_stopped: { email: false } });
      const { body } = await owner.call('POST', '/api/members/service-accounts', { name: 'CI', role: 'editor' });
      const { token, userId } = body as { token: string; userId: string };
      const ci = clientOf(service, { ...owner, token, userId });
      const readers = createReaders();
      readers.set(await startRelease(ci), 1, badResults);
      await step(readers);
      assert.deepEqual([(await notificationsOf(owner)).length, (await mailsTo(owner)).length], [1, 0]);
      assert.deepEqual([(await notificationsOf(admin)).length, (await mailsTo(admin)).length], [0, 1]);
      assert.deepEqual([await notificationsOf(editor), await mailsTo(editor)], [[], []]);

      const inWorkspace = clientOf(service, editor, { headers: { 'PromptHarbor-Workspace': owner.userId } });
      readers.set(await startRelease(inWorkspace, {}, 'b'), 1, badResults);
      await step(readers);
      assert.deepEqual([(await notificationsOf(editor)).length, (await notificationsOf(owner)).length], [1, 1]);
      await owner.call('DELETE', `/api/members/${editor.userId}`);
      assert.deepEqual(
        (await notificationsOf(editor)).map(({ kind }) => kind),
        ['removed'],
      );
    });

    it('ignores the releases of deleted accounts', async () => {
      const client = await newClient(service);
      const readers = createReaders();
      const { id } = await startRelease(client);
      const readReleaseResults: typeof readers.readReleaseResults = async ({ releaseId }) => {
        if (releaseId !== id) return [];
        await service.ctx.store.changeWorkspace(client.userId, (stores) => stores.deleteWorkspace());
        return badResults;
      };
      await step({ ...readers, readReleaseResults });
      assert.deepEqual(await mailsTo(client), []);
    });
  });
}

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { HistoryEntry } from '../../../src/contract/history.ts';
import type { Notification } from '../../../src/contract/notifications.ts';
import type { Proposal } from '../../../src/contract/proposals.ts';
import { sweep } from '../../../src/domain/housekeeping.ts';
import { applyDueProposals, startApplyingProposals } from '../../../src/domain/proposals/due-proposals.ts';
import { freezeClock } from '../../support/clock.ts';
import { describeOnEveryEngine, type ListBody, pathOf } from '../../support/prompts.ts';
import { newTeam, type Person, propose } from '../../support/proposals.ts';
import { retryUntil } from '../../support/retry.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

describeOnEveryEngine('proposals with a time', (service) => {
  const step = () => applyDueProposals(service().ctx);
  const inMinutes = (minutes: number) => ({ applyAt: new Date(Date.now() + minutes * minuteMs).toISOString() });
  const load = async (by: Person, { id }: Proposal) => (await by.page('GET', `/api/proposals/${id}`)).body as unknown as Proposal;
  const noticesOf = async ({ client }: Person) =>
    (await client.get<{ data: Notification[] }>('/api/notifications')).data.filter(({ kind }) => kind.startsWith('proposal_'));
  const movesOf = async ({ client }: Person, name = 'greet') =>
    (await client.get<ListBody<HistoryEntry>>(pathOf(name, '/history'))).data.filter(({ type, to }) => type === 'label_moved' && to === 2);

  it('are applied once, by the service at their scheduled times, on behalf of the last reviewer', async (t) => {
    const clock = freezeClock(t);
    const { owner, join, live } = await newTeam(service());
    const [ada, ben] = [await join('editor'), await join('editor')];
    const proposal = await propose(ada, {}, inMinutes(10));
    assert.equal(((await ben.review(proposal)).body as unknown as Proposal).state, 'scheduled');
    await step();
    assert.equal(await live(), 1, 'it is too early');
    clock.advance(11 * minuteMs);
    await Promise.all([step(), step(), step()]);
    await step();
    const applied = await load(ada, proposal);
    assert.deepEqual([applied.state, applied.endedBy?.userId, applied.problem], ['applied', ben.userId, null]);
    assert.equal(await live(), 2);
    const [move, ...others] = await movesOf(owner);
    assert.deepEqual([move?.by.userId, move?.proposal, others], [ben.userId, { id: proposal.id, automatic: true }, []]);
    const [notice, ...more] = (await noticesOf(ada)).filter(({ kind }) => kind === 'proposal_applied');
    assert.equal(notice?.text, 'Your proposal in “Test” to move production of “greet” was applied at its scheduled time.');
    assert.deepEqual([notice?.path, more], [`/dashboard/proposals/${proposal.id}?workspace=${owner.userId}`, []]);
  });

  it('wait for the missing approvals, and are then applied late', async (t) => {
    const clock = freezeClock(t);
    const { owner, join, live } = await newTeam(service());
    const [ada, ben] = [await join('editor'), await join('editor')];
    const proposal = await propose(ada, {}, inMinutes(1));
    clock.advance(10 * minuteMs);
    await step();
    const waiting = await load(ada, proposal);
    assert.deepEqual([waiting.state, waiting.problem, waiting.applyAt, await live()], ['open', null, proposal.applyAt, 1]);
    await ben.review(proposal);
    await step();
    assert.equal(await live(), 2);
    assert.deepEqual((await movesOf(owner))[0]?.proposal, { id: proposal.id, automatic: true, late: true });
    assert.match((await noticesOf(ada))[0]?.text ?? '', /was applied late, after its scheduled time\.$/);
  });

  it('without a rule are applied on behalf of the person who opened them, if this person still may apply them', async (t) => {
    const clock = freezeClock(t);
    const { owner, join, live } = await newTeam(service(), { approvals: 1 });
    const ada = await join('editor');
    const change = { label: 'staging' };
    const [first, second] = [await propose(ada, change, inMinutes(1)), await propose(ada, { label: 'beta' }, inMinutes(5))];
    clock.advance(2 * minuteMs);
    await step();
    assert.deepEqual([(await load(owner, first)).state, (await load(owner, first)).endedBy?.userId], ['applied', ada.userId]);
    await owner.page('PATCH', `/api/members/${ada.userId}`, { role: 'viewer' });
    clock.advance(4 * minuteMs);
    await step();
    const failed = await load(owner, second);
    assert.deepEqual([failed.state, failed.applyAt], ['approved', null]);
    assert.equal(failed.problem, 'The reviewers and the person who opened the proposal may no longer move "beta"');
    assert.equal(await live(), 1);
  });

  it('that a key opened are not applied on behalf of the key if keys must not apply them', async (t) => {
    const clock = freezeClock(t);
    const { owner, join, live } = await newTeam(service(), { approvals: 0 });
    const ada = await join('editor');
    const proposal = await propose(ada, {}, inMinutes(1));
    clock.advance(2 * minuteMs);
    await step();
    assert.equal(await live(), 1);
    assert.match((await load(owner, proposal)).problem ?? '', /^An API key cannot move the label "production"/);
    assert.equal((await ada.apply(proposal)).status, 200, 'a person can apply it');
    assert.equal(await live(), 2);
  });

  it('that cannot be applied say why, and are not tried again', async (t) => {
    const clock = freezeClock(t);
    const release = { control: 1, arms: [{ version: 3, weight: 500 }] };
    const check = { kind: 'contains', on: 'prompt', value: 'two or more' };
    const failures: [(owner: Person, ben: Person) => Promise<unknown>, RegExp][] = [
      [(owner) => owner.api('PUT', pathOf('greet', '/labels/production'), { version: 3, override: 'Hotfix' }), /must be approved again$/],
      [(owner) => owner.api('DELETE', pathOf('greet')), /^A prompt of the proposal was deleted$/],
      [
        async (owner, ben) => {
          await owner.api('POST', pathOf('greet', '/cases'), { name: 'Two', checks: [check] });
          await owner.page('PATCH', '/api/workspace', { gatedLabels: ['production'] });
          await ben.review({ id: (await owner.client.get<ListBody<Proposal>>('/api/proposals')).data[0]?.id ?? '' } as Proposal);
        },
        /^The label "production" requires passing checks/,
      ],
      [
        async (owner, ben) => {
          await owner.api('PUT', pathOf('greet', '/labels/production/release'), { ...release, override: 'Hotfix' });
          await ben.review({ id: (await owner.client.get<ListBody<Proposal>>('/api/proposals')).data[0]?.id ?? '' } as Proposal);
        },
        /release/,
      ],
    ];
    for (const [change, problem] of failures) {
      const { owner, join } = await newTeam(service());
      const [ada, ben] = [await join('editor'), await join('editor')];
      await owner.client.save('greet', { template: 'three' });
      const proposal = await propose(ada, {}, inMinutes(1));
      await ben.review(proposal);
      await change(owner, ben);
      clock.advance(2 * minuteMs);
      await Promise.all([step(), step()]);
      await step();
      const failed = await load(ada, proposal);
      assert.match(failed.problem ?? '', problem);
      assert.deepEqual([failed.applyAt, failed.endedAt, failed.result], [null, null, null]);
      const notices = (await noticesOf(ada)).filter(({ kind }) => kind === 'proposal_failed');
      assert.equal(notices.length, 1, 'one notification');
    }
  });

  it('are applied once by a running job', async (t) => {
    const { owner, join, live } = await newTeam(service());
    const [ada, ben] = [await join('editor'), await join('editor')];
    await ben.review(await propose(ada, {}, inMinutes(-1)));
    const options = { intervalMs: 5, onError: (err: unknown) => t.diagnostic(String(err)) };
    const jobs = [startApplyingProposals(service().ctx, options), startApplyingProposals(service().ctx, options)];
    await retryUntil('the proposal is applied', async () => (await live()) === 2);
    for (const job of jobs) await job.stop();
    assert.equal((await movesOf(owner)).length, 1);
  });

  it('change nothing if the transaction fails, and the next look acts once', async () => {
    const { owner, join, live } = await newTeam(service());
    const [ada, ben] = [await join('editor'), await join('editor')];
    await ben.review(await propose(ada, {}, inMinutes(-1)));
    const { store } = service().ctx;
    const changePrompts: typeof store.changePrompts = (accountId, change) =>
      store.changePrompts(accountId, async (stores) => {
        await change(stores);
        throw new Error('interrupted');
      });
    await assert.rejects(applyDueProposals({ ...service().ctx, store: { ...store, changePrompts } }));
    assert.deepEqual([await live(), (await noticesOf(ada)).length], [1, 1]);
    await step();
    await step();
    assert.deepEqual([(await movesOf(owner)).length, (await noticesOf(ada)).length], [1, 2]);
  });

  it('tell the reviewers, and who opened the proposal, and nobody else', async () => {
    const { join } = await newTeam(service());
    const [ada, ben, cy] = [await join('editor'), await join('editor'), await join('editor')];
    const proposal = await propose(ada, {}, { reviewers: [ben.userId, ada.userId] });
    const textsOf = async ({ client }: Person) =>
      (await client.get<{ data: Notification[] }>('/api/notifications')).data.map(({ kind, text }) => [kind, text]);
    assert.deepEqual(await textsOf(ben), [
      ['review_requested', 'Test asks you to review a proposal in “Test”: move production of “greet”.'],
    ]);
    await ben.review(proposal);
    await ben.apply(proposal);
    assert.deepEqual(await textsOf(ada), [
      ['proposal_applied', 'Test applied your proposal in “Test” to move production of “greet”.'],
      ['proposal_reviewed', 'Test approved your proposal in “Test” to move production of “greet”.'],
    ]);
    assert.deepEqual([(await textsOf(ben)).length, await textsOf(cy)], [1, []]);
  });

  it('expire after 90 days without a change, unless they are scheduled for later, and ended ones are deleted after 400 days', async (t) => {
    const clock = freezeClock(t);
    const { owner, join, client } = await newTeam(service());
    const ada = await join('editor');
    const idle = await propose(ada);
    const scheduled = await propose(ada, {}, inMinutes((100 * dayMs) / minuteMs));
    const ben = await join('editor');
    await ben.review(idle);
    clock.advance(89 * dayMs);
    await sweep(service().ctx);
    const states = async () => {
      const { data } = await client.get<ListBody<Proposal>>('/api/proposals');
      return data.map(({ id, state }) => [id, state]);
    };
    assert.deepEqual(await states(), [
      [scheduled.id, 'open'],
      [idle.id, 'approved'],
    ]);
    clock.advance(2 * dayMs);
    await Promise.all([sweep(service().ctx), sweep(service().ctx)]);
    assert.deepEqual(await states(), [
      [scheduled.id, 'open'],
      [idle.id, 'expired'],
    ]);
    clock.advance(399 * dayMs);
    await sweep(service().ctx);
    assert.ok((await states()).some(([id]) => id === idle.id));
    clock.advance(2 * dayMs);
    await sweep(service().ctx);
    assert.ok(!(await states()).some(([id]) => id === idle.id));
    const reviews = await service().ctx.store.proposals.listReviews(owner.userId, [idle.id]);
    assert.deepEqual(reviews.get(idle.id), []);
  });
});

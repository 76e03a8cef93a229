import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { DiscussionComment } from '../../../src/contract/comments.ts';
import type { ActivityEntry } from '../../../src/contract/workspace-activity.ts';
import { sweep } from '../../../src/domain/housekeeping.ts';
import { comment, listComments } from '../../support/comments.ts';
import { assertRefused, describeOnEveryEngine, type ListBody, newClient, pathOf } from '../../support/prompts.ts';
import { newTeam, propose } from '../../support/proposals.ts';

const version2 = { prompt: 'greet', version: 2 };
const textsOf = ({ data }: ListBody<DiscussionComment>) => data.map(({ text }) => text);

describeOnEveryEngine('Comments', (service) => {
  it('are about a proposal, a version or a candidate, and each list has its own', async () => {
    const { client, join } = await newTeam(service());
    const [ada, viewer] = [await join('editor'), await join('viewer')];
    const { id: proposal } = await propose(ada);
    const candidate = (
      (await client.call('POST', pathOf('greet', '/candidates'), { title: 'Kind', template: 'three' })).body as { id: string }
    ).id;
    await comment(ada, { proposal, text: 'About the proposal' });
    await comment(ada, { ...version2, text: 'About version 2' });
    await comment(ada, { prompt: 'greet', candidate, text: 'About the candidate' });
    const both = await comment(ada, { proposal, ...version2, anchor: { part: 'text', line: 1 }, text: 'About a line' });
    assert.deepEqual(
      [both.proposal, both.prompt?.name, both.version, both.anchor],
      [proposal, 'greet', 2, { part: 'text', line: 1, quote: 'two' }],
    );
    assert.deepEqual(textsOf(await listComments(viewer, `proposal=${proposal}`)), ['About the proposal', 'About a line']);
    assert.deepEqual(textsOf(await listComments(viewer, 'prompt=greet&version=2')), ['About version 2', 'About a line']);
    assert.deepEqual(textsOf(await listComments(viewer, `prompt=greet&candidate=${candidate}`)), ['About the candidate']);
    assert.deepEqual(textsOf(await listComments(viewer, 'prompt=greet&version=1')), []);
    assert.equal((await listComments(viewer, 'prompt=greet')).data.length, 3);
    assertRefused(await viewer.api('POST', '/api/comments', { ...version2, text: 'Me too' }), 403, 'forbidden');
  });

  it('form threads, which are listed with their replies and can be resolved and reopened', async () => {
    const { join } = await newTeam(service());
    const [ada, ben] = [await join('editor'), await join('editor')];
    const first = await comment(ada, { ...version2, text: 'One' });
    const second = await comment(ben, { ...version2, text: 'Two' });
    const reply = await comment(ben, { replyTo: first.id, text: 'One, again' });
    const answer = await comment(ada, { replyTo: reply.id, text: 'One, at last' });
    assert.deepEqual([reply.thread, answer.thread, answer.version], [first.id, first.id, 2]);
    const found: DiscussionComment[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await listComments(ada, `prompt=greet&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
      found.push(...page.data);
      cursor = page.nextCursor;
    }
    assert.deepEqual(textsOf({ data: found, nextCursor: null }), ['One', 'One, again', 'One, at last', 'Two']);
    const path = `/api/comments/${first.id}`;
    const resolved = (await ben.api('PATCH', path, { resolved: true })).body as unknown as DiscussionComment;
    assert.equal(resolved.resolved?.by.userId, ben.userId);
    const again = (await ada.api('PATCH', path, { resolved: true })).body as unknown as DiscussionComment;
    assert.deepEqual(again.resolved, resolved.resolved, 'who resolved it first remains');
    assert.equal(((await ada.api('PATCH', path, { resolved: false })).body as unknown as DiscussionComment).resolved, null);
    assertRefused(await ada.api('PATCH', `/api/comments/${reply.id}`, { resolved: true }), 400, 'invalid_input');
    assert.notEqual(second.thread, first.thread);
  });

  it('are changed only by their authors, and deleted by them and by admins', async () => {
    const { owner, join } = await newTeam(service());
    const [ada, ben] = [await join('editor'), await join('editor')];
    const first = await comment(ada, { ...version2, text: 'One' });
    const reply = await comment(ben, { replyTo: first.id, text: 'Two' });
    const path = `/api/comments/${first.id}`;
    assertRefused(await ben.api('PATCH', path, { text: 'Mine' }), 403, 'forbidden');
    assertRefused(await owner.api('PATCH', path, { text: 'Mine' }), 403, 'forbidden');
    assertRefused(await ben.api('DELETE', path), 403, 'forbidden');
    const edited = (await ada.api('PATCH', path, { text: 'One and a half' })).body as unknown as DiscussionComment;
    assert.deepEqual([edited.text, edited.editedAt !== null, edited.at], ['One and a half', true, first.at]);
    assert.equal((await ada.api('DELETE', path)).status, 204);
    const [erased] = (await listComments(ben, 'prompt=greet')).data;
    assert.deepEqual([erased?.text, erased?.deletedAt !== null], ['', true]);
    assertRefused(await ada.api('DELETE', path), 404, 'comment_not_found');
    assertRefused(await ada.api('PATCH', path, { text: 'Back' }), 404, 'comment_not_found');
    assert.equal((await owner.api('DELETE', `/api/comments/${reply.id}`)).status, 204);
    assert.deepEqual((await listComments(ben, 'prompt=greet')).data, [], 'a thread without comments is gone');
  });

  it('are deleted with the version, the candidate, the prompt and the workspace, and follow a candidate into its version', async () => {
    const { owner, client, join } = await newTeam(service());
    const ada = await join('editor');
    await client.save('greet', { template: 'three' });
    const candidate = async () =>
      ((await client.call('POST', pathOf('greet', '/candidates'), { title: 'Kind', template: 'four\nfive' })).body as { id: string }).id;
    const [kept, dropped] = [await candidate(), await candidate()];
    await comment(ada, { ...version2, text: 'Erased' });
    await comment(ada, { prompt: 'greet', candidate: dropped, text: 'Dropped' });
    const line = await comment(ada, { prompt: 'greet', candidate: kept, anchor: { part: 'text', line: 2 }, text: 'Kept' });
    assert.equal((await client.call('DELETE', pathOf('greet', `/candidates/${dropped}`))).status, 204);
    assert.equal((await client.call('DELETE', pathOf('greet', '/versions/2'))).status, 204);
    assert.equal((await client.call('POST', pathOf('greet', `/candidates/${kept}/apply`), { revision: 1 })).status, 201);
    const { data } = await listComments(ada, 'prompt=greet');
    assert.deepEqual(
      data.map(({ id, version, candidate, anchor }) => [id, version, candidate, anchor?.quote]),
      [[line.id, 4, null, 'five']],
    );
    assert.equal((await owner.api('DELETE', pathOf('greet'))).status, 204);
    assertRefused(await ada.api('GET', '/api/comments?prompt=greet'), 404, 'prompt_not_found');
    await sweep(service().ctx, new Date(Date.now() + 31 * 24 * 60 * 60_000));
    assertRefused(await ada.api('PATCH', `/api/comments/${line.id}`, { resolved: true }), 404, 'comment_not_found');
  });

  it('do not use up the reviews of a proposal, and continue after it has ended', async () => {
    const { join, owner } = await newTeam(service());
    const [ada, ben] = [await join('editor'), await join('editor')];
    const proposal = await propose(ada);
    for (let count = 0; count < 5; count += 1) await comment(ben, { proposal: proposal.id, text: `Comment ${count}` });
    const reviewed = await ben.review(proposal);
    assert.deepEqual([reviewed.status, (reviewed.body as { reviews: unknown[] }).reviews.length], [201, 1]);
    assert.equal((await owner.apply(proposal)).status, 200);
    await comment(ada, { proposal: proposal.id, text: 'It is live' });
    assert.equal((await listComments(ada, `proposal=${proposal.id}`)).data.length, 6, 'a proposal that has ended can be discussed');
  });

  it('400, 403 and 404: refuses invalid comments, changes by others, and what does not exist', async () => {
    const { join, client } = await newTeam(service());
    const [ada, other] = [await join('editor'), await newClient(service())];
    const mine = await comment(ada, { ...version2, text: 'Mine' });
    const { id: proposal } = await propose(ada);
    await client.create({ name: 'other', template: 'x', labels: [] });
    const refused: [object, number][] = [
      [{ text: 'x' }, 400],
      [{ ...version2, text: ' \n ' }, 400],
      [{ ...version2, text: 'x'.repeat(4001) }, 400],
      [{ ...version2, text: 'a\u0000' }, 400],
      [{ ...version2, candidate: 'cand_x', text: 'x' }, 400],
      [{ prompt: 'greet', text: 'x' }, 400],
      [{ proposal, version: 2, text: 'x' }, 400],
      [{ proposal, anchor: { part: 'text', line: 1 }, text: 'x' }, 400],
      [{ proposal, prompt: 'other', version: 1, text: 'x' }, 400],
      [{ replyTo: mine.id, ...version2, text: 'x' }, 400],
      [{ ...version2, anchor: { part: 'text', line: 2 }, text: 'x' }, 400],
      [{ ...version2, anchor: { part: 'tools', line: 1 }, text: 'x' }, 400],
      [{ ...version2, anchor: { part: 'other', line: 1 }, text: 'x' }, 400],
      [{ prompt: 'greet', version: 9, text: 'x' }, 404],
      [{ prompt: 'none', version: 1, text: 'x' }, 404],
      [{ prompt: 'greet', candidate: 'cand_\u0000', text: 'x' }, 404],
      [{ proposal: 'prop_none', text: 'x' }, 404],
      [{ replyTo: 'com_none', text: 'x' }, 404],
    ];
    for (const [body, status] of refused) {
      const response = await ada.api('POST', '/api/comments', body);
      assert.equal(response.status, status, `${JSON.stringify(body).slice(0, 200)}: ${response.text}`);
    }
    for (const query of ['', 'version=1', 'prompt=greet&cursor=x', 'proposal=%00']) {
      assert.ok([400, 404].includes((await ada.api('GET', `/api/comments?${query}`)).status), query);
    }
    // A person of another workspace sees and changes nothing.
    assertRefused(await other.call('PATCH', `/api/comments/${mine.id}`, { resolved: true }), 404, 'comment_not_found');
    assertRefused(await other.call('DELETE', `/api/comments/${mine.id}`), 404, 'comment_not_found');
    assertRefused(await other.call('POST', '/api/comments', { replyTo: mine.id, text: 'x' }), 404, 'comment_not_found');
    assertRefused(await other.call('GET', `/api/comments?proposal=${proposal}`), 404, 'proposal_not_found');
  });

  it('the activity names who commented where, but not the text, and the account’s own activity has none of it', async () => {
    const { owner, join } = await newTeam(service());
    const ada = await join('editor');
    const proposal = await propose(ada, {}, { message: 'Shorter' });
    const first = await comment(ada, { ...version2, anchor: { part: 'text', line: 1 }, text: 'A secret word' });
    await comment(owner, { replyTo: first.id, text: 'Which?' });
    await owner.api('PATCH', `/api/comments/${first.id}`, { resolved: true });
    await owner.page('POST', `/api/proposals/${proposal.id}/withdraw`);
    const activity = async (query: string) =>
      ((await owner.api('GET', `/api/activity?${query}`)).body as unknown as ListBody<ActivityEntry>).data;
    const comments = await activity('type=comments&prompt=greet');
    assert.deepEqual(
      comments.map(({ type, by }) => [type, by?.userId]),
      [
        ['comment_resolved', owner.userId],
        ['comment_replied', owner.userId],
        ['comment_added', ada.userId],
      ],
    );
    assert.deepEqual(comments[2]?.detail.comment, { version: 2, part: 'text', line: 1, prompt: 'greet' });
    const proposals = await activity('type=proposals');
    assert.deepEqual(
      proposals.map(({ type, detail }) => [type, detail.proposal?.message]),
      [
        ['proposal_withdrawn', 'Shorter'],
        ['proposal_opened', 'Shorter'],
      ],
    );
    assert.deepEqual(await activity('type=proposals&prompt=none'), []);
    const own = await owner.api('GET', '/api/account/activity');
    assert.doesNotMatch(own.text, /proposal_|comment_/);
    assert.doesNotMatch(JSON.stringify(await activity('')), /secret/);
  });
});

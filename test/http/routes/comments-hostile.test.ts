import assert from 'node:assert/strict';
import { it } from 'node:test';
import { comment, listComments } from '../../support/comments.ts';
import { assertRefused, describeOnEveryEngine, pathOf } from '../../support/prompts.ts';
import { newTeam, propose } from '../../support/proposals.ts';

const version2 = { prompt: 'greet', version: 2 };

describeOnEveryEngine('Comments under attack', (service) => {
  it('replies to a comment on a very long line do not store the line again and again', async () => {
    const { client, join } = await newTeam(service());
    const ada = await join('editor');
    await client.save('greet', { template: `${'😀'.repeat(20_000)}\nshort` });
    const anchor = { part: 'text', line: 1 };
    const first = await comment(ada, { prompt: 'greet', version: 3, anchor, text: 'Long' });
    assert.equal(first.anchor?.quote, '😀'.repeat(500));
    const odd = await client.save('greet', { template: `a${'😀'.repeat(20_000)}` });
    const second = await comment(ada, { prompt: 'greet', version: odd.version, anchor, text: 'Long' });
    assert.equal(second.anchor?.quote.isWellFormed(), true);
    const { anchor: repeated } = await comment(ada, { replyTo: first.id, text: 'Again' });
    assert.deepEqual(repeated, first.anchor);
  });

  it('4xx or an empty list for ids and texts that cannot be stored', async () => {
    const { join } = await newTeam(service());
    const ada = await join('editor');
    const { id: proposal } = await propose(ada);
    const strange = ['\u0000', '\ud800', 'a\u0000b', '__proto__', "'; drop table comments; --", '%', '_'];
    const requests = strange.flatMap((text): [string, string, unknown][] => {
      const inUrl = encodeURIComponent(text.toWellFormed());
      return [
        ['GET', `/api/comments?prompt=greet&candidate=${inUrl}`, undefined],
        ['GET', `/api/comments?proposal=${inUrl}`, undefined],
        ['GET', `/api/comments?prompt=${inUrl}&version=1`, undefined],
        [
          'GET',
          `/api/comments?prompt=greet&cursor=${Buffer.from(JSON.stringify(['comments', text, text])).toString('base64url')}`,
          undefined,
        ],
        ['POST', '/api/comments', { replyTo: text, text: 'x' }],
        ['POST', '/api/comments', { proposal: text, text: 'x' }],
        ['POST', '/api/comments', { prompt: 'greet', candidate: text, text: 'x' }],
        ['POST', '/api/comments', { prompt: text, version: 1, text: 'x' }],
        ['PATCH', `/api/comments/${inUrl}`, { resolved: true }],
        ['DELETE', `/api/comments/${inUrl}`, undefined],
        ['GET', pathOf('greet', `/candidates/${inUrl}`), undefined],
        ['GET', pathOf('greet', `/diff?from=1&candidate=${inUrl}`), undefined],
        ['POST', pathOf('greet', '/render'), { candidate: text }],
        ['POST', pathOf('greet', '/checks'), { candidate: text }],
        ['POST', pathOf('greet', '/run'), { candidate: text }],
      ];
    });
    requests.push(
      ['GET', '/api/comments?prompt=greet&version=99999999999', undefined],
      ['POST', '/api/comments', { ...version2, anchor: { part: 'text', line: 2 ** 31 }, text: 'x' }],
      ['POST', '/api/comments', { ...version2, anchor: { part: 'constructor', line: 1 }, text: 'x' }],
      ['POST', '/api/comments', { proposal, text: '\u0000' }],
      ['POST', '/api/comments', { proposal, text: '@'.repeat(4000) }],
    );
    for (const [method, path, body] of requests) {
      const { status, text } = await ada.api(method, path, body);
      assert.ok(status < 500, `${method} ${path} ${JSON.stringify(body)}: ${status} ${text}`);
    }
  });

  it('comments, candidates and proposals of another workspace are not found, and its members are not mentioned', async () => {
    const [here, there] = [await newTeam(service()), await newTeam(service())];
    const [ada, eve] = [await here.join('editor'), await there.join('admin')];
    const { id: proposal } = await propose(ada);
    const { id } = await comment(ada, { proposal, text: 'Ours' });
    const created = await ada.api('POST', pathOf('greet', '/candidates'), { title: 'Ours', template: 'three' });
    const { id: candidate } = created.body as { id: string };
    const refused: [string, string, unknown][] = [
      ['POST', '/api/comments', { proposal, text: 'x' }],
      ['POST', '/api/comments', { replyTo: id, text: 'x' }],
      ['POST', '/api/comments', { prompt: 'greet', candidate, text: 'x' }],
      ['PATCH', `/api/comments/${id}`, { resolved: true }],
      ['DELETE', `/api/comments/${id}`, undefined],
      ['GET', `/api/comments?proposal=${proposal}`, undefined],
      ['GET', pathOf('greet', `/candidates/${candidate}`), undefined],
      ['POST', pathOf('greet', '/render'), { candidate }],
      ['GET', `/api/proposals/${proposal}`, undefined],
    ];
    for (const [method, path, body] of refused) {
      const response = await eve.api(method, path, body);
      assert.ok([400, 404].includes(response.status), `${method} ${path}: ${response.text}`);
    }
    assert.deepEqual((await listComments(eve, `prompt=greet&candidate=${candidate}`)).data, []);
    const { mentions } = await comment(eve, { ...version2, text: `@${ada.client.email}, @${eve.client.email}` });
    assert.deepEqual(
      mentions.map(({ userId }) => userId),
      [eve.userId],
    );
  });

  it('people change and delete only their own comments, and a thread outlives its first comment', async () => {
    const { join } = await newTeam(service());
    const [ada, ben, admin] = [await join('editor'), await join('editor'), await join('admin')];
    const first = await comment(ada, { ...version2, text: 'First' });
    const path = `/api/comments/${first.id}`;
    const reply = await comment(ben, { replyTo: first.id, text: 'Reply' });
    assertRefused(await ben.api('PATCH', path, { text: 'Forged' }), 403, 'forbidden');
    assertRefused(await admin.api('PATCH', path, { text: 'Forged' }), 403, 'forbidden');
    assertRefused(await ben.api('DELETE', path), 403, 'forbidden');
    assert.equal((await ada.api('DELETE', path)).status, 204);
    assertRefused(await ada.api('PATCH', path, { text: 'Back' }), 404, 'comment_not_found');
    const { data } = await listComments(ben, 'prompt=greet');
    assert.deepEqual(
      data.map(({ id, text }) => [id, text]),
      [
        [first.id, ''],
        [reply.id, 'Reply'],
      ],
    );
  });
});

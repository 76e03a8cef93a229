import assert from 'node:assert/strict';
import { it } from 'node:test';
import { copy, mustCopy, newTeam, readHistory } from '../../support/copies.ts';
import { assertRefused, type Client, describeOnEveryEngine, type ListBody, newClient, pathOf } from '../../support/prompts.ts';

const checks = [{ kind: 'contains', value: 'Hello', on: 'prompt' }];

describeOnEveryEngine('POST /api/prompts/{name}/copy', (service) => {
  /** Creates a prompt with everything that a copy includes: four versions (one deleted), labels, tags, test cases and a history. */
  async function prepare(client: Client): Promise<void> {
    await client.create({ name: 'support/triage', template: 'One', description: 'Sorts requests', tags: ['b', 'a'], labels: [] });
    await client.save('support/triage', { template: 'Two', labels: ['staging'], message: 'Second' });
    await client.save('support/triage', { template: 'Three {{ name }}', labels: ['production'], config: { model: 'x' } });
    await client.save('support/triage', { template: 'Four' });
    await client.call('POST', pathOf('support/triage', '/cases'), { name: 'Ada', variables: { name: 'Ada' }, checks });
    assert.equal((await client.call('DELETE', pathOf('support/triage', '/versions/4'))).status, 204);
  }

  /** Reads the lines of an export, which contain everything except the ids of people. */
  const exportLines = async (client: Client) =>
    (await client.call('GET', '/api/export')).text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind?: string; id?: string; lastEvent?: string; updatedAt?: string; type?: string });

  it('201: copies versions, labels, tags, test cases and history, and leaves the original as it is', async () => {
    const owner = await newClient(service());
    await prepare(owner);
    const before = await exportLines(owner);
    const team = await newTeam(owner);
    const copied = await mustCopy(owner, 'support/triage', { workspace: team.id });
    assert.deepEqual(copied.workspace, { id: team.id, name: 'Support' });
    assert.deepEqual(copied.warnings, []);
    assert.deepEqual([copied.labels, copied.tags, copied.deletedVersions], [{ production: 3, staging: 2 }, ['a', 'b'], [4]]);
    assert.deepEqual(await exportLines(owner), before, 'the original is unchanged');

    const after = await exportLines(team.owner);
    const isOld = ({ kind, id }: { kind?: string; id?: string }) => kind !== 'event' || before.some((line) => line.id === id);
    const normal = (lines: typeof before) =>
      lines.map((line) => JSON.stringify({ ...line, lastEvent: '', updatedAt: '' }).replace(',"copied":true', ''));
    assert.deepEqual(normal(after.filter(isOld)), normal(before), 'numbers, dates and authors are the same');
    const [labelMoves, [entry]] = [
      after.filter((line) => !isOld(line)).slice(1),
      await readHistory(team.owner, 'support/triage').then((all) => all.slice(-99).filter(({ type }) => type === 'copied')),
    ];
    assert.deepEqual(
      labelMoves.map(({ type }) => type),
      ['label_moved', 'label_moved'],
    );
    assert.deepEqual([entry?.from, entry?.workspace, entry?.by.userId], ['support/triage', 'Test', owner.userId]);

    assert.equal((await team.owner.save('support/triage', { template: 'Five' })).version, 5, 'deleted numbers are not used again');
    assert.equal((await team.owner.render('support/triage', { variables: { name: 'Ada' } })).status, 200);
  });

  it('201: a move puts the original into the bin, from which it can be restored', async () => {
    const owner = await newClient(service());
    await prepare(owner);
    const team = await newTeam(owner);
    await mustCopy(owner, 'support/triage', { workspace: team.id, name: 'moved/triage', move: true });
    assertRefused(await owner.call('GET', pathOf('support/triage')), 404, 'prompt_not_found');
    assert.deepEqual(
      (await owner.get<ListBody>('/api/prompts?deleted=true')).data.map(({ name }) => name),
      ['support/triage'],
    );
    assert.deepEqual(
      (await team.owner.get<ListBody>('/api/prompts')).data.map(({ name }) => name),
      ['moved/triage'],
    );
    assert.deepEqual((await team.owner.get<ListBody>('/api/prompts?deleted=true')).data, []);
    assert.equal((await readHistory(team.owner, 'moved/triage')).find(({ type }) => type === 'moved_in')?.from, 'support/triage');
    assertRefused(await copy(owner, 'support/triage', { workspace: team.id, move: true }), 404, 'prompt_not_found');

    assert.equal((await owner.call('POST', pathOf('support/triage', '/restore'), {})).status, 200);
    const [, entry] = await readHistory(owner, 'support/triage');
    assert.deepEqual([entry?.type, entry?.to, entry?.workspace], ['moved_out', 'moved/triage', 'Support']);
  });

  it('201: a copy in the same workspace duplicates a prompt with its history; 400: a move in the same workspace', async () => {
    const owner = await newClient(service());
    await prepare(owner);
    const copied = await mustCopy(owner, 'support/triage', { workspace: owner.userId, name: 'support/copy' });
    assert.deepEqual([copied.latestVersion, copied.labels], [3, { production: 3, staging: 2 }]);
    const [one, other] = [await readHistory(owner, 'support/triage'), await readHistory(owner, 'support/copy')];
    assert.equal(other.length, one.length + 3, 'the copy itself and two labels');
    assertRefused(await copy(owner, 'support/triage', { workspace: owner.userId }), 409, 'name_taken');
    const move = await copy(owner, 'support/triage', { workspace: owner.userId, name: 'x', move: true });
    assertRefused(move, 400, 'invalid_input', '/move');
  });

  it('authors who are not members of the other workspace keep only their names', async () => {
    const [owner, member, other] = [await newClient(service()), await newClient(service()), await newClient(service())];
    const [from, to] = [await newTeam(owner, 'From'), await newTeam(owner, 'To')];
    for (const client of [member, other]) await from.join(client, 'editor');
    await to.join(member, 'viewer');
    await from.owner.create({ name: 'p', template: '1' });
    await from.as(member).save('p', { template: '2' });
    await from.as(other).save('p', { template: '3', labels: ['production'] });
    await mustCopy(from.owner, 'p', { workspace: to.id });
    const { data } = await to.as(member).get<ListBody<{ by: object }>>(pathOf('p', '/versions'));
    assert.deepEqual(
      data.map(({ by }) => by),
      [
        { name: 'Test', via: 'api', imported: true },
        { userId: member.userId, name: 'Test', via: 'api' },
        { userId: owner.userId, name: 'Test', via: 'api' },
      ],
    );
    const seen = JSON.stringify([await readHistory(to.as(member), 'p'), (await to.as(member).call('GET', '/api/export')).text]);
    assert.ok(!seen.includes(other.userId) && !seen.includes(from.id), 'nothing but names');
  });

  it('both workspaces have events, and statistics stay where they are', async () => {
    const owner = await newClient(service());
    await prepare(owner);
    const team = await newTeam(owner);
    await team.owner.create({ name: 'includes', template: "{% render 'support/triage' %}" });
    const events = async (id: string) => (await service().ctx.store.events.list(id, { after: 0, limit: 100 })).map(({ type }) => type);
    const [mine, theirs] = [await events(owner.userId), await events(team.id)];
    await mustCopy(owner, 'support/triage', { workspace: team.id, name: 'copy' });
    assert.deepEqual(await events(owner.userId), mine, 'a copy changes nothing in its workspace');
    assert.deepEqual((await events(team.id)).slice(theirs.length), ['prompt.created', 'label.moved', 'label.moved']);
    await mustCopy(owner, 'support/triage', { workspace: team.id, move: true });
    assert.deepEqual((await events(owner.userId)).slice(mine.length), ['prompt.deleted']);
    assert.deepEqual((await events(team.id)).slice(theirs.length + 3), [
      'prompt.created',
      'label.moved',
      'label.moved',
      'dependency.changed',
    ]);
    await service().ctx.recorder.flush();
    const activity = JSON.stringify(await owner.get('/api/account/activity'));
    assert.ok(activity.includes('prompt_copied') && activity.includes('prompt_moved'));
  });

  it('warns about includes that the target workspace does not have, and changes nothing with strict', async () => {
    const owner = await newClient(service());
    await owner.create({ name: 'tone', template: 'Kindly' });
    await owner.create({ name: 'main', template: "{% render 'tone' %}" });
    const team = await newTeam(owner);
    const strict = assertRefused(await copy(owner, 'main', { workspace: team.id }, '?strict=true'), 409, 'has_warnings');
    assert.match(strict.error, /There is no prompt "tone"/);
    assert.deepEqual((await team.owner.get<ListBody>('/api/prompts')).data, []);
    const copied = await mustCopy(owner, 'main', { workspace: team.id });
    assert.deepEqual(
      copied.warnings.map(({ code }) => code),
      ['unknown_partial'],
    );
    const moved = await mustCopy(owner, 'tone', { workspace: team.id, move: true });
    assert.deepEqual(
      moved.warnings.map(({ code, prompt }) => [code, prompt]),
      [['included_label', 'main']],
    );
    assert.equal((await team.owner.render('main', {})).status, 200);
  });
});

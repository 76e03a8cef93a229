import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Candidate } from '../../src/contract/candidates.ts';
import type { Proposal } from '../../src/contract/proposals.ts';
import type { MemberRole } from '../../src/contract/roles.ts';
import { cliSettings, createCliFolder } from '../support/cli.ts';
import { type ListBody, pathOf, type VersionBody } from '../support/prompts.ts';
import { newTeam } from '../support/proposals.ts';
import { type Service, startService } from '../support/service.ts';

type Linked = Proposal & { url: string };

describe('promptharbor propose and proposals', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  /** Creates a team, and a folder in which a member runs commands. */
  async function newFolder(t: TestContext, rule: object = { approvals: 1 }, role: MemberRole = 'editor') {
    const team = await newTeam(service, rule);
    const member = await team.join(role);
    const folder = await createCliFolder(t, {
      ...cliSettings(service, member.client),
      PROMPTHARBOR_WORKSPACE: team.client.userId,
    });
    const listOpen = async () => (await team.client.get<ListBody<Proposal>>('/api/proposals?state=open')).data;
    return {
      ...team,
      member,
      folder,
      listOpen,
      urlOf: (id: string) => `${service.url}/dashboard/proposals/${id}?workspace=${team.client.userId}`,
    };
  }

  it('propose prints the address of the proposal; show, comment and apply work with its id', async (t) => {
    const { folder, owner, live, listOpen, urlOf } = await newFolder(t, { approvals: 1, authorMayApprove: true, keysMayApply: true });
    const { code, stdout, stderr } = await folder.run(['propose', 'greet', '-m', 'Shorter', '--reviewer', owner.userId]);
    const [opened] = await listOpen();
    assert.ok(opened);
    assert.deepEqual(
      [code, stdout, stderr],
      [0, `${urlOf(opened.id)}\n`, 'greet: the proposal to move production is open. Nothing is live yet.\n'],
    );
    assert.deepEqual([opened.changes[0]?.version, opened.message, opened.reviewers], [2, 'Shorter', [owner.userId]]);
    assert.match(
      await folder.runWell(['proposals', 'list']),
      new RegExp(`^${opened.id} +open +Test +greet: production from version 1 to version 2 +Shorter$`, 'm'),
    );
    await folder.runWell(['proposals', 'comment', opened.id, 'All checks have passed.']);
    const early = await folder.run(['proposals', 'apply', opened.id]);
    assert.deepEqual([early.code, await live()], [1, 1], early.stderr);
    assert.match(early.stderr, /1 more approval/);
    await owner.review(opened);
    const shown = await folder.runWell(['proposals', 'show', opened.id]);
    assert.match(
      shown,
      /is approved\. Opened at \S+ by Test\.\nShorter\n\ngreet: production from version 1 to version 2 +1 of 1 approval\n/,
    );
    assert.match(shown, /comment +All checks have passed\./);
    const applied = await folder.run(['proposals', 'apply', opened.id]);
    assert.deepEqual([applied.code, applied.stderr, await live()], [0, 'greet: production is now version 2.\n', 2]);
    assert.match(await folder.runWell(['proposals', 'list', '--ended']), /applied/);
    assert.equal((await folder.run(['proposals', 'list'])).stderr, 'No proposals found.\n');
  });

  it('propose takes a version, a file or a candidate, a label, a time, and prints JSON', async (t) => {
    const { client, folder, live } = await newFolder(t);
    const propose = async (...args: string[]) => JSON.parse(await folder.runWell(['propose', 'greet', ...args, '--json'])) as Linked;
    const byLabel = await propose('production', '--label', 'staging', '--at', '2030-01-01T00:00:00Z');
    assert.deepEqual([byLabel.changes[0]?.label, byLabel.changes[0]?.version, byLabel.applyAt], ['staging', 1, '2030-01-01T00:00:00.000Z']);
    await folder.write('greet.prompt.yaml', 'name: greet\nconfig:\n  model: a\ntemplate: three\n');
    const byFile = await propose('--file', 'greet.prompt.yaml', '-m', 'Kinder');
    const [candidate] = (await client.get<ListBody<Candidate>>(pathOf('greet', '/candidates'))).data;
    assert.deepEqual([candidate?.template, candidate?.title, byFile.changes[0]?.candidate?.id], ['three', 'Kinder', candidate?.id]);
    const byCandidate = await propose('--candidate', candidate?.id ?? '');
    assert.equal(byCandidate.changes[0]?.candidate?.title, 'Kinder');
    assert.ok(byFile.url.endsWith(`/dashboard/proposals/${byFile.id}?workspace=${client.userId}`));
    assert.equal(await live(), 1);
    await folder.runWell(['proposals', 'withdraw', byFile.id]);
    assert.equal((JSON.parse(await folder.runWell(['proposals', 'show', byFile.id, '--json'])) as Linked).state, 'withdrawn');
  });

  it('deploy of a label with a rule opens one proposal, and says with exit code 3 that nothing is live', async (t) => {
    const { folder, live, listOpen, owner, urlOf, member } = await newFolder(t);
    const refused = await folder.run(['deploy', 'greet', '2']);
    const [opened] = await listOpen();
    const url = urlOf(opened?.id ?? '');
    const text = `Nothing is live yet, because moving production requires a proposal. Review the proposal: ${url}\n`;
    assert.deepEqual([refused.code, refused.stdout, refused.stderr, await live()], [3, '', text, 1]);
    const again = await folder.run(['deploy', 'greet', '2', '--json']);
    const { proposal } = JSON.parse(again.stdout) as { proposal: Linked };
    assert.deepEqual([again.code, proposal.id, proposal.url, (await listOpen()).length], [3, opened?.id, url, 1]);
    assert.ok(opened);
    // The owner wrote version 2, so someone else has to approve it.
    await owner.review(opened);
    assert.equal((await folder.run(['proposals', 'apply', opened.id])).code, 1);
    assert.equal((await folder.run(['deploy', 'greet', '2', '--label', 'staging'])).code, 0, 'other labels move as before');
    assert.equal((await folder.run(['deploy', 'greet', '2', '--override', 'Hotfix'])).code, 3);
    assert.equal(await live(), 1);
    assert.deepEqual((await member.page('GET', `/api/proposals/${opened.id}`)).status, 200);
  });

  it('rollback to a version that was live needs no proposal', async (t) => {
    const { folder, live, owner } = await newFolder(t, { approvals: 0 });
    const opened = JSON.parse(await folder.runWell(['propose', 'greet', '2', '--json'])) as Linked;
    await owner.apply(opened);
    assert.equal(await live(), 2);
    assert.equal((await folder.run(['rollback', 'greet'])).code, 0);
    assert.equal(await live(), 1);
  });

  it('push saves versions, moves labels without a rule, and proposes the others in one proposal', async (t) => {
    const { client, folder, live, listOpen } = await newFolder(t);
    await client.create({ name: 'bye', template: 'one', labels: [] });
    await folder.runWell(['pull']);
    for (const name of ['greet', 'bye']) {
      const file = `prompts/${name}.prompt.yaml`;
      await folder.write(file, (await folder.read(file)).replace(/template: .*/, 'template: new'));
    }
    const trial = await folder.run(['push', '--dry-run', '--label', 'production', '--label', 'staging']);
    const would = 'Moving production requires a proposal. A push would propose to move it for 2 prompts: bye, greet.';
    assert.deepEqual([trial.code, trial.stderr.includes(would), await listOpen()], [0, true, []], trial.stderr);
    const pushed = await folder.run(['push', '--label', 'production', '--label', 'staging']);
    const [opened, ...more] = await listOpen();
    assert.equal(pushed.code, 3, pushed.stderr);
    assert.match(
      pushed.stderr,
      /2 prompts changed\.\nNothing is live yet, because moving production requires a proposal\. Review the proposal: /,
    );
    assert.deepEqual([more, await live(), await live('bye')], [[], 1, undefined]);
    assert.deepEqual(
      opened?.changes.map(({ prompt, label, version }) => [prompt.name, label, version]),
      [
        ['bye', 'production', 2],
        ['greet', 'production', 3],
      ],
    );
    assert.equal((await client.get<VersionBody>(pathOf('greet', '?label=staging'))).version, 3);
    const again = await folder.run(['push', '--label', 'production', '--json']);
    assert.deepEqual([again.code, (await listOpen()).length], [3, 1]);
    assert.equal((JSON.parse(again.stdout) as { proposals: Linked[] }).proposals[0]?.id, opened?.id);
    assert.equal((await folder.run(['push'])).code, 0);
  });

  it('explains what is wrong, with the exit codes of other commands', async (t) => {
    const { client, folder, listOpen } = await newFolder(t);
    await folder.write('other.prompt.yaml', 'name: other\ntemplate: x\n');
    await folder.write('broken.prompt.yaml', 'name: greet\ntemplate: "{{ x"\n');
    const wrong: [string[], number, RegExp][] = [
      [['propose', 'greet', '2', '--candidate', 'cand_1'], 2, /Use only one of/],
      [['propose', 'greet', '--file', 'missing.yaml'], 4, /There is no file/],
      [['propose', 'greet', '--file', 'other.prompt.yaml'], 2, /contains the prompt "other", not "greet"/],
      [['propose', 'greet', '--file', 'broken.prompt.yaml'], 2, /\S/],
      [['propose', 'greet', '9'], 4, /version 9/],
      [['propose', 'nothing'], 4, /no prompt/],
      [['propose', 'greet', '2', '--at', 'tomorrow'], 2, /applyAt/],
      [['propose', 'greet', '2', '--reviewer', 'u_nobody'], 2, /reviewers/],
      [['proposals', 'show', 'prop_none'], 4, /no such proposal/],
      [['proposals', 'comment', 'prop_none'], 2, /text/],
      [['proposals'], 0, /^$/],
    ];
    for (const [args, exitCode, message] of wrong) {
      const { code, stderr } = await folder.run(args);
      assert.equal(code, exitCode, `${args.join(' ')}: ${stderr}`);
      assert.match(stderr, message);
    }
    assert.deepEqual([await listOpen(), (await client.get<ListBody>(pathOf('greet', '/candidates'))).data], [[], []]);
    const other = await newFolder(t, { approvals: 1 }, 'viewer');
    assert.equal((await other.folder.run(['propose', 'greet', '2'])).code, 3);
    assert.deepEqual(await other.listOpen(), []);
    assert.equal((await other.folder.run(['proposals', 'list'])).code, 0);
  });
});

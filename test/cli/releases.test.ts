import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Release, ReleaseFields, SavedRelease } from '../../src/contract/releases.ts';
import { type CliFolder, cliSettings, createCliFolder } from '../support/cli.ts';
import { type Client, newClient, pathOf, type VersionBody } from '../support/prompts.ts';
import { type Service, startService } from '../support/service.ts';
import { inWorkspace, newMember } from '../support/workspaces.ts';

const name = 'support/reply';
const releasePath = (label = 'production') => pathOf(name, `/labels/${label}/release`);

describe('promptharbor release', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  /** Creates a prompt with three versions, the first of which is labeled. */
  async function newFolder(t: TestContext): Promise<{ client: Client; folder: CliFolder }> {
    const client = await newClient(service);
    await client.create({ name, template: 'one {{ x }}', labels: ['production', 'staging'] });
    for (const template of ['two {{ x }}', 'three {{ x }}']) await client.save(name, { template });
    return { client, folder: await createCliFolder(t, cliSettings(service, client)) };
  }
  const releaseOf = (client: Client, label?: string) => client.get<ReleaseFields>(releasePath(label));

  it('start, show, widen, pause, resume and finish: a whole release', async (t) => {
    const { client, folder } = await newFolder(t);
    const started = await folder.run(['release', 'start', name, '--arm', '2=5%', '--step', '10%', '--step', '33.3%']);
    assert.deepEqual([started.code, started.stdout], [0, '']);
    assert.equal(started.stderr, `${name}: the release on production has started. Version 2 gets 5%, version 1 (the control) 95%.\n`);
    const release = await releaseOf(client);
    assert.deepEqual([release.control, release.arms, release.steps], [1, [{ version: 2, weight: 500 }], [1000, 3330]]);

    const shown = await folder.runWell(['release', 'show', name]);
    assert.match(shown, /^support\/reply: the release on production is running\. Started at \S+ by Test\.\n\nARM +VERSION +SHARE/);
    assert.match(shown, /^control +1 +95%/m);
    assert.match(shown, /^v2 +2 +5%/m);
    assert.match(shown, /^Steps: 10%, 33\.3% \(0 of 2 reached\)$/m);
    const { progress } = JSON.parse(await folder.runWell(['release', 'show', name, '--json'])) as Release;
    assert.ok(
      shown.includes(`\nNext step: 10%, not before ${progress.next?.at}. It waits for:\n  100 more units for the control\n`),
      shown,
    );
    assert.deepEqual((JSON.parse(await folder.runWell(['release', 'show', name, '--json'])) as ReleaseFields).id, release.id);

    const wider = await folder.run(['release', 'widen', name, 'production', '--arm', '2=12.5%']);
    assert.match(wider.stderr, /the release on production is wider\. Version 2 gets 12\.5%, version 1 \(the control\) 87\.5%\.\n/);
    assert.equal((JSON.parse(await folder.runWell(['release', 'pause', name, '--json'])) as ReleaseFields).state, 'paused');
    assert.match(await folder.runWell(['release', 'show', name]), /is paused by a person\./);
    assert.match((await folder.run(['release', 'resume', name])).stderr, /the release on production is running\./);
    assert.deepEqual([(await releaseOf(client)).state, (await releaseOf(client)).arms], ['running', [{ version: 2, weight: 1250 }]]);

    const finished = await folder.run(['release', 'finish', name, '--version', '2']);
    assert.deepEqual([finished.code, finished.stderr], [0, `${name}: the release has ended, and production is now version 2.\n`]);
    assert.equal((await client.get<VersionBody>(pathOf(name))).version, 2);
    assert.match(await folder.runWell(['release', 'show', name]), /is finished\./);
  });

  it('start takes every option, a file, or both; the label is optional', async (t) => {
    const { client, folder } = await newFolder(t);
    const arms = ['--arm', '2=0%', '--arm', '3=0.01%', '--control', '1'];
    const rules = ['--rule', '2:plan=internal,beta', '--rule', '3:key=a=b:c'];
    const guards = ['--guard', 'errorRate', '--guard', 'score:a=b=0.5', '--metric', 'cost', '--on-regression', 'pause'];
    const args = ['release', 'start', name, 'staging', ...arms, ...rules, ...guards, '--min-units', '9', '--every', '5', '--json'];
    const started = JSON.parse(await folder.runWell(args)) as SavedRelease;
    assert.deepEqual(started.arms, [
      { version: 2, weight: 0 },
      { version: 3, weight: 1 },
    ]);
    assert.deepEqual(started.rules, [
      { if: { plan: ['internal', 'beta'] }, version: 2 },
      { if: { key: ['a=b:c'] }, version: 3 },
    ]);
    assert.deepEqual(started.guards, [
      { metric: 'errorRate', margin: 0.02, better: 'lower' },
      { metric: 'score:a=b', margin: 0.5, better: 'higher' },
    ]);
    assert.deepEqual([started.metric, started.onRegression, started.minUnits, started.everyMinutes], ['cost', 'pause', 9, 5]);
    assert.equal((await releaseOf(client, 'staging')).id, started.id);

    const body = { control: 3, arms: [{ version: 2, weight: 100 }], rules: [{ if: { plan: ['a'], region: ['eu'] }, version: 2 }] };
    await folder.write('release.json', JSON.stringify(body));
    const fromFile = JSON.parse(await folder.runWell(['release', 'start', name, '--file', 'release.json', '--arm', '2=2%', '--json']));
    assert.deepEqual([fromFile.control, fromFile.arms, fromFile.rules], [3, [{ version: 2, weight: 200 }], body.rules]);
    const rolledBack = await folder.run(['release', 'rollback', name]);
    assert.deepEqual(
      [rolledBack.code, rolledBack.stderr],
      [0, `${name}: the release on production was rolled back. All callers get version 3.\n`],
    );
    assert.equal((JSON.parse(await folder.runWell(['release', 'show', name, '--json'])) as ReleaseFields).state, 'rolled_back');
  });

  it('start warns about callers of its versions, and with --strict changes nothing', async (t) => {
    const { client, folder } = await newFolder(t);
    await client.save(name, { template: "{% render 'nobody' %}" });
    const strict = await folder.run(['release', 'start', name, '--arm', '4=5%', '--strict']);
    assert.equal(strict.code, 1, strict.stderr);
    assert.equal((await client.call('GET', releasePath())).status, 404);
    const started = await folder.run(['release', 'start', name, '--arm', '4=5%']);
    assert.equal(started.code, 0);
    assert.match(started.stderr, /Warning:.*nobody/);
  });

  it('get and render show the version for a key and a context, and say why', async (t) => {
    const { client, folder } = await newFolder(t);
    await client.call('PUT', releasePath(), {
      ...{ control: 1, arms: [{ version: 2, weight: 10_000 }] },
      rules: [{ if: { plan: ['internal'], note: ['a=b'] }, version: 1 }],
    });
    const get = (...args: string[]) => folder.run(['get', name, ...args]);
    assert.match((await get('--key', 'user-42')).stdout, /two/);
    assert.match((await get('--key', 'user-42')).stderr, /A release chose version 2 \(v2\) by the key\./);
    const byRule = await get('--key', 'u', '--ctx', 'plan=internal', '--ctx', 'note=a=b', '--json');
    assert.deepEqual((JSON.parse(byRule.stdout) as { release: object }).release, {
      ...{ id: (await releaseOf(client)).id, arm: 'control', reason: 'RULE' },
    });
    assert.match((await get()).stderr, /version 1 \(control\) because there is no --key\./);
    const rendered = await folder.run(['render', name, '-v', 'x=!', '--key', 'user-42']);
    assert.deepEqual([rendered.stdout, rendered.code], ['two !\n', 0]);
    const inRule = await folder.run(['render', name, '-v', 'x=!', '--ctx', 'plan=internal', '--ctx', 'note=a=b']);
    assert.deepEqual([inRule.stdout, inRule.stderr], ['one !\n', 'A release chose version 1 (control) by a rule.\n']);
    assert.equal((await get('--version', '3', '--key', 'u')).stderr, '');
    for (const wrong of [
      ['--ctx', 'plan'],
      ['--ctx', '=a'],
      ['--key', ''],
    ])
      assert.equal((await get(...wrong)).code, 2, wrong.join(' '));
  });

  it('explains what is wrong, with the exit codes of other commands', async (t) => {
    const { client, folder } = await newFolder(t);
    const start = (...args: string[]) => ['release', 'start', name, ...args];
    const wrong: [string[], RegExp][] = [
      [start(), /Add at least one --arm, such as --arm 4=5%\./],
      [start('--arm', '2'), /--arm expects a version and a share, such as 4=5%, but got "2"\./],
      [start('--arm', '2=5'), /--arm expects a share from 0% to 100%, such as 2\.5%, but got "5"\./],
      [start('--arm', '2=0.005%'), /--arm expects a share/],
      [start('--arm', '2=101%'), /--arm expects a share/],
      [start('--arm', 'two=1%'), /"two" is not a version number\./],
      [start('--arm', '2=1%', '--rule', 'plan=internal'), /--rule expects a version, an attribute and values/],
      [start('--arm', '2=1%', '--every', '0'), /--every must be a whole number above 0\./],
      [start('--arm', '2=1%', '--on-regression', 'wait'), /--on-regression must be rollback or pause\./],
      [start('--arm', '2=1%', '--guard', 'speed'), /guards/],
      [start('--file', 'missing.json'), /missing\.json cannot be read/],
      [['release', 'start', name, 'Not A Label', '--arm', '2=1%'], /"Not A Label" is not a valid label\./],
      [['release', 'finish', name], /--version is missing\./],
      [['release', 'widen', name], /--arm is missing\./],
      [['release'], /^$/],
      [['release', 'begin', name], /There is no command "release begin"\. Use release start, release show/],
    ];
    for (const [args, message] of wrong) {
      const { code, stderr } = await folder.run(args);
      assert.equal(code, args.length === 1 ? 0 : 2, `${args.join(' ')}: ${stderr}`);
      assert.match(stderr, message);
    }
    assert.equal((await folder.run(['release', 'show', name])).code, 4);
    assert.equal((await folder.run(['release', 'show', 'nothing'])).code, 4);
    assert.equal((await folder.run(start('--arm', '7=1%'))).code, 4);
    assert.equal((await folder.run(start('--arm', '2=1%'))).code, 0);
    const running = await folder.run(start('--arm', '2=1%'));
    assert.deepEqual([running.code, running.stderr.includes('has a release')], [1, true]);
    const deployed = await folder.run(['deploy', name, '2']);
    assert.deepEqual([deployed.code, deployed.stderr.includes('has a release')], [1, true]);
    assert.match((await folder.run(['release', 'widen', name, '--arm', '3=5%'])).stderr, /The release has no arm for version 3\./);
    assert.equal((await folder.run(['release', 'rollback', name])).code, 0);
    assert.equal((await folder.run(['release', 'pause', name])).code, 1, 'it has ended');

    const viewer = await newMember(service, client, 'viewer');
    const other = await createCliFolder(t, { ...cliSettings(service, viewer), PROMPTHARBOR_WORKSPACE: client.userId });
    assert.equal((await other.run(start('--arm', '2=1%'))).code, 3);
    assert.equal((await viewer.call('GET', releasePath(), undefined, inWorkspace(client))).status, 200);
    assert.equal((await other.run(['release', 'show', name])).code, 0);
  });

  it('push leaves a release unchanged, and moves no label that has one; files contain neither labels nor releases', async (t) => {
    const { client, folder } = await newFolder(t);
    await folder.runWell(['pull']);
    await folder.runWell(['release', 'start', name, '--arm', '2=50%']);
    assert.equal(await folder.runWell(['status', '--check']), '', 'a release is no difference');
    const files = [...(await folder.files())].map(([, text]) => text).join('\n');
    assert.doesNotMatch(files, /production|release/);
    const file = 'prompts/support/reply.prompt.yaml';
    await folder.write(file, (await folder.read(file)).replace('three', 'four'));
    const refused = await folder.run(['push', '--label', 'production']);
    assert.deepEqual([refused.code, refused.stderr.includes('The label "production" has a release')], [1, true], refused.stderr);
    await folder.runWell(['push']);
    assert.equal((await client.get<VersionBody>(pathOf(name, '?label=latest'))).version, 4);
    assert.deepEqual((await releaseOf(client)).arms, [{ version: 2, weight: 5000 }]);
  });

  it('prints the help of every command, and names from the service never reach the terminal as commands', async (t) => {
    const { client, folder } = await newFolder(t);
    const help = await folder.runWell(['release', '--help']);
    for (const word of ['start', 'show', 'widen', 'pause', 'resume', 'rollback', 'finish']) {
      assert.match(help, new RegExp(`^Usage: promptharbor release ${word} <name> \\[label\\] \\[options\\]$`, 'm'));
      assert.match(await folder.runWell(['release', word, '--help']), new RegExp(`release ${word}`));
    }
    const rules = [{ if: { 'a\u202eb': ['line \u2028 break'] }, version: 2 }];
    await client.call('PUT', releasePath(), { control: 1, arms: [{ version: 2, weight: 1 }], rules });
    assert.match(await folder.runWell(['release', 'show', name]), /^Rule: if ab is line {3}break, version 2$/m);
  });
});

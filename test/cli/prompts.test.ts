import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it, mock, type TestContext } from 'node:test';
import { flushActivity } from '../support/activity.ts';
import { codeOf, enableTwoFactor, stopClock } from '../support/browser.ts';
import { type CliFolder, cliSettings, createCliFolder } from '../support/cli.ts';
import { register } from '../support/client.ts';
import { type Client, newClient, pathOf, type VersionBody } from '../support/prompts.ts';
import { type Service, startService } from '../support/service.ts';
import { newMember } from '../support/workspaces.ts';

describe('promptharbor: commands for prompts', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  async function newFolder(t: TestContext): Promise<{ client: Client; folder: CliFolder }> {
    const client = await newClient(service);
    return { client, folder: await createCliFolder(t, cliSettings(service, client)) };
  }
  const productionOf = async (client: Client, name: string) => (await client.get<VersionBody>(pathOf(name))).version;

  it('activity lists what happened, with filters, as a table and as JSON', async (t) => {
    const { client, folder } = await newFolder(t);
    await client.create({ name: 'support/reply', template: 'one' });
    await client.call('PATCH', '/api/workspace', { gatedLabels: ['production'] });
    await flushActivity(service);
    const table = await folder.runWell(['activity']);
    assert.match(table, /^TIME +PERSON +ENTRY +PROMPT +CHANGE\n/);
    assert.match(table, /Test +workspace_changed +\{"gatedLabels":\["production"\],"previous":\{"gatedLabels":\[\]\}\}\n/);
    assert.match(table, /Test +label_moved +support\/reply +/);
    const typesOf = async (...args: string[]) =>
      (JSON.parse(await folder.runWell(['activity', '--json', ...args])) as { type: string }[]).map(({ type }) => type);
    assert.deepEqual(await typesOf('--limit', '2'), ['workspace_changed', 'label_moved']);
    assert.deepEqual(await typesOf('--type', 'gates', '--by', client.userId, '--from', '2026-01-01'), ['workspace_changed']);
    assert.deepEqual(await typesOf('--prompt', 'support/reply', '--to', '2100-01-01'), ['label_moved', 'created']);
    const none = await folder.run(['activity', '--prompt', 'unknown']);
    assert.deepEqual([none.code, none.stdout], [0, '']);
    for (const args of [
      ['--limit', '0'],
      ['--type', 'unknown'],
    ]) {
      assert.notEqual((await folder.run(['activity', ...args])).code, 0, args.join(' '));
    }
  });

  it('login keeps the key for later commands, in a file that only its owner can read; logout forgets it', async (t) => {
    const account = await register(service);
    const folder = await createCliFolder(t, {});
    const { code, stdout, stderr } = await folder.run(['login', '--url', `${service.url}/`], `${account.email}\n${account.password}\n`);
    assert.deepEqual([code, stdout], [0, '']);
    assert.match(stderr, new RegExp(`Signed in to ${service.url} as ${account.email}`));
    assert.ok(!stderr.includes(account.token) && !stderr.includes(account.password));
    const { mode } = await stat(join(folder.path, '../settings/promptharbor/credentials.json'));
    if (process.platform !== 'win32') assert.equal(mode & 0o777, 0o600);
    assert.equal(JSON.parse(await folder.runWell(['whoami', '--json'])).userId, account.userId);
    await folder.runWell(['logout']);
    const refused = await folder.run(['whoami']);
    assert.equal(refused.code, 3);
    assert.match(refused.stderr, /There is no key for .*"promptharbor login --url /);
  });

  it('login sends a password to the address of a project only after the address has been given with --url once', async (t) => {
    const account = await register(service);
    const folder = await createCliFolder(t, {});
    await folder.write('promptharbor.json', JSON.stringify({ url: service.url }));
    const answers = `${account.email}\n${account.password}\n`;
    const refused = await folder.run(['login'], answers);
    assert.deepEqual([refused.code, refused.stdout], [2, '']);
    assert.match(refused.stderr, new RegExp(`appears only in promptharbor.json.*"promptharbor login --url ${service.url}"`));
    assert.equal((await folder.run(['login', '--url', service.url], answers)).code, 0);
    assert.equal((await folder.run(['login'], answers)).code, 0);
  });

  it('login --print prints the key and keeps nothing; a wrong password exits with 3', async (t) => {
    const account = await register(service);
    const folder = await createCliFolder(t, { PROMPTHARBOR_URL: service.url });
    const printed = await folder.run(['login', '--print', '--email', account.email], `${account.password}\n`);
    assert.deepEqual([printed.code, printed.stdout], [0, `${account.token}\n`]);
    assert.equal((await folder.run(['whoami'])).code, 3);
    const wrong = await folder.run(['login', '--email', account.email], 'quite wrong\n');
    assert.deepEqual([wrong.code, wrong.stderr], [3, 'promptharbor: Invalid email or password\n']);
  });

  it('login asks for a code when two-factor authentication is on', async (t) => {
    stopClock();
    t.after(() => mock.timers.reset());
    const { email, password, secret, token } = await enableTwoFactor(service);
    const folder = await createCliFolder(t, { PROMPTHARBOR_URL: service.url });
    const { code, stdout, stderr } = await folder.run(['login', '--print'], `${email}\n${password}\n${codeOf(secret)}\n`);
    assert.deepEqual([code, stdout], [0, `${token}\n`], stderr);
    const missing = await folder.run(['login'], `${email}\n${password}\n`);
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /Standard input has no answer for "Code from your authenticator app/);
  });

  it('the address in the environment takes precedence over the address of the project', async (t) => {
    const { folder } = await newFolder(t);
    await folder.write('promptharbor.json', JSON.stringify({ url: 'http://127.0.0.1:1' }));
    assert.match(await folder.runWell(['whoami']), new RegExp(`Service +${service.url}`));
  });

  it('a key that login stored for an address takes precedence over a key in the environment without an address', async (t) => {
    const [account, other] = [await register(service), await register(service)];
    const folder = await createCliFolder(t, { PROMPTHARBOR_API_KEY: other.token });
    const signedIn = await folder.run(['login', '--url', service.url], `${account.email}\n${account.password}\n`);
    assert.match(signedIn.stderr, /PROMPTHARBOR_API_KEY is set\. Commands use it instead of the stored key/);
    assert.match(await folder.runWell(['whoami']), new RegExp(account.email), 'the last login');
    await folder.write('promptharbor.json', JSON.stringify({ url: service.url }));
    assert.match(await folder.runWell(['whoami']), new RegExp(account.email), 'the address of the project');
    assert.match(await folder.runWell(['whoami', '--url', service.url]), new RegExp(other.email));
  });

  it('whoami shows the workspace and the role, even for another workspace, and says if the account is not a member', async (t) => {
    const owner = await newClient(service);
    const editor = await newMember(service, owner, 'editor');
    const folder = await createCliFolder(t, cliSettings(service, editor));
    assert.match(await folder.runWell(['whoami']), /Role +owner/);
    assert.match(await folder.runWell(['whoami', '--workspace', owner.userId]), new RegExp(`${owner.userId}\\)\nRole +editor`));
    assert.equal((await folder.run(['whoami', '--workspace', 'u_nobody'])).code, 4);
  });

  it('workspaces lists them, and creates one that --workspace then names', async (t) => {
    const { client, folder } = await newFolder(t);
    const { id, kind, role } = JSON.parse(await folder.runWell(['workspaces', '--create', 'Support team', '--json']));
    assert.deepEqual([kind, role], ['team', 'owner']);
    assert.match(
      await folder.runWell(['workspaces']),
      new RegExp(`^ID .*\\n${client.userId} .*personal .*\\n${id} +Support team +team +owner`),
    );
    assert.match(await folder.runWell(['whoami', '--workspace', id]), /Support team/);
    assert.match(await folder.runWell(['workspaces', '--create', 'Care']), /--workspace w_/);
  });

  it('copy copies a prompt to a workspace by id or name, and moves it with --move', async (t) => {
    const { client, folder } = await newFolder(t);
    await client.create({ name: 'support/triage', template: "{% render 'tone' %}" });
    const { id } = JSON.parse(await folder.runWell(['workspaces', '--create', 'Support team', '--json']));
    const copied = await folder.run(['copy', 'support/triage', '--to', 'Support team']);
    assert.deepEqual([copied.code, copied.stdout], [0, '']);
    assert.match(copied.stderr, /support\/triage was copied to support\/triage in "Support team"\.\n.*Warning:.*There is no prompt "tone"/);
    const taken = await folder.run(['copy', 'support/triage', '--to', id]);
    assert.equal(taken.code, 1);
    assert.match(taken.stderr, /already has a prompt with the name "support\/triage"/);
    assert.equal((await folder.run(['copy', 'support/triage', '--to', id, '--name', 'b', '--strict'])).code, 1);
    const moved = JSON.parse(await folder.runWell(['copy', 'support/triage', '--to', id, '--name', 'triage', '--move', '--json']));
    assert.deepEqual([moved.name, moved.workspace], ['triage', { id, name: 'Support team' }]);
    assert.equal((await folder.run(['copy', 'support/triage', '--to', id])).code, 4);
    const unknown = await folder.run(['copy', 'support/triage', '--to', 'w_nobody']);
    assert.equal(unknown.code, 4);
    assert.match(unknown.stderr, /w_nobody does not exist, or you are not a member of it/);
    await folder.runWell(['workspaces', '--create', 'Support team']);
    assert.match((await folder.run(['copy', 'triage', '--to', 'Support team'])).stderr, /Several workspaces have the name/);
  });

  it('list, get and render print for people, and JSON for programs', async (t) => {
    const { client, folder } = await newFolder(t);
    await client.create({ name: 'support/reply', template: 'Hello {{ name }}', config: { model: 'm' }, description: 'Greets\nmore' });
    await client.create({ name: 'chat', messages: [{ role: 'user', content: '{{ x }}' }, { placeholder: 'history' }] });
    assert.match(
      await folder.runWell(['list']),
      /^NAME +TYPE +VERSION +LABELS +DESCRIPTION\nchat +chat +1 +production@1\nsupport\/reply +text +1 +production@1 +Greets\n$/,
    );
    assert.equal(JSON.parse(await folder.runWell(['list', '--folder', 'support', '--json'])).length, 1);
    assert.equal(
      await folder.runWell(['list', '--search', 'HELLO']),
      'support/reply\n  v1 /template:1  Hello {{ name }}\n',
      'a search shows the lines',
    );
    assert.equal(await folder.runWell(['list', '--search', 'greets']), 'support/reply\n  /description:1  Greets\n');
    assert.equal(await folder.runWell(['list', '--search', 'Chat']), 'chat\n');
    assert.equal(await folder.runWell(['get', 'support/reply']), 'name: support/reply\nmodel: m\ntemplate: Hello {{ name }}\n');
    assert.equal(JSON.parse(await folder.runWell(['get', 'support/reply', '--version', '1', '--json'])).version, 1);
    assert.equal(await folder.runWell(['render', 'support/reply', '-v', 'name=Ada']), 'Hello Ada\n');
    const chat = ['render', 'chat', '-v', 'x=1', '-v', 'history=[{"role":"assistant","content":"Hi"}]'];
    assert.equal(await folder.runWell(chat), '[user]\n1\n\n[assistant]\nHi\n\n');
    const stdin = await folder.run(['render', 'support/reply', '--vars', '-'], '{"name":"Bob"}');
    assert.equal(stdin.stdout, 'Hello Bob\n');
    const missing = await folder.run(['render', 'support/reply']);
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /Variables are missing/);
  });

  it('deploy moves a label to a version or to the version of another label; rollback moves it back', async (t) => {
    const { client, folder } = await newFolder(t);
    await client.create({ name: 'a', template: '1' });
    await client.save('a', { template: '2' });
    await client.save('a', { template: '3' });
    await folder.runWell(['deploy', 'a', '2']);
    assert.equal(await productionOf(client, 'a'), 2);
    await folder.runWell(['deploy', 'a', 'latest']);
    assert.equal(await productionOf(client, 'a'), 3);
    await folder.runWell(['rollback', 'a']);
    assert.equal(await productionOf(client, 'a'), 2);
    await folder.runWell(['rollback', 'a', '--to', '1']);
    assert.equal(await productionOf(client, 'a'), 1);
    const never = await folder.run(['rollback', 'a', '--label', 'staging']);
    assert.equal(never.code, 4);
    assert.match(never.stderr, /has never pointed at another version/);
  });

  it('deploy and push say what fails at the label; with --strict they change nothing and exit 1', async (t) => {
    const { client, folder } = await newFolder(t);
    await client.create({ name: 'a', template: '1' });
    await client.save('a', { template: "{% render 'gone' %}" });
    const missing = /a: There is no prompt "gone" with the label "production"/;
    const refused = await folder.run(['deploy', 'a', '2', '--strict']);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /Nothing was changed, because of these problems:\n {2}There is no prompt "gone"/);
    assert.equal(await productionOf(client, 'a'), 1);
    const warned = await folder.run(['deploy', 'a', '2']);
    assert.deepEqual([warned.code, await productionOf(client, 'a')], [0, 2]);
    assert.match(warned.stderr, missing);
    const { warnings } = JSON.parse(await folder.runWell(['deploy', 'a', '2', '--json']));
    assert.equal(warnings[0].code, 'unknown_partial');

    await folder.runWell(['pull']);
    await folder.write('prompts/b.prompt.yaml', 'template: "{% render \'gone\' %}"\n');
    const push = ['push', 'b', '--label', 'production'];
    const unpushed = await folder.run([...push, '--strict']);
    assert.deepEqual([unpushed.code, (await client.call('GET', pathOf('b'))).status], [1, 404]);
    assert.match(unpushed.stderr, /b: There is no prompt "gone"/);
    const pushed = await folder.run(push);
    assert.deepEqual([pushed.code, await productionOf(client, 'b')], [0, 1]);
    assert.match(pushed.stderr, /Warning: b: There is no prompt "gone"/);
  });

  it('exit codes tell what failed: 2 usage, 3 key or role, 4 not found, 5 no service', async (t) => {
    const owner = await newClient(service);
    await owner.create({ name: 'a', template: 'x' });
    const viewer = await newMember(service, owner, 'viewer');
    const folder = await createCliFolder(t, cliSettings(service, viewer));
    const codeOfRun = async (...args: string[]) => (await folder.run(args)).code;
    assert.equal(await codeOfRun('get'), 2);
    assert.equal(await codeOfRun('get', 'a', 'b'), 2);
    assert.equal(await codeOfRun('get', 'a', '--nonsense'), 2);
    assert.equal(await codeOfRun('get', 'a', '--version', 'x'), 2);
    assert.equal(await codeOfRun('get', 'a', '--version', '1', '--label', 'x'), 2);
    for (const args of [['deploy', 'a', '1'], ['rollback', 'a'], ['get', 'a'], ['push'], ['lint'], ['types']]) {
      const { code, stderr } = await folder.run([...args, '--label', 'Bad!']);
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, /"Bad!" is not a valid label\. Use 1 to 50 lowercase letters/);
    }
    assert.equal(await codeOfRun('deploy', 'a', '1', '--label', 'latest'), 2, 'the service says so');
    assert.equal(await codeOfRun('deploy', 'a', '1', '--workspace', owner.userId), 3);
    assert.equal(await codeOfRun('get', 'nothing'), 4);
    await folder.write('promptharbor.json', '{}');
    for (const command of ['push', 'pull', 'status', 'diff', 'lint']) assert.equal(await codeOfRun(command, 'nothing'), 4, command);
    const nobody = await createCliFolder(t, { PROMPTHARBOR_URL: service.url, PROMPTHARBOR_API_KEY: `ph_${'0'.repeat(64)}` });
    const refused = await nobody.run(['list']);
    assert.equal(refused.code, 3);
    assert.match(refused.stderr, /The key is not valid or was reset\. Set PROMPTHARBOR_API_KEY to the new key, or unset it/);
    const nowhere = await createCliFolder(t, { PROMPTHARBOR_URL: 'http://127.0.0.1:1', PROMPTHARBOR_API_KEY: viewer.token });
    const away = await nowhere.run(['list']);
    assert.equal(away.code, 5);
    assert.match(away.stderr, /Is the service running, and is the address right\?\n$/);
  });

  it('init writes the project; it asks nothing without a terminal, and overwrites nothing', async (t) => {
    const folder = await createCliFolder(t, {});
    const unanswered = await folder.run(['init']);
    assert.equal(unanswered.code, 2);
    assert.match(unanswered.stderr, /Questions require a terminal\. Use --url, or --yes for http:\/\/127\.0\.0\.1:3000\./);
    const given = await createCliFolder(t, {});
    const { stderr } = await given.run(['init', '--url', 'https://prompts.example.com']);
    assert.match(stderr, /Wrote promptharbor\.json for https:\/\/prompts\.example\.com, with the prompts in prompts\./);
    assert.equal((await folder.run(['init', '--yes', '--folder', '../up'])).code, 2);
    await folder.runWell(['init', '--yes', '--url', 'https://prompts.example.com/', '--folder', 'src/prompts']);
    assert.deepEqual(JSON.parse(await folder.read('promptharbor.json')), { url: 'https://prompts.example.com', folder: 'src/prompts' });
    assert.equal((await folder.run(['init', '--yes'])).code, 1);
    await folder.write('promptharbor.json', '{"folder": "/etc"}');
    assert.match((await folder.run(['lint', '--offline'])).stderr, /"folder" must be a folder below promptharbor\.json/);
  });

  it('lint finds syntax errors by line, unknown includes and variables, and variables that programs do not pass', async (t) => {
    const { client, folder } = await newFolder(t);
    await client.create({ name: 'shared/tone', template: 'Be {{ mood }}.' });
    await client.create({ name: 'reply', template: '{{ question }}' });
    await folder.write('prompts/reply.prompt.yaml', 'template: "{% render \'shared/tone\' %}{{ question }}{{ customer }}"\n');
    await folder.write('prompts/broken.prompt.yaml', 'messages:\n  - role: user\n    content: |\n      fine\n      {% if x %}\n');
    await folder.write('prompts/lost.prompt.yaml', "template: \"{% render 'nobody' %}{% render 'lost' %}\"\n");
    await folder.write('prompts/vars.prompt.yaml', 'template: "{{ a }}"\nvariables:\n  b: {}\n');
    await folder.write('prompts/yaml.prompt.yaml', 'tmplate: x\n');
    const { code, stdout, stderr } = await folder.run(['lint']);
    assert.equal(code, 1);
    assert.deepEqual(stdout.trimEnd().split('\n').sort(), [
      'prompts/broken.prompt.yaml:5: Tag {% if x %} not closed (line 2, column 1 of the template)',
      'prompts/lost.prompt.yaml: The prompt "lost" includes itself',
      'prompts/lost.prompt.yaml: There is no prompt "nobody" with the label "production"',
      'prompts/reply.prompt.yaml: Requires the variable "customer", which version 1 at "production" does not have',
      'prompts/reply.prompt.yaml: Requires the variable "mood", which version 1 at "production" does not have',
      'prompts/vars.prompt.yaml: The variable "b" is not used',
      'prompts/yaml.prompt.yaml: Unknown key "tmplate". Use name, description, tags, model, modelParameters, responseFormat, config, variables, syntax, template, messages, tools, output, testData, evaluators, or x-… for your own keys',
    ]);
    assert.match(stderr, /^5 files checked, 7 findings\.\n$/);
    const one = await folder.run(['lint', 'reply', '--allow-new-variables']);
    assert.deepEqual([one.code, one.stderr], [0, '1 file checked, 0 findings.\n']);
    const offline = await createCliFolder(t, {});
    await offline.write('prompts/a.prompt.yaml', 'template: "{% render \'elsewhere\' %}"\n');
    assert.equal((await offline.run(['lint', '--offline'])).code, 0);
  });

  it('lint knows parts, templates in descriptions and declared variables, with the lines of the file', async (t) => {
    const { client, folder } = await newFolder(t);
    await client.create({ name: 'shared/tone', template: 'Be {{ mood }}.' });
    const variables =
      'variables:\n  mood: { default: calm }\n  photo: { type: image, default: "https://a.example/b.png" }\n  lost: { type: text }\n';
    const parts =
      '  - role: user\n    content:\n      - type: text\n        text: "{% render \'shared/tone\' %}"\n      - type: image\n        url: "{{ photo }}"\n';
    await folder.write('prompts/declared.prompt.yaml', `${variables}messages:\n${parts}`);
    const tools = 'tools:\n  - name: find\n    description: |\n      Finds orders\n      of {{ customer | }\n';
    await folder.write('prompts/tool.prompt.yaml', `template: x\n${tools}`);
    await folder.write('prompts/part.prompt.yaml', 'messages:\n  - role: user\n    content:\n      - type: image\n        url: "{{ x"\n');
    await folder.write('prompts/schema.prompt.yaml', 'template: x\noutput: { schema: { type: strnig } }\n');
    const { stdout } = await folder.run(['lint']);
    assert.deepEqual(stdout.trimEnd().split('\n').sort(), [
      'prompts/declared.prompt.yaml: The variable "lost" is not used',
      'prompts/part.prompt.yaml:5: Output "{{ x" not closed (line 1, column 1 of the template)',
      'prompts/schema.prompt.yaml: output/schema/type: not valid in a JSON Schema',
      'prompts/tool.prompt.yaml:6: Output "{{ customer | }\\n" not closed (line 2, column 4 of tools/0/description)',
    ]);
  });

  it('types writes a declaration file; --check exits with 1 if production requires a variable that the file lacks', async (t) => {
    const { client, folder } = await newFolder(t);
    await client.create({ name: 'support/reply', template: '{{ question }}' });
    const json = async (...args: string[]) => {
      const { file: _file, ...rest } = JSON.parse((await folder.run(['types', '-o', 'src/prompts.d.ts', '--json', ...args])).stdout);
      return rest;
    };
    assert.deepEqual(await json('--check'), { prompts: 1, stale: true, written: false });
    assert.deepEqual(await json(), { prompts: 1, stale: false, written: true });
    assert.deepEqual(await json(), { prompts: 1, stale: false, written: false });
    assert.match(await folder.read('src/prompts.d.ts'), /'support\/reply': \{ type: 'text'; variables: \{ question: string/);
    await folder.runWell(['types', '-o', 'src/prompts.d.ts', '--check']);
    await client.save('support/reply', { template: '{{ question }} {{ tone }}' });
    await folder.runWell(['types', '-o', 'src/prompts.d.ts', '--check']);
    await folder.runWell(['deploy', 'support/reply', 'latest']);
    const { code, stdout, stderr } = await folder.run(['types', '-o', 'src/prompts.d.ts', '--check']);
    assert.equal(code, 1);
    assert.match(stdout, /\+ {4}'support\/reply': .*tone/);
    assert.match(stderr, /src\/prompts\.d\.ts is out of date/);
    assert.doesNotMatch(await folder.read('src/prompts.d.ts'), /tone/);
  });

  it('watch pulls at the start and after every change, until it is stopped', async (t) => {
    const { client, folder } = await newFolder(t);
    await client.create({ name: 'a', template: 'one' });
    const watching = folder.start(['watch']);
    const said = (text: string) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (watching.stdout().includes(text)) resolve();
        };
        watching.child.stdout?.on('data', check);
        check();
      });
    await said('+ a  version 1');
    await client.save('a', { template: 'two' });
    await said('~ a  version 1 → 2');
    assert.match(await folder.read('prompts/a.prompt.yaml'), /two/);
    await client.call('DELETE', '/api/auth/token');
    const { code, stderr } = await watching.finished;
    assert.equal(code, 3, stderr);
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { cliSettings, createCliFolder } from '../support/cli.ts';
import { describeOnEveryEngine, newClient, pathOf, type VersionBody } from '../support/prompts.ts';

const file = `name: whole
modelParameters:
  temperature: 0.2
variables:
  photo:
    type: image
  tone:
    type: enum
    description: How it sounds
    values:
      - warm
      - dry
    default: warm
messages:
  - role: user
    content:
      - type: text
        text: Be {{ tone }}.
      - type: image
        url: "{{ photo }}"
tools:
  - name: find_order
    description: Finds an order for {{ customer }}.
    parameters:
      type: object
      properties:
        id:
          type: string
output:
  schema:
    properties:
      category:
        enum:
          - billing
    type: object
  strict: true
`;

describeOnEveryEngine('promptharbor with a whole prompt', (service) => {
  it('push, pull, export, import, types and label moves carry everything, and change nothing the second time', async (t) => {
    const client = await newClient(service());
    const folder = await createCliFolder(t, cliSettings(service(), client));
    await folder.write('prompts/whole.prompt.yaml', file);
    await folder.runWell(['push', '--label', 'production']);
    const version = await client.get<VersionBody & { tools: unknown; output: unknown }>(pathOf('whole'));
    const photo = { name: 'photo', required: true, type: 'image', kind: 'text' };
    assert.deepEqual(
      version.variables.find(({ name }) => name === 'photo'),
      photo,
    );
    assert.deepEqual(version.output, { schema: { properties: { category: { enum: ['billing'] } }, type: 'object' }, strict: true });

    const other = await createCliFolder(t, cliSettings(service(), client));
    await other.runWell(['pull']);
    assert.equal(await other.read('prompts/whole.prompt.yaml'), file);
    for (const command of [['status'], ['diff'], ['push'], ['pull', '--check'], ['push', '--check']]) {
      assert.equal(await folder.runWell(command), '', command.join(' '));
    }

    // The same content in another order is no change, and a label moves without a new version.
    await folder.write(
      'prompts/whole.prompt.yaml',
      file.replace('      - type: image\n        url: "{{ photo }}"', '      - url: "{{ photo }}"\n        type: image'),
    );
    await folder.runWell(['push', '--label', 'staging']);
    const { data } = await client.get<{ data: { version: number; labels: string[] }[] }>(pathOf('whole', '/versions'));
    assert.deepEqual(
      data.map(({ version: number, labels }) => [number, labels]),
      [[1, ['production', 'staging']]],
    );

    await folder.write('prompts/whole.prompt.yaml', file.replace('default: warm', 'default: dry'));
    assert.match((await folder.run(['diff'])).stdout, /-\s+default: warm\n\+\s+default: dry/);
    assert.match(await folder.runWell(['push']), /~ whole {2}version 2/);
    assert.match(await other.runWell(['pull']), /~ whole {2}version 1 → 2/);
    assert.equal(await other.read('prompts/whole.prompt.yaml'), file.replace('default: warm', 'default: dry'));

    await folder.runWell(['export', '-o', 'all.jsonl']);
    const second = await newClient(service());
    const copy = await createCliFolder(t, cliSettings(service(), second));
    await copy.write('all.jsonl', await folder.read('all.jsonl'));
    await copy.runWell(['import', 'json', 'all.jsonl']);
    await copy.runWell(['pull']);
    assert.equal(await copy.read('prompts/whole.prompt.yaml'), file.replace('default: warm', 'default: dry'));

    const shown = await folder.runWell(['render', 'whole', '-v', 'photo=https://a.example/b.png', '-v', 'customer=Ada']);
    assert.equal(shown, '[user]\nBe warm.\n[image: https://a.example/b.png]\n\n');

    await folder.runWell(['types']);
    const types = await folder.read('promptharbor.d.ts');
    assert.match(
      types,
      /'whole': \{ type: 'chat'; variables: \{ tone\?: 'warm' \| 'dry'; photo: string; customer: string \| number \| boolean \}; content: 'parts'; config: \{ 'temperature': number \}; tools: \{ 'find_order': \{ 'id'\?: string \} \}; output: \{ 'category'\?: 'billing' \} \};/,
    );
    await folder.runWell(['types', '--check']);
  });

  it('an included prompt that declares a variable changes no file of the prompts that include it', async (t) => {
    const client = await newClient(service());
    const folder = await createCliFolder(t, cliSettings(service(), client));
    await folder.write('prompts/tone.prompt.yaml', 'template: Be {{ tone }}.\nvariables: { tone: { type: enum, values: [warm] } }\n');
    await folder.write('prompts/reply.prompt.yaml', 'template: "{% render \'tone\' %} {{ tone }}"\n');
    await folder.runWell(['push', '--label', 'production']);
    assert.equal(await folder.runWell(['push', '--check']), '');
    assert.equal(await folder.runWell(['pull']), '');
    assert.equal(await folder.read('prompts/reply.prompt.yaml'), 'template: "{% render \'tone\' %} {{ tone }}"\n');
  });

  it('an import of dotprompt declares variables whose defaults work; a second import changes nothing', async (t) => {
    const client = await newClient(service());
    const folder = await createCliFolder(t, cliSettings(service(), client));
    await folder.write(
      'in/a.prompt',
      '---\ninput:\n  schema: { tone?(enum): [warm, dry], photo: string }\n  default: { tone: dry }\noutput: { schema: { a: string } }\ntoolDefs: [{ name: find, inputSchema: { id: string } }]\n---\nBe {{tone}}. {{media url=photo}}',
    );
    await folder.runWell(['import', 'dotprompt', 'in', '--label', 'production']);
    const { status, body } = await client.call('POST', pathOf('a', '/render'), { variables: { photo: 'https://a.example/b.png' } });
    assert.equal(status, 200);
    assert.deepEqual((body as { messages: unknown }).messages, [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Be dry.' },
          { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
        ],
      },
    ]);
    const { unchanged } = JSON.parse(await folder.runWell(['import', 'dotprompt', 'in', '--json']));
    assert.equal(unchanged, 1);
  });
});

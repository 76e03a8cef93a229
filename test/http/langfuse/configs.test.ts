import assert from 'node:assert/strict';
import { it } from 'node:test';
import { callLangfuse, langfusePath, post } from '../../support/langfuse.ts';
import { type Client, describeOnEveryEngine, newClient, pathOf, type VersionBody } from '../../support/prompts.ts';
import { exportText, importText } from '../../support/transfer.ts';

interface Sent {
  prompt: unknown;
  config?: unknown;
}

const tool = (description: string) => ({ type: 'function', function: { name: 'find', description } });
const notes = (count: number, note: object) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${index}`, note]));
const image = (fields: object) => JSON.stringify([{ type: 'image_url', image_url: { url: 'https://example.com/a.png', ...fields } }]);
const user = (content: string) => [{ type: 'chatmessage', role: 'user', content }];
const history = { type: 'placeholder', name: 'history' };

/** Configs that Langfuse stores unchanged, and that the service would refuse or change if it moved their parts to its own fields. */
const sent: Record<string, Sent> = {
  'more variables than a version may declare': { prompt: 'x', config: { variables: notes(501, { type: 'text' }) } },
  'descriptions that are larger as declarations': { prompt: 'x', config: { variables: notes(400, { description: 'x'.repeat(136) }) } },
  'types in the words of another program': {
    prompt: '{{a}}',
    config: { variables: { a: { type: 'string' }, b: { type: 'integer' }, c: { enum: ['x'] }, d: { type: 'text', optional: true } } },
  },
  'descriptions that say nothing': { prompt: '{{a}}', config: { variables: { a: {}, b: { description: '' }, c: { optional: true } } } },
  'no descriptions': { prompt: '{{a}}', config: { variables: {} } },
  'no tools': { prompt: '{{a}}', config: { tools: [], response_format: null } },
  'a type that messages do not have': { prompt: [history], config: { variables: { history: { type: 'text', default: 'None' } } } },
  'a tool whose description names the placeholder': { prompt: [history], config: { tools: [tool('Reads {{history}}')] } },
  'a tool whose description looks like a broken tag': { prompt: 'x', config: { tools: [tool('Sends {{#if}')] } },
  'a tool whose description looks like an include': { prompt: 'x', config: { tools: [tool('Sends {{> x}} and {{y}}')] } },
  'a tool whose description has control characters': { prompt: 'x', config: { tools: [tool('{{x}}\u0000')] } },
  'an image with an unknown detail': { prompt: user(image({ detail: 'ultra' })) },
  'an image with an object as its detail': { prompt: user(image({ detail: { level: 1 } })) },
  'more parts than a message may have': { prompt: user(JSON.stringify(Array(51).fill({ type: 'text', text: 'x' }))) },
  'a part with control characters': { prompt: user(JSON.stringify([{ type: 'text', text: '\u0000' }])) },
};

describeOnEveryEngine('What Langfuse’s programs save', (service) => {
  const read = async (client: Client, name: string) =>
    (await callLangfuse(client, 'GET', langfusePath(name))).body as { prompt: unknown; config: unknown };

  for (const [what, { prompt, config = {} }] of Object.entries(sent)) {
    it(`comes back unchanged, can be sent to our own API, copied and rendered: ${what}`, async () => {
      const client = await newClient(service());
      await post(client, { name: 'a', prompt, config, labels: ['production'] });
      const saved = await read(client, 'a');
      assert.deepEqual([saved.prompt, saved.config], [prompt, config]);

      const {
        template,
        messages,
        syntax,
        variables,
        tools,
        output,
        config: kept,
      } = await client.get<VersionBody & Record<string, unknown>>(pathOf('a', '/versions/1'));
      const again = { name: 'b', template, messages, syntax, variables, tools, output, config: kept };
      const own = await client.call('POST', '/api/prompts', again);
      assert.equal(own.status, 201, own.text);
      const rendered = await client.call('POST', pathOf('a', '/render'), { variables: { a: 'x' } });
      assert.equal(rendered.status, 200, rendered.text);

      const there = await newClient(service());
      await importText(there, await exportText(client));
      assert.deepEqual(await read(there, 'a'), { ...(await read(there, 'a')), prompt, config });
    });
  }

  it('201: at most 500 variables are listed, and all declared variables are among them', async () => {
    const client = await newClient(service());
    const prompt = Array.from({ length: 450 }, (_, index) => `{{used${index}}}`).join('');
    const config = { variables: notes(100, { type: 'text' }) };
    await post(client, { name: 'a', prompt, config });
    const { variables } = await client.get<VersionBody>(pathOf('a', '/versions/1'));
    assert.equal(variables.length, 500);
    assert.equal(variables.filter(({ type }) => type === 'text').length, 100);
  });
});

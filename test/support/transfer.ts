import assert from 'node:assert/strict';
import { formatLine } from '../../src/contract/transfer-format.ts';
import type { ApiResponse } from './client.ts';
import { type Client, type PromptBody, pathOf, type VersionBody } from './prompts.ts';
import { createRandom } from './random.ts';
import { randomPrompts } from './random-prompts.ts';

export interface ImportResult {
  name: string;
  status: string;
  reason?: string;
  replaceable?: boolean;
}

/** Returns the text of an export. */
export async function exportText(client: Pick<Client, 'service' | 'token'>): Promise<string> {
  const response = await fetch(`${client.service.url}/api/export`, { headers: { authorization: `Bearer ${client.token}` } });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/x-ndjson');
  return response.text();
}

export async function postLines(
  client: Client,
  body: string,
  { query = '', contentType = 'application/x-ndjson' } = {},
): Promise<ApiResponse> {
  const response = await fetch(`${client.service.url}/api/import${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.token}`, 'content-type': contentType },
    body,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text), text };
}

/** Imports the text of an export, which must succeed. Returns the result for each prompt. */
export async function importText(client: Client, text: string, query = ''): Promise<ImportResult[]> {
  const response = await postLines(client, text, { query });
  assert.equal(response.status, 200, response.text);
  return (response.body as { data: ImportResult[] }).data;
}

/** Returns the text of an export with these lines after its first line. */
export function toLines(...lines: object[]): string {
  return [formatLine, ...lines.map((line) => JSON.stringify(line))].join('\n');
}

export function parseExport(text: string): Record<string, unknown>[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Creates random prompts with several versions, deleted versions, moved labels, test cases and every kind of history entry. */
export async function fillWorkspace(client: Client, count: number, seed = 7): Promise<void> {
  const random = createRandom(seed);
  for (const [index, { name, content }] of randomPrompts(count, seed).entries()) {
    const { description, tags, config } = content;
    const body = content.template === undefined ? { messages: content.messages } : { template: content.template };
    const created: PromptBody = await client.create({
      name,
      description,
      tags,
      config,
      ...body,
      message: `From ${description.slice(0, 100)}`,
    });
    const versions: VersionBody[] = [];
    for (let more = random.below(4); more > 0; more -= 1) {
      const isText = created.type === 'text';
      const text = `${random.below(1000)} {{#items}}{{name}}{{/items}} {{{raw}}}`;
      versions.push(
        await client.save(name, {
          ...(isText ? { template: text } : { messages: [{ role: 'critic', content: text }, { placeholder: 'history' }] }),
          syntax: 'mustache',
          config: random.pick([null, 'text', [1, { a: -0.5e-7 }], { 10: 'b', 2: 'a', '': '\u2028' }]),
          labels: random.pick([[], ['staging'], ['staging', 'a.b']]),
        }),
      );
    }
    const last = versions.at(-1)?.version ?? 1;
    if (last > 1) await client.label(name, 'production', last);
    if (last > 2) assert.equal((await client.call('DELETE', pathOf(name, `/versions/${last - 1}`))).status, 204);
    if (index % 3 === 0) {
      const checks = [{ kind: 'contains', value: 'a "b"\n\u{1F600}' }, { kind: 'maxTokens', value: 5 }, { kind: 'json' }];
      const input = { name: `Case of ${index}`, variables: { name: 'é', list: [1, null] }, checks };
      assert.equal((await client.call('POST', pathOf(name, '/cases'), input)).status, 201);
    }
    if (index % 5 === 0)
      assert.equal((await client.call('PATCH', pathOf(name), { description: 'Another', tags: ['x', 'é', 'B'] })).status, 200);
    if (index % 7 === 0) {
      assert.equal((await client.call('DELETE', pathOf(name))).status, 204);
      assert.equal((await client.call('POST', pathOf(name, '/restore'))).status, 200);
    }
  }
}

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { call, register } from '../../support/client.ts';
import { type Service, startService } from '../../support/service.ts';

const labelRule = 'Use 1 to 50 lowercase letters, digits, dots, dashes and underscores. Start and end with a letter or digit.';

/** Requests with invalid fields, and the exact error text for each field. */
const cases: [string, string, object | undefined, Record<string, string>][] = [
  ['POST', '/api/prompts', { name: '', template: 5 }, { '/name': 'Must not be empty', '/template': 'Must be a string' }],
  [
    'POST',
    '/api/prompts',
    { name: 'a|b', template: 'x', tags: ['a', 'a'] },
    { '/name': 'The characters \\ | < > " and control characters are not allowed', '/tags': 'Must not contain duplicates' },
  ],
  [
    'POST',
    '/api/prompts',
    { name: 'x'.repeat(201), template: 'x', tags: 'a' },
    { '/name': 'Use at most 200 characters', '/tags': 'Must be an array' },
  ],
  [
    'POST',
    '/api/prompts',
    {
      name: 'a',
      messages: ['hi', { role: 'user' }, { role: 'user', content: 5 }, { placeholder: '1' }, { role: 'user', content: '', x: 1 }],
    },
    {
      '/messages/0': 'Must be an object with role and content, or an object with placeholder',
      '/messages/1/content': 'Required',
      '/messages/2/content': 'Must be a string, or an array',
      '/messages/3/placeholder': 'Use 1 to 100 letters, digits and underscores, not starting with a digit',
      '/messages/4/x': 'Unknown field',
    },
  ],
  [
    'POST',
    '/api/prompts',
    { name: 'a', messages: [{ role: 'poet', content: '' }] },
    { '/messages/0/role': 'Use one of: system, developer, user, assistant, tool' },
  ],
  ['POST', '/api/prompts', { name: 'a', messages: [] }, { '/messages': 'Must not be empty' }],
  ['PATCH', '/api/prompts/a', {}, { '': 'Send at least one field' }],
  ['PUT', '/api/prompts/a/labels/No!', { version: 1 }, { '/label': labelRule }],
  ['PUT', '/api/prompts/a/labels/a', { version: 0 }, { '/version': 'Must be at least 1' }],
  ['GET', '/api/prompts?limit=many', undefined, { '/limit': 'Must be a whole number' }],
  [
    'GET',
    '/api/prompts?limit=101&sort=size',
    undefined,
    { '/sort': 'Use one of: name, -name, updatedAt, -updatedAt', '/limit': 'Must be at most 100' },
  ],
  ['GET', '/api/prompts?deleted=yes', undefined, { '/deleted': 'Use true' }],
  ['GET', '/api/prompts/a?label=No!', undefined, { '/label': labelRule }],
  ['GET', '/api/stats?interval=week', undefined, { '/interval': 'Use one of: hour, day' }],
];

describe('400: the message about an invalid field', () => {
  let service: Service;
  let key: string;
  before(async () => {
    service = await startService();
    ({ token: key } = await register(service));
  });
  after(() => service.close());

  for (const [method, path, body, expected] of cases) {
    it(`${method} ${path}: ${Object.keys(expected).join(', ')}`, async () => {
      const response = await call(service, method, path, { key, ...(body && { body }) });
      assert.equal(response.status, 400, response.text);
      const { details } = response.body as { details: { path: string; message: string }[] };
      assert.deepEqual(
        details.map((detail) => [detail.path, detail.message]),
        Object.entries(expected),
      );
    });
  }

  it('reports at most 20 errors, however many there are', async () => {
    const body = { name: 'a', messages: Array.from({ length: 100 }, () => 5) };
    const { details } = (await call(service, 'POST', '/api/prompts', { key, body })).body as { details: { path: string }[] };
    assert.equal(details.length, 20);
    assert.equal(new Set(details.map(({ path }) => path)).size, 20);
  });
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectAccessible } from './support/accessibility.ts';
import { expect, expectNoSidewaysScroll, test } from './support/fixtures.ts';

/** Starts a server that responds as Langfuse does. */
async function startLangfuse(onVersion: (name: string) => Promise<void>) {
  const prompts = ['greeting', 'shared/tone', 'bad|name'];
  const server = createServer(async (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://x');
    const send = (status: number, body: object) => res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const isKnown = req.headers.authorization === `Basic ${Buffer.from('pk-lf-1:sk-lf-1').toString('base64')}`;
    if (!isKnown) return send(401, { message: 'Invalid credentials' });
    const name = decodeURIComponent(pathname.replace(/^\/api\/public\/v2\/prompts\/?/, ''));
    if (name === '') {
      const data = prompts.map((each) => ({
        ...{ name: each, type: 'text', versions: [1, 2], labels: ['production'], tags: ['t'], lastConfig: {} },
        lastUpdatedAt: '2026-01-02T00:00:00.000Z',
      }));
      return send(200, { data, meta: { page: 1, limit: 50, totalItems: data.length, totalPages: 1 } });
    }
    await onVersion(name);
    const version = Number(searchParams.get('version'));
    return send(200, {
      ...{ name, type: 'text', version, prompt: `${name} ${version} {{x}}`, config: { model: 'm' }, tags: ['t'] },
      ...{ labels: version === 1 ? ['production'] : ['latest'], commitMessage: `save ${version}`, createdBy: 'Ada' },
      createdAt: `2026-01-0${version}T00:00:00.000Z`,
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

test('a Langfuse project is read with progress, can be canceled, is reviewed and imported with a report', async ({
  signedIn: page,
  api,
}) => {
  let held = Promise.withResolvers<void>();
  const langfuse = await startLangfuse((name) => (name === 'shared/tone' ? held.promise : Promise.resolve()));
  await page.goto('/dashboard/import');
  const submit = page.getByRole('button', { name: 'Read prompts' });
  await page.getByRole('textbox', { name: 'Langfuse address' }).fill('http://10.0.0.7');
  await page.getByRole('textbox', { name: 'Public key' }).fill('pk-lf-1');
  await page.getByLabel('Secret key').fill('wrong');
  await submit.click();
  await expect(page.getByRole('alert')).toContainText('10.0.0.7 is not a public address');
  await page.getByRole('textbox', { name: 'Langfuse address' }).fill(langfuse.url);
  await submit.click();
  await expect(page.getByRole('alert')).toContainText('rejected the keys');
  await expectAccessible(page);

  await page.getByLabel('Secret key').fill('sk-lf-1');
  await submit.click();
  await expect(page.getByText('Reading shared/tone: 1 of 3 prompts')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeHidden();
  await expect(submit).toBeEnabled();
  held.resolve();
  held = Promise.withResolvers<void>();
  held.resolve();

  await submit.click();
  await expect(page.getByText('2 new, 1 conflict')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'bad|name' })).toContainText('Conflict');
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Import 2 prompts' }).click();
  await expect(page.getByText('2 prompts imported', { exact: true })).toBeVisible();
  expect(await api.fetchPrompt('shared/tone')).toMatchObject({ version: 1, template: 'shared/tone 1 {{x}}', config: { model: 'm' } });
  const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  expect(stored).not.toContain('sk-lf-1');
  langfuse.close();
});

import { emptyClipboard, expect, readClipboard, test } from './support/fixtures.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('settings, Connect: copies a working setup with the key, and notices the first call', async ({ signedIn: page, account, service }) => {
  await page.goto('/dashboard/settings/connect');
  const status = page.getByRole('status').filter({ hasText: /assistant|Connected/ });
  await expect(status).toHaveText('Waiting for an assistant’s first call…');
  await expect(page.locator('main')).not.toContainText(account.token);
  let copied = '';
  for (const name of ['Cursor', 'VS Code', 'Windsurf', 'Codex', 'Inspector', 'Claude Code']) {
    await page.getByRole('radio', { name }).check();
    await emptyClipboard(page);
    await page.getByRole('button', { name: `Copy with key: ${name} setup` }).click();
    await expect.poll(() => readClipboard(page), name).not.toBe('');
    copied = await readClipboard(page);
    expect(copied, name).toContain(`${service.url}/mcp`);
    expect(copied, name).toContain(`Bearer ${account.token}`);
  }
  expect(copied).toBe(
    `claude mcp add --transport http promptharbor ${service.url}/mcp \\\n  --header "Authorization: Bearer ${account.token}"`,
  );
  await page.getByRole('button', { name: 'Show key' }).click();
  await expect(page.getByLabel('Claude Code setup', { exact: true })).toContainText(account.token);
  await page.getByRole('button', { name: 'Hide key' }).click();
  await expect(page.locator('main')).not.toContainText(account.token);

  const response = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'prompts/list' }),
  });
  expect(response.status).toBe(200);
  await expect(status).toHaveText('Connected: 1 call in the last 24 hours.');
});

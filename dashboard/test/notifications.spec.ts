import { expect, test } from './support/fixtures.ts';

test('a new role appears at the bell, leads to the workspace, and can be turned off', async ({
  signedIn: page,
  account,
  service,
  request,
}) => {
  const registered = await request.post('/api/auth/register', {
    data: { email: `grace-${account.userId}@example.com`, password: account.password, name: 'Grace' },
  });
  const owner = (await registered.json()) as { token: string; userId: string };
  const headers = { authorization: `Bearer ${owner.token}` };
  const invited = await request.post('/api/members/invitations', { headers, data: { email: account.email, role: 'viewer' } });
  const { url } = (await invited.json()) as { url: string };
  const accepted = await page.request.post(`/api${new URL(url).pathname}/accept`, { headers: { origin: service.url } });
  expect(accepted.status()).toBe(200);

  await page.goto('/dashboard');
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  const changed = await request.patch(`/api/members/${account.userId}`, { headers, data: { role: 'editor' } });
  expect(changed.status()).toBe(200);
  await page.goto('/dashboard/prompts');
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('link', { name: 'Grace changed your role in “Grace” from viewer to editor.' }).click();
  await expect(page).toHaveURL(new RegExp(`workspace=${owner.userId}`));
  await page.getByRole('button', { name: 'Notifications', exact: true }).click();
  await expect(dialog).toContainText('Nothing unread.');
  await dialog.getByRole('link', { name: 'Settings' }).click();

  const choice = page.getByRole('checkbox', { name: 'Dashboard: my role in a workspace changes' });
  await expect(choice).toBeChecked();
  await choice.click();
  await expect(page.getByText('Notifications saved.')).toBeVisible();
  await expect(choice).not.toBeChecked();
  await page.getByRole('button', { name: 'Notifications', exact: true }).click();
  await expect(dialog).toContainText('No notifications');
});

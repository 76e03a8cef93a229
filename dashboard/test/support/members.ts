import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { type Account, type Api, expect } from './fixtures.ts';

/** Signs in a new member of the account's workspace on a page. */
export async function openMember(
  page: Page,
  { api, account, role, name = 'Grace Hopper' }: { api: Api; account: Account; role: string; name?: string },
): Promise<Page> {
  const member = { email: `member-${randomUUID()}@example.com`, password: account.password };
  expect((await page.request.post('/api/auth/register', { data: { ...member, name } })).status()).toBe(201);
  await page.goto('/login');
  const headers = { origin: new URL(page.url()).origin };
  expect((await page.request.post('/api/session/sign-in/email', { data: member, headers })).status()).toBe(200);
  const invited = await api.request.post('/api/members/invitations', { data: { email: member.email, role } });
  const { url } = (await invited.json()) as { url: string };
  const accepted = await page.request.post(`/api/invitations/${new URL(url).pathname.split('/').at(-1)}/accept`, { headers });
  expect(accepted.status()).toBe(200);
  return page;
}

import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { type Api, expect, expectNoSidewaysScroll, openLive, test, write } from './support/fixtures.ts';
import { openMember } from './support/members.ts';

// The page of a proposal reads the state of test cases and results that do not exist.
test.use({ allows4xx: true });

const include = "{% render 'shared/tone' %}";
const prompts = [
  { name: 'shared/tone', before: 'Be brief.', after: 'Be brief and kind.', title: 'A kinder tone' },
  {
    name: 'support/reply',
    before: `${include} Answer {{ customer }}.`,
    after: `${include} Answer {{ customer }} warmly.`,
    title: 'Warmer reply',
  },
  {
    name: 'support/triage',
    before: `${include} Sort {{ request }}.`,
    after: `${include} Sort {{ request }} in one word.`,
    title: 'One word',
  },
];

test('a team reviews and deploys a change of three prompts, and rolls it back', async ({
  signedIn: ada,
  api,
  account,
  browser,
  service,
}) => {
  test.setTimeout(240_000);
  for (const { name, before } of prompts) await api.createPrompt(name, { template: before });
  const join = async (name: string, role: string) =>
    openMember(await (await browser.newContext({ baseURL: service.url })).newPage(), { api, account, role, name });
  const [grace, dan] = [await join('Grace Hopper', 'editor'), await join('Dan Deployer', 'deployer')];
  const inWorkspace = `workspace=${account.userId}`;
  await protectProduction(ada);

  await test.step('an editor finds out how to propose, and saves three candidates', async () => {
    await grace.goto(`/dashboard/proposals?${inWorkspace}`);
    await expect(
      grace.getByText('Moving production requires a proposal. To open one, deploy a version or propose a candidate of a prompt.'),
    ).toBeVisible();
    for (const prompt of prompts.toReversed()) await saveCandidate(grace, prompt, inWorkspace);
  });

  const address = await test.step('the candidates are proposed together', async () => {
    await grace.getByRole('button', { name: 'Propose' }).click();
    const dialog = grace.getByRole('dialog', { name: 'Propose' });
    await dialog.getByRole('button', { name: 'support/reply' }).click();
    await dialog.getByLabel('Name of another prompt').fill('support/triage');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(dialog.getByLabel('What production of support/triage moves to')).toHaveText(/Candidate: One word/);
    await dialog.getByLabel('What is this for?').fill('A kinder tone for support');
    await dialog.getByRole('checkbox', { name: 'Dan Deployer' }).check();
    await dialog.getByRole('button', { name: 'Propose 3 prompts' }).click();
    await grace.getByRole('dialog', { name: 'Proposal opened' }).getByRole('link', { name: 'Open the proposal' }).click();
    await expect(grace.getByText('Only deployers and admins can approve a move of production.')).toBeVisible();
    await expect(grace.getByRole('button', { name: 'Decline' })).toHaveCount(0);
    return new URL(grace.url()).pathname;
  });

  await test.step('a deployer is asked, comments on a line, and approves', async () => {
    await openLive(dan, `/dashboard/prompts?${inWorkspace}`);
    await dan.getByRole('link', { name: /Proposals 1 waiting for you/ }).click();
    await dan.getByRole('link', { name: /A kinder tone for support/ }).click();
    for (const { name, title } of prompts) {
      await expect(dan.getByRole('region', { name: `Move production of ${name} to the candidate “${title}”` })).toContainText(
        '0 of 1 approvals',
      );
    }
    await expect(dan.getByRole('link', { name: 'Add test cases' })).toHaveCount(3);
    await expect(dan.getByRole('button', { name: 'Withdraw' })).toHaveCount(0);
    await comment(dan, 'Fine for me, @Grace');
    await expect(grace.getByRole('article', { name: 'Comment by Dan Deployer' })).toContainText('Fine for me, @Grace');
    await expectAccessible(dan);
    await dan.getByRole('heading', { level: 1 }).click();
    await dan.keyboard.press('a');
    await expect(dan.getByText('It has all required approvals.')).toBeVisible();
  });

  await test.step('on a phone, the deployer applies it, and all three prompts change together', async () => {
    await dan.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(dan);
    await dan.getByRole('button', { name: 'Apply', exact: true }).click();
    await expect(dan.getByText(/Dan Deployer applied this proposal/)).toBeVisible();
    await expect(dan.getByRole('region', { name: 'Move production of shared/tone to v2' })).toContainText('Be brief.');
    expect(await fetchLive(api)).toEqual([2, 2, 2]);
  });

  await test.step('it is rolled back in one step, without an approval', async () => {
    await ada.goto(`${address}?${inWorkspace}`);
    await ada.getByRole('button', { name: 'Roll back' }).click();
    const dialog = ada.getByRole('alertdialog', { name: 'Roll back?' });
    await expect(dialog.getByRole('listitem')).toHaveText(prompts.map(({ name }) => `production of ${name}: v2 → v1`));
    await dialog.getByRole('button', { name: 'Roll back' }).click();
    await expect(ada.getByText('3 prompts rolled back.')).toBeVisible();
    await expect(ada.getByRole('button', { name: 'Roll back' })).toHaveCount(0);
    expect(await fetchLive(api)).toEqual([1, 1, 1]);
  });
  for (const page of [grace, dan]) await page.context().close();
});

async function protectProduction(page: Page): Promise<void> {
  await page.goto('/dashboard/settings/labels');
  const rules = page.getByRole('group', { name: 'Rules for production' });
  await rules.getByText('Protect this label').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Protect' }).click();
  await rules.getByText('Require proposals').click();
  const dialog = page.getByRole('dialog', { name: 'Require proposals for production?' });
  await expect(dialog.getByText('Deployers, admins and the owner can approve.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Require proposals' }).click();
  await expect(page.getByText('Moving production requires a proposal.')).toBeVisible();
}

async function saveCandidate(page: Page, { name, after, title }: (typeof prompts)[number], inWorkspace: string): Promise<void> {
  await page.goto(`/dashboard/prompts/${name}?${inWorkspace}`);
  await write(page, 'Template', after);
  await page.getByRole('button', { name: 'Save version' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Candidate', { exact: true }).click();
  await dialog.getByLabel('Name', { exact: true }).fill(title);
  await dialog.getByRole('button', { name: 'Save candidate' }).click();
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
}

/** Comments on the first line of the first comparison. */
async function comment(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Candidate: A kinder tone', exact: true }).hover();
  await page.getByRole('button', { name: 'Comment on line 1 of Candidate: A kinder tone' }).click();
  await page.getByRole('textbox', { name: 'Comment on line 1 of Candidate: A kinder tone' }).fill(text);
  await page.getByRole('button', { name: 'Add comment' }).first().click();
}

async function fetchLive(api: Api): Promise<number[]> {
  return Promise.all(prompts.map(async ({ name }) => (await api.fetchPrompt(name)).version));
}

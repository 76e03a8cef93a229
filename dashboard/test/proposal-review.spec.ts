import { LLMock } from '@copilotkit/aimock';
import { expectAccessible } from './support/accessibility.ts';
import { type Api, test as base, expect, expectNoSidewaysScroll } from './support/fixtures.ts';

/** A server that speaks the protocol of models. */
const test = base.extend<{ mock: LLMock }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture names from this pattern.
  mock: async ({}, use) => {
    const mock = new LLMock({ port: 0 });
    mock.onMessage('Dear', { content: 'Yours sincerely' });
    mock.onMessage('Good day', { content: 'See you' });
    await mock.start();
    await use(mock);
    await mock.stop();
  },
});

const name = 'support/triage';

async function post(api: Api, path: string, data: object): Promise<{ id: string }> {
  const response = await api.request.post(path, { data });
  expect(response.ok(), `${path}: ${await response.text()}`).toBe(true);
  return (await response.json()) as { id: string };
}

/** Creates a prompt with a version in production, and proposes a candidate for it. */
async function proposeCandidate(api: Api): Promise<string> {
  await api.createPrompt(name);
  await api.saveVersion(name, { template: 'Dear {{ name }}.', labels: ['production'] });
  const { id: candidate } = await post(api, api.path(name, '/candidates'), { title: 'Warmer', template: 'Good day, {{ name }}.' });
  const cases = [
    { name: 'Stays polite', value: 'Ada' },
    { name: 'Starts with Dear', value: 'Dear' },
    { name: 'Says good day', value: 'Good day' },
  ];
  for (const { name: title, value } of cases) {
    const checks = [{ kind: 'contains', on: 'prompt', value }];
    await post(api, api.path(name, '/cases'), { name: title, variables: { name: 'Ada' }, checks });
  }
  const rules = await api.request.patch('/api/workspace', { data: { labelRules: { production: { approvals: 1 } } } });
  expect(rules.ok()).toBe(true);
  return (await post(api, '/api/proposals', { changes: [{ prompt: name, label: 'production', candidate }] })).id;
}

test('a reviewer runs the checks of both contents, sees the differences first, and compares outputs for a test case', async ({
  signedIn: page,
  api,
  mock,
}) => {
  test.setTimeout(180_000);
  const id = await proposeCandidate(api);
  await post(api, '/api/models', { name: 'Local', baseUrl: `${mock.url}/v1`, models: ['some-model'], apiKey: 'sk-test' });
  await page.goto(`/dashboard/proposals/${id}`);
  const checks = page.getByRole('region', { name: 'Checks' });
  for (const side of ['Version 2', 'Candidate: Warmer']) {
    await checks.getByRole('button', { name: `Run the checks with ${side}` }).click();
    await expect(checks.getByRole('listitem').filter({ hasText: `${side}: 2 of 3 passed` })).toBeVisible();
  }
  const rows = checks.getByRole('list', { name: 'Results of the test cases' }).getByRole('button', { expanded: false });
  await expect(rows).toHaveText([/^Starts with Dear/, /^Says good day/]);
  await expect(checks.getByText('worse', { exact: true })).toHaveCount(1);
  await expect(checks.getByText('better', { exact: true })).toHaveCount(1);
  await expectAccessible(page);
  await checks.getByRole('button', { name: 'Show all 3 test cases' }).click();
  await expect(rows).toHaveText([/^Starts with Dear/, /^Says good day/, /^Stays polite/]);

  await test.step('sample outputs, which are stored as runs', async () => {
    await page.getByText('Sample outputs').click();
    await page.getByRole('checkbox', { name: 'Says good day' }).check();
    await page.getByRole('button', { name: 'Run 4 samples' }).click();
    for (const each of ['Stays polite', 'Says good day']) {
      const sample = page.getByRole('region', { name: `Sample: ${each}` });
      await expect(sample.getByText('Yours sincerely').first()).toBeVisible();
      await expect(sample.getByText('See you').first()).toBeVisible();
      await expect(sample.getByRole('heading', { name: 'Differences between the outputs' })).toBeVisible();
    }
    await expectAccessible(page);
    const runs = await api.request.get(api.path(name, '/runs'));
    expect(((await runs.json()) as { data: unknown[] }).data).toHaveLength(4);
  });

  await expect(page.getByText('v2 at production in the last 7 days: no reported calls.')).toBeVisible();
  await expect(page.getByText('You opened this proposal, so someone else has to approve it.')).toBeVisible();
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});

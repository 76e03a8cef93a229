import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { type Api, emptyClipboard, expect, readClipboard, test } from './support/fixtures.ts';

const name = 'support/triage';
const tab = `/dashboard/prompts/${name}?view=results`;

const chart = (page: Page) => page.getByRole('slider', { name: /over time/ });
const table = (page: Page, title: string) => page.getByRole('region', { name: title }).getByRole('table');
const rowOf = (page: Page, title: string, row: RegExp) => table(page, title).getByRole('row', { name: row });

async function report(api: Api, calls: object[]): Promise<void> {
  const response = await api.request.post('/api/results', { data: { calls } });
  expect(response.status(), await response.text()).toBe(202);
}

async function rate(api: Api, feedback: object): Promise<void> {
  const response = await api.request.post('/api/feedback', { data: { prompt: name, ...feedback } });
  expect(response.status(), await response.text()).toBe(202);
}

/**
 * Reports calls of two versions. Those of the first version ended some hours ago. The second version fails more often, is slower, costs
 * more and is rated lower.
 */
async function fill(api: Api, { hours = 3 } = {}): Promise<void> {
  await api.createPrompt(name);
  await api.saveVersion(name, { template: 'Dear {{ name }}.', labels: ['production'] });
  const endedAt = new Date(Date.now() - hours * 3_600_000).toISOString();
  const call = { prompt: name, label: 'production', provider: 'openai', inputTokens: 400, outputTokens: 40 };
  const first = { ...call, version: 1, model: 'gpt-5-mini', durationMs: 400, firstChunkMs: 100, cost: 0.001, endedAt };
  const second = { ...call, version: 2, model: 'gpt-5', durationMs: 2000, cost: 0.002 };
  await report(api, [...Array(199).fill(first), { ...first, error: 'timeout' }]);
  await report(api, [
    ...Array(135).fill(second),
    ...Array(10).fill({ ...second, error: '429' }),
    ...Array(5).fill({ ...second, error: '<b>x</b>' }),
  ]);
  await report(api, [{ prompt: name, durationMs: 50 }]);
  for (const [version, helpful] of [
    [1, 18],
    [2, 4],
  ] as const) {
    for (let index = 0; index < 20; index += 1) await rate(api, { label: 'production', version, name: 'helpful', value: index < helpful });
    for (const value of ['friendly', 'friendly', 'cold']) await rate(api, { label: 'production', version, name: 'tone', value });
  }
  await rate(api, { label: 'production', version: 1, name: 'stars', value: 4 });
  await rate(api, { label: 'production', version: 2, name: 'helpful', value: false, comment: 'It answered in French.\n<img src=x>' });
  await rate(api, { label: 'production', version: 1, name: 'stars', value: 5, comment: 'Perfect.' });
}

test('before the first result, the tab says what results are, and the first one appears by itself', async ({ signedIn: page, api }) => {
  await api.createPrompt(name);
  await page.goto(tab);
  await expect(page.getByRole('tab', { name: 'Results' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('heading', { name: 'No results in this period' })).toBeVisible();
  await expect(page.getByLabel('example', { exact: true })).toContainText(`prompts.get('${name}')`);
  await expect(page.getByLabel('example', { exact: true })).toContainText("render({ name: '…' })");
  await expect(page.getByRole('search')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Send results' })).toHaveAttribute('href', /settings\/connect.*#results$/);

  await report(api, [{ prompt: name, version: 1, durationMs: 800 }]);
  await expect(rowOf(page, 'Versions side by side', /^v1/)).toBeVisible();
  // A number that was not reported is shown as a dash with an explanation, and never as 0.
  const row = rowOf(page, 'Versions side by side', /^v1/);
  await expect(row).toContainText('No call reported tokens');
  await expect(row).toContainText('No call reported a cost, and none used a model with a known price');
  await expect(row).not.toContainText('$');
  await expect(page.getByRole('columnheader', { name: 'First chunk' })).toHaveCount(0);
  await expect(page.getByText('Nothing to compare yet.')).toBeVisible();
  await expect(page.getByText('No comments. Feedback can have a comment in addition to the score.')).toBeVisible();

  await page.getByRole('link', { name: 'Statistics', exact: true }).click();
  await page.getByRole('radio', { name: 'Results' }).check();
  await expect(page.getByRole('row', { name: /triage/ })).toContainText('0%');
});

test('results: versions side by side, the last deployment in words, the chart with deployments, filters, comments and CSV', async ({
  signedIn: page,
  api,
}) => {
  await fill(api);
  await page.goto(tab);

  // The comparison says what has changed, and only where the numbers suffice.
  const compared = (row: RegExp) => rowOf(page, 'Since the last deployment', row);
  await expect(page.getByText(/^production moved to v2/)).toBeVisible();
  await expect(compared(/^Calls/)).toContainText(/200\s*150/);
  await expect(compared(/^Errors/)).toContainText(/0\.5%\s*10%\s*more/);
  await expect(compared(/^Errors/)).toContainText('The 95% confidence intervals do not overlap');
  await expect(compared(/^Median duration/)).toContainText(/5\.\d times slower/);
  await expect(compared(/^95th percentile/)).toContainText(/5\.\d times slower/);
  await expect(compared(/^First chunk/)).toContainText('No call reported the time to its first chunk');
  await expect(compared(/^Cost per call/)).toContainText(/\$0\.001\s*\$0\.002\s*100% more expensive/);
  await expect(compared(/^helpful/)).toContainText(/90%\s*19%\s*lower/);
  await expect(compared(/^tone/)).toContainText(/friendly\s*66\.7%/);
  await expect(compared(/^stars/)).toContainText('This version does not have this score');
  await expect(compared(/^stars/)).not.toContainText(/lower|higher|difference/);

  const versions = (row: RegExp) => rowOf(page, 'Versions side by side', row);
  await expect(versions(/^v2/)).toContainText('production');
  await expect(versions(/^v2/)).toContainText('newest');
  await expect(versions(/^v1/)).not.toContainText('production');
  await expect(versions(/^v1/)).toContainText('80,000 in');
  await expect(versions(/^v1/)).toContainText('$0.20 total');
  await expect(versions(/^v1/)).toContainText(/0\.5%, between 0\.\d+%–? and [12]\.\d%/);
  await expect(versions(/^No version/)).toContainText('1');
  await expect(table(page, 'Versions side by side').getByRole('columnheader')).toHaveText([
    'Version',
    'Calls',
    'Errors',
    'p50',
    'p95',
    'First chunk',
    'Tokens',
    'Cost per call',
    'helpful',
    'tone',
    'stars',
  ]);

  // The service counts all types of errors with unusual characters together.
  await expect(page.getByRole('row', { name: 'Other errors 5 31.3%' })).toBeVisible();
  await expect(page.getByRole('row', { name: '429 10 62.5%' })).toBeVisible();

  // The chart marks deployments, also for screen readers.
  await expect(chart(page).getByText('production v2')).toBeAttached();
  await expect(chart(page)).toHaveAttribute(
    'aria-valuetext',
    /so far · .*production v2 deployed, Calls: 151, Error rate: 9\.9%, .*v2: 150/,
  );
  await page.getByRole('radio', { name: 'Error rate' }).check();
  await expect(page.getByText('Error rate over time')).toBeVisible();
  await page.getByRole('radio', { name: 'p95', exact: true }).check();
  await expect(page.getByText('95th percentile of durations over time')).toBeVisible();
  await page.getByRole('radio', { name: 'Cost', exact: true }).check();
  await page.getByRole('button', { name: 'Show as table' }).click();
  await expect(
    page.getByRole('region', { name: 'Cost over time' }).getByRole('row', { name: /so far.*production v2 deployed/ }),
  ).toContainText('$0.30');
  await page.getByRole('button', { name: 'Show as chart' }).click();
  await chart(page).focus();
  for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/at=\d{4}-\d{2}-\d{2}T\d{2}/);
  await expect(versions(/^v1/)).toBeVisible();
  await expect(versions(/^v2/)).toHaveCount(0);
  await page.getByRole('list', { name: 'Filters' }).getByRole('button').first().click();

  await page.goto(tab);
  await page.getByLabel('Model').selectOption('gpt-5');
  await expect(page).toHaveURL(/model=gpt-5/);
  await expect(versions(/^v1/)).toHaveCount(0);
  await expect(versions(/^v2/)).toContainText('150');
  await expect(page.getByLabel('Model').getByRole('option')).toHaveText(['Any model', 'gpt-5', 'gpt-5-mini']);
  await page.getByRole('radio', { name: '7 days' }).check();
  await expect(page).toHaveURL(/model=gpt-5/);
  await page.getByLabel('Model').selectOption('');
  await page.getByRole('button', { name: 'gpt-5-mini', exact: true }).click();
  await expect(page.getByLabel('Model')).toHaveValue('gpt-5-mini');
  await page.goto(`${tab}&label=staging`);
  await expect(page.getByRole('heading', { name: 'No calls match these filters' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(versions(/^v2/)).toBeVisible();

  const comments = page.getByRole('listitem').filter({ hasText: /just now|min\. ago/ });
  await expect(comments).toHaveCount(2);
  await expect(comments.first()).toContainText('Perfect.');
  await expect(comments.last()).toContainText('<img src=x>');
  await expect(comments.last()).toContainText('helpful: false');
  await page.getByLabel('Comments on').selectOption('v2');
  await expect(comments).toHaveCount(1);
  await expect(comments).toContainText('It answered in French.');

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  await page.getByRole('menuitem', { name: 'Scores' }).click();
  expect((await download).suggestedFilename()).toBe('results-by-score.csv');
  const text = await readFile(await (await download).path(), 'utf8');
  expect(text).toContain('version,score,kind,category,count,mean,low,high');
  expect(text).toContain('2,tone,category,friendly,2');
});

test('the overview of the workspace lists prompts and models by cost, and says what was not counted', async ({ signedIn: page, api }) => {
  // The chart shows days. Three hours ago may be yesterday.
  await fill(api, { hours: 0 });
  await api.createPrompt('cheap');
  await report(api, [
    { prompt: 'cheap', version: 1, model: 'gpt-5-mini', durationMs: 10, cost: 0.01 },
    { prompt: 'missing', durationMs: 10 },
    { prompt: 'cheap', version: 9, durationMs: 10 },
  ]);
  await page.goto('/dashboard?show=results&range=7d');
  await expect(page.getByRole('definition').first()).toHaveText('$0.51');
  const rows = (title: string) =>
    page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: title }) })
      .last()
      .locator('tbody tr');
  await expect(rows('Prompts by cost').first()).toContainText(name);
  await expect(rows('Prompts by cost').last()).toContainText('cheap');
  await expect(rows('Models by cost').first()).toContainText('gpt-5');
  await expect(rows('Not counted')).toHaveText([
    /Calls with prompts that are not in this workspace.*1$/,
    /Calls with versions that do not exist.*1$/,
  ]);
  await expect(chart(page)).toHaveAttribute('aria-valuetext', /Calls: 352,/);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  await page.getByRole('menuitem', { name: 'By prompt' }).click();
  expect(await readFile(await (await download).path(), 'utf8')).toContain(`${name},p_`);

  await page.getByRole('link', { name }).click();
  await expect(page).toHaveURL(/view=results/);
  await expect(page).toHaveURL(/range=7d/);
  await expect(rowOf(page, 'Versions side by side', /^v2/)).toBeVisible();
});

test('settings, Connect: the lines of each library have the address and the key, and the first result checks off the list', async ({
  signedIn: page,
  api,
  account,
  service,
}) => {
  await api.createPrompt(name);
  await page.goto('/dashboard/settings/connect#results');
  const status = page.getByRole('status').filter({ hasText: 'reported' });
  await expect(status).toHaveText('Waiting for the first reported call…');
  await expect(page.getByRole('heading', { name: 'Send results' })).toBeInViewport();
  const guide = await page.getByRole('link', { name: 'Guide to results' }).getAttribute('href');
  expect((await page.request.get(guide ?? '')).status()).toBe(200);
  const copied: Record<string, string> = {};
  const javascript = ['OpenAI SDK', 'AI SDK', 'LangChain', 'Langfuse (JavaScript)'];
  const libraries = [...javascript, 'OpenAI SDK (Python)', 'Langfuse (Python)', 'OpenTelemetry', 'HTTP'];
  for (const library of libraries) {
    await page.getByRole('radio', { name: library, exact: true }).check();
    await emptyClipboard(page);
    await page.getByRole('button', { name: `Copy with key: ${library}` }).click();
    await expect.poll(() => readClipboard(page), library).not.toBe('');
    copied[library] = await readClipboard(page);
    expect(copied[library], library).toContain(service.url);
    expect(copied[library], library).toContain(account.token);
    await expect(page.locator('main'), library).toContainText(name);
  }
  await expect(page.locator('main')).not.toContainText(account.token);
  expect(copied.OpenTelemetry).toContain(`OTEL_EXPORTER_OTLP_TRACES_HEADERS=Authorization=Bearer%20${account.token}`);
  for (const library of ['Langfuse (JavaScript)', 'Langfuse (Python)']) {
    for (const variable of ['LANGFUSE_BASE_URL', 'LANGFUSE_BASEURL', 'LANGFUSE_HOST']) {
      expect(copied[library]).toContain(`export ${variable}=${service.url}\n`);
    }
    expect(copied[library]).not.toContain('TRACING_ENABLED');
  }

  // The test decodes the header as an exporter would.
  const [, endpoint = '', header = ''] = /TRACES_ENDPOINT=(\S+)[\s\S]*_HEADERS=Authorization=(\S+)/.exec(copied.OpenTelemetry ?? '') ?? [];
  const headers = { authorization: decodeURIComponent(header), 'content-type': 'application/json' };
  expect((await fetch(endpoint, { method: 'POST', headers, body: '{"resourceSpans":[]}' })).status).toBe(200);

  // The command of the last library is sent as it was copied.
  const [, url = '', key = '', type = '', body = ''] =
    /^curl (\S+) \\\n {2}-H "Authorization: (.+)" \\\n {2}-H "Content-Type: (.+)" \\\n {2}-d '(.+)'$/.exec(copied.HTTP ?? '') ?? [];
  expect((await fetch(url, { method: 'POST', headers: { authorization: key, 'content-type': type }, body })).status).toBe(202);
  await expect(status).toHaveText('Receiving results. The last call was reported this hour.');
});

test('settings, Connect: in another workspace, the code never contains the account’s own key', async ({ signedIn: page, service }) => {
  const response = await page.request.post('/api/workspaces', { data: { name: 'Support' }, headers: { origin: service.url } });
  expect(response.status()).toBe(201);
  const { id } = (await response.json()) as { id: string };
  await page.goto(`/dashboard/settings/connect?workspace=${id}`);
  await expect(page.getByText('In this workspace, use the key of a service account.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy with key: OpenAI SDK' })).toHaveCount(0);
  await emptyClipboard(page);
  await page.getByRole('button', { name: 'Copy OpenAI SDK, environment' }).click();
  await expect.poll(() => readClipboard(page)).toContain('export PROMPTHARBOR_API_KEY=ph_••••••••');
});

test.describe('when reading fails', () => {
  test.use({ allows4xx: true });

  test('the tab says so, and tries again', async ({ signedIn: page, api }) => {
    await api.createPrompt(name);
    let fails = true;
    await page.route('**/api/prompts/*/results*', (route) =>
      fails
        ? route.fulfill({ status: 429, json: { error: { code: 'too_many_requests', message: 'Too many requests' } } })
        : route.continue(),
    );
    await page.goto(tab);
    await expect(page.getByRole('alert')).toContainText('Loading failed');
    fails = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { name: 'No results in this period' })).toBeVisible();
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the longest names and many versions fit, and the deployed version is always visible', async ({ signedIn: page, api }) => {
    test.setTimeout(300_000);
    const longName = 'W'.repeat(200);
    await api.createPrompt(longName);
    for (let version = 2; version <= 20; version += 1) await api.saveVersion(longName, { template: `${version}` });
    const label = 'm'.repeat(50);
    for (const version of [1, 2]) await api.request.put(api.path(longName, `/labels/${label}`), { data: { version } });
    const call = { prompt: longName, label, durationMs: 100, model: 'M'.repeat(200), error: 'E'.repeat(100) };
    await report(
      api,
      Array.from({ length: 20 }, (_, index) => ({ ...call, version: index + 1 })),
    );
    for (const version of [1, 2]) {
      const feedback = { prompt: longName, version, label, name: 'S'.repeat(100), value: 'C'.repeat(100), comment: 'X'.repeat(500) };
      expect((await api.request.post('/api/feedback', { data: feedback })).status()).toBe(202);
    }
    const expectToFit = async (ready: string) => {
      await expect(page.getByText(ready).first()).toBeVisible();
      const widths = () => page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      await expect.poll(async () => (await widths())[0]).toBe((await widths())[1]);
    };
    await page.goto(`/dashboard/prompts/${longName}?view=results&label=${label}`);
    await expectToFit('Since the last deployment');
    await expectToFit('X'.repeat(500));
    const rows = table(page, 'Versions side by side').locator('tbody tr');
    // The table shows twelve versions, and also version 2, at which the label points, and version 1, which is in production.
    await expect(rows).toHaveCount(14);
    await page.getByRole('button', { name: 'Show all 20 versions' }).click();
    await expect(rows).toHaveCount(20);
    await page.goto('/dashboard?show=results');
    await expectToFit('Prompts by cost');
    await page.goto('/dashboard/settings/connect');
    await expectToFit('Send results');
  });
});

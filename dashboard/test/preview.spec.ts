import type { Page } from '@playwright/test';
import { expect, readClipboard, test, write } from './support/fixtures.ts';

const output = (page: Page) => page.getByTestId('preview');
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

test('the preview shows what the API renders for the given values, and names only missing required variables', async ({
  signedIn: page,
  api,
}) => {
  const template =
    'Answer {{ customer.name }}{% if customer.vip %} first{% endif %} in {{ language | default: "English" }}.' +
    '{% for item in items %} {{ item.title }}: {{ item.price }};{% endfor %}{% if note %} Note: {{ note }}.{% endif %}';
  await api.createPrompt('reply', { template });
  const rendered = async (variables: object) =>
    ((await (await api.request.post('/api/prompts/reply/render', { data: { variables } })).json()) as { text: string }).text;
  await page.goto('/dashboard/prompts/reply');
  await expect(output(page)).toHaveText('Answer ‹customer.name› in English. ‹items[].title›: ‹items[].price›;');
  await expect(page.getByText('2 missing')).toBeVisible();

  await test.step('text that depends on a missing value is shown by the name of the variable', async () => {
    await write(page, 'Template', '{{ customer.name | upcase }}, {{ items.size | plus: 1 }}{% if items.size > 3 %} many{% endif %}');
    await expect(output(page)).toHaveText('‹customer.name›, ‹items.size›‹if items.size > 3› many‹end›');
    await expect(output(page).locator('mark')).toHaveCount(4);
    await write(
      page,
      'Template',
      `{{ customer.name }}${'\nA line of a very long prompt that says nothing in particular.'.repeat(3000)}{{ last }}`,
    );
    await expect(output(page).locator('mark')).toHaveText(['‹customer.name›', '‹last›']);
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  await test.step('nested values are entered in a form', async () => {
    await field(page, 'customer.name').fill('Ada');
    await page.getByRole('button', { name: 'Add row to items' }).click();
    await field(page, 'items[0].title').fill('Lamp');
    await page.getByRole('button', { name: 'Add row to items' }).click();
    await field(page, 'items[1].title').fill('Rope');
    await field(page, 'items[1].price').fill('3 €');
    await page.getByRole('button', { name: 'Remove items[0]' }).click();
    await expect(output(page)).toHaveText(await rendered({ customer: { name: 'Ada' }, items: [{ title: 'Rope', price: '3 €' }] }));
    await expect(page.getByText('missing')).toBeHidden();
  });

  await test.step('a value that is not set differs from empty text', async () => {
    await field(page, 'note').fill('x');
    await expect(output(page)).toContainText('Note: x.');
    await field(page, 'note').fill('');
    await expect(output(page)).toContainText('Note: .');
    await page.getByLabel('Set note').uncheck();
    await expect(output(page)).not.toContainText('Note');
  });

  await test.step('the JSON view shows the same value, and invalid JSON is marked and never sent', async () => {
    const sent: string[] = [];
    page.on('request', (request) => request.url().endsWith('/api/render') && sent.push(request.postData() ?? ''));
    await page.getByRole('button', { name: 'Edit items as JSON' }).click();
    await expect(field(page, 'items')).toHaveValue(JSON.stringify([{ title: 'Rope', price: '3 €' }], null, 2));
    await field(page, 'items').fill('[{ "title": "Broken" ');
    await expect(field(page, 'items')).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByText('The value of items is not valid JSON.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Edit items as JSON' })).toBeDisabled();
    await field(page, 'items').fill('[{ "title": "Rope", "price": 4 }]');
    await expect(output(page)).toHaveText(await rendered({ customer: { name: 'Ada' }, items: [{ title: 'Rope', price: 4 }] }));
    expect(sent.join('')).not.toContain('Broken');
    await page.getByRole('button', { name: 'Edit items as JSON' }).click();
    await expect(field(page, 'items[0].price')).toHaveValue('4');
  });

  await test.step('values survive leaving and reloading the page until they are reset', async () => {
    await page.getByRole('link', { name: 'Bin' }).click();
    await expect(page.getByRole('heading', { name: 'Bin', exact: true })).toBeVisible();
    await page.goBack();
    await expect(field(page, 'customer.name')).toHaveValue('Ada');
    await page.reload();
    await expect(output(page)).toContainText('Answer Ada in English. Rope: 4;');
    await page.getByRole('button', { name: 'Reset values' }).click();
    await expect(output(page)).toContainText('‹customer.name›');
    await page.reload();
    await expect(output(page)).toContainText('‹customer.name›');
  });
});

test('the messages of a chat are copied one by one or together, and the preview recovers from an error', async ({
  signedIn: page,
  api,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await api.createPrompt('chat', {
    messages: [{ role: 'system', content: 'Help {{ name }}.' }, { placeholder: 'history' }, { role: 'user', content: 'שלום' }],
  });
  await page.goto('/dashboard/prompts/chat');
  await field(page, 'name').fill('Ada');
  await page.getByRole('button', { name: 'Add message to history' }).click();
  await field(page, 'history[0].role').selectOption('assistant');
  await field(page, 'history[0].content').fill('Hi');
  await expect(output(page)).toHaveText(['Help Ada.', 'Hi', 'שלום']);
  await expect(output(page).last()).toHaveCSS('direction', 'rtl');
  await page.getByRole('button', { name: 'Copy message 1' }).click();
  await expect.poll(() => readClipboard(page)).toBe('Help Ada.');
  await page.getByRole('button', { name: 'Copy all messages as JSON' }).click();
  const messages = [
    { role: 'system', content: 'Help Ada.' },
    { role: 'assistant', content: 'Hi' },
    { role: 'user', content: 'שלום' },
  ];
  await expect.poll(() => readClipboard(page)).toBe(JSON.stringify(messages, null, 2));

  await page.route('**/api/render', (route) => route.fulfill({ status: 503, json: { error: 'The service is busy' } }));
  await field(page, 'name').fill('Grace');
  await expect(page.getByText('Waiting for the server…')).toBeVisible();
  await page.unroute('**/api/render');
  await expect(output(page).first()).toHaveText('Help Grace.');
  await expect(page.getByText('Waiting for the server…')).toBeHidden();
});

test.describe('an included prompt that is missing', () => {
  // The service refuses the move until the user confirms it.
  test.use({ allows4xx: true });

  test('variables are known while an included prompt is missing, and change with it', async ({ signedIn: page, api }) => {
    await page.goto('/dashboard/new');
    await page.getByLabel('Name', { exact: true }).fill('letter');
    await write(page, 'Template', "{% render 'shared/tone' %} Dear {{ name }}");
    await expect(page.getByText('There is no prompt "shared/tone" with the label "production"')).toBeVisible();
    await expect(field(page, 'name')).toBeVisible();
    await expect(page.getByText('None yet')).toBeHidden();
    await page.getByRole('button', { name: 'Save and deploy' }).click();
    await page.getByRole('button', { name: 'Save and deploy anyway' }).click();
    await expect(page).toHaveURL(/prompts\/letter$/);
    await expect(field(page, 'name')).toBeVisible();

    await write(page, 'Template', "{% render 'shared/tone' %} Dear {{ customer }}");
    await expect(field(page, 'customer')).toBeVisible();
    await page.keyboard.press('ControlOrMeta+S');
    await page.getByRole('dialog').getByRole('button', { name: 'Save version' }).click();
    await expect(page.getByText('Version 2 saved.')).toBeVisible();
    await expect(field(page, 'name')).toBeHidden();
    await expect(field(page, 'customer')).toBeVisible();

    await api.createPrompt('shared/tone', { template: 'Be {{ mood }}.' });
    await expect(field(page, 'mood')).toBeVisible();
    await expect(output(page)).toHaveText('Be ‹mood›. Dear ‹customer›');
  });
});

test('500 variables can be searched, and the preview stays visible', async ({ signedIn: page, api }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await api.createPrompt('many', { template: Array.from({ length: 500 }, (_, index) => `{{ v${index} }}`).join(' ') });
  await page.goto('/dashboard/prompts/many');
  await expect(field(page, 'v0')).toBeHidden();
  await page.getByRole('button', { name: 'Variables 500' }).click();
  await page.getByLabel('Find a variable').fill('v499');
  await field(page, 'v499').fill('last');
  await page.getByLabel('Find a variable').fill('');
  await expect(field(page, 'v0')).toBeVisible();
  await expect(output(page)).toContainText('‹v498› last');
  await expect(output(page)).toBeInViewport({ ratio: 0.5 });
  await write(page, 'Template', 'Hello {{ v499 }}');
  await expect(output(page)).toHaveText('Hello last');
});

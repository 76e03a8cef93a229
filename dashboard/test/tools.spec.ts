import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { type Api, expect, test, write } from './support/fixtures.ts';

const showTools = (page: Page) => page.getByRole('radio', { name: /^Tools and output/ }).check();
const tool = (page: Page, number: number) => page.getByRole('group', { name: `Tool ${number}`, exact: true });
const output = (page: Page) => page.locator('section', { has: page.getByRole('heading', { name: 'Output schema', exact: true }) });

interface Saved {
  config: unknown;
  tools?: unknown[];
  output?: unknown;
  variables: { name: string; required?: boolean }[];
}

async function fetchVersion(api: Api, name: string, version: number): Promise<Saved> {
  return (await (await api.request.get(api.path(name, `/versions/${version}`))).json()) as Saved;
}

async function save(page: Page, version: number): Promise<void> {
  await page.keyboard.press('ControlOrMeta+S');
  await page.getByRole('dialog').getByRole('button', { name: 'Save version' }).click();
  await expect(page.getByText(`Version ${version} saved.`)).toBeVisible();
}

test.describe('tools and an output schema', () => {
  // While a name is typed, the service may refuse it.
  test.use({ allows4xx: true });

  test('are written in a form by someone who has never seen JSON Schema', async ({ signedIn: page, api }) => {
    await api.createPrompt('support');
    await page.goto('/dashboard/prompts/support');
    await showTools(page);

    await test.step('a tool with parameters, by keyboard', async () => {
      await page.getByRole('button', { name: 'Add tool' }).press('Enter');
      await expect(page.getByLabel('Name of tool 1')).toBeFocused();
      await page.keyboard.type('find order');
      await expect(tool(page, 1).getByRole('alert')).toHaveText('Use up to 64 letters, digits, “_” and “-”.');
      await expect(page.getByText(/^Tool 1, name: /)).toBeVisible();
      await page.getByLabel('Name of tool 1').fill('find_order');
      await page.getByLabel('Description of tool 1').fill('Finds an order for {{ name }}.');
      await page.getByRole('button', { name: 'Add parameter to find_order' }).click();
      await expect(page.getByLabel('Name of find_order.parameter', { exact: true })).toBeFocused();
      await page.keyboard.type('number');
      await page.getByLabel('Name of find_order.number').fill('order number');
      await expect(tool(page, 1).getByText('Some models refuse this name.')).toBeVisible();
      await page.getByLabel('Name of find_order.order number').fill('number');
      await page.getByLabel('Description of find_order.number').fill('Such as A-1042.');
      await page.getByRole('button', { name: 'Add parameter to find_order' }).click();
      await expect(page.getByLabel('Name of find_order.parameter', { exact: true })).toBeFocused();
      await page.keyboard.type('number');
      await expect(tool(page, 1).getByRole('alert')).toHaveText('This name is taken.');
      await page.keyboard.type('s');
      await page.getByLabel('Type of find_order.numbers', { exact: true }).selectOption('List');
      await page.getByLabel('Type of the items of find_order.numbers').selectOption('Object with fields');
      await page.getByRole('button', { name: 'Add field to find_order.numbers[]' }).click();
      await page.getByLabel('find_order.numbers is required', { exact: true }).uncheck();
    });

    await test.step('an output with a choice, strict from the start', async () => {
      await page.getByRole('button', { name: 'Add output schema' }).press('Enter');
      await expect(page.getByRole('button', { name: 'Add field to output' })).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(page.getByLabel('Name of output.field', { exact: true })).toBeFocused();
      await page.keyboard.type('category');
      await page.getByLabel('Type of output.category').selectOption('One of several values');
      await expect(output(page).getByRole('alert').first()).toHaveText('Enter at least one value.');
      await expect(page.getByText('Output schema: Enter at least one value for “category”.')).toBeVisible();
      await page.getByLabel('Values of output.category').fill('order\nrefund\n');
      await expect(output(page).getByRole('alert')).toHaveCount(0);
      await expect(page.getByLabel('output.category is required')).toBeDisabled();
      await expect(output(page).getByRole('switch')).toBeChecked();
      await expectAccessible(page);
    });

    await test.step('the comparison before saving shows both, and the version has them', async () => {
      await page.keyboard.press('ControlOrMeta+S');
      await expect(page.getByRole('dialog').getByText('Version 2, tools')).toBeVisible();
      await expect(page.getByRole('dialog').getByText('Version 2, output schema')).toBeVisible();
      await page.keyboard.press('Escape');
      await save(page, 2);
      const { tools, output: schema } = await fetchVersion(api, 'support', 2);
      const item = { type: 'object', properties: { field: { type: 'string' } }, required: ['field'], additionalProperties: false };
      expect(tools).toEqual([
        {
          name: 'find_order',
          description: 'Finds an order for {{ name }}.',
          parameters: {
            type: 'object',
            properties: { number: { type: 'string', description: 'Such as A-1042.' }, numbers: { type: 'array', items: item } },
            required: ['number'],
            additionalProperties: false,
          },
        },
      ]);
      expect(schema).toEqual({
        schema: {
          type: 'object',
          properties: { category: { type: 'string', enum: ['order', 'refund'] } },
          required: ['category'],
          additionalProperties: false,
        },
        strict: true,
      });
    });

    await test.step('the focus is kept when the schema is removed', async () => {
      await page.getByRole('button', { name: 'Remove output schema' }).press('Enter');
      await expect(page.getByRole('button', { name: 'Add output schema' })).toBeFocused();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(page.getByLabel('Name of output.category', { exact: true })).toHaveValue('category');
    });

    await test.step('a removed tool comes back, and a strict tool requires everything', async () => {
      await tool(page, 1)
        .getByText(/^Strict/)
        .first()
        .click();
      await expect(page.getByLabel('find_order.numbers is required', { exact: true })).toBeChecked();
      await page.getByRole('button', { name: 'Remove tool 1' }).click();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(page.getByLabel('Name of tool 1')).toHaveValue('find_order');
    });
  });

  test('keep what the form does not show, and show errors of the service at their fields', async ({ signedIn: page, api }) => {
    const parameters = {
      type: 'object',
      properties: {
        when: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
        code: { type: 'string', pattern: '^[A-Z]+$', minLength: 2 },
      },
      required: ['when'],
      minProperties: 1,
    };
    const other = { name: 'other', parameters: { type: 'object', $defs: { a: { type: 'string' } }, oneOf: [{ required: ['a'] }] } };
    await api.createPrompt('exotic', {
      template: 'x',
      tools: [{ name: 'book', parameters }, other],
      output: { schema: { $ref: '#/$defs/a', $defs: { a: {} } }, name: 'answer' },
    });
    await page.goto('/dashboard/prompts/exotic');
    await showTools(page);
    await page.getByLabel('Description of book.code').fill('A code');
    await expect(page.getByText('Also has pattern, minLength')).toBeVisible();
    await page.getByLabel('JSON Schema of book.when').fill('{ "type": ["string", "null"] }');
    await save(page, 2);
    const saved = await fetchVersion(api, 'exotic', 2);
    const changed = { ...parameters.properties.code, description: 'A code' };
    expect(saved.tools).toEqual([
      { name: 'book', parameters: { ...parameters, properties: { when: { type: ['string', 'null'] }, code: changed } } },
      other,
    ]);
    expect(saved.output).toEqual({ schema: { $ref: '#/$defs/a', $defs: { a: {} } }, name: 'answer' });

    await page.getByLabel('Name of tool 2').fill('book');
    await expect(tool(page, 2).getByRole('alert')).toHaveText('Another tool has this name');
    await page.getByRole('radio', { name: 'JSON' }).first().check();
    await write(page, 'Tools as JSON', '[{ "name": ');
    await expect(page.getByRole('radio', { name: 'Form' }).first()).toBeDisabled();
    await page.keyboard.press('ControlOrMeta+S');
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText('The tools are not valid: ');
    await page.keyboard.press('Escape');
    await page.reload();
    await showTools(page);
    await expect(page.getByRole('textbox', { name: 'Tools as JSON' })).toHaveText('[{ "name": ');
  });
});

test('one click moves tools, a response format and variables out of a config, and Undo moves them back', async ({
  signedIn: page,
  api,
}) => {
  const parameters = { type: 'object', properties: { number: { type: 'string' } } };
  const config = {
    model: 'some-model',
    tools: [{ type: 'function', function: { name: 'find_order', parameters } }],
    response_format: { type: 'json_schema', json_schema: { name: 'reply', schema: { type: 'object' }, strict: true } },
    variables: { name: { type: 'string', description: 'Who asks' } },
  };
  await api.createPrompt('legacy', { template: 'Hello {{ name }}', config });
  await page.goto('/dashboard/prompts/legacy');
  await expect(page.getByText('This config has tools, an output schema, and descriptions of variables.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Move to Tools' }).click();
  await expect(page.getByText('Who asks')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Unsaved changes')).toBeHidden();
  await page.getByRole('button', { name: 'Move to Tools' }).click();
  await expect(page.getByRole('button', { name: 'Move to Tools' })).toBeHidden();
  await save(page, 2);
  const saved = await fetchVersion(api, 'legacy', 2);
  expect(saved.config).toEqual({ model: 'some-model' });
  expect(saved.tools).toEqual([{ name: 'find_order', parameters }]);
  expect(saved.output).toEqual({ name: 'reply', schema: { type: 'object' }, strict: true });
  expect(saved.variables).toMatchObject([{ name: 'name', type: 'text', description: 'Who asks' }]);
});

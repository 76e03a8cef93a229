import { findViolations } from './support/accessibility.ts';
import { expect, test, write } from './support/fixtures.ts';

// A strict request that would break something gets 409.
test.use({ allows4xx: true });

test('a version that cannot be rendered is deployed only after a confirmation that says what will fail', async ({
  signedIn: page,
  api,
}) => {
  await api.createPrompt('reply', { template: 'Hello' });
  await api.saveVersion('reply', { template: "{% render 'shared/tone' %}" });
  await page.goto('/dashboard/prompts/reply');
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Deploy' });
  await dialog.getByRole('button', { name: 'Deploy v2' }).click();
  await expect(dialog.getByRole('alert')).toContainText('There is no prompt "shared/tone" with the label "production"');
  expect(await findViolations(page)).toEqual([]);
  expect((await api.fetchPrompt('reply')).version).toBe(1);
  await dialog.getByRole('button', { name: 'Deploy v2 anyway' }).click();
  await expect(page.getByText('production is now at v2.')).toBeVisible();
  expect((await api.fetchPrompt('reply')).version).toBe(2);

  await test.step('rolling back requires no confirmation', async () => {
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect(page.getByText('production is back at v1.')).toBeVisible();
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await dialog.getByRole('button', { name: 'Deploy v2' }).click();
    await expect(page.getByText('production is now at v2.').last()).toBeVisible();
    await expect(dialog).toHaveCount(0);
  });
});

test('saving with a label asks about an empty message', async ({ signedIn: page, api }) => {
  await api.createPrompt('chat', { messages: [{ role: 'user', content: 'Hello' }] });
  await page.goto('/dashboard/prompts/chat');
  await write(page, 'Message 1', ' ');
  await page.keyboard.press('ControlOrMeta+S');
  const dialog = page.getByRole('dialog', { name: 'Save version 2' });
  await dialog.getByRole('checkbox', { name: /^production/ }).check();
  await dialog.getByRole('button', { name: 'Save and deploy' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Message 1 (user) is empty.');
  await dialog.getByRole('checkbox', { name: /^production/ }).uncheck();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await dialog.getByRole('checkbox', { name: /^production/ }).check();
  await dialog.getByRole('button', { name: 'Save and deploy' }).click();
  await dialog.getByRole('button', { name: 'Save and deploy anyway' }).click();
  await expect(page.getByText('Version 2 saved and deployed to production.')).toBeVisible();
});

test('a variable that callers do not send gets a default', async ({ signedIn: page, api }) => {
  await api.createPrompt('greet', { template: 'Hello {{ name }}' });
  for (let count = 0; count < 3; count += 1) {
    const rendered = await api.request.post(api.path('greet', '/render'), { data: { variables: { name: 'Ada' } } });
    expect(rendered.status()).toBe(200);
  }
  await api.untilCalled('greet', 3);
  await page.goto('/dashboard/prompts/greet');
  await write(page, 'Template', 'Hello {{ name }}, {{ tone | upcase }}');
  await page.keyboard.press('ControlOrMeta+S');
  const dialog = page.getByRole('dialog', { name: 'Save version 2' });
  await dialog.getByRole('checkbox', { name: /^production/ }).check();
  await dialog.getByRole('button', { name: 'Save and deploy' }).click();
  await expect(dialog.getByRole('alert')).toContainText('3 renders of "production" in the last 24 hours did not send it');
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByLabel('Default for tone').fill('kind');
  await dialog.getByRole('button', { name: 'Use this default' }).click();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Save and deploy' }).click();
  await expect(page.getByText('Version 2 saved and deployed to production.')).toBeVisible();
  expect((await api.fetchPrompt('greet')).template).toBe('Hello {{ name }}, {{ tone | default: "kind" | upcase }}');

  await test.step('a saved version is opened in the editor with the default added', async () => {
    await api.saveVersion('greet', { template: 'Hello {{ name }} {{ day }}' });
    await page.reload();
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    const deploy = page.getByRole('dialog', { name: 'Deploy' });
    await deploy.getByRole('button', { name: 'Deploy v3' }).click();
    await deploy.getByLabel('Default for day').fill('today');
    await deploy.getByRole('button', { name: 'Use this default' }).click();
    await expect(page.getByRole('textbox', { name: 'Template' })).toHaveText('Hello {{ name }} {{ day | default: "today" }}');
  });

  await test.step('no default is offered for a list, which cannot have one', async () => {
    await api.saveVersion('greet', { template: 'Hello {{ name }}{% for topic in topics %}{{ topic }}{% endfor %}' });
    await page.reload();
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    const deploy = page.getByRole('dialog', { name: 'Deploy' });
    await deploy.getByLabel('Version').selectOption('4');
    await deploy.getByRole('button', { name: 'Deploy v4' }).click();
    await expect(deploy.getByRole('alert')).toContainText('Use it only in a condition, such as {% if topics %}…{% endif %}');
    await expect(deploy.getByLabel('Default for topics')).toHaveCount(0);
  });
});

test('several prompts are deployed, and those that would fail only after a confirmation', async ({ signedIn: page, api }) => {
  for (const name of ['good', 'bad']) await api.createPrompt(name, { template: 'Hello' });
  await api.saveVersion('good', { template: 'Hello again' });
  await api.saveVersion('bad', { template: "{% render 'gone' %}" });
  await page.goto('/dashboard/prompts');
  for (const name of ['good', 'bad']) await page.getByRole('checkbox', { name: new RegExp(`Select .*${name}`) }).click();
  await page.getByRole('region', { name: 'Selected prompts' }).getByRole('button', { name: 'Deploy' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deploy 2 prompts' }).click();
  const asked = page.getByRole('dialog', { name: '1 prompt would fail' });
  await expect(asked).toContainText('There is no prompt "gone"');
  expect(await findViolations(page)).toEqual([]);
  expect((await api.fetchPrompt('good')).version).toBe(2);
  expect((await api.fetchPrompt('bad')).version).toBe(1);
  await asked.getByRole('button', { name: 'Deploy it anyway' }).click();
  await expect(asked).toHaveCount(0);
  expect((await api.fetchPrompt('bad')).version).toBe(2);
});

test('removing a label names the prompts that include it', async ({ signedIn: page, api }) => {
  await api.createPrompt('tone', { template: 'Kind' });
  await api.createPrompt('reply', { template: "{% render 'tone' %}" });
  await page.goto('/dashboard/prompts/tone');
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.getByRole('dialog', { name: 'Deploy' }).getByRole('button', { name: 'Remove production' }).click();
  const asked = page.getByRole('alertdialog', { name: 'Remove production?' });
  await expect(asked).toContainText('Included by 1 prompt');
  await expect(asked.getByRole('link', { name: 'reply' })).toBeVisible();
});

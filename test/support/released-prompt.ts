import type { TestContext } from 'node:test';
import { type LoadedPrompts, type LoadOptions, PromptHarbor } from '../../client/src/index.ts';
import { newClient } from './prompts.ts';
import type { Service } from './service.ts';

export const name = 'support/reply';
export const label = 'production';
export const variables = { customer: 'Ada' };
/** A context that the rule of the release matches. */
export const matching = { plan: 'internal', seats: 5 };
/** An address at which nothing listens. */
export const unreachable = 'http://127.0.0.1:9';

const release = {
  control: 1,
  arms: [{ version: 2, weight: 3000 }],
  rules: [{ if: { plan: ['internal'], seats: ['5'] }, version: 2 }],
};

/** Creates a prompt with three versions, and a client that records what it sends. */
export async function createReleasedPrompt(
  t: TestContext,
  service: Service,
  wrap: (inner: typeof fetch) => typeof fetch = (inner) => inner,
) {
  const { token } = await newClient(service);
  const sent: { path: string; body: string }[] = [];
  const recorded: typeof fetch = (input, init) => {
    sent.push({ path: new URL(String(input)).pathname, body: String(init?.body ?? '') });
    return wrap(fetch)(input, init);
  };
  const ph = new PromptHarbor({ baseUrl: service.url, apiKey: token, fetch: recorded, retries: 30 });
  await ph.prompts.create({ name, template: 'One {{ customer }}' });
  await ph.versions.create(name, { template: 'Two {{ customer | upcase }}' });
  await ph.versions.create(name, { template: 'Three {{ customer }}' });
  const load = async (options: LoadOptions = {}): Promise<LoadedPrompts> => {
    const prompts = await ph.prompts.load(options);
    t.after(() => prompts.close());
    return prompts;
  };
  return { token, ph, sent, load, start: () => ph.releases.start(name, { label, ...release }) };
}

import { ApiError } from '../../../client/src/errors.ts';
import { maxPromptNameLength } from '../../../src/contract/limits.ts';
import { call, messageOf } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import type { NewPrompt, Prompt } from '../lib/types.ts';
import { toast, toastFailure } from '../ui/toasts.ts';
import { refreshPrompts, versionQuery } from './queries.ts';

const maxAttempts = 20;

/** Creates a copy of a prompt from its latest version, without labels. Returns the name of the copy, or undefined if that failed. */
export async function duplicatePrompt({ name, description, tags, latestVersion }: Prompt): Promise<string | undefined> {
  try {
    const { syntax, template, messages, variables, tools, output, config } = await queryClient.fetchQuery(
      versionQuery(name, latestVersion),
    );
    const content = { syntax, template, messages, variables, tools, output, config };
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const copy = copyName(name, attempt);
      if (!(await create({ name: copy, description, tags, ...content, labels: [], message: `Copy of ${name}` }))) continue;
      await refreshPrompts();
      toast(`${copy} created. It has no label yet.`);
      return copy;
    }
    toastFailure(`There are already ${maxAttempts} copies of ${name}.`);
  } catch (err) {
    toastFailure(messageOf(err));
  }
  return undefined;
}

/** Returns false if the name is taken. */
async function create(prompt: NewPrompt): Promise<boolean> {
  try {
    await call('createPrompt', { body: prompt });
    return true;
  } catch (err) {
    if (err instanceof ApiError && err.code === 'name_taken') return false;
    throw err;
  }
}

function copyName(name: string, attempt: number): string {
  const ending = attempt === 1 ? '-copy' : `-copy-${attempt}`;
  return [...name].slice(0, maxPromptNameLength - ending.length).join('') + ending;
}

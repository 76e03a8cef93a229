import { ApiError } from '../../../client/src/errors.ts';
import { toRequest } from '../../../client/src/http/operations.ts';
import { latestLabel } from '../../../src/contract/label-names.ts';
import { messageOf, sender } from '../lib/api.ts';
import { saveFile } from '../lib/save-file.ts';
import type { Prompt } from '../lib/types.ts';
import { toastFailure } from '../ui/toasts.ts';
import { fetchByName } from './usage.ts';

/** Saves all prompts of the workspace as lines of JSON, with their versions, labels, test cases and history. */
export async function exportAll(): Promise<void> {
  try {
    const response = await sender.open(toRequest('exportPrompts', {}), { timeoutMs: Number.POSITIVE_INFINITY });
    saveFile('prompts.jsonl', await response.blob());
  } catch (err) {
    toastFailure(err instanceof ApiError ? messageOf(err) : 'The export was interrupted. Try again.');
  }
}

/** Saves the latest versions of prompts as a file. Each prompt has the format in which the API creates prompts. */
export async function exportPrompts(prompts: Prompt[]): Promise<void> {
  try {
    const found = await fetchByName(
      prompts.map(({ name }) => name),
      { include: 'content', label: latestLabel },
    );
    const [first] = found;
    const name = found.length === 1 && first ? first.name.replaceAll('/', '-') : 'prompts';
    saveFile(`${name}.json`, `${JSON.stringify({ items: found.map(toItem) }, null, 2)}\n`);
  } catch (err) {
    toastFailure(messageOf(err));
  }
}

function toItem({ name, type, description, tags, version }: Prompt) {
  const { template, messages, syntax, variables, tools, output, config, labels } = version ?? {};
  return { name, type, description, tags, template, messages, syntax, variables, tools, output, config, labels };
}

// A function that is easy to test, because the caller passes the prompts.
import type { LoadedPrompts } from '@promptharbor/client';

/** Returns the instructions for a model that classifies a customer's request. */
export async function describeTriage(prompts: Pick<LoadedPrompts, 'get'>, request: string): Promise<string> {
  const { text = '' } = await prompts.get('support/triage').render({ request });
  return text;
}

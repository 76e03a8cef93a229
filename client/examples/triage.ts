// What an application looks like that is easy to test: it is given its prompts.
import type { LoadedPrompts } from '@promptharbor/client';

/** The instructions for the model that sorts requests of customers. */
export async function describeTriage(prompts: Pick<LoadedPrompts, 'get'>, request: string): Promise<string> {
  const { text = '' } = await prompts.get('support/triage').render({ request });
  return text;
}

// What an application looks like that is easy to test: it is given its prompts.
import type { LoadedPrompts } from '@promptharbor/client';

export async function greet(prompts: Pick<LoadedPrompts, 'get'>, customer: string): Promise<string> {
  const { text = '' } = await prompts.get('greeting').render({ customer });
  return text;
}

import type { GetPromptResult } from '@modelcontextprotocol/server';
import type { Rendered } from '../../domain/prompts/render/rendered.ts';

/**
 * A rendered prompt as messages of the protocol, which has only users and assistants. Whatever is not said by the assistant is said by
 * the user: system, developer and tool messages keep their place and lose their role.
 */
export function toPromptResult(description: string, rendered: Rendered): GetPromptResult {
  const messages = 'text' in rendered ? [{ role: 'user', content: rendered.text }] : rendered.messages;
  return {
    ...(description !== '' && { description }),
    messages: messages.map(({ role, content }) => ({
      role: role === 'assistant' ? 'assistant' : 'user',
      content: { type: 'text', text: content },
    })),
  };
}

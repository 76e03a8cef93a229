import { isObject } from '../editor/preview/preview-values.ts';
import { Badge } from '../ui/Badge.tsx';
import { LongText } from '../ui/LongText.tsx';
import type { Turn } from './conversation.ts';
import { ToolCalls } from './ToolCalls.tsx';

/** The messages of the conversation before the output. */
export function Turns({ turns }: { turns: Turn[] }) {
  return (
    <ol aria-label="Conversation" className="space-y-3">
      {turns.map(({ role, content, tool_calls: calls }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages have no ids, and are only added at the end.
        <li key={index} className="space-y-1">
          <Badge>{role}</Badge>
          {typeof content === 'string' && <LongText label={`${role}, message ${index + 1}`} text={content} />}
          {Array.isArray(calls) && <ToolCalls calls={calls.filter(isObject)} />}
        </li>
      ))}
    </ol>
  );
}

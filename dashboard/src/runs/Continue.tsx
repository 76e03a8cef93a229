import { CornerDownLeft } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { isObject } from '../editor/preview/preview-values.ts';
import { areaClass } from '../editor/preview/ShapeField.tsx';
import { cx } from '../lib/cx.ts';
import { Button } from '../ui/Button.tsx';
import { inputClass } from '../ui/Field.tsx';
import type { Turn } from './conversation.ts';

interface ContinueProps {
  toolCalls: Record<string, unknown>[];
  onSend: (turns: Turn[]) => void;
}

/** Asks for the results of the tools that the model calls, or for the next message of the user. */
export function Continue({ toolCalls, onSend }: ContinueProps) {
  const id = useId();
  const [texts, setTexts] = useState<string[]>([]);
  const isToolCall = toolCalls.length > 0;
  const fields = isToolCall ? toolCalls.map((call) => `Result of ${nameOf(call)}`) : ['Next message'];
  const isEmpty = !isToolCall && (texts[0] ?? '').trim() === '';
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isEmpty) return;
    onSend(
      isToolCall
        ? toolCalls.map((call, index) => ({ role: 'tool', tool_call_id: String(call.id ?? ''), content: texts[index] ?? '' }))
        : [{ role: 'user', content: texts[0] ?? '' }],
    );
  };
  return (
    <form onSubmit={send} className="space-y-2 border-line border-t pt-3">
      {isToolCall && (
        <p className="text-ink-2 text-xs">
          The model is waiting for {toolCalls.length === 1 ? 'a result' : 'results'}. In an application, your program runs the tool. Here,
          you enter what the tool would return.
        </p>
      )}
      {fields.map((label, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a model may call the same tool twice.
        <div key={index}>
          <label htmlFor={`${id}-${index}`} className="mb-1 block font-medium text-xs">
            {label}
          </label>
          <textarea
            id={`${id}-${index}`}
            dir="auto"
            rows={2}
            spellCheck={!isToolCall}
            placeholder={isToolCall ? '{ "status": "shipped" }' : 'What the user writes next'}
            className={cx(inputClass, areaClass, isToolCall && 'font-mono text-xs')}
            value={texts[index] ?? ''}
            onChange={(event) => setTexts(fields.map((_, place) => (place === index ? event.target.value : (texts[place] ?? ''))))}
          />
        </div>
      ))}
      <Button type="submit" disabled={isEmpty}>
        <CornerDownLeft aria-hidden className="size-3.5" />
        {isToolCall ? `Send ${toolCalls.length === 1 ? 'result' : 'results'}` : 'Send'}
      </Button>
    </form>
  );
}

function nameOf({ function: called }: Record<string, unknown>): string {
  return isObject(called) && typeof called.name === 'string' ? called.name : 'the tool';
}

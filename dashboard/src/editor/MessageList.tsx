import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { messageRoles } from '../../../src/contract/message-roles.ts';
import type { FieldError, Message } from '../lib/types.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { inputClass } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import { CodeEditor } from './lazy.tsx';

interface MessageListProps {
  messages: Message[];
  errors: FieldError[];
  onChange: (messages: Message[]) => void;
}

/** The messages of a chat prompt, each with a role, and placeholders for messages from the caller. */
export function MessageList({ messages, errors, onChange }: MessageListProps) {
  const ids = useMessageIds(messages.length);
  const replace = (index: number, message: Message) => onChange(messages.with(index, message));
  const remove = (index: number) => {
    ids.splice(index, 1);
    onChange(messages.toSpliced(index, 1));
  };
  const move = (index: number, by: -1 | 1) => {
    const [message] = messages.slice(index, index + 1);
    const [id] = ids.splice(index, 1);
    if (!message || id === undefined) return;
    ids.splice(index + by, 0, id);
    onChange(messages.toSpliced(index, 1).toSpliced(index + by, 0, message));
  };

  return (
    <div className="space-y-3">
      {messages.map((message, index) => (
        <Card key={ids[index]}>
          <div className="flex items-center gap-1 border-line border-b py-1.5 pr-1.5 pl-2">
            {'placeholder' in message ? (
              <span className="px-1.5 font-medium text-xs">Placeholder</span>
            ) : (
              <Select
                aria-label={`Role of message ${index + 1}`}
                value={message.role}
                onChange={(event) =>
                  replace(index, { ...message, role: messageRoles.find((role) => role === event.target.value) ?? 'user' })
                }
              >
                {messageRoles.map((role) => (
                  <option key={role}>{role}</option>
                ))}
              </Select>
            )}
            <span className="ml-auto flex">
              <IconButton label={`Move message ${index + 1} up`} disabled={index === 0} onClick={() => move(index, -1)}>
                <ArrowUp aria-hidden className="size-4" />
              </IconButton>
              <IconButton label={`Move message ${index + 1} down`} disabled={index === messages.length - 1} onClick={() => move(index, 1)}>
                <ArrowDown aria-hidden className="size-4" />
              </IconButton>
              <IconButton label={`Remove message ${index + 1}`} disabled={messages.length === 1} onClick={() => remove(index)}>
                <Trash2 aria-hidden className="size-4" />
              </IconButton>
            </span>
          </div>
          {'placeholder' in message ? (
            <div className="flex flex-wrap items-center gap-2 p-3 text-ink-2">
              Messages from the caller, passed in the variable
              <span className="w-40">
                <input
                  aria-label={`Variable of placeholder ${index + 1}`}
                  className={`${inputClass} font-mono text-xs`}
                  spellCheck={false}
                  value={message.placeholder}
                  onChange={(event) => replace(index, { placeholder: event.target.value })}
                />
              </span>
            </div>
          ) : (
            <CodeEditor
              label={`Message ${index + 1}`}
              language="liquid"
              value={message.content}
              errors={errors.filter(({ path }) => path === `/messages/${index}/content`)}
              onChange={(content) => replace(index, { ...message, content })}
            />
          )}
        </Card>
      ))}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => onChange([...messages, { role: 'user', content: '' }])}>
          <Plus aria-hidden className="size-4" />
          Add message
        </Button>
        <Button onClick={() => onChange([...messages, { placeholder: 'history' }])}>
          <Plus aria-hidden className="size-4" />
          Add placeholder
        </Button>
      </div>
    </div>
  );
}

let lastId = 0;

/** Messages have no ids; these keep each editor with its message when the messages are reordered. */
function useMessageIds(count: number): number[] {
  const ids = useRef<number[]>([]);
  while (ids.current.length < count) {
    lastId += 1;
    ids.current.push(lastId);
  }
  ids.current.length = count;
  return ids.current;
}

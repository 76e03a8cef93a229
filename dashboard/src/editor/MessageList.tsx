import { ArrowDown, ArrowUp, Paperclip, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { MessageContent } from '../../../src/contract/message-content.ts';
import { messageRoles } from '../../../src/contract/message-roles.ts';
import type { ChatMessage, FieldError, Message, TemplateSyntax } from '../lib/types.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { inputClass } from '../ui/Field.tsx';
import { HelpLink } from '../ui/HelpLink.tsx';
import { Menu, MenuItem } from '../ui/Menu.tsx';
import { Select } from '../ui/Select.tsx';
import { useOwnToast } from '../ui/toasts.ts';
import { useItemFocus } from '../ui/use-item-focus.ts';
import { CodeEditor } from './code/lazy.tsx';
import { idOf, keepId } from './item-ids.ts';
import { PartList } from './parts/PartList.tsx';
import { addPart, emptyPart, mediaTypes, partKinds, simplify } from './parts/parts.ts';

interface MessageListProps {
  syntax: TemplateSyntax;
  messages: Message[];
  errors: FieldError[];
  variables: readonly string[];
  onChange: (change: (messages: Message[]) => Message[]) => void;
}

/** The messages of a chat prompt, each with a role, and placeholders for messages from the caller. */
export function MessageList({ syntax, messages, errors, variables, onChange }: MessageListProps) {
  const toast = useOwnToast();
  const { list, focusItem, focusAfterRemoval } = useItemFocus<HTMLDivElement>();
  const add = (message: Message) => {
    onChange((before) => [...before, message]);
    focusItem(messages.length);
  };
  // The message to which the user has just added its first image, file or audio.
  const [extended, setExtended] = useState<number>();
  const replace = (message: Message, changed: Message) => {
    const id = idOf(message);
    keepId(message, changed);
    onChange((before) => before.map((each) => (idOf(each) === id ? changed : each)));
  };
  const changeContent = (message: ChatMessage, content: MessageContent) => replace(message, { ...message, content });
  const extend = (message: ChatMessage, type: (typeof mediaTypes)[number]) => {
    setExtended(idOf(message));
    changeContent(message, addPart(message.content, emptyPart(type)));
  };
  const remove = (index: number, message: Message) => {
    onChange((before) => before.toSpliced(index, 1));
    focusAfterRemoval(index, messages.length);
    const undo = () => {
      onChange((before) => before.toSpliced(index, 0, message));
      focusItem(index);
    };
    toast(`Message ${index + 1} removed.`, { undo });
  };
  const move = (index: number, message: Message, by: -1 | 1) =>
    onChange((before) => before.toSpliced(index, 1).toSpliced(index + by, 0, message));

  return (
    <div ref={list} className="space-y-3">
      {messages.map((message, index) => (
        <Card key={idOf(message)}>
          <div className="flex items-center gap-1 border-line border-b py-1.5 pr-1.5 pl-2">
            {'placeholder' in message ? (
              <span className="px-1.5 font-medium text-xs">Placeholder</span>
            ) : (
              <Select
                aria-label={`Role of message ${index + 1}`}
                value={message.role}
                onChange={(event) => replace(message, { ...message, role: event.target.value })}
              >
                {rolesFor(message.role).map((role) => (
                  <option key={role}>{role}</option>
                ))}
              </Select>
            )}
            <span className="ml-auto flex">
              {'content' in message && typeof message.content === 'string' && (
                <Menu
                  trigger={
                    <IconButton label={`Add an image, file or audio to message ${index + 1}`}>
                      <Paperclip aria-hidden className="size-4" />
                    </IconButton>
                  }
                >
                  {mediaTypes.map((type) => (
                    <MenuItem key={type} icon={partKinds[type].icon} onSelect={() => extend(message, type)}>
                      {partKinds[type].name}
                    </MenuItem>
                  ))}
                </Menu>
              )}
              <IconButton label={`Move message ${index + 1} up`} disabled={index === 0} onClick={() => move(index, message, -1)}>
                <ArrowUp aria-hidden className="size-4" />
              </IconButton>
              <IconButton
                label={`Move message ${index + 1} down`}
                disabled={index === messages.length - 1}
                onClick={() => move(index, message, 1)}
              >
                <ArrowDown aria-hidden className="size-4" />
              </IconButton>
              <IconButton label={`Remove message ${index + 1}`} disabled={messages.length === 1} onClick={() => remove(index, message)}>
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
                  onChange={(event) => replace(message, { placeholder: event.target.value })}
                />
              </span>
            </div>
          ) : typeof message.content !== 'string' ? (
            <PartList
              number={index + 1}
              role={message.role}
              syntax={syntax}
              parts={message.content}
              errors={errorsIn(errors, `/messages/${index}/content`)}
              variables={variables}
              isNew={extended === idOf(message)}
              toast={toast}
              onChange={(parts) => changeContent(message, simplify(parts))}
            />
          ) : (
            <CodeEditor
              label={`Message ${index + 1}`}
              language={syntax}
              value={message.content}
              errors={errors.filter(({ path }) => path === `/messages/${index}/content`)}
              variables={variables}
              className="max-h-[60dvh] min-h-16"
              onChange={(content) => changeContent(message, content)}
            />
          )}
        </Card>
      ))}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => add({ role: 'user', content: '' })}>
          <Plus aria-hidden className="size-4" />
          Add message
        </Button>
        <Button onClick={() => add({ placeholder: 'history' })}>
          <Plus aria-hidden className="size-4" />
          Add placeholder
        </Button>
      </div>
      <p className="text-ink-3 text-xs">
        A placeholder stands for messages that the caller passes, such as the conversation so far.{' '}
        <HelpLink anchor="placeholders">How placeholders work</HelpLink>
      </p>
    </div>
  );
}

/** Returns the roles to offer, including the current role, because imported messages may have unusual roles. */
function rolesFor(own: string): string[] {
  return [...new Set<string>([...messageRoles, own])];
}

/** Returns the errors at a path, with paths relative to that path. */
function errorsIn(errors: FieldError[], start: string): FieldError[] {
  return errors.flatMap((error) => (error.path.startsWith(`${start}/`) ? [{ ...error, path: error.path.slice(start.length) }] : []));
}

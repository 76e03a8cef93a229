import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { maxContentParts } from '../../../../src/contract/limits.ts';
import type { ContentPart, FieldError, TemplateSyntax } from '../../lib/types.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import type { toast } from '../../ui/toasts.ts';
import { useItemFocus } from '../../ui/use-item-focus.ts';
import { CodeEditor } from '../code/lazy.tsx';
import { idOf, keepId } from '../item-ids.ts';
import { MediaFields } from './MediaFields.tsx';
import { emptyPart, mediaTypes, type PartType, partKinds } from './parts.ts';

export interface PartListProps {
  /** The number of the message. */
  number: number;
  role: string;
  syntax: TemplateSyntax;
  parts: ContentPart[];
  /** The errors of this message. Their paths are relative to its content. */
  errors: FieldError[];
  variables: readonly string[];
  /** Whether the last part was just added. */
  isNew: boolean;
  /** Shows a message that stays when this list disappears because only text is left. */
  toast: typeof toast;
  onChange: (parts: ContentPart[]) => void;
}

/** The parts of a message: texts, images, files and audio, in the order in which the model gets them. */
export function PartList({ number, role, syntax, parts, errors, variables, isNew, toast, onChange }: PartListProps) {
  const { list, focusItem, focusAfterRemoval } = useItemFocus<HTMLDivElement>(isNew ? parts.length - 1 : undefined);
  const add = (type: PartType) => {
    onChange([...parts, emptyPart(type)]);
    focusItem(parts.length);
  };
  const remove = (index: number, part: ContentPart) => {
    onChange(parts.toSpliced(index, 1));
    focusAfterRemoval(index, parts.length);
    toast(`${partKinds[part.type].name} removed from message ${number}.`, { undo: () => onChange(parts) });
  };
  const move = (index: number, part: ContentPart, by: -1 | 1) => onChange(parts.toSpliced(index, 1).toSpliced(index + by, 0, part));
  const replace = (index: number, part: ContentPart, changed: ContentPart) => onChange(parts.with(index, keepId(part, changed)));
  const hasMedia = parts.some(({ type }) => type !== 'text');

  return (
    <>
      <div ref={list} className="divide-y divide-line">
        {parts.map((part, index) => {
          const { icon: Icon, name } = partKinds[part.type];
          const label = `part ${index + 1} of message ${number}`;
          const problem = errors.find(({ path }) => path === `/${index}` || path.startsWith(`/${index}/`));
          return (
            <fieldset key={idOf(part)} aria-label={`Message ${number}, part ${index + 1}`} className="min-w-0">
              <div className="flex items-center gap-1 pr-1.5 pl-4">
                <Icon aria-hidden className="size-3.5 shrink-0 text-ink-3" />
                <span className="font-medium text-ink-2 text-xs">{name}</span>
                <span className="ml-auto flex">
                  <IconButton label={`Move ${label} up`} disabled={index === 0} onClick={() => move(index, part, -1)}>
                    <ArrowUp aria-hidden className="size-4" />
                  </IconButton>
                  <IconButton label={`Move ${label} down`} disabled={index === parts.length - 1} onClick={() => move(index, part, 1)}>
                    <ArrowDown aria-hidden className="size-4" />
                  </IconButton>
                  <IconButton label={`Remove ${label}`} onClick={() => remove(index, part)}>
                    <Trash2 aria-hidden className="size-4" />
                  </IconButton>
                </span>
              </div>
              {part.type === 'text' ? (
                <CodeEditor
                  label={`Message ${number}, part ${index + 1}`}
                  language={syntax}
                  value={part.text}
                  errors={problem ? [problem] : []}
                  variables={variables}
                  className="max-h-[60dvh] min-h-16"
                  onChange={(text) => replace(index, part, { ...part, text })}
                />
              ) : (
                <MediaFields part={part} label={label} error={problem?.message} onChange={(changed) => replace(index, part, changed)} />
              )}
            </fieldset>
          );
        })}
      </div>
      <div className="flex flex-wrap items-center gap-2 border-line border-t p-3">
        {(['text', ...mediaTypes] as const).map((type) => (
          <Button
            key={type}
            size="sm"
            aria-label={`Add ${partKinds[type].name.toLowerCase()} to message ${number}`}
            disabled={parts.length >= maxContentParts}
            onClick={() => add(type)}
          >
            <Plus aria-hidden className="size-3.5" />
            {partKinds[type].name}
          </Button>
        ))}
        {hasMedia && role !== 'user' && (
          <p className="text-ink-3 text-xs">Most models accept images, files and audio only in messages with the role user.</p>
        )}
      </div>
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { maxCommentTextLength } from '../../../src/contract/limits.ts';
import { cx } from '../lib/cx.ts';
import { membersQuery } from '../members/queries.ts';
import { inputClass } from '../ui/Field.tsx';
import { findOpenMention, type OpenMention, suggestPeople, toMention } from './mention-choice.ts';

interface MentionFieldProps {
  label: string;
  value: string;
  autoFocus?: boolean;
  onChange: (text: string) => void;
  onSubmit: () => void;
  onCancel?: (() => void) | undefined;
}

/** A text field that suggests members after `@`. */
export function MentionField({ label, value, autoFocus, onChange, onSubmit, onCancel }: MentionFieldProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { data } = useQuery(membersQuery);
  const [mention, setMention] = useState<OpenMention>();
  const [active, setActive] = useState(0);
  const cursor = useRef<number>(undefined);
  const people = (data?.members ?? []).filter(({ kind }) => kind === 'person');
  // The mention may no longer be in the text. For example, the text is empty after the comment was sent.
  const isCurrent = mention !== undefined && value.startsWith(`@${mention.typed}`, mention.start);
  const suggested = isCurrent ? suggestPeople(people, mention.typed) : [];

  // After a suggestion is inserted, the cursor is placed after it.
  useLayoutEffect(() => {
    if (cursor.current === undefined) return;
    field.current?.setSelectionRange(cursor.current, cursor.current);
    cursor.current = undefined;
  });

  const look = () => {
    const element = field.current;
    setMention(
      element && element.selectionStart === element.selectionEnd ? findOpenMention(element.value, element.selectionStart) : undefined,
    );
    setActive(0);
  };
  const choose = (index: number) => {
    const person = suggested[index];
    if (!mention || !person) return;
    const inserted = `${toMention(person, people)} `;
    const end = mention.start + 1 + mention.typed.length;
    cursor.current = mention.start + inserted.length;
    onChange(value.slice(0, mention.start) + inserted + value.slice(end));
    setMention(undefined);
    field.current?.focus();
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      return onSubmit();
    }
    if (suggested.length === 0) {
      if (event.key === 'Escape') onCancel?.();
      return;
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const isChoice = event.key === 'Enter' || event.key === 'Tab';
    if (step === 0 && !isChoice && event.key !== 'Escape') return;
    event.preventDefault();
    // Escape must close only the suggestions, and not a dialog around the field.
    event.stopPropagation();
    if (event.key === 'Escape') setMention(undefined);
    else if (isChoice) choose(active);
    else setActive((active + step + suggested.length) % suggested.length);
  };
  const isOpen = suggested.length > 0;
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block font-medium">
        {label}
      </label>
      <textarea
        ref={field}
        id={id}
        dir="auto"
        rows={2}
        maxLength={maxCommentTextLength}
        aria-autocomplete="list"
        aria-controls={isOpen ? `${id}-people` : undefined}
        aria-activedescendant={isOpen ? `${id}-${active}` : undefined}
        aria-describedby={`${id}-hint`}
        // biome-ignore lint/a11y/noAutofocus: the user chose to write a comment here.
        autoFocus={autoFocus}
        className={cx(inputClass, 'field-sizing-content h-auto min-h-16 py-1.5')}
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
          look();
        }}
        onKeyDown={handleKey}
        onClick={look}
        onBlur={(event) => {
          // If the suggestions closed when a button of the form is pressed, the button would move away before the click.
          if (!event.currentTarget.form?.contains(event.relatedTarget)) setMention(undefined);
        }}
      />
      {isOpen && (
        <div
          role="listbox"
          id={`${id}-people`}
          aria-label="Members to mention"
          className="mt-1 max-w-sm rounded-md border border-line-strong bg-surface p-1 shadow-card"
        >
          {suggested.map(({ userId, name, email }, index) => (
            <div
              key={userId}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className="cursor-pointer truncate rounded-sm px-2 py-1 aria-selected:bg-accent-soft aria-selected:text-accent-ink"
              // The field must keep the focus until the click.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(index)}
              onKeyDown={handleKey}
            >
              {name} <span className="text-ink-3 text-xs">{email}</span>
            </div>
          ))}
        </div>
      )}
      <p id={`${id}-hint`} className="mt-1 text-ink-3 text-xs">
        Type @ to mention a member, who is then notified.
      </p>
    </div>
  );
}

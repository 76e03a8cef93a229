import { useNavigate } from '@tanstack/react-router';
import { Keyboard, Search } from 'lucide-react';
import { type KeyboardEvent, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { cx } from '../lib/cx.ts';
import { Kbd } from '../ui/Kbd.tsx';
import { type Command, findCommands, pageCommands, promptCommands } from './commands.ts';
import { useRegisteredCommands } from './page-commands.ts';
import { useFixedCommands } from './use-fixed-commands.ts';
import { useKnownPrompts } from './use-known-prompts.ts';

/** Finds prompts, pages and actions by name. */
export function CommandPalette({ onClose, onShowShortcuts }: { onClose: () => void; onShowShortcuts: () => void }) {
  const navigate = useNavigate();
  const registered = useRegisteredCommands();
  const fixed = useFixedCommands();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const listId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const prompts = useKnownPrompts(text);
  const found = useMemo(() => {
    const shortcuts: Command = { id: 'shortcuts', label: 'Keyboard shortcuts', group: 'Action', icon: Keyboard, run: onShowShortcuts };
    return findCommands([...pageCommands(registered), ...fixed, shortcuts, ...promptCommands(prompts)], text);
  }, [registered, fixed, prompts, text, onShowShortcuts]);

  // A native dialog opens without a library to load, so that no key is lost, and returns the focus when it closes.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    void command.run(navigate);
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') run(found[active]);
    else if (event.key === 'ArrowDown') setActive(Math.min(active + 1, found.length - 1));
    else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0));
    else return;
    event.preventDefault();
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the dialog closes it; by keyboard, Escape does.
    <dialog
      ref={dialog}
      aria-label="Search and commands"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className="mx-auto mt-[14dvh] w-[calc(100vw-2rem)] max-w-lg overflow-hidden rounded-xl bg-surface text-ink shadow-dialog backdrop:bg-scrim focus:outline-none"
    >
      <div className="flex items-center gap-2.5 border-line border-b px-4">
        <Search aria-hidden className="size-4 text-ink-3" />
        <input
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={found[active] ? `${listId}-${active}` : undefined}
          aria-label="Search prompts, pages and actions"
          placeholder="Search prompts, pages and actions"
          className="h-12 w-full bg-transparent text-base outline-none"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
          }}
          onKeyDown={handleKey}
        />
        <Kbd>Esc</Kbd>
      </div>
      <div id={listId} role="listbox" aria-label="Results" className="max-h-[50dvh] overflow-y-auto p-1.5">
        {found.map((command, index) => (
          // The input keeps the focus and handles the keys; see aria-activedescendant.
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above.
          <div
            key={command.id}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            ref={(element) => {
              if (index === active) element?.scrollIntoView({ block: 'nearest' });
            }}
            onPointerMove={() => setActive(index)}
            onClick={() => run(command)}
            className={cx('flex h-9 cursor-default items-center gap-3 rounded-md px-2.5', index === active && 'bg-hover')}
          >
            <command.icon aria-hidden className="size-4 shrink-0 text-ink-3" strokeWidth={1.75} />
            <span dir="auto" className="truncate">
              {command.label}
            </span>
            <span className="ml-auto shrink-0 text-ink-3 text-xs">{command.group}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="px-4 pt-2 pb-6 text-center text-ink-3">No results</p>}
    </dialog>
  );
}

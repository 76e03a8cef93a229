import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { cx } from '../lib/cx.ts';
import { promptsQuery } from '../prompts/queries.ts';
import { Kbd } from '../ui/Kbd.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { type Command, findCommands, promptCommands } from './commands.ts';
import { useFixedCommands } from './use-fixed-commands.ts';

/** Finds prompts, pages and actions by name. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const fixed = useFixedCommands();
  const prompts = useQuery(promptsQuery);
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const listId = useId();
  const returnFocus = useReturnFocus(true);
  const found = useMemo(() => findCommands([...fixed, ...promptCommands(prompts.data?.prompts ?? [])], text), [fixed, prompts.data, text]);

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
    <RadixDialog.Root open onOpenChange={onClose}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 bg-scrim data-[state=open]:animate-fade" />
        <RadixDialog.Content
          aria-describedby={undefined}
          {...returnFocus}
          className="fixed top-[14dvh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 overflow-hidden rounded-xl bg-surface shadow-dialog focus:outline-none"
        >
          <RadixDialog.Title className="sr-only">Search and commands</RadixDialog.Title>
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
                <span className="truncate">{command.label}</span>
                <span className="ml-auto shrink-0 text-ink-3 text-xs">{command.group}</span>
              </div>
            ))}
          </div>
          {found.length === 0 && <p className="px-4 pt-2 pb-6 text-center text-ink-3">No results</p>}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Keyboard, Star, Users } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { cx } from '../lib/cx.ts';
import { favoritesQuery } from '../prompts/favorites.ts';
import { type Command, findCommands, type PaletteDialog, pageCommands, promptCommands, textCommands } from './commands.ts';
import type { KeyQueue } from './key-queue.ts';
import { useRegisteredCommands } from './page-commands.ts';
import { useFixedCommands } from './use-fixed-commands.ts';
import { useKnownPrompts, usePromptsWithText } from './use-known-prompts.ts';

interface PaletteResultsProps {
  listId: string;
  text: string;
  keys: KeyQueue;
  /** Called with the id of the active result, if there is one. */
  onActive: (id: string | undefined) => void;
  onClose: () => void;
  onShowDialog: (dialog: PaletteDialog) => void;
}

/** The prompts, pages and actions that match the search text. */
export function PaletteResults({ listId, text, keys, onActive, onClose, onShowDialog }: PaletteResultsProps) {
  const navigate = useNavigate();
  const registered = useRegisteredCommands();
  const fixed = useFixedCommands();
  const [active, setActive] = useState(0);
  // When the text changes, the first result becomes active.
  const [typed, setTyped] = useState(text);
  if (typed !== text) {
    setTyped(text);
    setActive(0);
  }
  const prompts = useKnownPrompts(text);
  const withText = usePromptsWithText(text);
  const { data: favorites } = useQuery(favoritesQuery);
  const found = useMemo(() => {
    const dialogs: Command[] = [
      { id: 'team', label: 'New team workspace', group: 'Action', icon: Users, run: () => onShowDialog('team') },
      { id: 'shortcuts', label: 'Keyboard shortcuts', group: 'Action', icon: Keyboard, run: () => onShowDialog('shortcuts') },
    ];
    const ids = new Set(favorites?.map(({ id }) => id));
    const others = prompts.filter(({ id }) => !ids.has(id));
    // Equal matches keep this order. Without input, the list shows the first commands.
    const marked = promptCommands(favorites ?? []).map((command): Command => ({ ...command, group: 'Favorite', icon: Star }));
    const named = findCommands([...pageCommands(registered), ...marked, ...fixed, ...dialogs, ...promptCommands(others)], text);
    const known = new Set(named.map(({ id }) => id));
    return [...named, ...textCommands(withText.filter(({ id }) => !known.has(id)))];
  }, [registered, fixed, prompts, withText, favorites, text, onShowDialog]);

  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    void command.run(navigate);
  };
  useEffect(() =>
    keys.handle((key) => {
      if (key === 'Enter') run(found[active]);
      else setActive(key === 'ArrowDown' ? Math.min(active + 1, found.length - 1) : Math.max(active - 1, 0));
    }),
  );
  const activeId = found[active] ? `${listId}-${active}` : undefined;
  useEffect(() => onActive(activeId), [activeId, onActive]);

  return (
    <>
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
            {command.detail !== undefined && (
              <span dir="auto" className="min-w-0 flex-1 truncate text-ink-3 text-xs">
                {command.detail}
              </span>
            )}
            <span className="ml-auto shrink-0 text-ink-3 text-xs">{command.group}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="px-4 pt-2 pb-6 text-center text-ink-3">No results</p>}
    </>
  );
}

import { Search } from 'lucide-react';
import { type KeyboardEvent, Suspense, useId, useLayoutEffect, useRef, useState } from 'react';
import { lazyComponent } from '../lib/chunks.ts';
import { Kbd } from '../ui/Kbd.tsx';
import type { PaletteDialog } from './commands.ts';
import { createKeyQueue } from './key-queue.ts';

const PaletteResults = lazyComponent(async () => (await import('./PaletteResults.tsx')).PaletteResults);

const resultKeys = new Set(['Enter', 'ArrowDown', 'ArrowUp']);

/**
 * Finds prompts, pages and actions by name. The results load when the palette opens. Text that the user types before the results are loaded
 * is not lost.
 */
export function CommandPalette({ onClose, onShowDialog }: { onClose: () => void; onShowDialog: (dialog: PaletteDialog) => void }) {
  const [text, setText] = useState('');
  const [activeId, setActiveId] = useState<string>();
  const [keys] = useState(createKeyQueue);
  const listId = useId();
  const dialog = useRef<HTMLDialogElement>(null);

  // A native dialog needs no library, so it opens at once and no key press is lost. The dialog also returns the focus when it closes.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  const handleKey = (event: KeyboardEvent) => {
    if (!resultKeys.has(event.key)) return;
    event.preventDefault();
    keys.press(event.key);
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click outside the dialog closes it, and so does Escape.
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
          aria-expanded={activeId !== undefined}
          aria-controls={activeId && listId}
          aria-activedescendant={activeId}
          aria-label="Search prompts, pages and actions"
          placeholder="Search prompts, pages and actions"
          className="h-12 w-full bg-transparent text-base outline-none"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={handleKey}
        />
        <Kbd>Esc</Kbd>
      </div>
      <Suspense>
        <PaletteResults listId={listId} text={text} keys={keys} onActive={setActiveId} onClose={onClose} onShowDialog={onShowDialog} />
      </Suspense>
    </dialog>
  );
}

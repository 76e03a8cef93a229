import { useEffect, useRef } from 'react';

/**
 * Moves the focus into a list item once it is shown: an item that was added, or the neighbor of one that was removed. Otherwise the focus
 * would stay on a button, which the next key would press again, or be lost with the item.
 */
export function useItemFocus<T extends HTMLElement>() {
  const list = useRef<T>(null);
  const wanted = useRef<{ index: number; isNew: boolean }>(undefined);
  useEffect(() => {
    if (wanted.current === undefined) return;
    const { index, isNew } = wanted.current;
    const found = list.current?.children[index];
    // This may be the effect of an earlier render, which does not contain the new item yet.
    if (!found && isNew) return;
    const item = found ?? list.current?.parentElement;
    wanted.current = undefined;
    if (item?.querySelector('[data-editor-loading]')) return focusEditor(item);
    for (const kind of [editor, 'textarea, input:not([type=checkbox], [type=radio])', 'select', 'button']) {
      const field = item?.querySelector<HTMLElement>(kind);
      if (field) return field.focus();
    }
  });
  return {
    list,
    /** Moves the focus to the item. Call this function together with the change to the list. */
    focusItem: (index: number) => {
      wanted.current = { index, isNew: true };
    },
    /** Returns the item that takes the place of the removed one, or the last item. */
    focusAfterRemoval: (index: number, count: number) => {
      wanted.current = { index: Math.max(0, Math.min(index, count - 2)), isNew: false };
    },
  };
}

const editor = '[contenteditable=true]';

/** Moves the focus into an editor once it is loaded, unless the user has moved it elsewhere by then. */
function focusEditor(item: Element): void {
  const focused = document.activeElement;
  const observer = new MutationObserver(() => {
    const field = item.querySelector<HTMLElement>(editor);
    if (!field && item.isConnected) return;
    observer.disconnect();
    if (document.activeElement === focused) field?.focus();
  });
  observer.observe(item, { childList: true, subtree: true });
}

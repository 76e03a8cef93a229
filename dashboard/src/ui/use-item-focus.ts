import { useEffect, useRef, useState } from 'react';

/**
 * Moves the focus into a list item once it is shown: an item that was added, or the neighbor of an item that was removed. Otherwise, the
 * focus would be lost with the item, or would stay on a button, which the next key would press again. `first` is the item that gets the
 * focus when the list is first shown.
 */
export function useItemFocus<T extends HTMLElement>(first?: number) {
  const list = useRef<T>(null);
  // The index is kept in an object, so that the same item can get the focus again. The object is a state, so that the effect runs only
  // after the changed list is shown. On a busy machine, effects of earlier renders still run when the user presses a button.
  const [wanted, setWanted] = useState(first === undefined ? undefined : { index: first });
  useEffect(() => {
    if (wanted === undefined) return;
    const item = list.current?.children[wanted.index] ?? list.current?.parentElement;
    if (item?.querySelector('[data-editor-loading]')) return focusEditor(item);
    for (const kind of [editor, 'textarea, input:not([type=checkbox], [type=radio])', 'select', 'button']) {
      const field = item?.querySelector<HTMLElement>(kind);
      if (field) return field.focus();
    }
  }, [wanted]);
  return {
    list,
    /** Moves the focus to the item. Call this function together with the change to the list. */
    focusItem: (index: number) => setWanted({ index }),
    /** Moves the focus to the item that takes the place of the removed one, or to the last item. */
    focusAfterRemoval: (index: number, count: number) => setWanted({ index: Math.max(0, Math.min(index, count - 2)) }),
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

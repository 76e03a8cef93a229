/**
 * Copies text that may still be loading. Some browsers allow copying only while they handle the click, so the promise itself is passed to
 * the browser. Pages served without HTTPS have no clipboard API and copy through a selection.
 */
export async function copyText(source: string | Promise<string>): Promise<void> {
  if (typeof navigator.clipboard?.write === 'function' && typeof ClipboardItem === 'function') {
    try {
      const blob = Promise.resolve(source).then((text) => new Blob([text], { type: 'text/plain' }));
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
      return;
    } catch {
      // An older browser may not accept a promise, or the permission may be missing. In both cases, the text is copied through a selection.
    }
  }
  copyBySelection(await source);
}

function copyBySelection(text: string): void {
  const previous = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.setAttribute('readonly', '');
  area.className = 'fixed -left-full top-0';
  // An open dialog keeps the focus inside, so the text area must be in the dialog.
  (document.querySelector('[role=dialog],[role=alertdialog]') ?? document.body).append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (previous instanceof HTMLElement) previous.focus();
  if (!copied) throw new Error('Copying is not allowed here');
}

import { copyText } from '../lib/clipboard.ts';
import { announce } from './notice.ts';
import { fillIn } from './own-key.ts';

const shownMs = 2_000;

/** Adds a copy button to every example. If the example shows the reader's key, the copied command contains the key. */
export function addCopyButtons(): void {
  for (const sample of document.querySelectorAll('figure.sample')) {
    const [title, code] = [sample.querySelector('figcaption'), sample.querySelector('code')];
    if (!title || !code) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => copy(button, fillIn(code)));
    title.append(button);
  }
}

async function copy(button: HTMLButtonElement, text: string): Promise<void> {
  try {
    await copyText(text);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, shownMs);
  } catch {
    announce('Could not copy. Select the text and copy it manually.');
  }
}

import type { TokenInfo } from '../lib/types.ts';
import { announce } from './notice.ts';

/** The key is kept only in memory, until the reader leaves the page. */
let key: string | undefined;
let isShown = false;

const places = [...document.querySelectorAll<HTMLElement>('[data-key]')].map((element) => ({ element, original: element.textContent }));
const button = document.createElement('button');

/** Adds the button that fills the reader's key into the examples. The key is masked at first and fetched only on request. */
export function addKeyButton(tools: Element): void {
  button.type = 'button';
  button.className = 'own-key';
  button.addEventListener('click', () => (key === undefined ? void load() : show(!isShown)));
  tools.append(button);
  refresh();
  // Browsers may cache a page after the reader has left it, to show it again on Back.
  addEventListener('pagehide', () => {
    key = undefined;
    show(false);
  });
}

/** Returns the text of an example, with the real key in place of the masked one. */
export function fillIn(code: HTMLElement): string {
  const copy = code.cloneNode(true);
  if (key !== undefined && copy instanceof HTMLElement) {
    for (const place of copy.querySelectorAll('[data-key]')) place.textContent = key;
  }
  return copy.textContent ?? '';
}

async function load(): Promise<void> {
  button.disabled = true;
  try {
    const response = await fetch('/api/auth/token', { credentials: 'same-origin', cache: 'no-store' });
    if (response.status === 401) {
      announce(signInLink(), ' to the dashboard first, then come back.');
      return;
    }
    if (!response.ok) throw new Error(`Status ${response.status}`);
    // The server's responses follow the contract.
    key = ((await response.json()) as TokenInfo).token;
    show(false);
    announce('Copied examples now contain your key. The key is not stored and is removed when you leave the page.');
  } catch {
    announce('Could not get your key. Try again.');
  } finally {
    button.disabled = false;
  }
}

function show(value: boolean): void {
  isShown = value;
  refresh();
}

function refresh(): void {
  button.textContent = key === undefined ? 'Fill in my key' : isShown ? 'Hide my key' : 'Show my key';
  const text = key === undefined || isShown ? key : `${key.slice(0, 7)}••••••••`;
  for (const { element, original } of places) element.textContent = text ?? original;
}

function signInLink(): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = '/login';
  link.textContent = 'Sign in';
  return link;
}

import { announce } from './notice.ts';
import type { SearchEntry } from './search-entry.ts';

const maxResults = 12;

/** The number of characters to show before the word that was found. */
const lead = 40;

/** Adds the search of guides and reference. `/` focuses the search field, the arrow keys select a result, and Enter opens it. */
export function addSearch(tools: Element, indexUrl: string): void {
  const box = document.createElement('search');
  const input = document.createElement('input');
  Object.assign(input, { type: 'search', placeholder: 'Search  /', autocomplete: 'off', spellcheck: false });
  const list = document.createElement('ul');
  list.id = 'results';
  list.hidden = true;
  setAttributes(list, { role: 'listbox', 'aria-label': 'Results' });
  setAttributes(input, { role: 'combobox', 'aria-label': 'Search the documentation', 'aria-controls': list.id, 'aria-expanded': 'false' });
  box.append(input, list);
  tools.append(box);

  let entries: Promise<SearchEntry[]> | undefined;
  let found: SearchEntry[] = [];
  let active = 0;
  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const mark = (index: number) => {
    active = Math.max(0, Math.min(index, found.length - 1));
    for (const [position, option] of [...list.children].entries()) {
      option.setAttribute('aria-selected', String(position === active));
      if (position === active) option.scrollIntoView({ block: 'nearest' });
    }
    if (found.length > 0) input.setAttribute('aria-activedescendant', `result-${active}`);
  };
  const go = (entry: SearchEntry | undefined) => {
    if (!entry) return;
    close();
    input.value = '';
    location.assign(entry.url);
    // If the result is on another page, this page has no element to focus, and the browser loads the other page.
    const target = document.getElementById(new URL(entry.url, location.href).hash.slice(1));
    target?.querySelector<HTMLElement>('h3 a, a')?.focus({ preventScroll: true });
  };
  const update = async () => {
    const typed = input.value;
    entries ??= loadEntries(indexUrl);
    try {
      found = findEntries(await entries, typed);
    } catch {
      entries = undefined;
      return announce('The search could not be loaded. Try again.');
    }
    if (input.value !== typed) return;
    const words = splitWords(typed);
    list.replaceChildren(
      ...(found.length > 0 ? found.map((entry, index) => renderResult(entry, { index, words, onChoose: () => go(entry) })) : [noResult()]),
    );
    list.hidden = input.value.trim() === '';
    input.setAttribute('aria-expanded', String(!list.hidden));
    mark(0);
  };

  input.addEventListener('input', () => void update());
  input.addEventListener('focus', () => input.value.trim() !== '' && void update());
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    const actions: Record<string, () => void> = {
      ArrowDown: () => mark(active + 1),
      ArrowUp: () => mark(active - 1),
      Enter: () => go(found[active]),
      Escape: () => (list.hidden ? input.blur() : close()),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    input.focus();
  });
}

async function loadEntries(url: string): Promise<SearchEntry[]> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`Status ${response.status}`);
  // The build creates this file.
  return (await response.json()) as SearchEntry[];
}

function splitWords(typed: string): string[] {
  return typed.toLowerCase().split(/\s+/).filter(Boolean);
}

/**
 * Returns the entries that contain every word. Entries with the most words in their title come first. Among these, entries with the most
 * words in the title of their page come first.
 */
function findEntries(entries: SearchEntry[], typed: string): SearchEntry[] {
  const words = splitWords(typed);
  if (words.length === 0) return [];
  const count = (text: string) => words.filter((word) => text.toLowerCase().includes(word)).length;
  const rank = ({ title, place }: SearchEntry) => 2 * count(title) + count(place);
  return entries
    .filter(({ title, place, text }) => count(`${title} ${place} ${text}`) === words.length)
    .sort((a, b) => rank(b) - rank(a))
    .slice(0, maxResults);
}

interface Result {
  index: number;
  words: string[];
  onChoose(): void;
}

function renderResult({ title, place, text }: SearchEntry, { index, words, onChoose }: Result): HTMLLIElement {
  const option = document.createElement('li');
  option.id = `result-${index}`;
  option.setAttribute('role', 'option');
  const [where, excerpt] = [document.createElement('code'), document.createElement('p')];
  where.textContent = place;
  excerpt.textContent = excerptOf(text, words);
  option.append(title, where, excerpt);
  // This listener handles pointerdown, because the input loses the focus and the list closes before a click arrives.
  option.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    onChoose();
  });
  return option;
}

/** Returns an excerpt around the first of the words that the text contains. */
function excerptOf(text: string, words: string[]): string {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0);
  const start = Math.min(...places) - lead;
  if (places.length === 0 || start <= 0) return text.slice(0, 3 * lead);
  return `…${text.slice(text.indexOf(' ', start), start + 3 * lead)}`;
}

function noResult(): HTMLLIElement {
  const item = document.createElement('li');
  item.className = 'none';
  item.setAttribute('role', 'option');
  item.setAttribute('aria-disabled', 'true');
  item.textContent = 'Nothing found';
  return item;
}

function setAttributes(element: Element, attributes: Record<string, string>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

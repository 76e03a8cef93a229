interface Entry {
  id: string;
  title: string;
  /** The method and path of an operation. */
  endpoint: string;
  /** Everything that is said about it, in lower case. */
  text: string;
}

const maxResults = 12;

/** Adds the search. `/` focuses it, arrow keys choose, Enter goes there. */
export function addSearch(tools: Element): void {
  const box = document.createElement('search');
  const input = document.createElement('input');
  Object.assign(input, { type: 'search', placeholder: 'Search  /', autocomplete: 'off', spellcheck: false });
  const list = document.createElement('ul');
  list.id = 'results';
  list.hidden = true;
  setAttributes(list, { role: 'listbox', 'aria-label': 'Results' });
  setAttributes(input, { role: 'combobox', 'aria-label': 'Search the reference', 'aria-controls': list.id, 'aria-expanded': 'false' });
  box.append(input, list);
  tools.append(box);

  const entries = readEntries();
  let found: Entry[] = [];
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
  const go = (entry: Entry | undefined) => {
    if (!entry) return;
    close();
    input.value = '';
    location.hash = entry.id;
    document.getElementById(entry.id)?.querySelector<HTMLElement>('h3 a')?.focus({ preventScroll: true });
  };
  const update = () => {
    found = findEntries(entries, input.value);
    list.replaceChildren(...(found.length > 0 ? found.map((entry, index) => renderResult(entry, index, () => go(entry))) : [noResult()]));
    list.hidden = input.value.trim() === '';
    input.setAttribute('aria-expanded', String(!list.hidden));
    mark(0);
  };

  input.addEventListener('input', update);
  input.addEventListener('focus', () => input.value.trim() !== '' && update());
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

function readEntries(): Entry[] {
  return [...document.querySelectorAll<HTMLElement>('main [id]:is(article, section)')].map((element) => ({
    id: element.id,
    title: element.querySelector('h1,h2,h3')?.textContent ?? '',
    endpoint: element.querySelector('.endpoint')?.textContent ?? '',
    text: (element.querySelector('.words')?.textContent ?? '').toLowerCase(),
  }));
}

/** The entries that contain every word: first those with the words in the title, then in the path, then anywhere. */
function findEntries(entries: Entry[], typed: string): Entry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const isIn = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const rank = ({ title, endpoint }: Entry) => (isIn(title) ? 0 : isIn(`${title} ${endpoint}`) ? 1 : 2);
  return entries
    .filter(({ text }) => isIn(text))
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, maxResults);
}

function renderResult({ title, endpoint }: Entry, index: number, onChoose: () => void): HTMLLIElement {
  const option = document.createElement('li');
  option.id = `result-${index}`;
  option.setAttribute('role', 'option');
  const place = document.createElement('code');
  place.textContent = endpoint;
  option.append(title, place);
  // Before the input loses the focus, which closes the list.
  option.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    onChoose();
  });
  return option;
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

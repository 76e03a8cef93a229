/** The script of the documentation at /docs. The pages work without it. It adds search, copy buttons and the reader's API key. */
import { addCopyButtons } from './copy.ts';
import { addKeyButton } from './own-key.ts';
import { addSearch } from './search.ts';

const tools = document.querySelector<HTMLElement>('.tools');
if (tools) {
  addSearch(tools, tools.dataset.search ?? '');
  // Only the examples of the reference use the key.
  if (document.querySelector('[data-key]')) addKeyButton(tools);
}
addCopyButtons();

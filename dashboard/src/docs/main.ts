/**
 * The script of the documentation at /docs. The script adds search, copy buttons and the reader's API key. The pages also work without the
 * script.
 */
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

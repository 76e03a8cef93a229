/** The script of the API reference at /docs. The page works without it; this adds search, copying and the reader's own key. */
import { addCopyButtons } from './copy.ts';
import { addKeyButton } from './own-key.ts';
import { addSearch } from './search.ts';

const tools = document.querySelector('.tools');
if (tools) {
  addSearch(tools);
  addKeyButton(tools);
}
addCopyButtons();

import { type Html, html } from './html.ts';

/** Renders the Markdown that descriptions use: paragraphs, bullet lists, `code` and **bold**. */
export function renderText(text: string | undefined): Html | undefined {
  if (!text) return undefined;
  return html`${text.split(/\n\s*\n/).map(renderBlock)}`;
}

export function renderInline(text: string): Html {
  // Splitting by a pattern with a group keeps the matches, at the odd indexes.
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/);
  return html`${parts.map((part, index) => (index % 2 === 1 ? renderMarked(part) : part))}`;
}

function renderBlock(block: string): Html {
  const lines = block.trim().split('\n');
  if (lines.every((line) => /^\s*- /.test(line))) {
    return html`<ul>${lines.map((line) => html`<li>${renderInline(line.replace(/^\s*- /, ''))}</li>`)}</ul>`;
  }
  return html`<p>${renderInline(lines.join(' '))}</p>`;
}

function renderMarked(part: string): Html {
  return part.startsWith('`') ? html`<code>${part.slice(1, -1)}</code>` : html`<strong>${part.slice(2, -2)}</strong>`;
}

import { Marked, type Token, type Tokens } from 'marked';
import { Html, html } from './html.ts';
import { renderSample } from './operation.ts';

export interface Section {
  /** The anchor of the heading. Undefined for the text before the first heading. */
  anchor: string | undefined;
  title: string;
  text: string;
}

export interface RenderedMarkdown {
  title: string;
  body: Html;
  /** The headings of the second level. */
  contents: { anchor: string; title: string }[];
  sections: Section[];
}

/** Returns the target of a link on the site, or undefined if the target is not part of the site. */
export type ResolveLink = (href: string) => string | undefined;

/** Renders a Markdown file of the repository. */
export function renderMarkdown(source: string, resolveLink: ResolveLink): RenderedMarkdown {
  const marked = new Marked({ async: false });
  const anchors = new Set<string>();
  const sections: Section[] = [];
  const contents: RenderedMarkdown['contents'] = [];
  let title = '';
  marked.use({
    renderer: {
      heading(token) {
        const text = plainText(token.tokens);
        if (token.depth === 1) {
          title = text;
          return html`<h1>${new Html(this.parser.parseInline(token.tokens))}</h1>`.markup;
        }
        const anchor = uniqueAnchor(text, anchors);
        if (token.depth === 2) contents.push({ anchor, title: text });
        const tag = new Html(`h${token.depth}`);
        const link = html`<a href="#${anchor}">${new Html(this.parser.parseInline(token.tokens))}</a>`;
        return html`<${tag} id="${anchor}">${link}</${tag}>`.markup;
      },
      code: ({ text, lang }) => renderSample(captions[lang ?? ''] ?? lang ?? 'Text', text).markup,
      link(token) {
        const content = new Html(this.parser.parseInline(token.tokens));
        const href = resolveLink(token.href);
        if (href === undefined) return content.markup;
        return html`<a href="${href}"${isExternal(href) && html` rel="noreferrer"`}>${content}</a>`.markup;
      },
      image: ({ href, text }) => html`<img src="${resolveLink(href)}" alt="${text}" loading="lazy">`.markup,
      // Comments mark what programs fill in. The documents contain no other markup.
      html: () => '',
    },
  });
  const tokens = marked.lexer(source);
  const body = new Html(
    marked
      .parser(tokens)
      .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
      .replaceAll('</table>', '</table></div>')
      .replaceAll('<th></th>', '<td></td>'),
  );
  collectSections(tokens, sections);
  return { title, body, contents, sections };
}

const captions: Record<string, string> = {
  sh: 'Shell',
  bash: 'Shell',
  ts: 'TypeScript',
  js: 'JavaScript',
  json: 'JSON',
  yaml: 'YAML',
  python: 'Python',
  py: 'Python',
  ini: 'Configuration',
  '': 'Text',
};

function collectSections(tokens: Token[], sections: Section[]): void {
  const anchors = new Set<string>();
  for (const token of tokens) {
    if (token.type !== 'heading') {
      const section = sections.at(-1);
      if (section && token.type !== 'html') section.text += ` ${plainText([token])}`;
      continue;
    }
    // The type says that this is a heading, but the compiler allows tokens of extensions to have the same type.
    const { depth, tokens: words } = token as Tokens.Heading;
    const title = plainText(words);
    sections.push({ anchor: depth === 1 ? undefined : uniqueAnchor(title, anchors), title, text: '' });
  }
}

/** Returns the visible text of the tokens in one line. */
function plainText(tokens: Token[]): string {
  const texts = tokens.map((token): string => {
    if (token.type === 'table') {
      // The type says that this is a table, but the compiler allows tokens of extensions to have the same type.
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows].flatMap((row) => row.map((cell) => plainText(cell.tokens))).join(' ');
    }
    if (token.type === 'list') return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(' ');
    if ('tokens' in token && token.tokens) return plainText(token.tokens);
    return 'text' in token && typeof token.text === 'string' ? token.text : '';
  });
  return texts.join('').replaceAll(/\s+/g, ' ').trim();
}

/** Returns the same id as on GitHub, so that links work in both places. */
function uniqueAnchor(title: string, taken: Set<string>): string {
  const base = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
  let anchor = base;
  for (let count = 1; taken.has(anchor); count += 1) anchor = `${base}-${count}`;
  taken.add(anchor);
  return anchor;
}

function isExternal(href: string): boolean {
  return /^https?:/.test(href);
}

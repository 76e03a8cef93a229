import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { Html, html } from './html.ts';
import { type PageAssets, renderLayout } from './layout.ts';
import { type RenderedMarkdown, renderMarkdown } from './markdown.ts';

export interface Guide extends RenderedMarkdown {
  /** The path in the repository. */
  source: string;
  url: string;
}

/** A task in the index, and its links. */
interface Group {
  title: Html;
  links: { url: string; title: Html }[];
}

const index = 'docs/README.md';
/** The documents outside docs/, with their titles on the site. */
const others: Record<string, string> = {
  'client/README.md': 'client',
  'clients/python/README.md': 'python-client',
  'SECURITY.md': 'security',
  'CHANGELOG.md': 'changelog',
};

/** Returns all documents of the repository that are meant for readers, in the order of the index. */
export function loadGuides(): Guide[] {
  const sources = [index, ...globSync('docs/**/*.md').map(toPosix), ...Object.keys(others)];
  const guides = [...new Set(sources)].map((source) => {
    const resolveLink = (href: string) => resolve(source, href);
    return { source, url: urlOf(source), ...renderMarkdown(readFileSync(source, 'utf8'), resolveLink) };
  });
  const rank = ({ source }: Guide) => (source.startsWith('docs/decisions/') ? 1 : 0);
  return guides.sort((a, b) => rank(a) - rank(b));
}

/** Returns the other files that the documents show or link to, by their path on the site. */
export function listAttachments(): Map<string, string> {
  const files = globSync(['docs/images/*', 'docs/examples/*.js', 'docs/*.json']).map(toPosix);
  return new Map(files.map((file) => [posix.join('guides', posix.relative('docs', file)), file]));
}

export function renderGuide(guide: Guide, guides: Guide[], product: { title: string; version: string }, assets: PageAssets): string {
  const main = html`<article class="guide">${guide.body}</article>${
    // The index is already listed in the sidebar.
    guide.source !== index &&
    guide.contents.length > 2 &&
    html`<nav class="within" aria-label="On this page"><h2>On this page</h2><ul class="contents">${guide.contents.map(
      ({ anchor, title }) => html`<li><a href="#${anchor}">${title}</a></li>`,
    )}</ul></nav>`
  }`;
  const title = guide.source === index ? `${product.title} documentation` : `${guide.title} · ${product.title}`;
  return renderLayout({ product, title, part: 'guides', contents: renderContents(guide, readGroups(guides)), main }, assets);
}

function renderContents(current: Guide, groups: Group[]): Html {
  return html`${groups.map(
    ({ title, links }) =>
      html`<h2>${title}</h2><ul class="contents">${links.map(
        (link) => html`<li><a href="${link.url}"${link.url === current.url && html` aria-current="page"`}>${link.title}</a></li>`,
      )}</ul>`,
  )}`;
}

function readGroups(guides: Guide[]): Group[] {
  const markup = guides.find(({ source }) => source === index)?.body.markup ?? '';
  return markup
    .split('<h2')
    .slice(1)
    .map((part) => {
      const [{ title } = { title: html`` }, ...links] = [...part.matchAll(/<a href="([^"]*)">(.*?)<\/a>/g)].map(
        ([, url = '', text = '']) => ({
          url,
          title: new Html(text),
        }),
      );
      return { title, links };
    });
}

function resolve(source: string, href: string): string | undefined {
  if (/^(?:#|https?:|mailto:)/.test(href)) return href.replace(/^http:\/\/localhost:3000\/docs$/, '/docs');
  const [path = '', anchor] = href.split('#');
  const target = posix.join(posix.dirname(source), path);
  const url = targetUrl(target);
  return url && (anchor === undefined ? url : `${url}#${anchor}`);
}

function targetUrl(target: string): string | undefined {
  if (target === 'openapi.json') return '/api/openapi.json';
  if (target.replace(/\/$/, '') === 'docs/decisions') return '/docs/guides/decisions';
  if (target in others || (target.startsWith('docs/') && target.endsWith('.md'))) return urlOf(target);
  const [attachment] = [...listAttachments()].find(([, file]) => file === target) ?? [];
  return attachment && `/docs/${attachment}`;
}

function urlOf(source: string): string {
  const name =
    others[source] ??
    posix
      .relative('docs', source)
      .replace(/\.md$/, '')
      .replace(/(?:^|\/)README$/, '');
  return posix.join('/docs/guides', name);
}

function toPosix(path: string): string {
  return path.replaceAll('\\', '/');
}

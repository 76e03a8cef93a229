import { type Html, html } from './html.ts';

/** The URLs of the assets that every page of the documentation loads. */
export interface PageAssets {
  styleUrl: string;
  themeUrl: string;
  scriptUrl: string;
  /** The search index, which is loaded when the reader searches. */
  searchUrl: string;
}

interface Layout {
  /** The product's name and version, in the bar. */
  product: { title: string; version: string };
  title: string;
  /** Which of the two parts of the documentation the page belongs to. */
  part: 'guides' | 'reference';
  contents: Html;
  main: Html;
}

/** Renders the frame of a page, which is the same for everyone. The page's script adds search, copy buttons and the reader's key. */
export function renderLayout({ product, title, part, contents, main }: Layout, assets: PageAssets): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<script src="${assets.themeUrl}"></script>
<link rel="stylesheet" href="${assets.styleUrl}">
<script type="module" src="${assets.scriptUrl}"></script>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="brand" href="/docs/guides"><img src="/docs/icon.svg" alt="" width="26" height="26">${product.title}</a>
<span class="version">${product.version}</span>
<nav class="parts" aria-label="Documentation">${renderPart('Guides', '/docs/guides', part === 'guides')}
${renderPart('API reference', '/docs', part === 'reference')}</nav>
<div class="tools" data-search="${assets.searchUrl}"></div>
<a class="back" href="/dashboard">Dashboard</a>
<details class="menu"><summary>Contents</summary><nav aria-label="Contents">${contents}</nav></details>
</header>
<aside class="side"><nav aria-label="${part === 'guides' ? 'Guides' : 'Reference'}">${contents}</nav></aside>
<main id="main" tabindex="-1">
${main}
</main>
</body>
</html>
`;
  return page.markup;
}

function renderPart(name: string, href: string, isCurrent: boolean): Html {
  return html`<a href="${href}"${isCurrent && html` aria-current="true"`}>${name}</a>`;
}

import { type OpenApiDocument, refName, resolve, type Schema, variantsOf } from './document.ts';
import { type Html, html } from './html.ts';

/** Returns a value that matches the schema: its example if it has one, otherwise one built from its parts. */
export function exampleOf(document: OpenApiDocument, schema: Schema, trail: string[] = []): unknown {
  const name = refName(schema);
  if (name !== undefined && trail.includes(name)) return {};
  const path = name === undefined ? trail : [...trail, name];
  const { examples, default: fallback, enum: choices, const: only, allOf, ...shape } = resolve(document, schema);
  const given = [only, examples?.[0], fallback, choices?.[0]].find((value) => value !== undefined);
  if (given !== undefined) return given;

  const variants = variantsOf(shape);
  if (variants.length > 0) {
    const first = variants.find((variant) => resolve(document, variant).type !== 'null') ?? {};
    // null says more than a placeholder string.
    const isPlaceholder = variants.length > 1 && resolve(document, first).type === 'string' && !resolve(document, first).examples;
    return isPlaceholder && variants.some(({ type }) => type === 'null') ? null : exampleOf(document, first, path);
  }
  if (allOf) return Object.assign({}, ...allOf.map((part) => exampleOf(document, part, path)));
  if (shape.properties) {
    const entries = Object.entries(shape.properties).map(([key, value]) => [key, exampleOf(document, value, path)]);
    return Object.fromEntries(entries);
  }
  return exampleOfType(document, shape, path);
}

function exampleOfType(document: OpenApiDocument, { type, format, items, minimum }: Schema, trail: string[]): unknown {
  switch (Array.isArray(type) ? type[0] : type) {
    case 'string':
      return format === 'date-time' ? '2026-03-14T09:26:53.589Z' : 'string';
    case 'integer':
    case 'number':
      return minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return items ? [exampleOf(document, items, trail)] : [];
    case 'null':
      return null;
    default:
      return {};
  }
}

/** Returns JSON with its parts marked for syntax colors. Short arrays and objects stay on one line. */
export function renderJson(value: unknown, indent = ''): Html {
  if (typeof value === 'string') return html`<span class="str">${JSON.stringify(value)}</span>`;
  if (typeof value !== 'object' || value === null) return html`<span class="lit">${JSON.stringify(value) ?? 'null'}</span>`;
  const isArray = Array.isArray(value);
  const [open, close] = isArray ? ['[', ']'] : ['{', '}'];
  const entries = Object.entries(value);
  if (entries.length === 0) return html`${open}${close}`;

  const isShort = indent !== '' && JSON.stringify(value).length <= 40;
  const [before, between, after] = isShort
    ? [isArray ? '' : ' ', ', ', isArray ? '' : ' ']
    : [`\n${indent}  `, `,\n${indent}  `, `\n${indent}`];
  const rows = entries.map(([key, item], index) => {
    const label = isArray ? undefined : html`<span class="key">${JSON.stringify(key)}</span>: `;
    return html`${index > 0 && between}${label}${renderJson(item, `${indent}  `)}`;
  });
  return html`${open}${before}${rows}${after}${close}`;
}

import { type OpenApiDocument, refName, resolve, type Schema, variantsOf } from './document.ts';
import { type Html, html } from './html.ts';
import { renderInline, renderText } from './text.ts';

const maxDepth = 8;

interface Field {
  name: string;
  schema: Schema;
  required: boolean;
  description?: string | undefined;
}

/** Returns the fields of a request or response body, with nested fields. Returns undefined if the schema has no fields. */
export function renderShape(document: OpenApiDocument, schema: Schema, trail: string[] = []): Html | undefined {
  const name = refName(schema);
  if (trail.length >= maxDepth || (name !== undefined && trail.includes(name))) return undefined;
  const path = [...trail, name ?? ''];
  const { properties, required = [], items, allOf, ...rest } = resolve(document, schema);
  if (allOf) return html`${allOf.map((part) => renderShape(document, part, trail))}`;
  if (items) return renderShape(document, items, path);
  if (properties) {
    const fields = Object.entries(properties).map(([key, value]) => ({ name: key, schema: value, required: required.includes(key) }));
    return renderFields(document, fields, path);
  }
  const valueShape = recordValueOf(rest);
  return valueShape ? renderShape(document, valueShape, path) : renderVariants(document, variantsOf(rest), path);
}

export function renderFields(document: OpenApiDocument, fields: Field[], trail: string[] = []): Html | undefined {
  if (fields.length === 0) return undefined;
  return html`<dl class="fields">${fields.map((field) => renderField(document, field, trail))}</dl>`;
}

function renderField(document: OpenApiDocument, field: Field, trail: string[]): Html {
  const own = resolve(document, field.schema);
  const nested = renderShape(document, field.schema, trail);
  const limits = limitsOf(own);
  // The stylesheet shows "required" in request bodies and "optional" in responses.
  const presence = field.required ? 'required' : 'optional';
  return html`<div class="field">
<dt><code class="name">${field.name}</code> <span class="type">${typeOf(document, field.schema)}</span> <span class="${presence}">${presence}</span></dt>
<dd>${renderText(field.description ?? field.schema.description ?? own.description)}${limits.length > 0 && html`<p class="limits">${limits.map((limit, index) => html`${index > 0 && ' · '}${renderInline(limit)}`)}</p>`}${nested && html`<details class="nested"><summary>Fields of <code>${field.name}</code></summary>${nested}</details>`}</dd>
</div>`;
}

/** Renders the alternatives that have fields. */
function renderVariants(document: OpenApiDocument, variants: Schema[], trail: string[]): Html | undefined {
  const shapes = variants.map((variant) => ({ variant, shape: renderShape(document, variant, trail) })).filter(({ shape }) => shape);
  if (shapes.length === 0) return undefined;
  if (shapes.length === 1) return shapes[0]?.shape;
  return html`${shapes.map(
    ({ variant, shape }, index) =>
      html`<p class="variant">${index === 0 ? 'Either' : 'or'} ${refName(variant) ?? resolve(document, variant).title ?? ''}</p>${shape}`,
  )}`;
}

/** Returns the type as text, such as `string or null` or `array of Prompt`. */
export function typeOf(document: OpenApiDocument, schema: Schema): string {
  const name = refName(schema);
  const shape = resolve(document, schema);
  const { type, items, const: only, enum: choices } = shape;
  if (only !== undefined) return JSON.stringify(only);
  if (choices) return choices.map((choice) => JSON.stringify(choice)).join(' or ');
  const variants = variantsOf(shape);
  if (variants.length > 0) return [...new Set(variants.map((variant) => typeOf(document, variant)))].join(' or ');
  if (items) return `array of ${typeOf(document, items)}`;
  const value = recordValueOf(shape);
  if (value) return `object of ${typeOf(document, value)}`;
  if (name !== undefined && shape.properties) return name;
  return type === undefined ? 'any' : [type].flat().join(' or ');
}

/** Returns the constraints on a value as text. */
function limitsOf(schema: Schema): string[] {
  const { format, pattern, minLength, maxLength, minimum, maximum, minItems, maxItems, default: fallback } = schema;
  return [
    format && `format ${format}`,
    between(minLength, maxLength, 'characters'),
    between(minimum, maximum, ''),
    between(minItems, maxItems, 'items'),
    pattern && `matches \`${pattern}\``,
    fallback !== undefined && `default \`${JSON.stringify(fallback)}\``,
  ].filter((limit) => typeof limit === 'string' && limit !== '') as string[];
}

function between(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  if (min === undefined && max === undefined) return undefined;
  const range = min === undefined ? `at most ${max}` : max === undefined ? `at least ${min}` : `${min} to ${max}`;
  return `${range} ${unit}`.trim();
}

/** Returns the schema of the values in an object with arbitrary keys. */
function recordValueOf({ additionalProperties, patternProperties, properties }: Schema): Schema | undefined {
  if (properties) return undefined;
  if (typeof additionalProperties === 'object') return additionalProperties;
  return Object.values(patternProperties ?? {})[0];
}

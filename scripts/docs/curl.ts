import { jsonSchemaOf, type OpenApiDocument, type Operation, type Parameter, resolve, takes } from './document.ts';
import { exampleOf } from './example.ts';
import { type Html, html } from './html.ts';

/** Returns the operation as a command to paste into a shell. No text of the document can escape its quotes. */
export function curlOf(document: OpenApiDocument, operation: Operation, origin: string): string {
  const body = jsonSchemaOf(operation.requestBody);
  const isImplied = operation.method === (body ? 'POST' : 'GET');
  const words = [
    `curl ${isImplied ? '' : `-X ${quote(operation.method)} `}${quote(origin + exampleUrl(document, operation))}`,
    // The quotes are double, so that the shell expands the variable.
    takes(operation, 'key') && '-H "Authorization: Bearer $PROMPTHARBOR_API_KEY"',
    takes(operation, 'session') && '-b cookies.txt -c cookies.txt',
    opensSession.has(operation.operationId) && '-c cookies.txt',
    isForBrowsers(operation) && operation.method !== 'GET' && `-H ${quote(`Origin: ${origin}`)}`,
    body && "-H 'Content-Type: application/json'",
    body && `-d ${quote(JSON.stringify(exampleOf(document, body), null, 2).replaceAll('\n', '\n  '))}`,
  ];
  return words.filter((word) => word).join(' \\\n  ');
}

/** The responses of these operations set the cookie that the other browser operations send. */
const opensSession = new Set<string | undefined>(['signIn', 'signUp']);

/**
 * Returns whether the operation is for browsers. Such an operation makes changes only if the Origin header proves that a page of the
 * service sent the request.
 */
export function isForBrowsers(operation: Operation): boolean {
  return takes(operation, 'session') || operation.tags?.includes('Browser sessions') === true;
}

/** Returns a command with its quoted parts marked for syntax colors. */
export function renderCommand(command: string): Html {
  const parts = command.split(/('(?:[^']|'\\'')*'|"[^"\n]*")/);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<span class="str">${markKey(part)}</span>` : markKey(part)))}`;
}

/** Marks where the page's script fills in the reader's key. */
function markKey(text: string): Html {
  const parts = text.split(/(\$PROMPTHARBOR_API_KEY|ph_…)/);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<span data-key>${part}</span>` : part))}`;
}

function exampleUrl(document: OpenApiDocument, { path, parameters }: Operation): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const parameter = parameters.find((candidate) => candidate.in === 'path' && candidate.name === name);
    return encodeURIComponent(exampleOfParameter(document, parameter) ?? name.toUpperCase());
  });
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, ...rest }) => `${name}=${encodeURIComponent(exampleOfParameter(document, { name, ...rest }) ?? name.toUpperCase())}`);
  return query.length > 0 ? `${filled}?${query.join('&')}` : filled;
}

function exampleOfParameter(document: OpenApiDocument, parameter: Parameter | undefined): string | undefined {
  const { examples, default: fallback, type, minimum } = resolve(document, parameter?.schema ?? {});
  const value = examples?.[0] ?? fallback ?? (type === 'integer' ? (minimum ?? 1) : undefined);
  return value === undefined ? undefined : String(value);
}

/** Quotes an argument for a POSIX shell. */
export function quote(text: string): string {
  return /^[\w./:%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

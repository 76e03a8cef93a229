import { Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml';
import type { DeclaredVariable } from '../../formats/config-parts.ts';
import { FileProblem } from '../../formats/file-problem.ts';
import { assertJson, isPlainObject, isScalarValue } from '../../formats/json-values.ts';
import { listNames } from '../../formats/prompt-declarations.ts';
import { ignoredKeys, knownKeys, type PromptContent, readContent, readText } from '../../formats/prompt-fields.ts';
import { messageOf } from '../errors.ts';
import { digestContent } from './content.ts';

/** A parsed file. The name is undefined if the file does not contain it. */
export interface PromptFile {
  name: string | undefined;
  content: PromptContent;
  /** The variables that the file names, whether or not it describes them. */
  variables: string[];
  /** Returns the line on which a string of the content begins. The path is its JSON pointer, such as `/messages/0/content`. */
  lineOf(path: string): number | undefined;
}

const writeOptions = { lineWidth: 0, blockQuote: 'literal', flowCollectionPadding: false } as const;

/** Formats a new file for a prompt that has no file yet. The same content always gives the same bytes. */
export function formatPromptFile(name: string, content: PromptContent): string {
  const document = new Document(toYaml(name, content), { aliasDuplicateObjects: false });
  const tags = document.get('tags');
  if (isSeq(tags)) tags.flow = true;
  const text = document.toString(writeOptions);
  if (isSameContent(text, content)) return text;
  // A YAML block cannot represent every text, for example text that begins with lines of spaces.
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && node.value.includes('\n')) node.type = 'QUOTE_DOUBLE';
    },
  });
  const quoted = document.toString(writeOptions);
  if (!isSameContent(quoted, content)) throw new Error(`The prompt "${name}" cannot be written as YAML`);
  return quoted;
}

/** Returns the text of an existing file with new content. Comments and unchanged parts stay as they are. */
export function updatePromptFile(text: string, name: string, content: PromptContent): string {
  const document = parseDocument(text);
  if (document.errors.length > 0 || !isMap(document.contents)) return formatPromptFile(name, content);
  const flowCollectionPadding = hasPadding(text, document);
  const usesConfig = document.has('config');
  const wanted = toYaml(name, content, usesConfig);
  if (!document.has('name')) delete wanted.name;
  const variables = { ...listBareNames(document), ...(isPlainObject(wanted.variables) && wanted.variables) };
  if (!Array.isArray(wanted.variables) && Object.keys(variables).length > 0) wanted.variables = variables;
  for (const key of knownKeys) {
    if (Object.hasOwn(wanted, key)) document.set(key, mergeNode(document, document.get(key, true), wanted[key]));
    else document.delete(key);
  }
  const updated = document.toString({ ...writeOptions, flowCollectionPadding });
  return isSameContent(updated, content) ? updated : formatPromptFile(name, content);
}

/** Reads a file, or throws a FileProblem that says what is wrong and where. */
export function parsePromptFile(text: string): PromptFile {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' });
  const [error] = document.errors;
  if (error) {
    const advice =
      error.code === 'BLOCK_AS_IMPLICIT_KEY' ? '. Put text that contains a colon in quotes, or in a block that starts with |' : '';
    throw new FileProblem(`Not valid YAML: ${error.message}${advice}`, lineCounter.linePos(error.pos[0]).line);
  }
  if (!isMap(document.contents)) throw new FileProblem('The file must have keys such as "template" or "messages"', 1);
  const fields = readDocument(document);
  for (const key of Object.keys(fields)) {
    if (knownKeys.includes(key) || ignoredKeys.includes(key) || key.startsWith('x-')) continue;
    throw new FileProblem(`Unknown key "${key}". Use ${[...knownKeys, ...ignoredKeys].join(', ')}, or x-… for your own keys`);
  }
  return {
    name: readText(fields, 'name')?.normalize('NFC'),
    content: readContent(fields),
    variables: listNames(fields.variables),
    lineOf(path) {
      const node: unknown = document.getIn(parsePointer(path), true);
      if (!isScalar(node) || !node.range) return undefined;
      const { line } = lineCounter.linePos(node.range[0]);
      return node.type?.startsWith('BLOCK') ? line + 1 : line;
    },
  };
}

function parsePointer(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns a file's content as a map, with the keys in the order in which they are written. Empty values are left out. */
function toYaml(
  name: string,
  { description, tags, config, syntax, template, messages, variables = [], tools, output }: PromptContent,
  usesConfig = false,
): Record<string, unknown> {
  const isObject = isPlainObject(config);
  const { model, responseFormat, ...rest } = isObject ? config : {};
  return {
    name,
    ...(description !== '' && { description }),
    ...(tags.length > 0 && { tags: [...tags].sort() }),
    ...((isObject ? usesConfig && Object.keys(config).length > 0 : true) && { config }),
    ...(!usesConfig && {
      ...(model !== undefined && { model }),
      ...(Object.keys(rest).length > 0 && { modelParameters: rest }),
      ...(responseFormat !== undefined && { responseFormat }),
    }),
    ...(variables.length > 0 && { variables: toVariables(variables) }),
    ...(syntax && { syntax }),
    ...(template !== undefined ? { template } : { messages: messages ?? [] }),
    ...(tools && { tools }),
    ...(output && { output }),
  };
}

/** Returns variables by name. A map cannot have a key named __proto__, so a list is written if there is such a variable. */
function toVariables(variables: DeclaredVariable[]): unknown {
  const sorted = [...variables].sort((one, other) => (one.name < other.name ? -1 : 1));
  if (sorted.some(({ name }) => name === '__proto__')) return sorted;
  return Object.fromEntries(sorted.map(({ name, ...fields }) => [name, fields]));
}

/** Returns the variables that the file names but does not describe. These names are for people, so they stay in the file. */
function listBareNames(document: Document): Record<string, unknown> {
  const { variables }: { variables?: unknown } = document.toJS();
  if (!isPlainObject(variables)) return {};
  const isBare = (fields: unknown) => fields === null || (isPlainObject(fields) && Object.keys(fields).length === 0);
  return Object.fromEntries(Object.entries(variables).filter(([, fields]) => isBare(fields)));
}

/** Returns a node with the new value that keeps as much of the old one as possible, including comments. */
function mergeNode(document: Document, node: unknown, value: unknown): Node {
  if (isMap(node) && isPlainObject(value)) {
    for (const key of node.items.map((pair) => (isScalar(pair.key) ? String(pair.key.value) : ''))) {
      if (!Object.hasOwn(value, key)) node.delete(key);
    }
    for (const [key, inner] of Object.entries(value)) node.set(key, mergeNode(document, node.get(key, true), inner));
    return node;
  }
  if (isSeq(node) && Array.isArray(value)) {
    node.items = value.map((inner, index) => mergeNode(document, node.items[index], inner));
    return node;
  }
  if (isScalar(node) && isScalarValue(value)) {
    if (node.value === value) return node;
    node.value = value;
    // These properties are removed, because the old style and the old spelling of a number may not fit the new value.
    delete node.type;
    delete node.source;
    delete node.format;
    return node;
  }
  return document.createNode(value, { aliasDuplicateObjects: false });
}

/** Returns whether the file uses the form `[ a ]` rather than `[a]`. */
function hasPadding(text: string, document: Document): boolean {
  let padding = false;
  visit(document, {
    Collection(_key, { flow, range }) {
      if (!flow || !range) return undefined;
      padding = /\s/.test(text.charAt(range[0] + 1));
      return visit.BREAK;
    },
  });
  return padding;
}

function isSameContent(text: string, content: PromptContent): boolean {
  try {
    return digestContent(parsePromptFile(text).content) === digestContent(content);
  } catch {
    return false;
  }
}

function readDocument(document: Document): Record<string, unknown> {
  try {
    const fields: unknown = document.toJS();
    assertJson(fields);
    // The document is a map, and assertJson has checked all of it.
    return fields as Record<string, unknown>;
  } catch (err) {
    if (err instanceof FileProblem) throw err;
    throw new FileProblem(`Not valid YAML: ${messageOf(err)}`);
  }
}

import { mapDescriptions } from '../contract/descriptions.ts';
import { takeFromConfig } from './config-parts.ts';
import type { PromptDraft } from './draft-types.ts';
import { isPlainObject } from './json-values.ts';
import type { Report } from './report.ts';

/**
 * The keywords of a JSON schema that describe the fields and items of a value. The service infers fields and items from the templates, so
 * declared variables do not have these keywords.
 */
const innerKeys = ['items', 'properties', 'required', 'additionalProperties'];

/**
 * Moves tools, the output schema and descriptions of variables out of a converted config. Reports the parts that have to stay in the
 * config.
 */
export function moveOutOfConfig(draft: PromptDraft, report: Report): PromptDraft {
  const { config, variables, tools, output } = takeFromConfig(omitInner(draft.config, report));
  const left = isPlainObject(config) && isPlainObject(config.variables) ? config.variables : {};
  for (const [name, note] of Object.entries(left)) {
    report.note(`config.variables.${name}`, describeLeft(note));
  }
  // Other programs do not render descriptions, so a tag in a description is plain text there. In this service, it would be a template.
  if (hasTags({ tools, output })) {
    report.note('tools', 'A description contains a tag, so tools and output are kept in the config');
    const { tools: givenTools, response_format: format } = isPlainObject(draft.config) ? draft.config : {};
    const kept = { ...(givenTools !== undefined && { tools: givenTools }), ...(format !== undefined && { response_format: format }) };
    return { ...draft, config: { ...(isPlainObject(config) && config), ...kept }, ...(variables && { variables }) };
  }
  return { ...draft, config, ...(variables && { variables }), ...(tools && { tools }), ...(output && { output }) };
}

function describeLeft(note: unknown): string {
  const hasDefault = isPlainObject(note) && note.default !== undefined;
  return `Cannot be declared, so it is kept in the config${hasDefault ? '; callers must send the value' : ''}`;
}

function omitInner(config: unknown, report: Report): unknown {
  if (!isPlainObject(config) || !isPlainObject(config.variables)) return config;
  const variables = Object.entries(config.variables).map(([name, note]) => {
    if (!isPlainObject(note) || !innerKeys.some((key) => Object.hasOwn(note, key))) return [name, note];
    report.note(`variables.${name}`, 'The fields and items of this value are inferred from the templates; their schema is skipped');
    return [name, Object.fromEntries(Object.entries(note).filter(([key]) => !innerKeys.includes(key)))];
  });
  return { ...config, variables: Object.fromEntries(variables) };
}

function hasTags(value: object): boolean {
  let found = false;
  mapDescriptions(value, '', (text) => {
    found = true;
    return text;
  });
  return found;
}

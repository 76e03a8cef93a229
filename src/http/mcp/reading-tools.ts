import { Type } from 'typebox';
import { DiffQuery } from '../../contract/history.ts';
import { labelPattern } from '../../contract/limits.ts';
import { PromptListQuery } from '../../contract/prompts.ts';
import { RenderRequest } from '../../contract/render.ts';
import { VersionNumber } from '../../contract/versions.ts';
import { listPrompts } from '../../domain/prompts/list-prompts.ts';
import { diffVersions } from '../../domain/prompts/versions/diff.ts';
import { getVersion } from '../../domain/prompts/versions/versions.ts';
import type { McpCall } from './call.ts';
import { callerInput } from './callers.ts';
import { renderCounted } from './prompts.ts';
import { defineTool, Name } from './tool.ts';

const choice = {
  label: Type.Optional(Type.String({ pattern: labelPattern, description: 'A label, or latest for the newest version.' })),
  version: Type.Optional(Type.Integer({ ...VersionNumber, description: 'A version number, instead of a label.' })),
};
const { search, folder, tag, cursor } = PromptListQuery.properties;
const annotations = { readOnlyHint: true };

/** The tools that only read. */
export const readingTools = [
  defineTool({
    name: 'list_prompts',
    title: 'List prompts',
    description:
      'Lists the prompts of the workspace with their labels and newest versions, 50 at a time. A search also covers their text and lists the matching lines.',
    operation: 'listPrompts',
    input: Type.Object({ search, folder, tag, label: choice.label, cursor }, { additionalProperties: false }),
    annotations,
    async run({ ctx, actor }, input) {
      const { data, nextCursor } = await listPrompts(ctx, actor, input);
      return {
        prompts: data.map(({ name, type, description, tags, latestVersion, labels, matches }) => ({
          name,
          type,
          ...(description !== '' && { description }),
          ...(tags.length > 0 && { tags }),
          latestVersion,
          labels,
          ...(matches && { matches: matches.map(({ start, end, ...match }) => match) }),
        })),
        ...(nextCursor !== null && { nextCursor }),
      };
    },
  }),
  defineTool({
    name: 'get_prompt',
    title: 'Get a prompt',
    description: 'Returns the source of a prompt at a label or version, without rendering it, with its variables, config and labels.',
    operation: 'getPrompt',
    input: Type.Object({ name: Name, ...choice, ...callerInput }, { additionalProperties: false }),
    annotations,
    async run(call, { name, key, context, ...chosen }) {
      const { version, served } = await getVersion(call.ctx, call.actor, name, withDefault(call, chosen), { key, context });
      call.servedPrompt = { ...served, key };
      const { by, createdAt, ...shown } = version;
      return { ...shown, variables: version.variables.map(({ fields: _, items: __, ...variable }) => variable) };
    },
  }),
  defineTool({
    name: 'render_prompt',
    title: 'Render a prompt',
    description: 'Renders a prompt with variables and returns the text or messages that an application would get.',
    operation: 'renderPrompt',
    input: Type.Object(
      { name: Name, variables: RenderRequest.properties.variables, ...choice, ...callerInput },
      { additionalProperties: false },
    ),
    annotations,
    async run(call, { name, variables = {}, key, context, ...chosen }) {
      const target = { name, choice: withDefault(call, chosen), caller: { key, context } };
      const { rendered } = await renderCounted(call, target, () => variables);
      return 'text' in rendered ? rendered.text : rendered;
    },
  }),
  defineTool({
    name: 'compare_versions',
    title: 'Compare versions',
    description: 'Compares the text and config of two versions of a prompt and returns unified diffs.',
    operation: 'diffVersions',
    input: Type.Object({ name: Name, ...DiffQuery.properties }, { additionalProperties: false }),
    annotations,
    async run({ ctx, actor }, { name, ...versions }) {
      const { text, config } = await diffVersions(ctx, actor, name, versions);
      const parts = [text, config && `config:\n${config}`].filter((part) => part !== '');
      return parts.length === 0 ? 'The versions do not differ' : parts.join('\n');
    },
  }),
];

/** Adds the label from the request's address if the caller gave neither a label nor a version. */
function withDefault(call: McpCall, chosen: { label?: string | undefined; version?: number | undefined }) {
  return chosen.label === undefined && chosen.version === undefined ? { label: call.label } : chosen;
}

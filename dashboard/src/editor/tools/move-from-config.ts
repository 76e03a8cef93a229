import { addToConfig, takeFromConfig } from '../../../../src/formats/config-parts.ts';
import { type Draft, formatPart, parseConfig, parseTools } from '../drafts/draft.ts';

/** The parts that can be moved out of a config, and the draft after they are moved. */
export interface Move {
  names: string[];
  draft: Draft;
}

/**
 * Moves tools, the response format and descriptions of variables from the config to the fields in which they are edited and validated.
 * Parts that the draft already declares stay in the config. Returns undefined if there is nothing to move.
 */
export function moveFromConfig(draft: Draft): Move | undefined {
  const { config, variables = [], tools, output } = takeFromConfig(parseConfig(draft.config).config);
  const existing = parseTools(draft.tools);
  const declared = new Set(draft.variables.map(({ name }) => name));
  const isToolNew = existing.error === undefined && tools?.every(({ name }) => existing.value?.every((tool) => tool.name !== name) ?? true);
  const moved = {
    tools: isToolNew ? tools : undefined,
    output: draft.output.trim() === '' ? output : undefined,
    variables: variables.filter(({ name }) => !declared.has(name)),
  };
  const names = [
    ...(moved.tools ? ['tools'] : []),
    ...(moved.output ? ['an output schema'] : []),
    ...(moved.variables.length > 0 ? ['descriptions of variables'] : []),
  ];
  if (names.length === 0) return undefined;
  const kept = variables.filter(({ name }) => declared.has(name));
  const left = addToConfig(config, {
    ...(kept.length > 0 && { variables: kept }),
    ...(!moved.tools && tools && { tools }),
    ...(!moved.output && output && { output }),
  });
  return {
    names,
    draft: {
      ...draft,
      config: JSON.stringify(left, null, 2),
      variables: [...draft.variables, ...moved.variables],
      tools: moved.tools ? formatPart([...(existing.value ?? []), ...moved.tools]) : draft.tools,
      output: moved.output ? formatPart(moved.output) : draft.output,
    },
  };
}

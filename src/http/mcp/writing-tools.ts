import { type Static, Type } from 'typebox';
import { Label, LabelTarget } from '../../contract/labels.ts';
import { NewVersion, VersionNumber } from '../../contract/versions.ts';
import { moveLabel } from '../../domain/prompts/labels/labels.ts';
import { createPrompt } from '../../domain/prompts/prompts.ts';
import { createVersion } from '../../domain/prompts/versions/versions.ts';
import { AppError } from '../../errors.ts';
import type { McpCall } from './call.ts';
import { defineTool, Name } from './tool.ts';

const SaveInput = Type.Object(
  {
    name: Name,
    ...NewVersion.properties,
    baseVersion: Type.Optional(Type.Integer({ ...VersionNumber, description: 'Refuses to save if this is no longer the newest version.' })),
    create: Type.Optional(Type.Boolean({ description: 'Creates the prompt if there is none with this name.' })),
  },
  { additionalProperties: false },
);
const MoveInput = Type.Object({ name: Name, label: Label, ...LabelTarget.properties }, { additionalProperties: false });

/** The tools that change prompts. */
export const writingTools = [
  defineTool({
    name: 'save_version',
    title: 'Save a version',
    description:
      'Saves a new version of a prompt: template for a text prompt, messages for a chat prompt, as Liquid. Nothing is served differently ' +
      'until a label is moved to it, unless labels lists one. Give the version you started from as baseVersion.',
    operation: 'createVersion',
    input: SaveInput,
    // Versions are only added, never changed.
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    run: save,
  }),
  defineTool({
    name: 'move_label',
    title: 'Move a label',
    description: 'Points a label at a version: applications that read the label get that version at once. Deploys, or rolls back.',
    operation: 'moveLabel',
    input: MoveInput,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    run: move,
  }),
];

async function save({ ctx, actor }: McpCall, { create, name, ...input }: Static<typeof SaveInput>) {
  try {
    const { version, labels, warnings } = await createVersion(ctx, actor, name, input);
    return toSaved({ name, version, labels, warnings });
  } catch (err) {
    if (!(err instanceof AppError) || err.code !== 'prompt_not_found') throw err;
    if (!create) throw new AppError('prompt_not_found', { text: 'There is no prompt with this name; send "create": true to create it' });
  }
  const { baseVersion, ...content } = input;
  const { version, warnings } = await createPrompt(ctx, actor, { name, ...content });
  return toSaved({ name: version.name, version: version.version, labels: version.labels, warnings });
}

function toSaved({ warnings, ...saved }: { name: string; version: number; labels: string[]; warnings: unknown[] }) {
  return { ...saved, ...(warnings.length > 0 && { warnings }) };
}

async function move({ ctx, actor }: McpCall, target: Static<typeof MoveInput>) {
  const { name, version, labels } = await moveLabel(ctx, actor, target);
  return { name, version, labels };
}

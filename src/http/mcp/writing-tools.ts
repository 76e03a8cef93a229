import { Type } from 'typebox';
import { Label, LabelTarget } from '../../contract/labels.ts';
import { NewVersion, VersionNumber } from '../../contract/versions.ts';
import { moveLabel } from '../../domain/prompts/labels/labels.ts';
import { createPrompt } from '../../domain/prompts/prompts.ts';
import { createVersion } from '../../domain/prompts/versions/versions.ts';
import { AppError } from '../../errors.ts';
import { defineTool, Name, Strict } from './tool.ts';

const baseVersion = Type.Integer({
  ...VersionNumber,
  description: 'The version you started from. Nothing is saved if it is no longer the newest.',
});
const create = Type.Boolean({ description: 'Whether to create the prompt if it does not exist.' });

/** The tools that change prompts. */
export const writingTools = [
  defineTool({
    name: 'save_version',
    title: 'Save a version',
    description:
      'Saves a new version of a prompt, written in Liquid. Send template for a text prompt or messages for a chat prompt. Applications do not ' +
      'receive it until a label is moved to it, unless you send labels. Send the version you started from as baseVersion.',
    operation: 'createVersion',
    input: Type.Object(
      { name: Name, ...NewVersion.properties, baseVersion: Type.Optional(baseVersion), create: Type.Optional(create), strict: Strict },
      { additionalProperties: false },
    ),
    // Versions are only added, never changed.
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    async run({ ctx, actor }, { create: mayCreate, name, strict: isStrict = false, ...input }) {
      try {
        const { version, labels, warnings } = await createVersion(ctx, actor, name, input, { isStrict });
        return toSaved({ name, version, labels, warnings });
      } catch (err) {
        if (!(err instanceof AppError) || err.code !== 'prompt_not_found') throw err;
        if (!mayCreate)
          throw new AppError('prompt_not_found', { text: 'There is no prompt with this name. To create it, send "create": true.' });
      }
      const { baseVersion: _, ...content } = input;
      const { version, warnings } = await createPrompt(ctx, actor, { name, ...content }, { isStrict });
      return toSaved({ name: version.name, version: version.version, labels: version.labels, warnings });
    },
  }),
  defineTool({
    name: 'move_label',
    title: 'Move a label',
    description:
      'Deploys or rolls back: moves a label to a version. Applications that use the label receive that version immediately. The warnings say ' +
      'what will fail, such as a missing include or a variable that callers do not send.',
    operation: 'moveLabel',
    // The input has no field for the reason for an override, because only people override rules. An assistant would make up a reason as
    // soon as a move is refused.
    input: Type.Object(
      { name: Name, label: Label, version: LabelTarget.properties.version, strict: Strict },
      { additionalProperties: false },
    ),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    async run({ ctx, actor }, { strict: isStrict = false, ...target }) {
      const { name, version, labels, warnings } = await moveLabel(ctx, actor, { ...target, isStrict });
      return toSaved({ name, version, labels, warnings });
    },
  }),
];

function toSaved({ warnings, ...saved }: { name: string; version: number; labels: string[]; warnings: unknown[] }) {
  return { ...saved, ...(warnings.length > 0 && { warnings }) };
}

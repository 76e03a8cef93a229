import { Type } from 'typebox';
import { Label, LabelTarget } from '../../contract/labels.ts';
import { NewVersion, VersionNumber } from '../../contract/versions.ts';
import { moveLabel } from '../../domain/prompts/labels/labels.ts';
import { createPrompt } from '../../domain/prompts/prompts.ts';
import { createVersion } from '../../domain/prompts/versions/versions.ts';
import { AppError } from '../../errors.ts';
import { defineTool, Name } from './tool.ts';

const baseVersion = Type.Integer({ ...VersionNumber, description: 'Refuses to save if this is no longer the newest version.' });
const strict = Type.Optional(
  Type.Boolean({ description: 'Changes nothing if something would fail at a label, and says what. Default: false.' }),
);
const create = Type.Boolean({ description: 'Creates the prompt if there is none with this name.' });

/** The tools that change prompts. */
export const writingTools = [
  defineTool({
    name: 'save_version',
    title: 'Save a version',
    description:
      'Saves a new version of a prompt: template for a text prompt, messages for a chat prompt, as Liquid. Nothing is served differently ' +
      'until a label is moved to it, unless labels lists one. Give the version you started from as baseVersion.',
    operation: 'createVersion',
    input: Type.Object(
      { name: Name, ...NewVersion.properties, baseVersion: Type.Optional(baseVersion), create: Type.Optional(create), strict },
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
      'Points a label at a version: applications that read the label get that version at once. Deploys, or rolls back. The warnings say ' +
      'what fails then, such as an include that is missing or a variable that callers do not send.',
    operation: 'moveLabel',
    input: Type.Object({ name: Name, label: Label, ...LabelTarget.properties, strict }, { additionalProperties: false }),
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

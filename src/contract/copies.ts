import { type Static, Type } from 'typebox';
import { examplePrompt, NewPrompt, Prompt } from './prompts.ts';
import { bodyOf, objectOf } from './shapes.ts';
import { Warning } from './warnings.ts';

const exampleWorkspaceId = 'w_mi4w7x2c_000a1d4b8365f0c9a7e';

export const CopyRequest = bodyOf(
  'CopyRequest',
  { workspace: exampleWorkspaceId, move: true },
  {
    workspace: Type.String({
      maxLength: 100,
      description: 'The id of the workspace to copy to, in which you need the role `editor`. This can be the current workspace.',
    }),
    name: Type.Optional(
      Type.String({ ...NewPrompt.properties.name, description: 'The name of the copy. Default: the name of the prompt.' }),
    ),
    move: Type.Optional(
      Type.Boolean({
        description:
          'Moves the original to the bin of its workspace, in the same transaction. Requires the role `editor` in that workspace too.',
      }),
    ),
  },
);
export type CopyRequest = Static<typeof CopyRequest>;

export const CopiedPrompt = objectOf(
  'CopiedPrompt',
  { ...examplePrompt, workspace: { id: exampleWorkspaceId, name: 'Support team' }, warnings: [] },
  {
    ...Prompt.properties,
    workspace: Type.Object({ id: Type.String(), name: Type.String() }),
    warnings: Type.Array(Warning, {
      description:
        'Problems that did not prevent the copy. They concern included prompts that do not exist in the target workspace, labels that were ' +
        'not copied and, after a move, prompts that can no longer be rendered.',
    }),
  },
);
export type CopiedPrompt = Static<typeof CopiedPrompt>;

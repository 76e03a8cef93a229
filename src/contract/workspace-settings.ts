import { type Static, Type } from 'typebox';
import { Label } from './labels.ts';
import { maxAccountNameLength } from './limits.ts';

const protectedLabels = Type.Array(Label, {
  maxItems: 20,
  description: 'The labels that only deployers, admins and the owner may move or remove. None in a new workspace.',
});

export const WorkspaceSettings = Type.Object(
  {
    name: Type.String({ description: 'The display name of its owner.' }),
    protectedLabels,
    gatedLabels: Type.Array(Label, { description: 'Always empty so far.' }),
  },
  { title: 'WorkspaceSettings', examples: [{ name: 'Ada', protectedLabels: ['production'], gatedLabels: [] }] },
);
export type WorkspaceSettings = Static<typeof WorkspaceSettings>;

export const WorkspaceChange = Type.Object(
  {
    name: Type.Optional(
      Type.String({ maxLength: maxAccountNameLength, description: 'The display name of its owner, who alone can change it.' }),
    ),
    protectedLabels: Type.Optional(protectedLabels),
  },
  { title: 'WorkspaceChange', additionalProperties: false, minProperties: 1, examples: [{ protectedLabels: ['production'] }] },
);
export type WorkspaceChange = Static<typeof WorkspaceChange>;

import { type Static, Type } from 'typebox';
import { confirmation } from './accounts.ts';
import { maxAccountNameLength } from './limits.ts';
import { roles } from './roles.ts';
import { bodyOf, objectOf } from './shapes.ts';

export const workspaceKind = Type.Enum(['personal', 'team'], {
  description: '`personal`: the workspace of an account, which has the account’s name.',
});

const exampleWorkspace = {
  id: 'u_mhz1k3p0_0005f0c9a7e21d4b836',
  name: 'Ada',
  kind: 'personal',
  shared: true,
  role: 'owner',
  owner: { name: 'Ada', email: 'ada@example.com' },
};
export const Workspace = objectOf('Workspace', exampleWorkspace, {
  id: Type.String({
    description:
      'To act in this workspace, send this id as `PromptHarbor-Workspace`. The id of a team workspace starts with `w_`. Any other id is ' +
      'the `userId` of the owner.',
  }),
  name: Type.String(),
  kind: workspaceKind,
  shared: Type.Boolean({ description: 'Whether other accounts have access. Always true for a team workspace.' }),
  role: Type.Enum([...roles], { description: 'Your role in the workspace.' }),
  owner: Type.Object({ name: Type.String(), email: Type.String() }),
});
export type Workspace = Static<typeof Workspace>;

export const WorkspaceList = Type.Object({ data: Type.Array(Workspace) }, { title: 'WorkspaceList' });

const exampleNewWorkspace = { name: 'Support team' };
const name = Type.String({ maxLength: maxAccountNameLength, description: 'The name of the workspace, 1 to 100 characters.' });
export const NewWorkspace = bodyOf('NewWorkspace', exampleNewWorkspace, { name });
export const WorkspaceRename = bodyOf('WorkspaceRename', exampleNewWorkspace, { name });

const exampleProof = { password: 'correct horse battery staple' };
export const WorkspaceDeletion = bodyOf('WorkspaceDeletion', exampleProof, confirmation);

const exampleTransfer = { ...exampleProof, userId: 'u_mi4w7x2c_000a1d4b8365f0c9a7e' };
export const WorkspaceTransfer = bodyOf('WorkspaceTransfer', exampleTransfer, {
  ...confirmation,
  userId: Type.String({ description: 'The member who becomes the owner.' }),
});

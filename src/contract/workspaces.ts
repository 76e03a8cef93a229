import { type Static, Type } from 'typebox';
import { roles } from './roles.ts';
import { objectOf } from './shapes.ts';

const exampleWorkspace = {
  id: 'u_mhz1k3p0_0005f0c9a7e21d4b836',
  name: 'Ada',
  role: 'owner',
  owner: { name: 'Ada', email: 'ada@example.com' },
};
export const Workspace = objectOf('Workspace', exampleWorkspace, {
  id: Type.String({ description: 'The `userId` of its owner. Send it as `PromptHarbor-Workspace` to act in this workspace.' }),
  name: Type.String(),
  role: Type.Enum([...roles], { description: 'What you may do there.' }),
  owner: Type.Object({ name: Type.String(), email: Type.String() }),
});
export type Workspace = Static<typeof Workspace>;

export const WorkspaceList = Type.Object({ data: Type.Array(Workspace) }, { title: 'WorkspaceList' });

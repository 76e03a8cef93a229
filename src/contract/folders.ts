import { type Static, Type } from 'typebox';
import { maxFolders } from './limits.ts';
import { objectOf } from './shapes.ts';

const exampleFolder = { path: 'support', prompts: 12 };
const Folder = objectOf('Folder', exampleFolder, {
  path: Type.String({ description: 'Empty for prompts that are not in a folder.' }),
  prompts: Type.Integer({ minimum: 1, description: 'The number of prompts directly in the folder, excluding prompts in subfolders.' }),
});

export const FolderList = objectOf(
  'FolderList',
  { data: [{ path: '', prompts: 3 }, exampleFolder], complete: true },
  {
    data: Type.Array(Folder, {
      description: `The folders that directly contain prompts, sorted, up to ${maxFolders.toLocaleString('en')}.`,
    }),
    complete: Type.Boolean({ description: 'Whether the list is complete.' }),
  },
);
export type FolderList = Static<typeof FolderList>;

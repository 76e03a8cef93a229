import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { toCase } from './cases.ts';

/** How much content is read for the values of a variable, which clients may ask for with every key that is typed. */
const maxReadBytes = 512 * 1024;
const maxValueLength = 200;

/** The texts that the cases of a prompt have for a variable, each once, those of the oldest cases first. Long ones are no use to choose from. */
export async function listCaseValues({ store }: WithStore, { workspaceId }: Actor, promptId: string, variable: string): Promise<string[]> {
  const owner = { accountId: workspaceId, promptId };
  let bytes = 0;
  const { cases } = store.read(workspaceId);
  const limit = (await cases.listDigests(owner)).filter((one) => {
    bytes += one.bytes;
    return bytes <= maxReadBytes;
  }).length;
  if (limit === 0) return [];
  const found = await cases.list(owner, { afterId: '', limit });
  const values = found.map((record) => {
    const { variables } = toCase(record);
    return Object.hasOwn(variables, variable) ? variables[variable] : undefined;
  });
  return [...new Set(values.filter((value) => typeof value === 'string'))].filter(
    (value) => value !== '' && value.length <= maxValueLength,
  );
}

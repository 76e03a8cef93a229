import { findJsonExcess } from '../../platform/json-bounds.ts';
import { tryTo } from '../../platform/try-to.ts';
import { jsonBounds, toObject } from '../runs/chat-parts.ts';

const maxModels = 1000;
/** The maximum length of an id that is read. Ids are shortened further after the key is removed from them. */
const maxIdLength = 1000;

/** Returns the ids in a list of models, or undefined if the text is not such a list. */
export function parseModelIds(text: string): string[] | undefined {
  if (findJsonExcess(text, jsonBounds) !== undefined) return undefined;
  const { data } = toObject(tryTo((): unknown => JSON.parse(text)));
  if (!Array.isArray(data)) return undefined;
  const ids = data.flatMap((model: unknown) => {
    const { id } = toObject(model);
    return typeof id === 'string' ? [id.slice(0, maxIdLength)] : [];
  });
  return ids.slice(0, maxModels);
}

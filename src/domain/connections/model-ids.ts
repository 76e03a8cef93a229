import { findJsonExcess } from '../../platform/json-bounds.ts';
import { tryTo } from '../../platform/try-to.ts';
import { jsonBounds, toObject } from '../runs/chat-parts.ts';
import type { Protocol } from '../runs/protocols/protocol.ts';

const maxModels = 1000;
/** The maximum length of an id that is read. Ids are shortened further after the key is removed from them. */
const maxIdLength = 1000;

/** Returns the ids in a list of models, or undefined if the text is not such a list. */
export function parseModelIds(text: string, { toModelIds }: Pick<Protocol, 'toModelIds'>): string[] | undefined {
  if (findJsonExcess(text, jsonBounds) !== undefined) return undefined;
  const ids = toModelIds(toObject(tryTo((): unknown => JSON.parse(text))));
  return ids?.slice(0, maxModels).map((id) => id.slice(0, maxIdLength));
}

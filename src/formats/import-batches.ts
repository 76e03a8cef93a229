import type { Batch } from '../contract/batch.ts';
import { mapDescriptions } from '../contract/descriptions.ts';
import { maxBatchItems, maxBatchLabels } from '../contract/limits.ts';
import { listTemplates } from '../contract/message-content.ts';

export type BatchItem = Batch['items'][number];

const maxBatchBytes = 1_000_000;
const maxBatchValues = 49_000;

/**
 * Splits prompts into batches of the size that the service saves in one request. Included prompts come first, so that no batch includes a
 * prompt of a later batch.
 */
export function splitBatches(items: BatchItem[]): BatchItem[][] {
  const encoder = new TextEncoder();
  const batches: BatchItem[][] = [];
  let batch: BatchItem[] = [];
  let bytes = 0;
  let values = 0;
  let labels = 0;
  for (const item of putIncludedFirst(items)) {
    const itemBytes = encoder.encode(JSON.stringify(item)).length + 1;
    const itemValues = countValues(item) + 1;
    const itemLabels = item.labels?.length ?? 1;
    if (
      batch.length === maxBatchItems ||
      labels + itemLabels > maxBatchLabels ||
      bytes + itemBytes > maxBatchBytes ||
      values + itemValues > maxBatchValues
    ) {
      batches.push(batch);
      [batch, bytes, values, labels] = [[], 0, 0, 0];
    }
    batch.push(item);
    bytes += itemBytes;
    values += itemValues;
    labels += itemLabels;
  }
  return [...batches, batch].filter(({ length }) => length > 0);
}

/** Sorts included prompts first. The function is not recursive, because a chain of includes may be as long as the list. */
function putIncludedFirst(items: BatchItem[]): Set<BatchItem> {
  const byName = new Map(items.map((item) => [item.name, item]));
  const visited = new Set<BatchItem>();
  const sorted = new Set<BatchItem>();
  const stack = items.toReversed();
  for (let item = stack.at(-1); item; item = stack.at(-1)) {
    if (visited.has(item)) {
      sorted.add(item);
      stack.pop();
      continue;
    }
    visited.add(item);
    const included = listIncludedNames(item).flatMap((name) => byName.get(name) ?? []);
    stack.push(...included.filter((other) => !visited.has(other)));
  }
  return sorted;
}

/**
 * Lists the names that a prompt includes. The list also contains names in tags that are not rendered, such as tags in comments. Such names
 * only make the order stricter than necessary.
 */
function listIncludedNames({ template = '', messages = [], tools, output }: BatchItem): string[] {
  const parts = messages.flatMap((message) => ('content' in message ? listTemplates(message.content) : []));
  const texts = [template, ...parts.map(({ text }) => text)];
  mapDescriptions({ tools, output }, '', (text) => {
    texts.push(text);
    return text;
  });
  return [...texts.join('\n').matchAll(includeTag)].map(([, liquid, mustache]) => liquid ?? mustache ?? '');
}

const includeTag = /\{%-?\s*render\s+["']([^"'\n]+)|@@@langfusePrompt:name=([^|\n]+)/g;

/** Counts values in the same way as the service: by braces, brackets and commas. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce<number>((sum, item) => sum + countValues(item) + 1, 1);
}

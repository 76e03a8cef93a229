import type { Batch } from '../contract/batch.ts';
import { maxBatchItems, maxBatchLabels } from '../contract/limits.ts';

export type BatchItem = Batch['items'][number];

const maxBatchBytes = 1_000_000;
const maxBatchValues = 49_000;

/** As many prompts at a time as the service saves in one request. */
export function splitBatches(items: BatchItem[]): BatchItem[][] {
  const encoder = new TextEncoder();
  const batches: BatchItem[][] = [];
  let batch: BatchItem[] = [];
  let bytes = 0;
  let values = 0;
  let labels = 0;
  for (const item of items) {
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

/** As the service counts them: braces, brackets and commas. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce<number>((sum, item) => sum + countValues(item) + 1, 1);
}

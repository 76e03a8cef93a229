/** The length of a batch, which stays in memory until the client reads it. */
const batchLength = 64 * 1024;

/**
 * Combines the texts of an export into batches. Further texts are read only after the caller has consumed the previous batch.
 * `assertAllowed` is called before each batch, and throws if the caller has lost access.
 */
export async function* batchTexts(texts: AsyncIterable<string>, assertAllowed: () => Promise<void>): AsyncGenerator<string> {
  let batch = '';
  for await (const text of texts) {
    batch += text;
    if (batch.length < batchLength) continue;
    await assertAllowed();
    yield batch;
    batch = '';
  }
  await assertAllowed();
  if (batch !== '') yield batch;
}

import type { Watch } from './watch.ts';

type Method = (...args: unknown[]) => unknown;
/** An object of another library. Each field is checked where it is used. */
type Unknown = Record<PropertyKey, unknown>;

/**
 * Watches a streamed response: an async iterable, a readable stream, or a result of the AI SDK's `streamText`. Returns false for any other
 * value. The object itself is changed: its methods also report the arriving parts to the watch.
 */
export function watchStreams(value: unknown, watch: Watch): boolean {
  if (!isObject(value)) return false;
  const watched = new WeakSet<object>();
  try {
    return watchStream(value, watch, watched) || watchResult(value, watch, watched);
  } catch {
    // The object cannot be changed, or reading its fields throws an error.
    return false;
  }
}

/**
 * The streams in a result of the AI SDK. A stream is watched only when the program reads its field, because the first read creates the
 * stream. The usage is not read from the result, because that would consume the streams.
 */
const resultStreams = ['stream', 'fullStream', 'textStream'];

function watchResult(result: Unknown, watch: Watch, watched: WeakSet<object>): boolean {
  const getters = resultStreams.flatMap((name) => {
    const get = findGetter(result, name);
    return get ? [{ name, get }] : [];
  });
  for (const { name, get } of getters) {
    const getWatched = () => {
      const stream = get.call(result);
      if (isObject(stream)) watchStream(stream, watch, watched);
      return stream;
    };
    Object.defineProperty(result, name, { get: getWatched, configurable: true });
  }
  return getters.length > 0;
}

function findGetter(value: object, name: string): (() => unknown) | undefined {
  for (let owner: object | null = value; owner; owner = Object.getPrototypeOf(owner)) {
    const property = Object.getOwnPropertyDescriptor(owner, name);
    if (property) return property.get;
  }
  return undefined;
}

function watchStream(stream: Unknown, watch: Watch, watched: WeakSet<object>): boolean {
  if (watched.has(stream)) return true;
  if (isFunction(stream.getReader)) watchReadable(stream, watch, watched);
  else if (isFunction(stream.next) && isFunction(stream[Symbol.asyncIterator])) watchIterator(stream, watch, watched);
  else if (isFunction(stream[Symbol.asyncIterator])) watchIterable(stream, watch, watched);
  else return false;
  return true;
}

function watchIterable(iterable: Unknown, watch: Watch, watched: WeakSet<object>): void {
  watched.add(iterable);
  // The streams of the SDKs of OpenAI and Anthropic have a function `iterator`, which `tee` uses as well.
  for (const name of [Symbol.asyncIterator, 'iterator']) {
    replace(
      iterable,
      name,
      (create) =>
        (...args) =>
          watchReturned(create(...args), watch, watched),
    );
  }
}

function watchReturned(iterator: unknown, watch: Watch, watched: WeakSet<object>): unknown {
  if (isObject(iterator)) watchIterator(iterator, watch, watched);
  return iterator;
}

function watchIterator(iterator: Unknown, watch: Watch, watched: WeakSet<object>): void {
  if (watched.has(iterator)) return;
  watched.add(iterator);
  replace(
    iterator,
    'next',
    (next) =>
      (...args) =>
        watchRead(next(...args), watch),
  );
  for (const name of ['return', 'throw']) {
    replace(iterator, name, (end) => (...args) => {
      watch.end();
      return end(...args);
    });
  }
}

/** Watches the `{ done, value }` that a read returns to the program. */
async function watchRead(read: unknown, watch: Watch): Promise<unknown> {
  try {
    const result = await read;
    if (!isObject(result) || result.done) watch.end();
    else watch.part(result.value);
    return result;
  } catch (err) {
    watch.fail(err);
    throw err;
  }
}

/**
 * Watches a readable stream. `tee`, `pipeTo` and `pipeThrough` do not call `getReader`, so they are called on a copy that reads the stream
 * with `getReader`.
 */
function watchReadable(stream: Unknown, watch: Watch, watched: WeakSet<object>): void {
  watched.add(stream);
  replace(stream, 'getReader', (getReader) => (...args) => {
    const reader = getReader(...args);
    if (isObject(reader)) watchReader(reader, watch);
    return reader;
  });
  for (const name of ['values', Symbol.asyncIterator]) {
    replace(
      stream,
      name,
      (iterate) =>
        (...args) =>
          watchReturned(iterate(...args), watch, watched),
    );
  }
  for (const name of ['tee', 'pipeTo', 'pipeThrough'] as const) {
    replace(stream, name, () => (...args) => {
      const copy = createCopy(stream as unknown as ReadableStream);
      return (copy[name] as Method).apply(copy, args);
    });
  }
}

function watchReader(reader: Unknown, watch: Watch): void {
  replace(
    reader,
    'read',
    (read) =>
      (...args) =>
        watchRead(read(...args), watch),
  );
  replace(reader, 'cancel', (cancel) => (...args) => {
    watch.end();
    return cancel(...args);
  });
}

function createCopy(stream: ReadableStream): ReadableStream {
  const reader = stream.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Replaces a method of one object, if the object has it. */
function replace(target: Unknown, name: PropertyKey, wrap: (original: Method) => Method): void {
  const original = target[name];
  if (!isFunction(original)) return;
  Object.defineProperty(target, name, { value: wrap(original.bind(target)), configurable: true, writable: true });
}

function isFunction(value: unknown): value is Method {
  return typeof value === 'function';
}

function isObject(value: unknown): value is Unknown {
  return typeof value === 'object' && value !== null;
}

import { formatLine } from '../../contract/transfer-format.ts';
import { AppError } from '../../errors.ts';
import type { ExportedCase, PromptExtent } from '../../store/prompts/export.ts';
import type { PromptOverview } from '../../store/prompts/prompts.ts';
import type { SnapshotStores } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { toCaseLine, toEventLine, toPromptLine, toVersionLine } from './lines.ts';

/** A prompt with all that its first line says. */
interface ExportedPrompt {
  prompt: PromptOverview;
  extent: PromptExtent;
}

/** Prompts by name, and the text of their lines. */
interface ExportPage {
  text: string;
  /** The name of the last prompt. Undefined if there is none left. */
  last: string | undefined;
  /** The prompt whose lines are not all in the text, because there are too many. It is the only one. */
  large: (ExportedPrompt & { cases: ExportedCase[] }) | undefined;
}

const pagePrompts = 20;
/** What one part of an export has about. A part is read at once, while others wait, and kept until the client takes it. */
const partBytes = 64 * 1024;
/** An entry of the history, and a version besides its content, roughly. */
const lineBytes = 300;
const partLines = Math.ceil(partBytes / lineBytes);

/**
 * All prompts outside the bin, by name, as the text of lines. The same state gives the same bytes, on every server. Each prompt is as it
 * was at one moment. The text comes in parts, each read when the one before was taken; `assertAllowed` is called before each.
 */
export async function* exportPrompts(ctx: Context, actor: Actor, assertAllowed: () => Promise<void>): AsyncGenerator<string> {
  const { workspaceId } = actor;
  const readPart = <T>(read: () => Promise<T>) =>
    ctx.exports.run(workspaceId, async () => {
      await assertAllowed();
      return read();
    });
  let text = `${formatLine}\n`;
  for (let after: string | undefined; ; ) {
    const page = await readPart(() => ctx.store.readSnapshot((stores) => readPage(stores, workspaceId, after)));
    text += page.text;
    if (text !== '') yield text;
    text = '';
    if (page.large) yield* exportLarge(ctx, workspaceId, page.large, readPart);
    if (page.last === undefined) return;
    after = page.last;
  }
}

/** The next prompts, as many as fit into a part, or the beginning of one that does not. */
async function readPage({ prompts, exports }: SnapshotStores, workspaceId: string, after: string | undefined): Promise<ExportPage> {
  const position = after === undefined ? undefined : { value: after, id: '' };
  const found = await prompts.list(workspaceId, { sort: 'name', limit: pagePrompts, after: position });
  if (found.length === 0) return { text: '', last: undefined, large: undefined };
  const extents = await exports.measure(
    workspaceId,
    found.map(({ id }) => id),
    partLines,
  );
  const fitting = found.slice(0, countFitting(found.map(({ id }) => sizeOf(extents.get(id)))));
  const page = (await prompts.describe(workspaceId, fitting)).map((prompt): ExportedPrompt => {
    const extent = extents.get(prompt.id);
    if (!extent) throw new Error(`The prompt ${prompt.id} has no versions`);
    return { prompt, extent };
  });
  const [first] = page;
  const last = fitting.at(-1)?.name;
  if (page.length === 1 && first && sizeOf(first.extent) > partBytes) {
    const cases = await exports.listCases(workspaceId, [first.prompt.id]);
    return { text: toPromptLine(first.prompt, first.extent), last, large: { ...first, cases } };
  }
  return { text: await formatPage(exports, workspaceId, page), last, large: undefined };
}

/** More than a part has, if it is too large for one. */
function sizeOf(extent: PromptExtent | undefined): number {
  return extent ? extent.bytes + extent.lines * lineBytes : 0;
}

/** At least one. */
function countFitting(sizes: number[]): number {
  let bytes = 0;
  const end = sizes.findIndex((size, index) => {
    bytes += size;
    return index > 0 && bytes > partBytes;
  });
  return end === -1 ? sizes.length : end;
}

async function formatPage(exports: SnapshotStores['exports'], workspaceId: string, page: ExportedPrompt[]): Promise<string> {
  const ids = page.map(({ prompt }) => prompt.id);
  const promptIdOf = ({ promptId }: { promptId: string }) => promptId;
  const versions = Map.groupBy(await exports.listVersions(workspaceId, ids), promptIdOf);
  const cases = Map.groupBy(await exports.listCases(workspaceId, ids), promptIdOf);
  const events = Map.groupBy(await exports.listEvents(workspaceId, ids), promptIdOf);
  const lines = page.flatMap(({ prompt, extent }) => {
    const own = versions.get(prompt.id) ?? [];
    return [
      toPromptLine(prompt, extent),
      ...own.filter(({ deletedAt }) => deletedAt === null).map((version) => toVersionLine(prompt.type, version)),
      ...own.filter(({ deletedAt }) => deletedAt !== null).map((version) => toVersionLine(prompt.type, version)),
      ...(cases.get(prompt.id) ?? []).map(toCaseLine),
      ...(events.get(prompt.id) ?? []).map(toEventLine),
    ];
  });
  return lines.join('');
}

/**
 * The rest of a prompt, part by part. Versions and history only grow, so what was there at the moment of its first line is found up to
 * the last version and entry of that moment. If a version was deleted since, the export ends with an error.
 */
async function* exportLarge(
  ctx: Context,
  workspaceId: string,
  { prompt, extent, cases }: NonNullable<ExportPage['large']>,
  readPart: <T>(read: () => Promise<T>) => Promise<T>,
): AsyncGenerator<string> {
  const { exports } = ctx.store;
  const { lastVersion, deletedVersions, lastEvent } = extent;
  let lastSeen = 0;
  for (;;) {
    const range = { after: lastSeen, upTo: lastVersion };
    const { versions, last } = await readPart(() => exports.listVersionRange(workspaceId, prompt.id, range, partBytes));
    if (last === undefined) break;
    if (versions.length > 0) yield versions.map((version) => toVersionLine(prompt.type, version)).join('');
    lastSeen = last;
  }
  let deleted = 0;
  for (let after = 0; ; ) {
    const part = await readPart(() => exports.listDeletedRange(workspaceId, prompt.id, { after, upTo: lastVersion }));
    const last = part.at(-1);
    if (!last) break;
    deleted += part.length;
    yield part.map((version) => toVersionLine(prompt.type, version)).join('');
    after = last.version;
  }
  if (lastSeen !== lastVersion || deleted !== deletedVersions) throw changedMeanwhile(prompt);
  yield* cases.map(toCaseLine);
  for (let after = ''; lastEvent !== null; ) {
    const range = { after, upTo: lastEvent, limit: partLines };
    const part = await readPart(() => exports.listEventRange(workspaceId, prompt.id, range));
    const last = part.at(-1);
    if (!last) break;
    yield part.map(toEventLine).join('');
    after = last.id;
  }
}

function changedMeanwhile({ name }: PromptOverview): AppError {
  return new AppError('version_conflict', { text: `"${name}" was changed while it was exported; export again` });
}

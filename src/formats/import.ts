import type { SavedBatch } from '../contract/batch.ts';
import type { Case, NewCase } from '../contract/cases.ts';
import type { ListedPrompt } from '../contract/prompts.ts';
import type { ConvertedPrompt } from './draft-types.ts';
import { type BatchItem, splitBatches } from './import-batches.ts';
import { type CurrentPrompt, type PlannedPrompt, toBatchItem } from './plan.ts';

/** The requests that an import makes. */
export interface ImportService {
  /** Finds the prompts with these names, each with its newest version. */
  findPrompts(names: string[]): Promise<ListedPrompt[]>;
  /** Saves either all prompts or none of them. */
  savePrompts(items: BatchItem[]): Promise<SavedBatch>;
  listCases(name: string): Promise<Case[]>;
  /** Adds either all test cases or none of them. */
  addCases(name: string, cases: NewCase[]): Promise<unknown>;
  /**
   * Finds the item of a list that an error concerns, and the problem with the item. Returns undefined if the error does not concern an
   * item, for example after a lost connection.
   */
  findRefusal(err: unknown): { index: number; message: string } | undefined;
}

/** The result for a prompt. */
export interface ImportResult {
  name: string;
  /** The saved version, or undefined if the prompt was refused. */
  version?: number;
  status?: SavedBatch['data'][number]['status'];
  addedCases: number;
  /** The reasons why the service refused the prompt or some of its test cases. */
  problems: string[];
  /** Warnings about the labels that the prompt got. */
  warnings: string[];
}

/** Reads the existing prompts with the names of converted prompts. */
export async function readCurrent(converted: ConvertedPrompt[], service: ImportService): Promise<Map<string, CurrentPrompt>> {
  const importable = new Map(converted.filter(({ draft }) => draft).map((prompt) => [prompt.name, prompt]));
  const current = new Map<string, CurrentPrompt>();
  for (const prompt of await service.findPrompts([...importable.keys()])) {
    const hasCases = (importable.get(prompt.name)?.cases.length ?? 0) > 0;
    current.set(prompt.name, { prompt, cases: hasCases ? await service.listCases(prompt.name) : [] });
  }
  return current;
}

/**
 * Saves the planned prompts in batches. A refused prompt does not prevent the service from saving the other prompts. Throws if the
 * connection is lost. By then, `onResult` has been called for all prompts that were saved.
 */
export async function runImport(
  planned: PlannedPrompt[],
  { labels, service, onResult }: { labels: string[]; service: ImportService; onResult: (result: ImportResult) => void },
): Promise<void> {
  const byName = new Map(planned.map((prompt) => [prompt.name, prompt]));
  const items = planned
    .filter(({ action }) => action !== 'same' && action !== 'refuse')
    .flatMap((prompt) => toBatchItem(prompt, labels) ?? []);
  for (const batch of splitBatches(items)) {
    for (const result of await saveBatch(batch, service)) {
      const cases = result.version === undefined ? [] : (byName.get(result.name)?.newCases ?? []);
      onResult(await addCases(result, cases, service));
    }
  }
}

/** Saves a batch. If the service refuses an item, saves the batch again without it. */
async function saveBatch(batch: BatchItem[], service: ImportService): Promise<ImportResult[]> {
  const refused: ImportResult[] = [];
  let items = batch;
  while (items.length > 0) {
    try {
      const { data } = await service.savePrompts(items);
      return [...refused, ...data.map(toResult)];
    } catch (err) {
      const refusal = service.findRefusal(err);
      const item = refusal && items[refusal.index];
      if (!refusal || !item) throw err;
      refused.push({ name: item.name, addedCases: 0, problems: [refusal.message], warnings: [] });
      items = items.filter((each) => each !== item);
    }
  }
  return refused;
}

function toResult({ name, version, status, warnings = [] }: SavedBatch['data'][number]): ImportResult {
  return { name, version, status, addedCases: 0, problems: [], warnings: warnings.map(({ message }) => message) };
}

async function addCases(result: ImportResult, cases: NewCase[], service: ImportService): Promise<ImportResult> {
  const problems = [...result.problems];
  let rest = cases;
  while (rest.length > 0) {
    try {
      await service.addCases(result.name, rest);
      break;
    } catch (err) {
      const refusal = service.findRefusal(err);
      const refused = refusal && rest[refusal.index];
      if (!refusal || !refused) throw err;
      problems.push(`Test case "${refused.name}" was not added: ${refusal.message}`);
      rest = rest.filter((each) => each !== refused);
    }
  }
  return { ...result, addedCases: rest.length, problems };
}

/** An error response of the API. */
interface ErrorResponse {
  status: number;
  code: string | undefined;
  message: string;
  details: { path: string; message: string; line?: number | undefined }[];
}

/**
 * Finds the item of a request that an error concerns. An error that would affect every item, such as an insufficient role, concerns no
 * item.
 */
export function readRefusal({ status, code, message, details }: ErrorResponse): { index: number; message: string } | undefined {
  const [detail] = details;
  const index = /^\/(?:items|data)\/(\d+)/.exec(detail?.path ?? '')?.[1];
  if (!detail || index === undefined || ![400, 409, 422].includes(status) || code === 'checks_required') return undefined;
  const place = detail.line === undefined ? '' : ` (line ${detail.line} of the template)`;
  return { index: Number(index), message: `${detail.message || message}${place}` };
}
